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
  // A document that a test changed counts as one from the internet, whose pictures may not be local.
  "LocalNetworkAccessChecks",
];

/**
 * `BROWSER_TESTS=all` (`make test-all`) adds what repeats a test: on a further shop, or, tagged
 * `@more`, on further pages that have the same template. It takes the whole Chromium; otherwise the
 * tests take its headless shell, which is the same engine without windows and uses less of the CPU.
 */
const all = process.env.BROWSER_TESTS === "all";

const real = hasRealProducts();

/**
 * Other products change little of what these look at: heads, steps of a visit, the layout of a page and what its controls
 * do. Property tests in Rust count facets and quick filters of any products.
 */
const SAME_ON_REAL = [
  ...["head", "navigation", "policy"].map((name) => `everyShop/${name}.spec.ts`),
  ...["filterPanel", "filterState", "gallery", "quantity", "quickFilters", "shelves"].map((name) => `products/${name}.spec.ts`),
];

/**
 * Projects are shops, and folders say on which shops a test runs:
 *
 * - `everyShop`: what has to hold for every page of every shop.
 * - `products`: what pages show of the products, on the sample and, most of it, on real products.
 * - `journeys`: what a shopper does whatever the products are, on the sample.
 * - `specialShops`: shops that fail or whose products are hostile; each file names its own.
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
  timeout: 120_000,
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
    launchOptions: {
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
    },
  },
  projects: [
    // The longest file comes first, so that it does not keep one worker busy at the end.
    { name: "lighthouse", testMatch: "lighthouse.spec.ts" },
    { name: "special shops", testMatch: "specialShops/*.spec.ts" },
    {
      name: "sample",
      testMatch: ["everyShop/*.spec.ts", "products/*.spec.ts", "journeys/*.spec.ts"],
      use: { shopName: "sample" },
    },
    real
      ? {
          name: "real",
          testMatch: ["everyShop/*.spec.ts", "products/*.spec.ts", ...(all ? ["journeys/*.spec.ts"] : [])],
          testIgnore: [
            // Other products change no colour, name or state.
            "journeys/accessibility.spec.ts",
            ...(all ? [] : SAME_ON_REAL),
          ],
          use: { shopName: "real" },
        }
      : { name: "real", testMatch: "support/realProductsMissing.spec.ts" },
    // The real products in files, whose shops have no cart and no name, and in a table no ratings.
    ...(all && real
      ? [
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
      : []),
    // The sample behind a catalogue service. Where there are real products, they come from one, too.
    ...(all || !real ? [{ name: "service", testMatch: "everyShop/*.spec.ts", use: { shopName: "service" as const } }] : []),
  ],
});
