import { heading, open } from "../support/page";
import { expect, test } from "../support/test";
import { recordRequests } from "../support/visit";

// `everyShop/routes.spec.ts` looks at the requests of each kind of page.
test("a visit is anonymous: GET requests only, no cookies, nobody else is asked", async ({ page, context, shopName, watch }) => {
  watch.expectStatus(404);
  const { methods, hosts } = recordRequests(page, shopName);
  await open(page, "/product/1");
  await page.getByRole("link", { name: /^Back to / }).click();
  await expect(page).toHaveURL(/\/category\//);
  await open(page, "/no/such/page");
  await page.getByRole("link", { name: "Back to the homepage" }).click();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
  expect([...methods]).toEqual(["GET"]);
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  expect(await context.cookies()).toEqual([]);
});

test("there is no login, cart, checkout or wishlist", async ({ page, request }) => {
  for (const path of ["/login", "/account", "/cart", "/checkout", "/wishlist"]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  for (const path of ["/", "/products", "/product/1"]) {
    await open(page, path);
    const words = /log ?in|sign (in|up)|checkout|wishlist/i;
    await expect(page.getByRole("link", { name: words })).toHaveCount(0);
    await expect(page.getByRole("link", { name: /^cart\b/i })).toHaveCount(0);
  }
});

test("the browser keeps only the theme and the products that were looked at", async ({ page }) => {
  await open(page, "/product/1");
  await page.getByRole("main").getByRole("button", { name: /^Wishlist/ }).first().click();
  await page.getByRole("main").getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("banner").getByRole("button", { name: /theme/ }).click();
  const kept = await page.evaluate(() => [Object.keys(localStorage).sort(), Object.keys(sessionStorage)]);
  expect(kept[0]).toEqual(["vitrine-recent", "vitrine-theme"]);
  expect(kept[1]).toEqual([]);
  const elsewhere = await page.evaluate(async () => [
    await caches.keys(),
    await indexedDB.databases(),
    await navigator.serviceWorker.getRegistrations(),
  ]);
  // The service worker stores pages, see `offline.spec.ts`; the page itself stores nothing there.
  expect(elsewhere).toEqual([[], [], []]);
});
