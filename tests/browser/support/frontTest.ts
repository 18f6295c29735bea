import { startFront } from "./front";
import type { Front } from "./front";
import { test as base } from "./test";

export { expect } from "./test";

/** Tests whose pages reach the shop through a front of their own, which can fail or hold requests. */
export const test = base.extend<{ front: Front }>({
  front: async ({ shop }, provide) => {
    const front = await startFront(shop.address);
    await provide(front);
    await front.stop();
  },
  baseURL: async ({ front }, provide) => {
    await provide(front.address);
  },
});
