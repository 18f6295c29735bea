import type { Page } from "@playwright/test";
import { gate } from "./page";
import type { Watch } from "./watch";

/** The address of the client's bundle. */
export const CLIENT = /\/assets\/entry-[^/]*\.js$/;

/** Refuses the connection for the client's bundle; JavaScript itself stays on. */
export async function breakClient(page: Page, watch: Watch): Promise<void> {
  watch.expect(/failed: .*entry-/, "some");
  watch.expect(/Failed to load resource: net::ERR_CONNECTION_REFUSED/, "some");
  watch.expect(/uncaught: Failed to fetch dynamically imported module/, "some");
  await page.route(CLIENT, (route) => route.abort("connectionrefused"));
}

/** Keeps the client's bundle back; `asked` is settled when the page wants it. */
export async function holdClient(page: Page): Promise<{ asked: Promise<void>; release: () => void }> {
  const [asked, held] = [gate(), gate()];
  await page.route(CLIENT, async (route) => {
    asked.open();
    await held.opened;
    await route.continue();
  });
  return { asked: asked.opened, release: held.open };
}
