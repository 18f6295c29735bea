import { expect, test } from "@playwright/test";
import lighthouse, { desktopConfig } from "lighthouse";
import { launchAuditBrowser } from "../../tests/browser/support/lighthouse";
import type { FormFactor } from "../../tests/browser/support/lighthouse";
import { median, startPrograms } from "./programs";
import { writeTable } from "./report";

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const ONLY = new RegExp(process.env.BENCH_ONLY ?? "");
const FORM_FACTORS = ["mobile", "desktop"] as const;
/** One page of each template. */
const PAGES = ["/", "/category/groceries", "/products", "/product/1", "/categories", "/brands", "/search/red", "/no/such/page"];
const VISITS = PAGES.flatMap((path) => FORM_FACTORS.map((formFactor) => ({ path, formFactor }))).filter(
  ({ path, formFactor }) => ONLY.test(`lighthouse ${path} ${formFactor}`),
);

/** What Lighthouse finds about a page's speed: its score out of 100, and times in milliseconds as it simulates them. */
interface Audited {
  score: number;
  firstPaint: number;
  largestPaint: number;
  blocking: number;
}

test("pages have a score", async ({ launchOptions }) => {
  test.skip(VISITS.length === 0);
  test.setTimeout(3_600_000);
  const programs = await startPrograms();
  const browser = await launchAuditBrowser(launchOptions);
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const { path, formFactor } of VISITS) {
      for (const { name, shop } of programs) {
        const audited: Audited[] = [];
        for (let run = 0; run < RUNS; run += 1) audited.push(await audit(browser.port, shop.address + path, formFactor));
        const of = (figure: (of: Audited) => number) => Math.round(median(audited.map(figure)));
        const score = of((run) => run.score);
        const times = [of((run) => run.firstPaint), of((run) => run.largestPaint), of((run) => run.blocking)];
        rows.push([`\`${path}\``, formFactor, name, String(score), ...times.map((time) => `${time} ms`)]);
        if (name === "this" && score < 100) missed.push(`${path}, ${formFactor}: ${score}`);
      }
    }
  } finally {
    await browser.close();
    await Promise.all(programs.map(({ shop }) => shop.stop()));
  }
  writeTable(
    "lighthouse",
    `Lighthouse 12, median of ${RUNS}:`,
    ["Page", "device", "program", "performance", "FCP", "LCP", "TBT"],
    rows,
  );
  expect(missed, "pages with a score below 100").toEqual([]);
});

/** Lighthouse's error when Chromium's trace lacks the start of the page, now and then: it asks for a new run. */
const NO_TRACE = "NO_NAVSTART";
const ATTEMPTS = 3;

/** Lighthouse with its own settings, which simulate the device's connection and processor. */
async function audit(port: number, address: string, formFactor: FormFactor, attempt = 1): Promise<Audited> {
  const flags = { port, logLevel: "error" as const, onlyCategories: ["performance"], ignoreStatusCode: true };
  const result = await lighthouse(address, flags, formFactor === "desktop" ? desktopConfig : undefined);
  if (result === undefined) throw new Error(`Lighthouse did not audit ${address}`);
  const { audits, categories, runtimeError } = result.lhr;
  if (runtimeError?.code === NO_TRACE && attempt < ATTEMPTS) return audit(port, address, formFactor, attempt + 1);
  if (runtimeError !== undefined) throw new Error(runtimeError.message);
  const time = (name: string) => audits[name]?.numericValue ?? NaN;
  return {
    score: (categories.performance?.score ?? 0) * 100,
    firstPaint: time("first-contentful-paint"),
    largestPaint: time("largest-contentful-paint"),
    blocking: time("total-blocking-time"),
  };
}
