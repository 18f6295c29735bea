import { defineConfig } from "@playwright/test";
import type { BrowserOptions } from "./test";

/**
 * The main journeys in browsers that are not Chromium. Only the runner is Playwright: its own builds
 * of other browsers would have to be downloaded, while Debian packages these.
 */
export default defineConfig<object, BrowserOptions>({
  testDir: ".",
  outputDir: "../../target/other-browsers",
  reporter: "list",
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // Only ends what hangs: no test may fail because the machine is busy.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  projects: [
    { name: "Firefox", use: { browserName: "firefox" } },
    { name: "WebKitGTK", use: { browserName: "webkit" } },
  ],
});
