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
