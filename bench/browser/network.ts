import type { CDPSession, Page } from "@playwright/test";
import type { Commands } from "./quietChromium";

/** A connection as Lighthouse slows it down: `latencyMs` before each answer, then `kbps` shared by all of them. */
export interface Connection {
  latencyMs: number;
  kbps: number;
}

/** Lighthouse's slow 4G, with the latency and the rate that it applies to requests in the browser itself. */
export const SLOW_4G: Connection = { latencyMs: 562.5, kbps: 1474.56 };
/** A good mobile connection. */
export const FAST: Connection = { latencyMs: 40, kbps: 10_000 };

export async function slowConnection(session: Commands, { latencyMs, kbps }: Connection): Promise<void> {
  await session.send("Network.enable");
  const bytesPerSecond = (kbps * 1000) / 8;
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  });
}

/** Counts the bytes that come over the network, by what they are for. */
export function countBytes(session: CDPSession): ReadonlyMap<string, number> {
  const types = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    types.set(requestId, new URL(response.url).pathname.endsWith(".css") ? "Stylesheet" : type);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? "Other";
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
  });
  return bytes;
}

/** Waits until nothing was loaded for a while. */
export async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForLoadState("networkidle");
}
