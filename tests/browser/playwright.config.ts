import { defineConfig } from "@playwright/test";
import type { Project } from "@playwright/test";
import { hasRealProducts } from "./support/shops";
import { isAll as all } from "./support/test";
import type { WorkerOptions } from "./support/test";
import { onlyTypefaces } from "./support/typefaces";
import type { Typeface } from "./support/typefaces";

/** What no test needs; the popups of the address bar alone would cost a process for each window. */
const DISABLED_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "HttpsUpgrades",
  "MediaRouter",
  "OptimizationHints",
  "PaintHolding",
  // A document that a test changed counts as one from the internet, whose pictures may not be local.
  "LocalNetworkAccessChecks",
];

/** How the browser is started, with these typefaces whatever the machine has; the widths of the usual one are those of Arial. */
function launchOptions(...typefaces: Typeface[]) {
  return {
    env: onlyTypefaces(...typefaces),
    executablePath: process.env.CHROMIUM ?? (all ? "/usr/bin/chromium" : "/usr/bin/chromium-headless-shell"),
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
  };
}

/** The shops that only `BROWSER_TESTS=all` visits. */
const OTHER_SHOPS: Project<object, WorkerOptions>[] = [
  { name: "service", testMatch: "everyShop/*.spec.ts", use: { shopName: "service" } },
  ...(hasRealProducts()
    ? [
        {
          name: "real",
          testMatch: ["everyShop/*.spec.ts", "products/*.spec.ts", "journeys/*.spec.ts"],
          // Other products change no colour, name or state.
          testIgnore: "journeys/accessibility.spec.ts",
          use: { shopName: "real" as const },
        },
        // The real products in files, whose shops have no cart and no name, and in a table no ratings.
        {
          name: "lines",
          testMatch: /products\/(emptySearch|filter\w*|gallery|heads|listings|quickFilters|reviews)\.spec\.ts/,
          use: { shopName: "lines" as const },
        },
        {
          name: "table",
          testMatch: /products\/(emptySearch|filters|gallery|listings)\.spec\.ts/,
          grepInvert: /rating|clear all|change nothing|search results|sale|best-sellers/,
          use: { shopName: "table" as const },
        },
      ]
    : [{ name: "real", testMatch: "support/realProductsMissing.spec.ts" }]),
];

/**
 * Projects are shops, and folders say on which shops a test runs:
 *
 * - `everyShop`: what has to hold for every page of every shop.
 * - `products`: what pages show of the products.
 * - `journeys`: what a shopper does whatever the products are, on the sample.
 * - `specialShops`: shops that fail or whose products are hostile; each file names its own.
 *
 * Usually the shop is the sample. `BROWSER_TESTS=all` (`make test-all`) adds what repeats a test: tagged `@more`, on further
 * pages that have the same template, and on other shops: the sample behind a catalogue service, and the real products from
 * a service and from files. It takes the whole Chromium; otherwise the tests take its headless shell, which is the same
 * engine without windows and uses less of the CPU.
 *
 * Each worker starts the servers that it needs on free ports and stops them at its end. Time limits
 * only end what hangs: no test may fail because the machine is busy.
 */
export default defineConfig<object, WorkerOptions>({
  testDir: ".",
  outputDir: "../../target/browser-tests",
  reporter: "list",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  ...(!all && { grepInvert: /@more/ }),
  use: {
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // It would answer instead of what a test does to the network; `journeys/offline.spec.ts` allows it.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    launchOptions: launchOptions("Liberation Sans", "DejaVu Sans"),
  },
  projects: [
    // Hostile texts have letters that the usual typeface lacks.
    { name: "special shops", testMatch: "specialShops/*.spec.ts", use: { launchOptions: launchOptions("DejaVu Sans") } },
    {
      name: "sample",
      testMatch: ["everyShop/*.spec.ts", "products/*.spec.ts", "journeys/*.spec.ts"],
      use: { shopName: "sample" },
    },
    ...(all ? [{ name: "lighthouse", testMatch: "lighthouse.spec.ts" }, ...OTHER_SHOPS] : []),
  ],
});
