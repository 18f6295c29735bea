import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

test("a page's data is loaded when its link is hovered, and only once", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_data/")) asked.push(new URL(request.url()).pathname);
  });
  await open(page, "/");
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" });
  await link.hover();
  await expect.poll(() => asked).toEqual(["/_data/deals"]);
  await link.click();
  await expect(heading(page)).toHaveText("Deals");
  expect(asked).toEqual(["/_data/deals"]);
});

test("nothing is loaded in advance for a shopper who saves data", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_data/")) asked.push(new URL(request.url()).pathname);
  });
  await open(page, "/");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Deals" }).hover();
  await nav.getByRole("link", { name: "Brands" }).click();
  await expect(heading(page)).toHaveText("Brands");
  expect(asked).toEqual(["/_data/brands"]);
});
