import { ofCategory } from "../browser/support/products";
import { expect, test } from "./test";

test.use({ withJavaScript: false });

test("without JavaScript a shopper filters, opens a product and a phone's menu", async ({ visitor, shop }) => {
  const inStock = ofCategory(shop.products, "furniture").filter(({ stock }) => stock > 0);
  await visitor.openWithoutScripts("/category/furniture");
  expect(await visitor.read("globalThis.complaints ?? null"), "the watching script has not run").toBeNull();
  await visitor.click("#filter-form input[name=stock]");
  await visitor.click("button", "Apply filters");
  await visitor.expect("new URLSearchParams(location.search).get('stock')", "1");
  await visitor.expect("document.querySelectorAll('main article h3').length", inStock.length);
  const title = String(await visitor.read("document.querySelector('main article h3').textContent"));
  await visitor.click("main article a", title);
  await visitor.expectHeading(title);
  await visitor.openWithoutScripts("/");
  await visitor.narrow();
  await visitor.click("summary", "Menu");
  await visitor.click("nav[aria-label=Mobile] a", "Deals");
  await visitor.expectHeading("Deals");
});
