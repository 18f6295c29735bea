import type { CDPSession, Page } from "@playwright/test";
import type { Commands } from "./quietChromium";

/** How much slower the page's main thread runs than on this machine. */
export const SLOWDOWN = 4;

export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await slowCpu(session);
  return session;
}

export async function slowCpu(session: Commands): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}
