import { failingAudits, launchAuditBrowser } from "./support/lighthouse";
import type { AuditBrowser, FormFactor } from "./support/lighthouse";
import { expect, MORE, test } from "./support/test";

/** One page of each template, and further ones. */
const PAGES = ["/", "/categories", "/products", "/product/1"];
const MORE_PAGES = ["/brands", "/products?page=2", "/sale", "/category/beauty"];
const ERRORS = ["/no/such/page"];
const MORE_ERRORS = ["/product/999999", "/category/no-such-category"];
const FORM_FACTORS = ["mobile", "desktop"] as const;

/** The audits read the document, which is the same on a desktop, where one page is enough in the usual run. */
function tagOf(path: string, formFactor: FormFactor): string[] {
  const isMore = MORE_PAGES.includes(path) || (formFactor === "desktop" && path !== "/");
  return isMore ? [MORE] : [];
}

let browser: AuditBrowser;

test.beforeAll(async ({ launchOptions }) => {
  browser = await launchAuditBrowser(launchOptions);
});

test.afterAll(async () => {
  await browser.close();
});

for (const formFactor of FORM_FACTORS) {
  for (const path of [...PAGES, ...MORE_PAGES]) {
    const tag = tagOf(path, formFactor);
    test(`Lighthouse gives ${path} 100 for search engines and for good practice: ${formFactor}`, { tag }, async ({ shop }) => {
      const failing = await failingAudits(browser.port, shop.address + path, formFactor);
      expect(failing).toEqual({ "best-practices": [], seo: [] });
    });
  }

  const tag = tagOf("/search/watch", formFactor);
  test(`Lighthouse finds nothing wrong with search results but that they are not for search engines: ${formFactor}`, { tag }, async ({ shop }) => {
    const failing = await failingAudits(browser.port, `${shop.address}/search/watch`, formFactor);
    expect(failing).toEqual({ "best-practices": [], seo: ["is-crawlable"] });
  });
}

for (const path of [...ERRORS, ...MORE_ERRORS]) {
  const tag = MORE_ERRORS.includes(path) ? MORE : [];
  test(`Lighthouse finds nothing wrong with the error page ${path} but its status`, { tag }, async ({ shop }) => {
    const failing = await failingAudits(browser.port, shop.address + path, "mobile");
    // The browser writes one line about the status into its console.
    expect(failing).toEqual({ "best-practices": ["errors-in-console"], seo: ["is-crawlable", "http-status-code"] });
  });
}
