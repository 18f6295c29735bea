import { byId, categoryName, findProduct, money, ofCategory } from "../browser/support/products";
import { ROUTES } from "../browser/support/routes";
import { expect, test } from "./test";

const CARD_LINK = "main article a";
const STOCK = "#filter-form input[name=stock]";
const OFFLINE_NOTICE = "The shop did not answer, so nothing has changed.";

test("every page hydrates without a change or a complaint", async ({ visitor }) => {
  for (const { path, status } of ROUTES) {
    await visitor.open(path);
    expect(await visitor.read("changes"), path).toEqual([]);
    expect(await visitor.read("document.documentElement.dataset.client"), path).toBe("ready");
    expect(await visitor.read("document.querySelectorAll('main h1').length"), `${path}, ${status}`).toBe(1);
    await visitor.expectSilence();
  }
});

test("no page is wider than a phone", async ({ visitor }) => {
  await visitor.narrow();
  for (const { path } of ROUTES) {
    await visitor.open(path);
    expect(await visitor.read("document.scrollingElement.scrollWidth - document.documentElement.clientWidth"), path).toBe(0);
  }
});

test("a facet filters the listing and back undoes it", async ({ visitor, shop }) => {
  const all = shop.products.length;
  const inStock = shop.products.filter(({ stock }) => stock > 0).length;
  expect(inStock).toBeLessThan(all);
  await visitor.open("/products");
  await visitor.click(STOCK);
  await visitor.expectAddress("/products?stock=1");
  await visitor.expect("document.querySelector('#result-count').textContent", `${inStock} products`);
  await visitor.expect(`document.querySelector('${STOCK}').checked`, true);
  await visitor.back();
  await visitor.expectAddress("/products");
  await visitor.expect("document.querySelector('#result-count').textContent", `${all} products`);
  await visitor.expect(`document.querySelector('${STOCK}').checked`, false);
  await visitor.expectSameDocument();
});

test("a sort changes the order and back undoes it", async ({ visitor, shop }) => {
  const inOrder = ofCategory(shop.products, "furniture").toSorted((left, right) => left.price - right.price || byId(left, right));
  await visitor.open("/category/furniture");
  const before = await visitor.read("document.querySelector('main article h3').textContent");
  expect(before).not.toBe(inOrder[0]?.title);
  await visitor.choose("#sort-select", "price-asc");
  await visitor.expectAddress("/category/furniture?sort=price-asc");
  await visitor.expect("[...document.querySelectorAll('main article h3')].map((title) => title.textContent)", inOrder.map(({ title }) => title));
  await visitor.back();
  await visitor.expectAddress("/category/furniture");
  await visitor.expect("document.querySelector('main article h3').textContent", before);
  await visitor.expect("document.querySelector('#sort-select').value", "");
});

test("a card opens its product, and back returns to the same place of the listing", async ({ visitor }) => {
  await visitor.open("/products");
  const [title, place] = (await visitor.read(`((link) => {
    link.scrollIntoView({ block: "center", behavior: "instant" });
    return [link.closest("article").querySelector("h3").textContent, scrollY];
  })(document.querySelectorAll("${CARD_LINK}")[13])`)) as [string, number];
  expect(place).toBeGreaterThan(300);
  await visitor.click(CARD_LINK, title);
  await visitor.expectHeading(title);
  await visitor.expect("document.activeElement.localName", "h1");
  await visitor.expect("Math.round(scrollY)", 0);
  await visitor.expectVisible("main button", "Add to Cart");
  await visitor.back();
  await visitor.expectHeading("All Products");
  await visitor.expect(`Math.abs(scrollY - ${place}) < 10`, true);
  await visitor.expectSameDocument();
});

test("the product page shows price and pictures, and the gallery steps and zooms", async ({ visitor, shop }) => {
  const product = findProduct(shop.products, ({ images }) => images.length >= 2);
  // The pictures stand side by side; the one in sight can be focused.
  const stage = ".GalleryStage[tabindex='0']";
  const picture = `document.querySelector("${stage} img").getAttribute('src')`;
  await visitor.open(`/product/${product.id}`);
  expect(await visitor.read("document.querySelector('main').innerText")).toContain(money(product.price));
  await visitor.expect(picture, product.images[0]);
  await visitor.click("button", "Next image");
  await visitor.expect(picture, product.images[1]);
  await visitor.click("button", "Previous image");
  await visitor.expect(picture, product.images[0]);
  await visitor.read(`document.querySelector("${stage}").focus()`);
  await visitor.press("ArrowRight");
  await visitor.expect(picture, product.images[1]);
  await visitor.click(stage);
  await visitor.expect(`document.querySelector("${stage}").getAttribute('aria-pressed')`, "true");
  await visitor.click(stage);
  await visitor.expect(`document.querySelector("${stage}").getAttribute('aria-pressed')`, "false");
});

