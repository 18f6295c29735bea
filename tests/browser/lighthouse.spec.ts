import { failingAudits, launchAuditBrowser } from "./support/lighthouse";
import type { AuditBrowser } from "./support/lighthouse";
import { expect, test } from "./support/test";

const PAGES = ["/", "/categories", "/brands", "/products", "/products?page=2", "/sale", "/category/beauty", "/product/1"];
const FORM_FACTORS = ["mobile", "desktop"] as const;

let browser: AuditBrowser;

test.beforeAll(async ({ launchOptions }) => {
  browser = await launchAuditBrowser(launchOptions);
});

test.afterAll(async () => {
  await browser.close();
});

for (const path of PAGES) {
  test(`Lighthouse gives ${path} 100 for search engines and for good practice`, async ({ shop }) => {
    for (const formFactor of FORM_FACTORS) {
      const failing = await failingAudits(browser.port, shop.address + path, formFactor);
      expect(failing, formFactor).toEqual({ "best-practices": [], seo: [] });
    }
  });
}

test("Lighthouse finds nothing wrong with search results but that they are not for search engines", async ({ shop }) => {
  for (const formFactor of FORM_FACTORS) {
    const failing = await failingAudits(browser.port, `${shop.address}/search/watch`, formFactor);
    expect(failing, formFactor).toEqual({ "best-practices": [], seo: ["is-crawlable"] });
  }
});

test("Lighthouse finds nothing wrong with an error page but its status", async ({ shop }) => {
  for (const path of ["/no/such/page", "/product/999999", "/category/no-such-category"]) {
    const failing = await failingAudits(browser.port, shop.address + path, "mobile");
    // The browser writes one line about the status into its console.
    expect(failing, path).toEqual({ "best-practices": ["errors-in-console"], seo: ["is-crawlable", "http-status-code"] });
  }
});
