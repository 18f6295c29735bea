import type { Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

const OOPS = "Oops! Sorry, an unexpected error has occurred.";

async function expectFailure(page: Page, words: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText(OOPS);
  await expect(page.getByRole("main").getByText(words, { exact: true })).toBeVisible();
}

async function goHome(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("main").getByRole("link", { name: "Back to the homepage" }).click();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
}

test("the error page names the status of data that failed, keeps the header and leads back to the homepage", async ({ page, watch }) => {
  watch.expectStatus(500, "some");
  await open(page, "/products");
  await page.route(/\/_data\/deals/, (route) => route.fulfill({ status: 500, body: "broken" }));
  await expectFailure(page, "Internal Server Error");
  await expect(heading(page)).toBeFocused();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await goHome(page);
});

test("the error page shows the message of a connection that failed, words for a status without any, or 'Unknown error'", async ({ page, watch }) => {
  watch.expect(/failed: .*\/_data\/deals/, "some");
  watch.expect(/Failed to load resource: net::ERR_CONNECTION_REFUSED/, "some");
  await open(page, "/");
  await page.route(/\/_data\/deals/, (route) => route.abort("connectionrefused"));
  await expectFailure(page, "Failed to fetch");
  // A connection that carries no status text, as HTTP/2.
  for (const [status, words] of [[503, "Service Unavailable"], [599, "Unknown error"]] as const) {
    await goHome(page);
    const restore = await page.evaluateHandle((answered) => {
      const { fetch } = globalThis;
      globalThis.fetch = () => Promise.resolve(new Response("broken", { status: answered, statusText: "" }));
      return () => { globalThis.fetch = fetch; };
    }, status);
    await expectFailure(page, words);
    await restore.evaluate((undo) => { undo(); });
  }
});

test("an address that nothing matches is answered with the error page", async ({ page, watch }) => {
  watch.expectStatus(404);
  await open(page, "/no/such/page");
  await expect(heading(page)).toHaveText(OOPS);
  await expect(page.getByRole("main").getByText("Not Found", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to the homepage" })).toHaveAttribute("href", "/");
  await page.getByRole("main").getByRole("link", { name: "all categories" }).click();
  await expect(heading(page)).toHaveText("Categories");
});

test("a document without a root element throws 'Root element not found'", async ({ page, watch }) => {
  watch.expect(/uncaught: Root element not found/);
  await page.route(/\/products$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('id="root"', 'id="elsewhere"') });
  });
  const thrown = page.waitForEvent("pageerror");
  await page.goto("/products");
  expect((await thrown).message).toBe("Root element not found");
});
