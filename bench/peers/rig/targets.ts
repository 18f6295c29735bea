// The targets, and what was measured of them.
import type { Results } from "./results";
import { interval, mean, median, ratio } from "./statistics";
import type { Interval } from "./statistics";

export interface Target {
  readonly figure: string;
  readonly of: string;
  readonly value: Interval;
  readonly unit: string;
  readonly digits: number;
  readonly bound: "≥" | "≤";
  readonly limit: number;
}

/** The interval's worse end decides. */
export function isMet({ value, bound, limit }: Target): boolean {
  return bound === "≥" ? value.low >= limit : value.high <= limit;
}

/** The median of the rounds. */
const milliseconds = (values: readonly number[]) => `${median(values).toFixed(1)} ms`;

const exactly = (value: number): Interval => ({ mean: value, low: value, high: value });

export function targetsOf(results: Results): Target[] {
  const targets: Target[] = [];
  const add = (figure: string, of: string, bound: Target["bound"], limit: number, value: Interval, unit = "", digits = 2) => {
    targets.push({ figure, of, value, unit, digits, bound, limit });
  };
  const cpu = (kind: string, arm: string) => results.uncached[kind]?.[arm]?.map((sample) => sample.cpu);
  const compare = (figure: string, kind: string, above: readonly number[] | undefined, below: readonly number[] | undefined, bound: Target["bound"], limit: number) => {
    if (above !== undefined && below !== undefined) add(figure, kind, bound, limit, ratio(above, below));
  };
  const { kinds, more } = results;

  for (const { name, isListing } of kinds) compare("rendered: CPU of Express over ours", name, cpu(name, "express"), cpu(name, "ours"), "≥", isListing ? 3 : 2);
  for (const [name, arms] of Object.entries(more?.changed ?? {})) compare("rendered after a change of all data: CPU of Express over ours", name, arms.express, arms.ours, "≥", 2);
  for (const { name } of kinds) compare("rendered: CPU of Node with our bundle over ours", name, cpu(name, "node"), cpu(name, "ours"), "≥", 1.3);
  for (const { name, isListing } of kinds) compare("rendered: our CPU over that of commit c689e77", name, cpu(name, "ours"), cpu(name, "base"), "≤", isListing ? 0.4 : 0.6);
  for (const { name, isListing } of kinds) compare("rendered: CPU of Next.js over ours", name, better(cpu(name, "next, app"), cpu(name, "next, pages")), cpu(name, "ours"), "≥", isListing ? 15 : 10);
  for (const name of Object.keys(results.cached)) {
    const of = (arm: string) => results.cached[name]?.[arm]?.map((sample) => sample.cpu);
    compare("kept: CPU of nginx over ours", name, of("nginx"), of("ours"), "≥", 1);
  }
  if (more === undefined) return targets;

  const { delay, hits, goodput, starts, memory, html, scripts } = more;
  add("rendered at 70 % of Express's capacity: our p99 over Express's", `${delay.perSecond.toFixed(0)}/s: ${milliseconds(delay.ours)} and ${milliseconds(delay.theirs)}; pages that are kept ${milliseconds(delay.kept)}`, "≤", 0.25, ratio(delay.ours, delay.theirs));
  add("p99 of kept pages while renders saturate both cores, above idle", `${mean(hits.idle).toFixed(1)} ms idle`, "≤", 5, interval(hits.busy.map((busy, round) => busy - (hits.idle[round] ?? Number.NaN))), " ms", 1);
  add("pages rendered at three times saturation, of saturation", `${mean(goodput.saturation).toFixed(0)}/s`, "≥", 0.9, ratio(goodput.goodput, goodput.saturation));
  const next = better(starts["next, app"]?.milliseconds, starts["next, pages"]?.milliseconds);
  compare("exec to the first rendered page, over Express", "start", starts.ours?.milliseconds, starts.express?.milliseconds, "≤", 0.25);
  compare("exec to the first rendered page, over Next.js", "start", starts.ours?.milliseconds, next, "≤", 0.08);
  const [used = Number.NaN, nextUsed] = [memory.ours, better([memory["next, app"] ?? Number.NaN], [memory["next, pages"] ?? Number.NaN])?.[0]];
  if (memory.express !== undefined) add("idle memory (PSS), two isolates, over Express", mebibytes(used), "≤", 0.5, exactly(used / memory.express));
  if (nextUsed !== undefined) add("idle memory (PSS), two isolates, over Next.js", mebibytes(used), "≤", 0.2, exactly(used / nextUsed));
  for (const [page, { first, all }] of Object.entries(scripts).filter(([name]) => name.startsWith("ours "))) {
    const path = page.slice("ours ".length);
    add("scripts of a first load, brotli", path, "≤", 79, exactly(all / 1_000), " kB", 1);
    add("scripts that a document asks for itself, brotli", path, "≤", 3, exactly(first / 1_000), " kB", 1);
    const theirs = better([scripts[`next, app ${path}`]?.all ?? Number.NaN], [scripts[`next, pages ${path}`]?.all ?? Number.NaN])?.[0];
    if (theirs !== undefined) add("scripts of a first load, over Next.js", path, "≤", 0.5, exactly(all / theirs));
  }
  add(`largest HTML of ${html.pages} pages, identity`, html.identity.path, "≤", 90, exactly(html.identity.bytes / 1_000), " kB", 1);
  add(`largest HTML of ${html.pages} pages, brotli`, html.brotli.path, "≤", 10, exactly(html.brotli.bytes / 1_000), " kB", 1);
  return targets;
}

/** The one with the lower mean, of those that were measured. */
function better(left: readonly number[] | undefined, right: readonly number[] | undefined): readonly number[] | undefined {
  const measured = [left, right].filter((values): values is readonly number[] => values !== undefined && values.every(Number.isFinite));
  return measured.sort((one, other) => mean(one) - mean(other))[0];
}

const mebibytes = (bytes: number) => `${(bytes / (1 << 20)).toFixed(0)} MiB`;

export function shown({ mean: centre, low, high }: Interval, digits: number, unit = ""): string {
  const text = `${centre.toFixed(digits)}${unit}`;
  return low === high ? text : `${text} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

export const summary = (values: readonly number[], digits: number, unit = "") => shown(interval(values), digits, unit);
