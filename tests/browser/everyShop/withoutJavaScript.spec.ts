import { cards, heading } from "../support/page";
import { findProduct } from "../support/products";
import { ROUTES } from "../support/routes";
import type { Route } from "../support/routes";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

/** How many links are followed at the same time. */
const AT_ONCE = 8;

/** `tests/it/seo.rs` follows the links of every other page. */
const isCrawled = ({ path, status }: Route) => status === 200 && !/\?|^\/(offline|search)/.test(path);

test("every page shows its content without JavaScript, and every link leads to a page", async ({ page, shop, request, watch }) => {
  test.slow();
  const first = findProduct(shop.products, ({ id }) => id === 1);
  const links = new Map<string, string>();
  for (const route of ROUTES) {
    const { path, status, heading: text = first.title, cards: hasCards = false } = route;
    await test.step(path, async () => {
      if (status !== 200) watch.expectStatus(status);
      await page.goto(path);
      await expect(heading(page)).toHaveText(text);
      await expect(heading(page)).toBeVisible();
      if (hasCards) {
        await expect(cards(page).first()).toBeVisible();
        await expect(cards(page).first().getByText(/\$\d/).first()).toBeVisible();
      }
      const { hrefs, dangling } = await page.evaluate(() => ({
        hrefs: Array.from(document.links, ({ href }) => href).filter((href) => new URL(href).origin === location.origin),
        // A link within the page needs its target, and `#` alone has none.
        dangling: Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'), (link) => link.hash)
          .filter((hash) => hash === "" || document.getElementById(hash.slice(1)) === null),
      }));
      expect(dangling, `links of ${path} without a target`).toEqual([]);
      if (!isCrawled(route)) for (const href of hrefs) links.set(href.split("#")[0] ?? href, path);
    });
  }
  // A failed page offers to try itself again.
  for (const { path } of ROUTES.filter(({ status }) => status === 404)) links.delete(new URL(path, page.url()).href);
  expect(links.size).toBeGreaterThan(50);
  const all = [...links];
  while (all.length > 0) await Promise.all(all.splice(0, AT_ONCE).map(([href, from]) => expectPage(href, from)));

  async function expectPage(href: string, from: string) {
    const response = await request.get(href);
    expect(response.status(), `${href}, linked from ${from}`).toBe(200);
    await response.dispose();
  }
});

test("a product page shows everything without JavaScript", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ id }) => id === 1);
  await page.goto("/product/1");
  const main = page.getByRole("main");
  const shown = [product.title, product.description, product.sku, product.shippingInformation, product.returnPolicy];
  for (const text of [...shown, ...product.tags, ...product.reviews.map(({ comment }) => comment)]) {
    await expect(main.getByText(text, { exact: true }).first()).toBeVisible();
  }
});

test("a link can be followed without JavaScript", async ({ page, watch }) => {
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Shop the sale" }).click();
  await expect(heading(page)).toHaveText("Sale");
  const card = cards(page).first().getByRole("link");
  const title = await card.innerText();
  await card.click();
  await expect(heading(page)).toHaveText(title);
  expect(watch.documents).toHaveLength(3);
});
