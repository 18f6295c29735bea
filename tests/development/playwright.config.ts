import { defineConfig } from "@playwright/test";

/** What `make dev` does, in a copy of the sources. Needs `target/dev/vitrine`, a build with the feature `dev`. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../target/development-tests",
  reporter: "list",
  workers: 1,
  forbidOnly: true,
  timeout: 25_000,
  expect: { timeout: 8_000 },
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-features=HttpsUpgrades"],
    },
  },
});
