import { open } from "../support/page";
import { recordViolations } from "../support/policy";
import { findProduct } from "../support/products";
import { shopAround } from "../support/shopping";
import { expect, test } from "../support/test";

// `routes.spec.ts` looks at what the pages do by themselves.

test("nothing that a shopper does violates the content security policy", async ({ page, context, shop }) => {
  const violations = await recordViolations(context);
  const product = findProduct(shop.products, ({ images, reviews }) => images.length > 1 && reviews.length > 1);
  await shopAround(page, product.id);
  expect(violations).toEqual([]);
});

test("a script that does not belong to the page is blocked and seen", async ({ page, context, watch }) => {
  watch.expect(/Executing inline script violates/);
  const violations = await recordViolations(context);
  await page.route(/\/categories$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace("</head>", "<script>globalThis.hacked=1</script></head>") });
  });
  await open(page, "/categories");
  expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
  await expect.poll(() => violations).toContainEqual(expect.stringContaining("script-src-elem inline"));
});