test("the menu of categories opens, closes on Escape and leads to a category", async ({ visitor, shop }) => {
  const slug = shop.products.map(({ category }) => category).toSorted()[0] ?? "";
  const links = ".CategoryMenu-panel a";
  await visitor.open("/");
  await visitor.click("nav [role=button]", "All Categories");
  await visitor.expectVisible(links);
  await visitor.press("Escape");
  await visitor.expectHidden(links);
  await visitor.click("nav [role=button]", "All Categories");
  await visitor.click(links, categoryName(slug));
  await visitor.expectAddress(`/category/${slug}`);
  await visitor.expectHeading(categoryName(slug));
  await visitor.expectHidden(links);
  await visitor.expectSameDocument();
});

test("a phone's menu opens and leads to a page", async ({ visitor }) => {
  await visitor.open("/");
  await visitor.narrow();
  await visitor.click("summary", "Menu");
  await visitor.click("nav[aria-label=Mobile] a", "Deals");
  await visitor.expectHeading("Deals");
  await visitor.expectHidden("nav[aria-label=Mobile] a");
  await visitor.expectSameDocument();
});

test("on a phone the filters are a dialog that filters and closes", async ({ visitor, shop }) => {
  const inStock = shop.products.filter(({ stock }) => stock > 0).length;
  await visitor.open("/products");
  await visitor.narrow();
  await visitor.click("main [role=button]", "Filters");
  await visitor.expectVisible("dialog[open]");
  await visitor.click(STOCK);
  await visitor.expectVisible("dialog [role=status]", `${inStock} products`);
  await visitor.click("dialog button", "Show results");
  await visitor.expectHidden("dialog");
  await visitor.expectAddress("/products?stock=1");
  await visitor.click("main [role=button]", "Filters");
  await visitor.expectVisible("dialog[open]");
  await visitor.press("Escape");
  await visitor.expectHidden("dialog");
});

test("without a connection a filter leaves the listing as it is and can be tried again", async ({ visitor, shop }) => {
  // No other journey filters it, so the answer is not in the browser's cache.
  const { category } = findProduct(shop.products, ({ stock }) => stock === 0);
  const path = `/category/${category}`;
  const all = ofCategory(shop.products, category);
  const inStock = all.filter(({ stock }) => stock > 0);
  await visitor.open(path);
  await shop.goOffline();
  await visitor.click(STOCK);
  await visitor.expectVisible("[role=status] p", OFFLINE_NOTICE);
  await visitor.expectAddress(path);
  await visitor.expect(`document.querySelector('${STOCK}').checked`, false);
  await visitor.expect("document.querySelector('#result-count').textContent", `${all.length} products`);
  await shop.goOnline();
  await visitor.click("[role=status] button", "Try again");
  await visitor.expectAddress(`${path}?stock=1`);
  await visitor.expect("document.querySelector('#result-count').textContent", `${inStock.length} products`);
  await visitor.expectHidden("[role=status] p", OFFLINE_NOTICE);
});

test("without a connection a page that cannot be loaded offers to try again", async ({ visitor, shop }) => {
  // A product that no other journey opens: the service worker keeps what was seen.
  const { category, title } = findProduct(shop.products, (product) => product.category === "vehicle" && !product.title.includes("-"));
  await visitor.open(`/category/${category}`);
  await shop.goOffline();
  await visitor.click(CARD_LINK, title);
  await visitor.expectHeading("Oops! Sorry, an unexpected error has occurred.");
  await shop.goOnline();
  await visitor.click("main button", "Try again");
  await visitor.expectHeading(title);
  await visitor.expectSameDocument();
});

test("typing a search offers products, and the keys lead to one", async ({ visitor }) => {
  await visitor.open("/");
  await visitor.click(".SearchBox-input");
  for (const letter of ["w", "a", "t", "c", "h"] as const) await visitor.press(letter);
  await visitor.expectVisible(".Autocomplete-option", "Search for \u201Cwatch\u201D");
  await visitor.expectVisible("[role=group] .Autocomplete-option");
  await visitor.press("ArrowDown");
  await visitor.press("ArrowDown");
  const title = (await visitor.read("document.querySelector('[role=option][aria-selected=true] bdi').textContent")) as string;
  await visitor.press("Escape");
  await visitor.expectHidden(".Autocomplete-option");
  await visitor.expect("document.querySelector('.SearchBox-input').value", "watch");
  await visitor.open("/categories");
  await visitor.click(".SearchBox-input");
  for (const letter of ["w", "a", "t", "c", "h"] as const) await visitor.press(letter);
  await visitor.expectVisible("[role=group] .Autocomplete-option");
  await visitor.press("ArrowDown");
  await visitor.press("ArrowDown");
  await visitor.press("Enter");
  await visitor.expectHeading(title);
  await visitor.expectSameDocument();
});
