import { test as base } from "@playwright/test";
import { startShop } from "./shops";
import type { Shop, ShopName } from "./shops";
import { Watch } from "./watch";

export { expect } from "@playwright/test";

/** Marks a test that repeats others on further pages; only `BROWSER_TESTS=all` runs it. */
export const MORE = "@more";

/** Such tests run, too. */
export const isAll = process.env.BROWSER_TESTS === "all";

/** What a test goes through, and with `BROWSER_TESTS=all` further ones of the same kind. */
export function andMore<T>(usual: readonly T[], more: readonly T[]): T[] {
  return isAll ? [...usual, ...more] : [...usual];
}

export interface WorkerOptions {
  /** The shop that the tests of a project or file visit. */
  shopName: ShopName;
}

interface Fixtures {
  /** What the browser complained about and logged; complaints that no test expects fail it. */
  watch: Watch;
}

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
    async ({ context }, provide) => {
      const watch = new Watch(context);
      await provide(watch);
      watch.verify();
    },
    { auto: true },
  ],
});
