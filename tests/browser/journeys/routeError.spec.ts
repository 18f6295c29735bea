import type { Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

const OOPS = "Oops! Sorry, an unexpected error has occurred.";

async function followDeals(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText(OOPS);
}

async function answerWithoutWords(page: Page, status: number): Promise<void> {
  await page.evaluate((answered) => {
    globalThis.fetch = () => Promise.resolve(new Response("broken", { status: answered, statusText: "" }));
  }, status);
}

test("the error page names the status of data that failed", async ({ page, watch }) => {
  watch.expectStatus(500, "some");
  await open(page, "/");
  await page.route(/\/_data\/deals/, (route) => route.fulfill({ status: 500, body: "broken" }));
  await followDeals(page);
  await expect(page.getByRole("main").getByText("Internal Server Error", { exact: true })).toBeVisible();
  await expect(heading(page)).toBeFocused();
});

test("the error page shows the message of a connection that failed", async ({ page, watch }) => {
  watch.expect(/failed: .*\/_data\/deals/, "some");
  watch.expect(/Failed to load resource: net::ERR_CONNECTION_REFUSED/, "some");
  await open(page, "/");
  await page.route(/\/_data\/deals/, (route) => route.abort("connectionrefused"));
  await followDeals(page);
  await expect(page.getByRole("main").getByText("Failed to fetch", { exact: true })).toBeVisible();
});

test("the error page says 'Unknown error' where there is neither status text nor message", async ({ page }) => {
  await open(page, "/");
  await answerWithoutWords(page, 599);
  await followDeals(page);
  await expect(page.getByRole("main").getByText("Unknown error", { exact: true })).toBeVisible();
});

test("the error page has words for the status of a connection that carries none, as HTTP/2", async ({ page }) => {
  await open(page, "/");
  await answerWithoutWords(page, 503);
  await followDeals(page);
  await expect(page.getByRole("main").getByText("Service Unavailable", { exact: true })).toBeVisible();
});

test("the error page keeps the header and leads back to the homepage", async ({ page, watch }) => {
  watch.expectStatus(500, "some");
  await open(page, "/products");
  await page.route(/\/_data\/deals/, (route) => route.fulfill({ status: 500, body: "broken" }));
  await followDeals(page);
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Back to the homepage" }).click();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
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
