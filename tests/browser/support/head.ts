import type { Page } from "@playwright/test";

/** What a search engine reads of a page's head. */
export interface Head {
  title: string;
  canonical: string | null;
  robots: string | null;
}

/** The head as the browser has it now. */
export async function headOf(page: Page): Promise<Head> {
  return page.evaluate(() => ({
    title: document.title,
    canonical: document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? null,
    robots: document.querySelector<HTMLMetaElement>('meta[name="robots"]')?.content ?? null,
  }));
}

/** The head of what the shop serves for a path. The page itself is a blank one still, because the shop's policy forbids parsers. */
export async function headOfDocument(page: Page, path: string): Promise<Head> {
  const html = await (await page.request.get(path)).text();
  return page.evaluate((text) => {
    const served = new DOMParser().parseFromString(text, "text/html");
    return {
      title: served.title,
      canonical: served.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? null,
      robots: served.querySelector<HTMLMetaElement>('meta[name="robots"]')?.content ?? null,
    };
  }, html);
}
