import { defineConfig } from "@playwright/test";
import { hasRealProducts } from "./support/shops";
import type { WorkerOptions } from "./support/test";

/** What no test needs; the popups of the address bar alone would cost a process for each window. */
const DISABLED_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "HttpsUpgrades",
  "MediaRouter",
  "OptimizationHints",
  "PaintHolding",
];

/**
 * Projects are shops: what every shop has to do runs on three catalogues, the journeys on two.
 * Each worker starts the servers that it needs on free ports and stops them at its end.
 */
export default defineConfig<object, WorkerOptions>({
  testDir: ".",
  outputDir: "../../target/browser-tests",
  reporter: "list",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        `--disable-features=${DISABLED_FEATURES.join()}`,
      ],
    },
  },
  projects: [
    { name: "sample", testMatch: ["everyShop/*.spec.ts", "journeys/*.spec.ts"], use: { shopName: "sample" } },
    { name: "service", testMatch: "everyShop/*.spec.ts", use: { shopName: "service" } },
    hasRealProducts()
      ? {
          name: "real",
          testMatch: ["everyShop/*.spec.ts", "journeys/*.spec.ts"],
          // The slowest tests by far, and other products change no colour, name or state.
          testIgnore: "journeys/accessibility.spec.ts",
          use: { shopName: "real" },
        }
      : { name: "real", testMatch: "support/realProductsMissing.spec.ts" },
    { name: "special shops", testMatch: "specialShops/*.spec.ts" },
    { name: "lighthouse", testMatch: "lighthouse.spec.ts" },
    { name: "documentation", testMatch: "documentation.spec.ts" },
  ],
});
