import type { Page } from "@playwright/test";
import { expect, test } from "../support/frontTest";
import { heading, open } from "../support/page";
import { filters, option } from "../support/listing";

// A tab of the previous build, after an update that changed the contract: its client misunderstands the answers.

const OTHER = "f".repeat(16);

/** From now on the data is that of another build, in whose contract the content has no fields that this client knows. */
async function updateData(page: Page, isSameContract = false): Promise<void> {
  await page.route(/\/_data\//, async (route) => {
    const response = await route.fetch();
    const { content, ...rest } = (await response.json()) as { content: { kind: string } };
    await route.fulfill({
      response,
      headers: { ...response.headers(), "vitrine-build": OTHER },
      json: { ...rest, content: isSameContract ? content : { kind: content.kind } },
    });
  });
}

function link(page: Page, name: string) {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
}

test("a link leads to a document when the data is of another build", async ({ page, watch }) => {
  await open(page, "/");
  await updateData(page);
  await link(page, "Deals").click();
  await expect(heading(page)).toHaveText("Deals");
  await expect(page).toHaveURL("/deals");
  expect(watch.documents.map((url) => new URL(url).pathname)).toEqual(["/", "/deals"]);
  await page.goBack();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
});

test("a page that was loaded ahead is a document, too", async ({ page, front }) => {
  await open(page, "/");
  await updateData(page);
  const ahead = page.waitForResponse(/\/_data\/deals$/);
  await link(page, "Deals").hover();
  await ahead;
  await link(page, "Deals").click();
  await expect(heading(page)).toHaveText("Deals");
  expect(front.requests.filter(({ path }) => path === "/deals")).toHaveLength(1);
});

test("a filter loads its listing's document, and keeps the place", async ({ page, watch }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await open(page, "/products");
  await option(page, "checkbox", "In stock only").scrollIntoViewIfNeeded();
  await updateData(page);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  // In the window, because the head of a listing with filters is lower.
  const place = async () => Math.round((await option(page, "checkbox", "In stock only").boundingBox())?.y ?? Number.NaN);
  const before = await place();
  await option(page, "checkbox", "In stock only").click();
  await expect(page).toHaveURL("/products?stock=1");
  await expect.poll(() => watch.documents.length).toBe(2);
  await expect(option(page, "checkbox", "In stock only")).toBeChecked();
  await expect.poll(place).toBe(before);
});

test("back and forward load the document of an address that is not remembered", async ({ page, watch }) => {
  await open(page, "/brands");
  await link(page, "Deals").click();
  await expect(heading(page)).toHaveText("Deals");
  await open(page, page.url());
  await updateData(page);
  const count = watch.documents.length;
  await page.goBack();
  await expect(heading(page)).toHaveText("Brands");
  expect(watch.documents.slice(count).map((url) => new URL(url).pathname)).toEqual(["/brands"]);
});

test("while documents and data are of two builds, each press loads one document, and what a script asks for loads one once", async ({ page, watch }) => {
  await open(page, "/");
  await updateData(page);
  for (const name of ["Deals", "Best Sellers", "Brands"]) {
    await link(page, name).click();
    await expect(heading(page)).toHaveText(name);
    await expect(page.locator("html")).toHaveAttribute("data-client", "ready");
  }
  expect(watch.documents).toHaveLength(4);

  // A request that the page makes by itself loads a document once. Then the page shows the answer, as there is nothing
  // better.
  await page.unrouteAll({ behavior: "wait" });
  await updateData(page, true);
  await page.addInitScript(() => {
    const link = () => document.querySelector<HTMLElement>('nav[aria-label="Main"] a[href="/deals"]');
    new MutationObserver(() => {
      if (document.documentElement.dataset.client === "ready") link()?.click();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-client"] });
  });
  const answers: string[] = [];
  page.on("response", (response) => answers.push(new URL(response.url()).pathname));
  await page.goto("/new-arrivals");
  // The link of the first document, and the same link of the one that it leads to.
  await expect.poll(() => answers.filter((path) => path === "/_data/deals").length).toBe(2);
  await expect(heading(page)).toHaveText("Deals");
  await expect(page.locator("html")).toHaveAttribute("data-client", "ready");
  expect(watch.documents.slice(4).map((url) => new URL(url).pathname)).toEqual(["/new-arrivals", "/deals"]);
});

test("a failure of another build leaves the listing as it is", async ({ page, watch }) => {
  watch.expectStatus(503);
  await open(page, "/products");
  await page.route(/\/_data\//, (route) =>
    route.fulfill({ status: 503, headers: { "vitrine-build": OTHER }, json: { path: "/products?stock=1", content: {}, categories: [] } }),
  );
  await filters(page).getByRole("checkbox", { name: "In stock only" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The shop did not answer" })).toBeVisible();
  expect(watch.documents).toHaveLength(1);
});
