import { test as base } from "@playwright/test";
import { startShop } from "./shops";
import type { Shop, ShopName } from "./shops";
import { Watch } from "./watch";

export { expect } from "@playwright/test";

export interface WorkerOptions {
  /** The shop that the tests of a project or file visit. */
  shopName: ShopName;
}

interface Fixtures {
  /** What the browser complained about and logged; complaints that no test expects fail it. */
  watch: Watch;
}

const STUB_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="#9ab"/></svg>';

export const test = base.extend<Fixtures, WorkerOptions & { shop: Shop }>({
  shopName: ["sample", { option: true, scope: "worker" }],
  shop: [
    async ({ shopName }, provide) => {
      const shop = await startShop(shopName);
      await provide(shop);
      await shop.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ shop }, provide) => {
    await provide(shop.address);
  },
  watch: [
    async ({ context, shopName }, provide) => {
      if (shopName === "real" || shopName === "hostile") {
        // Their pictures lie on a host that is not ours.
        await context.route(/^https?:\/\/(?!127\.0\.0\.1[:/])/, (route) =>
          route.fulfill({ contentType: "image/svg+xml", body: STUB_IMAGE }),
        );
      }
      const watch = new Watch(context);
      await provide(watch);
      watch.verify();
    },
    { auto: true },
  ],
});
