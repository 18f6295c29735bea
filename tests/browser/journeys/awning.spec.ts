import type { Page } from "@playwright/test";
import { gate, heading, open, resize } from "../support/page";
import { andMore, expect, test } from "../support/test";

/** The awnings in the window: everything with stripes that end in scallops, and what is drawn as one. */
async function awnings(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("body *")].flatMap((element) => {
      const { top, bottom, width } = element.getBoundingClientRect();
      if (!element.checkVisibility() || width < 200 || top >= innerHeight || bottom <= 0) return [];
      const isDrawn = /awning/i.test(element.getAttribute("class") ?? "") && element.closest(".Logo") === null;
      const isStriped = ["", "::before", "::after"].some((pseudo) => {
        const { content, backgroundImage } = getComputedStyle(element, pseudo);
        return (pseudo === "" || content !== "none") && backgroundImage.split("radial-gradient").length > 2 && backgroundImage.includes("linear-gradient");
      });
      return isDrawn || isStriped ? [element.getAttribute("class") ?? element.localName] : [];
    }),
  );
}

/** The colour of the awning's cloth. */
async function cloth(page: Page): Promise<string> {
  return page.getByRole("banner").evaluate((header) => /rgba?\([^)]*\)/.exec(getComputedStyle(header, "::after").backgroundImage)?.[0] ?? "");
}

test("there is one awning in the first screen, of a phone or a laptop", async ({ page }) => {
  for (const path of andMore(["/", "/sale", "/product/1", "/categories"], ["/category/groceries", "/search/no%20such%20thing"])) {
    await open(page, path);
    for (const width of [1280, 360]) {
      await resize(page, width);
      expect(await awnings(page), `${path} at ${width} px`).toEqual(["Header"]);
    }
  }
});

test("a head hangs right below the awning, whose scallops cover its edge", async ({ page }) => {
  for (const [path, head] of [["/", ".SaleBanner-panel"], ["/sale", ".ListingHead"], ["/categories", ".PageHeading"]] as const) {
    await open(page, path);
    for (const width of [360, 1280]) {
      await resize(page, width);
      const header = await page.getByRole("banner").boundingBox();
      const box = await page.locator(head).boundingBox();
      const awning = await page.getByRole("banner").evaluate((element) => Number.parseFloat(getComputedStyle(element, "::after").blockSize));
      expect(awning).toBeGreaterThanOrEqual(18);
      const gap = (box?.y ?? 0) - ((header?.y ?? 0) + (header?.height ?? 0));
      expect(gap, `${path} at ${width} px`).toBeLessThan(awning);
    }
  }
});

test("the awning has the colour of the page, which stays until the next page is there", async ({ page }) => {
  await open(page, "/category/groceries");
  const groceries = await cloth(page);
  const release = gate();
  await page.route("**/_data/category/smartphones", async (route) => {
    await release.opened;
    await route.continue();
  });
  await page.getByRole("button", { name: "All Categories" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Smartphones" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Loading products" })).toBeVisible();
  expect(await cloth(page)).toBe(groceries);
  release.open();
  await expect(heading(page)).toHaveText("Smartphones");
  const smartphones = await cloth(page);
  expect(smartphones).not.toBe(groceries);

  const others = new Map<string, string>();
  for (const path of ["/", "/products", "/deals", "/new-arrivals"]) {
    await open(page, path);
    others.set(path, await cloth(page));
  }
  expect(new Set([groceries, smartphones, ...others.values()]).size).toBe(6);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the served page has the colour", async ({ page }) => {
    const found = new Set<string>();
    for (const slug of ["groceries", "smartphones"]) {
      await page.goto(`/category/${slug}`);
      found.add(await page.locator(".Layout").evaluate((layout) => getComputedStyle(layout).getPropertyValue("--awning-cloth")));
    }
    expect(found.size).toBe(2);
  });
});
