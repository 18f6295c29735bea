import { headOf, headOfDocument } from "../support/head";
import type { Head } from "../support/head";
import { cards, heading, hydrated, open } from "../support/page";
import { ROUTES } from "../support/routes";
import { arrive } from "../support/sideBySide";
import { expect, test } from "../support/test";

/** The head changes many times in one test, so it is looked at more often than usual. */
const OFTEN = { intervals: [20] };

test("title, canonical address and robots are the served ones after every navigation", async ({ page, watch }) => {
  watch.expectStatus(404, "some");
  const served = new Map<string, Head>();
  for (const { path } of ROUTES) served.set(path, await headOfDocument(page, path));
  await open(page, "/");
  const documents = watch.documents.length;
  const visited: string[] = [];
  for (const { path } of ROUTES.slice(1)) {
    expect(served.get(path), "each step changes the head").not.toEqual(served.get(visited.at(-1) ?? "/"));
    await arrive(page, path);
    await expect.poll(() => headOf(page), { ...OFTEN, message: path }).toEqual(served.get(path));
    visited.push(path);
  }
  for (const path of ["/", ...visited.slice(0, -1)].reverse()) {
    await page.goBack();
    await expect.poll(() => headOf(page), { ...OFTEN, message: `back at ${path}` }).toEqual(served.get(path));
  }
  expect(watch.documents).toHaveLength(documents);
});

test("the head follows links and the back button", async ({ page }) => {
  await open(page, "/search/watch");
  const search = await headOf(page);
  expect(search.robots).toBe("noindex,follow");
  const card = cards(page).first().getByRole("link");
  const title = await card.innerText();
  await card.click();
  await expect(heading(page)).toHaveText(title);
  const followed = await headOf(page);
  expect(followed.robots).toMatch(/^index/);
  await page.goBack();
  await expect(heading(page)).toHaveText('Search Results for "watch"');
  expect(await headOf(page)).toEqual(search);
  await page.goForward();
  await expect(heading(page)).toHaveText(title);
  await page.reload();
  await hydrated(page);
  expect(await headOf(page)).toEqual(followed);
});

test("a page whose data failed is not for search engines, until the next one", async ({ page, watch }) => {
  watch.expectStatus(500, "some");
  await open(page, "/");
  const home = await headOf(page);
  await page.route(/\/_data\/deals/, (route) => route.fulfill({ status: 500, body: "broken" }));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  const canonical = new URL("/deals", page.url()).href;
  await expect.poll(() => headOf(page)).toEqual({ title: "Error | Vitrine", canonical, robots: "noindex" });
  await page.getByRole("main").getByRole("link", { name: "Back to the homepage" }).click();
  await expect.poll(() => headOf(page)).toEqual(home);
});
