import { expect, test } from "@playwright/test";
import { startNext } from "./nextPeer";
import type { NextPeer } from "./nextPeer";
import { loadPage } from "./pageLoad";
import type { PageLoad } from "./pageLoad";
import { median, startPrograms } from "./programs";
import { writeTable } from "./report";
import { SLOWDOWN } from "./slowCpu";

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const ONLY = new RegExp(process.env.BENCH_ONLY ?? "");
const PAGES = ["/", "/category/groceries", "/products", "/product/1"].filter((path) => ONLY.test(`load ${path}`));

test("pages load", async ({ browser }) => {
  test.skip(PAGES.length === 0);
  const programs = await startPrograms();
  let next: NextPeer | undefined;
  const rows: string[][] = [];
  const shifts: string[] = [];
  try {
    next = await startNext(programs[0]?.shop.address ?? "", PAGES);
    const shops = programs.map(({ name, shop }) => ({ name, addressOf: (path: string) => shop.address + path }));
    const measured = [...shops, ...(next?.routers ?? [])];
    for (const path of PAGES) {
      const loads = new Map<string, PageLoad[]>(measured.map(({ name }) => [name, []]));
      // The first load of each is not counted: the shop has not made the page yet.
      for (let run = 0; run <= RUNS; run += 1) {
        // In turns, so that other work of the machine affects all of them.
        for (const { name, addressOf } of measured) {
          const load = await loadPage(browser, addressOf(path));
          if (run > 0) loads.get(name)?.push(load);
        }
      }
      for (const [name, of] of loads) {
        rows.push([`\`${path}\``, name, ...cells(of)]);
        const shift = Math.max(...of.map((load) => load.shift));
        if (name === "this" && shift > 0) shifts.push(`${path}: ${shift}`, ...of.flatMap(({ moved }) => moved));
      }
    }
  } finally {
    await Promise.all([next?.stop(), ...programs.map(({ shop }) => shop.stop())]);
  }
  writeTable(
    "page loads",
    `Chromium on slow 4G and a CPU slowed down ${SLOWDOWN} times, empty cache, median of ${RUNS}:`,
    ["Page", "program", "FCP", "LCP", "of", "CLS", "TBT", "longest task", "HTML", "CSS", "JS", "font", "pictures"],
    rows,
  );
  expect(shifts, "pages that move").toEqual([]);
});

function cells(loads: readonly PageLoad[]): string[] {
  const of = (figure: (load: PageLoad) => number) => median(loads.map(figure));
  const ms = (figure: (load: PageLoad) => number) => `${Math.round(of(figure))} ms`;
  const kilobytes = (type: string) => `${(of(({ bytes }) => bytes.get(type) ?? 0) / 1000).toFixed(1)} kB`;
  return [
    ms((load) => load.firstPaint),
    ms((load) => load.largestPaint),
    loads.at(-1)?.largest ?? "",
    of((load) => load.shift).toFixed(3),
    ms((load) => load.blocking),
    ms((load) => load.longestTask),
    ...["Document", "Stylesheet", "Script", "Font", "Image"].map(kilobytes),
  ];
}
