import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "happy-dom",
    include: ["client/**/*.test.{ts,tsx}", "ssr/**/*.test.{ts,tsx}", "worker/**/*.test.ts", "bench/peers/rig/*.test.ts"],
    setupFiles: ["client/test/testSetup.ts"],
    restoreMocks: true,
  },
});
