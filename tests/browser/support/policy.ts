import type { BrowserContext } from "@playwright/test";

/** What the content security policy forbade on the pages of a context: directive and what was blocked. */
export async function recordViolations(context: BrowserContext): Promise<string[]> {
  const violations: string[] = [];
  await context.exposeBinding("recordViolation", (_, violation: string) => { violations.push(violation); });
  await context.addInitScript(() => {
    const { recordViolation } = globalThis as unknown as { recordViolation: (violation: string) => void };
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample, documentURI }) => {
      recordViolation(`${effectiveDirective} ${blockedURI} ${sample} at ${documentURI}`);
    });
    new ReportingObserver((reports) => {
      for (const { type, url } of reports) recordViolation(`report: ${type} at ${url}`);
    }, { buffered: true }).observe();
  });
  return violations;
}
