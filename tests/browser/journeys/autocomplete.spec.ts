import type { Locator, Page } from "@playwright/test";
import { findings } from "../support/findings";
import { gate, heading, open, searchField, sidewaysScroll } from "../support/page";
import { expect, MORE, test } from "../support/test";

const list = (page: Page) => page.getByRole("search").getByRole("listbox", { name: "Suggestions" });

const suggestions = (page: Page, group: "Products" | "Categories" | "Brands") =>
  list(page).getByRole("group", { name: group }).getByRole("option");

/** Types a text letter by letter, and waits for its suggestions. */
async function suggest(page: Page, text: string): Promise<Locator> {
  const field = searchField(page);
  await field.pressSequentially(text);
  await expect(list(page).getByRole("option").first()).toHaveText(`Search for \u201C${text}\u201D`);
  await expect(suggestions(page, "Products").or(suggestions(page, "Categories")).first()).toBeVisible();
  return field;
}

/** The texts that suggestions were asked for. */
function askedTexts(page: Page): (string | null)[] {
  const texts: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/_suggest") texts.push(searchParams.get("q"));
  });
  return texts;
}

test("typing offers products, and the keyboard leads to one without loading a document", async ({ page, watch }) => {
  await open(page, "/");
  const field = await suggest(page, "watch");
  await expect(page.getByRole("combobox", { name: "Search products" })).toHaveAttribute("aria-expanded", "true");
  const count = await list(page).getByRole("group").getByRole("option").count();
  await expect(page.getByRole("search").getByRole("status")).toHaveText(`${count} suggestion${count === 1 ? "" : "s"}`);
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  const product = suggestions(page, "Products").first();
  await expect(product).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await product.getAttribute("id")) ?? "");
  await expect(field).toBeFocused();
  const title = await product.locator("bdi").innerText();
  const address = (await product.getAttribute("href")) ?? "";
  await field.press("Enter");
  await expect(page).toHaveURL(address);
  await expect(heading(page)).toHaveText(title);
  await expect(heading(page)).toBeFocused();
  await expect(list(page)).toBeHidden();
  await expect(searchField(page)).toHaveValue("");
  expect(watch.documents).toHaveLength(1);
});

test("a category is offered by the beginning of its name, and a click leads there", async ({ page, watch }) => {
  await open(page, "/products");
  await suggest(page, "furn");
  await expect(suggestions(page, "Categories").first().locator("mark")).toHaveText("Furn");
  await suggestions(page, "Categories").filter({ hasText: "Furniture" }).click();
  await expect(page).toHaveURL("/category/furniture");
  await expect(heading(page)).toHaveText("Furniture");
  expect(watch.documents).toHaveLength(1);
});

test("the first suggestion searches, and so does Enter alone", async ({ page }) => {
  await open(page, "/");
  const field = await suggest(page, "watch");
  await field.press("Enter");
  await expect(heading(page)).toHaveText('Search Results for "watch"');
  await expect(list(page)).toBeHidden();
  await open(page, "/");
  await suggest(page, "watch");
  await list(page).getByRole("option", { name: "Search for" }).click();
  await expect(page).toHaveURL("/search/watch");
  await expect(heading(page)).toHaveText('Search Results for "watch"');
  await expect(searchField(page)).toHaveValue("watch");
});

test("Escape closes the list and keeps the text, and Alt with the arrow opens it again", async ({ page }) => {
  await open(page, "/categories");
  const field = await suggest(page, "watch");
  await field.press("ArrowUp");
  await expect(list(page).getByRole("option", { selected: true })).toHaveCount(1);
  await field.press("Escape");
  await expect(list(page)).toBeHidden();
  await expect(field).toHaveValue("watch");
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("");
  await field.press("Alt+ArrowDown");
  await expect(list(page)).toBeVisible();
  await expect(list(page).getByRole("option", { selected: true })).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(list(page)).toBeHidden();
  await expect(page).toHaveURL("/categories");
});

