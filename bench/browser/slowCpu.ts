import type { CDPSession, Page } from "@playwright/test";

/** How much slower the page's main thread runs than on this machine. */
export const SLOWDOWN = 4;

export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return session;
}
