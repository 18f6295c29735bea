import { defineConfig } from "@playwright/test";
import browserTests from "../../tests/browser/playwright.config";

/**
 * `make bench-browser`: how long visitors wait, in Chromium on a CPU that is slowed down. One page at
 * a time, and with motion, because most visitors have not reduced it.
 */
export default defineConfig({
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../../target/bench-browser",
  reporter: "line",
  workers: 1,
  retries: 0,
  timeout: 900_000,
  use: {
    ...browserTests.use,
    // The whole browser, as visitors have it.
    launchOptions: { ...browserTests.use?.launchOptions, executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" },
    contextOptions: { reducedMotion: "no-preference" },
    screenshot: "off",
  },
});
