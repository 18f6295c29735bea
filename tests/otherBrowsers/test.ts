import { expect, test as base } from "@playwright/test";
import { startShop } from "../browser/support/shops";
import type { Product } from "../browser/support/products";
import { startFirefox } from "./firefox";
import { Visitor } from "./visitor";
import { watchShop } from "./watchedShop";
import type { WatchedShop } from "./watchedShop";
import type { StartedBrowser } from "./tab";
import { startWebKit } from "./webkit";

export { expect };

export interface BrowserOptions {
  browserName: "firefox" | "webkit";
}

interface WorkerFixtures {
  /** Off for what has to work without. */
  withJavaScript: boolean;
  shop: WatchedShop & { products: Product[] };
  started: StartedBrowser;
}

export const test = base.extend<{ visitor: Visitor }, WorkerFixtures>({
  withJavaScript: [true, { option: true, scope: "worker" }],
  shop: [
    async ({ withJavaScript: _ }, provide) => {
      const shop = await startShop("sample");
      const watched = await watchShop(shop);
      await provide({ ...watched, products: shop.products });
      await watched.stop();
    },
    { scope: "worker" },
  ],
  started: [
    async ({ browserName, withJavaScript }, provide) => {
      const started = await (browserName === "firefox" ? startFirefox : startWebKit)(withJavaScript);
      await provide(started);
      await started.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  visitor: async ({ started, shop, withJavaScript }, provide) => {
    const visitor = new Visitor(started.tab, shop.address);
    await visitor.widen();
    await provide(visitor);
    await shop.goOnline();
    if (withJavaScript) await visitor.expectSilence();
  },
});
