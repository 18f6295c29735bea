import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** Lets the shopper share this page: by the browser's own sheet, or else by copying the address. Returns what to say of it. */
export async function share(title: string): Promise<string> {
  const url = location.origin + location.pathname;
  try {
    // Not in all browsers, and only on pages that came by https.
    if ("share" in navigator) {
      await navigator.share({ title, url });
      return "";
    }
  } catch (error) {
    // The sheet was closed.
    if ((error as Error).name === "AbortError") return "";
  }
  try {
    await navigator.clipboard.writeText(url);
    return text(Key.addressCopied);
  } catch {
    // It can be copied by hand.
    return url;
  }
}
