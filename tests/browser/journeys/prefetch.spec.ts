import type { Page } from "@playwright/test";
import type { Front } from "../support/front";
import { test as early } from "../support/frontTest";
import { gate, heading, hydrated, openStopped } from "../support/page";
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

// Documents, which the browser itself loads ahead while the client is not there yet.

/** What the requests for a path were for; undefined for a visit. */
function purposes(front: Front, path: string) {
  return front.requests.filter((request) => request.path === path).map(({ purpose }) => purpose);
}

const dealsLink = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" });

early("until the client is there, a hovered link's document is loaded, and a click shows it", async ({ page, front }) => {
  const held = gate();
  front.client = held.opened;
  await page.goto("/products", { waitUntil: "commit" });
  await dealsLink(page).hover();
  await expect.poll(() => purposes(front, "/deals")).toEqual(["prefetch"]);
  await dealsLink(page).click({ noWaitAfter: true });
  await expect(page).toHaveURL(/\/deals$/);
  held.open();
  await hydrated(page);
  await expect(heading(page)).toHaveText("Deals");
  expect(purposes(front, "/deals")).toEqual(["prefetch"]);
  // From here on the client loads data.
  const brands = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Best Sellers" });
  await brands.hover();
  await expect.poll(() => purposes(front, "/_data/best-sellers")).toEqual([undefined]);
  // The browser would have asked within this time.
  await page.evaluate(() => new Promise((waited) => setTimeout(waited, 500)));
  expect(purposes(front, "/best-sellers")).toEqual([]);
});

early("a document that the shop did not load ahead is loaded when it is visited", async ({ page, front, watch }) => {
  // Chromium sometimes counts a prefetch that was refused as failed, and sometimes does not.
  watch.expect(/^failed: .*\/deals \(net::ERR_FAILED\)$/, "any");
  const held = gate();
  front.client = held.opened;
  await page.goto("/products", { waitUntil: "commit" });
  await expect(dealsLink(page)).toBeVisible();
  front.busy = true;
  await dealsLink(page).hover();
  await expect.poll(() => purposes(front, "/deals")).toEqual(["prefetch"]);
  front.busy = false;
  await dealsLink(page).click({ noWaitAfter: true });
  await expect.poll(() => purposes(front, "/deals")).toEqual(["prefetch", undefined]);
  held.open();
  await hydrated(page);
  await expect(heading(page)).toHaveText("Deals");
});
