import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect } from "@playwright/test";
import type { LaunchOptions } from "@playwright/test";
import lighthouse, { desktopConfig } from "lighthouse";

/** A browser that Lighthouse connects to by itself. */
export interface AuditBrowser {
  port: number;
  close(): Promise<void>;
}

export async function launchAuditBrowser({ args = [], ...options }: LaunchOptions): Promise<AuditBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "vitrine-lighthouse-"));
  const context = await chromium.launchPersistentContext(profile, { ...options, args: [...args, "--remote-debugging-port=0"] });
  // The browser picks a free port and writes it down.
  const file = join(profile, "DevToolsActivePort");
  await expect.poll(() => existsSync(file) && Number.parseInt(readFileSync(file, "utf8"), 10) > 0).toBe(true);
  return {
    port: Number.parseInt(readFileSync(file, "utf8"), 10),
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

export type FormFactor = "mobile" | "desktop";

/** The names of the audits of a page that fail, by category; a category without any has a score of 100. */
export async function failingAudits(port: number, address: string, formFactor: FormFactor): Promise<Record<string, string[]>> {
  const result = await lighthouse(
    address,
    {
      port,
      logLevel: "error",
      onlyCategories: ["best-practices", "seo"],
      // Speed is not measured here, so nothing is slowed down or waited for.
      throttlingMethod: "simulate",
      pauseAfterFcpMs: 0,
      pauseAfterLoadMs: 0,
      networkQuietThresholdMs: 0,
      cpuQuietThresholdMs: 0,
      // These only end what hangs.
      maxWaitForFcp: 60_000,
      maxWaitForLoad: 120_000,
      disableFullPageScreenshot: true,
      // An error page is audited like any other.
      ignoreStatusCode: true,
    },
    formFactor === "desktop" ? desktopConfig : undefined,
  );
  if (result === undefined) throw new Error(`Lighthouse did not audit ${address}`);
  const { audits, categories, runtimeError } = result.lhr;
  expect(runtimeError, address).toBeUndefined();
  return Object.fromEntries(
    Object.values(categories).map(({ id, score, auditRefs }) => {
      const failing = auditRefs.filter(({ weight, id: audit }) => weight > 0 && (audits[audit]?.score ?? 1) < 1).map((ref) => ref.id);
      expect(score === 1, `${address}: ${id} is at ${String(score)} with ${failing.join() || "no failing audit"}`).toBe(failing.length === 0);
      return [id, failing];
    }),
  );
}
