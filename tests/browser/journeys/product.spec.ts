import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

test("Add to Cart, Save and Share only log", async ({ page, watch }) => {
  await open(page, "/product/1");
  const title = await heading(page).innerText();
  const quantity = await page.getByRole("spinbutton", { name: "Quantity" }).inputValue();
  const requests: string[] = [];
  page.on("request", (request) => {
    // A picture may come into sight.
    if (request.resourceType() !== "image") requests.push(request.url());
  });
  for (const name of ["Add to Cart", "Save", "Share"]) {
    await page.getByRole("main").getByRole("button", { name, exact: true }).click();
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
});
