import { createHash } from "node:crypto";
import { test } from "@playwright/test";
import { finallySent, sent } from "./firstScreen";
import { startPrograms } from "./programs";
import { writeTable } from "./report";

/** One page of each kind that the shop keeps; the dictionary has parts of the sample's. */
const PAGES = ["/", "/categories", "/brands", "/category/groceries", "/products", "/product/1", "/product/30"];
/** The longest wait for the dictionary, which the shop makes after its start. */
const MADE_WITHIN_MS = 30_000;

test("pages with the shop's dictionary", async ({ request }) => {
  test.skip(!new RegExp(process.env.BENCH_ONLY ?? "").test("dictionary"));
  test.setTimeout(MADE_WITHIN_MS * 10);
  const [program] = await startPrograms();
  if (program === undefined) throw new Error("no shop was started");
  const { shop } = program;
  try {
    const address = `${shop.address}/dictionary`;
    const until = Date.now() + MADE_WITHIN_MS;
    while ((await request.get(address, { maxRedirects: 0 })).status() !== 307) {
      if (Date.now() > until) throw new Error("the shop made no dictionary");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const file = await request.get(address);
    const dictionary = createHash("sha256").update(await file.body()).digest("base64");
    const rows = [["the dictionary itself", bytes((await finallySent(file.url(), "br")).body.length), "", "", ""]];
    for (const path of PAGES) {
      const cells: string[] = [];
      for (const page of [shop.address + path, `${shop.address}/_data${path}`]) {
        await sent(page, "zstd");
        cells.push(bytes((await finallySent(page, "br")).body.length));
        const { coding, body } = await finallySent(page, "dcz", dictionary);
        cells.push(coding === "dcz" ? bytes(body.length) : "");
      }
      rows.push([`\`${path}\``, ...cells]);
    }
    writeTable(
      "dictionary",
      "Bytes of a body as the shop keeps it, for browsers without its dictionary (brotli) and with it (`dcz`):",
      ["Page", "document: brotli", "document: dcz", "data: brotli", "data: dcz"],
      rows,
    );
  } finally {
    await shop.stop();
  }
});

function bytes(count: number): string {
  return count.toLocaleString("en");
}
