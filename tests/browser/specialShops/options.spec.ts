import { findings } from "../support/findings";
import { countsOfBoxes, expectListing, filters, option } from "../support/listing";
import { open } from "../support/page";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";
import { translate, WAYS } from "../support/translator";

test.use({ shopName: "options" });

/** The products of which a variant for sale has all of these values. */
function soldAs(products: readonly Product[], ...wanted: string[]): Product[] {
  return products.filter(({ variants = [] }) =>
    variants.some(({ stock, options = [] }) => stock > 0 && wanted.every((value) => options.some((own) => own.value === value))),
  );
}

test("a size and a colour are chosen by keyboard, and one variant for sale has both", async ({ page, shop }) => {
  await open(page, "/products");
  const sizes = filters(page).getByRole("group", { name: "Size" });
  await sizes.locator("summary").focus();
  await page.keyboard.press("Enter");
  const search = sizes.getByRole("searchbox", { name: "Search: Size" });
  await expect(search).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(search).toBeFocused();
  await expect(sizes.getByRole("checkbox")).toHaveCount(14);
  await page.keyboard.type("42");
  await expect(sizes.getByRole("checkbox")).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(option(page, "checkbox", "42")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL("/products?size=42");
  await expectListing(page, soldAs(shop.products, "42"));

  await option(page, "checkbox", "Red").focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL("/products?size=42&color=Red");
  const both = soldAs(shop.products, "42", "Red");
  expect(both.length).toBeGreaterThan(0);
  expect(both.length).toBeLessThan(soldAs(soldAs(shop.products, "42"), "Red").length);
  await expectListing(page, both);
  await search.fill("");
  await expect(sizes.getByRole("checkbox")).toHaveCount(14);
  const counts = await countsOfBoxes(page);
  for (const size of Array.from({ length: 14 }, (_, place) => String(36 + place))) {
    expect(counts.get(size), size).toBe(soldAs(shop.products, size, "Red").length);
  }
  for (const colour of ["Red", "Blue", "Green", "Sand"]) expect(counts.get(colour), colour).toBe(soldAs(shop.products, "42", colour).length);

  await page.goBack();
  await expectListing(page, soldAs(shop.products, "42"));
  await page.goForward();
  await expectListing(page, both);
  await page.reload();
  await expectListing(page, both);
});

test("sizes stay in their order, whatever is chosen", async ({ page }) => {
  await open(page, "/products?size=46");
  const sizes = filters(page).getByRole("group", { name: "Size" });
  await expect(option(page, "checkbox", "46")).toBeChecked();
  await expect(sizes.locator(".FilterOption-name:visible")).toHaveText(["36", "37", "38", "39", "40", "46"]);
});

test("axe finds nothing on a listing whose sizes are searched, in both themes", async ({ page }) => {
  await open(page, "/products");
  await filters(page).getByText("Show all 14").click();
  await filters(page).getByRole("searchbox", { name: "Search: Size" }).fill("4");
  expect(await findings(page)).toEqual([]);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("a variant is chosen, also from a shared address and on a translated page", async ({ page }) => {
    await open(page, "/product/1");
    const sizes = page.getByRole("group", { name: "Size" }).getByRole("link");
    const size = (value: string) => sizes.filter({ hasText: value });
    const blue = page.getByRole("group", { name: "Colour" }).getByRole("link", { name: "Blue" });
    await expect(sizes).toHaveText([/^36/, /^41/, /^44/, /^47/]);
    // What a screen reader says of a size that cannot be had.
    await expect(page.getByRole("group", { name: "Size" }).getByRole("link", { name: /^47 ?, Sold out$/ })).toBeVisible();
    await size("44").tap();
    await expect(page).toHaveURL(/\/product\/1\?variant=/);
    await expect(size("44")).toHaveAttribute("aria-current", "true");
    await expect(blue).toHaveAttribute("aria-current", "true");
    const shared = page.url();
    for (const way of WAYS) {
      await open(page, shared);
      await expect(size("44")).toHaveAttribute("aria-current", "true");
      await translate(page, way);
      await size("47").tap();
      await expect(size("47")).toHaveAttribute("aria-current", "true");
      await expect(page.locator(".ProductOptions").getByRole("status")).toContainText("Sold out");
      await page.goBack();
      await expect(blue).toHaveAttribute("aria-current", "true");
      expect(page.url()).toBe(shared);
    }
  });
});
