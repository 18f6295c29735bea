import type { Page } from "@playwright/test";
import { heading, openStopped } from "../support/page";
import { expect, test } from "../support/test";

/** The paths of the data that a page asks for, as they come. */
function recordData(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_data/")) asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

test("a page's data is loaded when its link is hovered for 60 ms, and only once", async ({ page }) => {
  const asked = recordData(page);
  await openStopped(page, "/");
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" });
  await link.hover();
  await page.clock.runFor(59);
  expect(asked).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => asked).toEqual(["/_data/deals"]);
  await link.click();
  await expect(heading(page)).toHaveText("Deals");
  expect(asked).toEqual(["/_data/deals"]);
});

test("nothing is loaded in advance for a shopper who saves data", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const asked = recordData(page);
  await openStopped(page, "/");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Deals" }).hover();
  await page.clock.runFor(1_000);
  await nav.getByRole("link", { name: "Brands" }).click();
  await expect(heading(page)).toHaveText("Brands");
  expect(asked).toEqual(["/_data/brands"]);
});
