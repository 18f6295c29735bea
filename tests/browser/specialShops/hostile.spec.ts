import { expectUnchangedByHydration } from "../support/hydration";
import { cards, heading, open, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { recordViolations } from "../support/policy";
import { ofCategory } from "../support/products";
import { addToCart, shopAround } from "../support/shopping";
import { expect, test } from "../support/test";

test.use({ shopName: "hostile" });

const PATHS = [
  ...["/", "/categories", "/brands", "/products", "/deals", "/category/beauty", "/category/furniture"],
  "/products?q=%3Cscript%3Eglobalthis.hacked%3D1%3C%2Fscript%3E",
  `/search/${encodeURIComponent("<script>globalThis.hacked=1</script>")}`,
  `/search/${encodeURIComponent("W".repeat(200))}`,
  ...Array.from({ length: 15 }, (_, index) => `/product/${index + 1}`),
];

test("hostile text runs no script, breaks no layout, is not changed by hydration and violates no content security policy", async ({ page, context }) => {
  const violations = await recordViolations(context);
  // Otherwise each product would show those that were looked at before.
  await page.addInitScript(() => { localStorage.clear(); });
  for (const path of PATHS) {
    await test.step(path.slice(0, 60), async () => {
      const { response } = await expectUnchangedByHydration(page, path);
      expect(response.status()).toBe(200);
      expect(await page.evaluate(() => "hacked" in globalThis), "a script ran").toBe(false);
      for (const width of WIDTHS) {
        await resize(page, width);
        expect(await sidewaysScroll(page), `at ${width} px the page scrolls sideways`).toBe(0);
      }
    });
  }
  expect(violations).toEqual([]);
});

test("hostile text is shown as what it is", async ({ page, shop }) => {
  await open(page, "/product/1");
  await expect(heading(page)).toHaveText('<script>globalThis.hacked="script"</script>');
  await open(page, "/category/beauty");
  await expect(cards(page)).toHaveCount(ofCategory(shop.products, "beauty").length);
});

test("hostile cards are reached, put into the cart and followed", async ({ page, watch }) => {
  await open(page, "/category/beauty");
  const card = cards(page).first();
  await addToCart(page, card);
  await expect.poll(() => watch.logs).toEqual(['Add to cart: <script>globalThis.hacked="script"</script>']);
  await card.getByRole("link").click();
  await expect(heading(page)).toHaveText('<script>globalThis.hacked="script"</script>');
  expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
});

test("nothing that a shopper does with hostile products violates the content security policy", async ({ page, context }) => {
  const violations = await recordViolations(context);
  await shopAround(page, 2);
  expect(violations).toEqual([]);
});
