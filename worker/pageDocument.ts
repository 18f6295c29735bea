import type { Page } from "../client/contract.gen";
import type { StoredAge } from "../client/navigation/storedText";

// The same texts as in host/document/templates/document.html.
const ROOT = '<div id="root">';
const DATA = '<script type="application/json" id="page-data">';
const DATA_END = "</script>";

/** The JSON of the page that a document shows; undefined if it is no page of the shop. */
export function jsonOf(document: string): string | undefined {
  const start = document.indexOf(DATA);
  if (start < 0) return undefined;
  // No text can end the element, because the host escapes `<`.
  const end = document.indexOf(DATA_END, start);
  return end < 0 ? undefined : document.slice(start + DATA.length, end);
}

/** A document that lets the client draw this page, made from another document of the same build. */
export function documentOf(template: string, page: Page & StoredAge): string {
  const head = template.slice(0, template.indexOf(ROOT));
  const data = template.indexOf(DATA);
  // The icons and the style sheet, among others.
  const rest = template.slice(template.indexOf(DATA_END, data));
  const title = page.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const json = JSON.stringify(page).replaceAll("<", "\\u003c");
  // A function, because `$` means something in a replacement text.
  const titled = head.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`);
  return `${titled}${ROOT}</div>${DATA}${json}${rest}`;
}
