import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Both benchmarks run in the repository's folder. */
const DOCUMENT = resolve("docs/performance.md");

/** Prints a table; with `UPDATE_PERFORMANCE=1` it also replaces the one in `docs/performance.md`, between its markers. */
export function writeTable(name: string, caption: string, head: readonly string[], rows: readonly string[][]): void {
  console.log(`\n${caption}\n${aligned([head, ...rows])}\n`);
  if (process.env.UPDATE_PERFORMANCE !== "1") return;
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const document = readFileSync(DOCUMENT, "utf8");
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no place for ${name}`);
  writeFileSync(DOCUMENT, `${document.slice(0, from)}${start}\n${caption}\n\n${table}\n${document.slice(to)}`);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}
