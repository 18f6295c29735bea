// Tables for the terminal and for docs/performance.md, and a page with plots.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeTable } from "../../browser/report";
import { ROOT } from "./build";
import { dots } from "./plot";
import type { Results } from "./results";
import { interval, median, ratio } from "./statistics";
import { isMet, shown, summary, targetsOf } from "./targets";
import type { Samples } from "./uncached";

interface Table {
  /** The name of its place in docs/performance.md. */
  readonly name: string;
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly string[][];
}

export function report(results: Results): void {
  const update = process.env.UPDATE_PERFORMANCE === "1";
  const tables = tablesOf(results);
  for (const { name, caption, head, rows } of tables) writeTable(name, caption, head, rows);
  const folder = update ? join(ROOT, "bench/report") : join(ROOT, "target/bench/report");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(folder, "index.html"), page(results, tables));
  console.log(`bench: the plots are in ${join(folder, "index.html")}`);
}

function tablesOf(results: Results): Table[] {
  const { more } = results;
  const about = `Commit ${results.commit}, ${results.machine}, ${results.versions}; ${more === undefined ? "a quick run of " : ""}${results.rounds} rounds, 95 % intervals`;
  const targets = targetsOf(results).map((target) => [
    target.figure,
    target.of,
    shown(target.value, target.digits, target.unit),
    `${target.bound} ${target.limit}${target.unit}`,
    isMet(target) ? "yes" : "no",
  ]);
  const tables: Table[] = [
    { name: "targets", caption: `${about}:`, head: ["Figure", "of", "measured", "target", "met"], rows: targets },
    { name: "rendered", caption: "Processor time of one request that is rendered, in milliseconds, and over ours:", ...timesOf(results.uncached, 1_000, 2) },
    { name: "waiting", caption: "The same requests, answers a second, p50 and p99 in milliseconds (median of the rounds):", ...waitingOf(results.uncached) },
    { name: "kept", caption: `Processor time of one request for a page that is kept, in microseconds, and over ours (\`${results.cachedPath}\`, ${results.cachedBytes} bytes of gzip, 16 connections):`, ...timesOf(results.cached, 1, 1) },
    { name: "kept-waiting", caption: "The same requests, answers a second, p50 and p99 in milliseconds:", ...waitingOf(results.cached) },
  ];
  if (more === undefined) return tables;
  const cells = Object.entries(more.starts).map(([name, { milliseconds, cold }]) => {
    const bytes = more.memory[name];
    const scripts = more.scripts[`${name} /`];
    return [
      name,
      summary(milliseconds, 0, " ms"),
      summary(cold.map((time) => time / 1_000), 2, " ms"),
      bytes === undefined ? "–" : `${(bytes / (1 << 20)).toFixed(0)} MiB`,
      scripts === undefined ? "–" : `${(scripts.all / 1_000).toFixed(1)} kB`,
    ];
  });
  const head = ["Program", "exec to the first page", "CPU of each of the first listings, engine and memo cold", "idle memory", "scripts of home, brotli"];
  tables.push({ name: "starts", caption: "Starts and what is kept:", head, rows: cells });
  return tables;
}

function timesOf(samples: Samples, unit: number, digits: number): Pick<Table, "head" | "rows"> {
  const arms = [...new Set(Object.values(samples).flatMap((byArm) => Object.keys(byArm)))];
  const rows = Object.entries(samples).map(([kind, byArm]) => {
    const cpu = (arm: string) => byArm[arm]?.map((sample) => sample.cpu / unit) ?? [];
    const ours = cpu("ours");
    return [kind, ...arms.map((arm) => (arm === "ours" ? summary(ours, digits) : `${interval(cpu(arm)).mean.toFixed(digits)}, ${shown(ratio(cpu(arm), ours), 2, "×")}`))];
  });
  return { head: ["Page", ...arms], rows };
}

function waitingOf(samples: Samples): Pick<Table, "head" | "rows"> {
  const arms = [...new Set(Object.values(samples).flatMap((byArm) => Object.keys(byArm)))];
  const rows = Object.entries(samples).map(([kind, byArm]) => {
    const of = (arm: string, field: "perSecond" | "p50" | "p99") => median(byArm[arm]?.map((sample) => sample[field]) ?? []);
    return [kind, ...arms.map((arm) => `${of(arm, "perSecond").toFixed(0)}/s, ${of(arm, "p50").toFixed(2)}, ${of(arm, "p99").toFixed(2)}`)];
  });
  return { head: ["Page", ...arms], rows };
}

function page(results: Results, tables: readonly Table[]): string {
  const points = (samples: Samples, unit: number) =>
    Object.entries(samples).map(([label, byArm]) => ({
      label,
      points: Object.entries(byArm).map(([arm, measured]) => ({ arm, ...interval(measured.map(({ cpu }) => cpu / unit)) })),
    }));
  const plots = [
    dots("Processor time of one rendered page", "ms", points(results.uncached, 1_000)),
    dots("Processor time of one page that is kept", "µs", points(results.cached, 1)),
  ];
  const section = ({ caption, head, rows }: Table) =>
    `<h2>${escape(caption)}</h2><table><tr>${head.map((cell) => `<th>${escape(cell)}</th>`).join("")}</tr>${rows
      .map((row) => `<tr>${row.map((cell) => `<td${cell === "no" ? ' class="no"' : ""}>${escape(cell)}</td>`).join("")}</tr>`)
      .join("")}</table>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Vitrine beside its peers</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1d2b26; background: #fff }
h2 { font-size: 1rem; margin: 2.5rem 0 0.5rem }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid #d8dfdb; padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; vertical-align: top }
.no { color: #a3280f; font-weight: 600 }
svg { display: block; max-width: 100%; height: auto; margin: 1.5rem 0 }
</style>
<h1>Vitrine beside its peers</h1>
<p>One run of the benchmark; the method is in docs/performance.md, every sample in results.json.</p>
${plots.join("\n")}
${tables.map(section).join("\n")}
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