test("nothing is asked before the second letter, and then for the newest text only", async ({ page }) => {
  const texts = askedTexts(page);
  const first = gate();
  await page.route("**/_suggest?q=wa", async (route) => {
    await first.opened;
    await route.continue();
  });
  await open(page, "/");
  const field = searchField(page);
  const script = page.waitForResponse(/\/assets\/autocomplete-\w+\.js$/);
  await field.press("w");
  await script;
  await expect(field).toHaveRole("combobox");
  expect(texts).toEqual([]);
  await field.pressSequentially("atch");
  await expect.poll(() => texts).toEqual(["wa"]);
  first.open();
  await expect(list(page).getByRole("option").first()).toHaveText("Search for \u201Cwatch\u201D");
  expect(texts).toEqual(["wa", "watch"]);
});

test("the script comes with the first focus of the field, and once", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/assets/autocomplete-")) scripts.push(request.url());
  });
  await open(page, "/");
  expect(scripts).toEqual([]);
  const field = searchField(page);
  await field.focus();
  await expect(field).toHaveRole("combobox");
  await page.keyboard.press("Tab");
  await field.focus();
  await suggest(page, "watch");
  expect(scripts).toHaveLength(1);
});

test("without a connection the field says nothing", async ({ page, context, watch }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, "some");
  await open(page, "/");
  const field = await suggest(page, "wat");
  await context.setOffline(true);
  const failed = page.waitForEvent("requestfailed");
  await field.press("c");
  await failed;
  await expect(list(page)).toBeHidden();
  await expect(page.getByRole("search").getByRole("status")).toHaveText("");
  await expect(field).toHaveValue("watc");
  await context.setOffline(false);
  await field.press("h");
  await expect(list(page)).toBeVisible();
});

test("a script that does not come leaves the search as it is", async ({ page, watch }) => {
  watch.expect(/ERR_FAILED/, "some");
  await page.route("**/assets/autocomplete-*.js", (route) => route.abort());
  await open(page, "/");
  const failed = page.waitForEvent("requestfailed");
  await searchField(page).fill("watch");
  await failed;
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText('Search Results for "watch"');
});

for (const width of [360, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 360 ? 640 : 800 } });

    test("axe finds nothing with the list open, in both themes", { tag: width === 1280 ? MORE : [] }, async ({ page }) => {
      await open(page, "/categories");
      const field = await suggest(page, "watch");
      expect(await findings(page)).toEqual([]);
      for (let presses = 0; presses < 2; presses += 1) await field.press("ArrowDown");
      expect(await findings(page)).toEqual([]);
    });

    test("the list lies inside the window and above the page, where nothing moves", async ({ page }) => {
      await open(page, "/");
      const field = searchField(page);
      await field.focus();
      const places = () => Promise.all([page.getByRole("banner"), page.getByRole("main"), field].map((part) => part.boundingBox()));
      const before = await places();
      await suggest(page, "wa");
      expect(await places()).toEqual(before);
      const box = await list(page).boundingBox();
      if (box === null) throw new Error("there is no list");
      const { width: windowWidth, height } = page.viewportSize() ?? { width: 0, height: 0 };
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(windowWidth);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      // At 360 px the width of the page, and in a wide window 26rem.
      expect(box.width).toBeGreaterThanOrEqual(width === 360 ? 320 : 416);
      expect(await sidewaysScroll(page)).toBe(0);
      // The header's awning hangs over the page there.
      const inFront = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.closest("[role=listbox]") !== null;
      expect(await page.evaluate(inFront, { x: box.x + box.width / 2, y: box.y + 12 })).toBe(true);
      for (const option of await list(page).getByRole("option").all()) {
        expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      // Through the whole list, which scrolls by itself.
      const count = await list(page).getByRole("option").count();
      for (let presses = 0; presses < count; presses += 1) {
        await field.press("ArrowDown");
        await expect(list(page).getByRole("option", { selected: true })).toBeInViewport({ ratio: 0.9 });
      }
      expect(await places()).toEqual(before);
    });
  });
}

test("the active option is told by more than its colour", async ({ page }) => {
  await open(page, "/categories");
  const field = await suggest(page, "watch");
  await field.press("ArrowDown");
  const bar = (option: Locator) => option.evaluate((element) => getComputedStyle(element).borderInlineStartWidth);
  expect(await bar(list(page).getByRole("option", { selected: true }))).toBe("4px");
  expect(await bar(list(page).getByRole("option", { selected: false }).first())).toBe("0px");
});
