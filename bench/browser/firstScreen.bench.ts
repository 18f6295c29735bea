import { test } from "@playwright/test";
import { Decoder, endOfFirstScreen, finallySent, sent } from "./firstScreen";
import { startPrograms } from "./programs";
import { writeTable } from "./report";

const ONLY = new RegExp(process.env.BENCH_ONLY ?? "");
/** One page of each kind. */
const PAGES = ["/", "/categories", "/brands", "/category/groceries", "/products", "/search/phone", "/product/1", "/offline", "/no/such/page"]
  .filter((path) => ONLY.test(`first screen ${path}`));
const WIDTHS = [360, 1280];

test("first screens are sent first", async ({ browser }) => {
  test.skip(PAGES.length === 0);
  const programs = await startPrograms();
  const decoder = await Decoder.start(browser);
  const rows: string[][] = [];
  try {
    for (const path of PAGES) {
      for (const { name, shop } of programs) {
        const address = shop.address + path;
        const first = await sent(address, "zstd");
        const last = await finallySent(address, "br");
        const document = (await sent(address, "identity")).body;
        const ends = await Promise.all(WIDTHS.map((width) => endOfFirstScreen(browser, address, document, width)));
        const cells: string[] = [];
        for (const variant of [first, last]) {
          for (const end of [document.indexOf("<body"), ...ends, document.length]) {
            cells.push(kilobytes(variant.header + (await decoder.bytesFor(variant, end))));
          }
        }
        rows.push([`\`${path}\``, name, kilobytes(first.header), ...cells]);
      }
    }
  } finally {
    await Promise.all([decoder.stop(), ...programs.map(({ shop }) => shop.stop())]);
  }
  const parts = (coding: string) => ["head", ...WIDTHS.map((width) => `${width} × 800`), "all"].map((part) => `${coding}: ${part}`);
  writeTable(
    "first screens",
    "What is sent of a document, headers included, until a browser has its head, its first screen in both themes, and all of it:",
    ["Page", "program", "headers", ...parts("zstd"), ...parts("brotli")],
    rows,
  );
});

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
