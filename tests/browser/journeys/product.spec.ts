import { cards, heading, open, resize } from "../support/page";
import { expect, test } from "../support/test";
import { recordAddresses } from "../support/visit";

test("Add to Cart, Save and Share only log", async ({ page, watch }) => {
  await open(page, "/product/1");
  const title = await heading(page).innerText();
  const quantity = await page.getByRole("spinbutton", { name: "Quantity" }).inputValue();
  const requests = recordAddresses(page);
  const answers = {
    "Add to Cart": `Noted: quantity ${quantity}. This shop has no cart.`,
    Save: "Noted. This shop keeps no list.",
    Share: "Noted. This shop shares nothing.",
  };
  for (const [name, answer] of Object.entries(answers)) {
    const button = page.getByRole("main").getByRole("button", { name, exact: true });
    await button.click();
    await expect(page.getByRole("main").getByRole("status").filter({ hasText: answer })).toBeInViewport();
    await expect(button.locator('use[href="#icon-check"]')).toBeVisible();
    await expect(page.locator('.ProductActions use[href="#icon-check"]')).toHaveCount(1);
  }
  await expect.poll(() => watch.logs).toEqual([`Add to cart: ${title} ${quantity}`, `Save: ${title}`, `Share: ${title}`]);
  expect(requests).toEqual([]);
  await expect(page).toHaveURL("/product/1");
});

test("a product that does not exist says so with 404", async ({ page, watch }) => {
  watch.expectStatus(404);
  const response = await open(page, "/product/999999");
  expect(response.status()).toBe(404);
  await expect(heading(page)).toHaveText("Product not found");
  await expect(page.getByText("The product you are looking for does not exist.", { exact: true })).toBeVisible();
});

test("a picture that cannot be loaded becomes a placeholder", async ({ page, watch }) => {
  watch.expectStatus(404, "some");
  await page.route((url) => /\.(svg|webp)$/.test(url.pathname), (route) => route.fulfill({ status: 404, body: "" }));
  await open(page, "/product/1");
  const title = await heading(page).innerText();
  await expect(page.getByRole("img", { name: new RegExp(`^${title}, image 1 of`) })).toHaveClass(/placeholder/);
  // Without a picture there is nothing to zoom, to choose or to step through.
  const gallery = page.getByRole("group", { name: "Product images" });
  await expect(gallery.getByRole("button")).toHaveCount(0);
  const place = await gallery.getByRole("img").first().boundingBox();
  await page.mouse.click((place?.x ?? 0) + 50, (place?.y ?? 0) + 50);
  await expect(gallery.locator(".GalleryStage").first()).toHaveAttribute("aria-pressed", "false");
});

test("a product with variants says from which price, and each value of an option leads to its variant", async ({ page, shopName }) => {
  test.skip(shopName === "real", "the real products have no variants");
  await open(page, "/category/home-decoration?sort=price-asc");
  const card = cards(page).filter({ hasText: "Lantern Hill" });
  await expect(card.locator(".Price-current")).toHaveText("From $84.50");
  await card.getByRole("link").click();
  await expect(heading(page)).toHaveText("Lantern Hill Ceramic Table Lamp");
  const price = page.locator(".Price--detail .Price-current");
  await expect(price).toHaveText("From $84.50");
  const sizes = page.getByRole("group", { name: "Size" }).getByRole("link");
  await expect(sizes).toHaveText(["Small (52 cm)", "Large (68 cm)"]);
  const said = page.locator(".ProductOptions").getByRole("status");
  await expect(said).toBeEmpty();
  await sizes.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(price).toHaveText("$129.00");
  await expect(said).toHaveText(/^\$129\.00, /);
  await expect(page).toHaveURL(/\/product\/[^?]+\?variant=/);
  await expect(sizes.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(sizes.nth(1)).toBeFocused();
  await expect(page.getByText("SKU HOM-LUM-001-L")).toBeVisible();
  // The same page as the server renders it, but for what is said of the choice.
  const summary = () => page.locator(".ProductSummary").evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const status of copy.querySelectorAll("[role=status]")) status.remove();
    return copy.textContent;
  });
  const text = await summary();
  await page.reload();
  expect(await summary()).toBe(text);
  await page.goBack();
  await expect(price).toHaveText("From $84.50");
  await page.goForward();
  await expect(price).toHaveText("$129.00");
});

test("the values of options fit into a narrow page", async ({ page, shopName }) => {
  test.skip(shopName === "real", "the real products have no variants");
  await open(page, "/product/8");
  for (const width of [320, 360, 768]) {
    await resize(page, width);
    const outside = await page.locator(".ProductOptions, .ProductOptions-chip").evaluateAll(
      (elements) => elements.filter((element) => element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > innerWidth).length,
    );
    expect(outside, `at ${width} px`).toBe(0);
  }
});
