// What Linux counts for a process and its descendants.
import { readdirSync, readFileSync } from "node:fs";

/** The kernel's `USER_HZ`, in which /proc counts processor time; 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Processor time in user and kernel mode, of its own and of children that it has waited for, in microseconds. */
  readonly cpu: number;
}

/** Parses `/proc/PID/stat`. The command's name, in parentheses, may itself hold spaces and parentheses. */
export function parseStat(text: string): Stat {
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).trim().split(" ").map(Number);
  // Fields 4 and 14 to 17 of proc(5); here the third field comes first.
  const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((field) => fields[field] ?? Number.NaN);
  const ticks = [user, system, childUser, childSystem].reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0);
  const stat = { pid: parseInt(text, 10), parent: parent ?? Number.NaN, cpu: (ticks * 1_000_000) / TICKS_PER_SECOND };
  if (end < 0 || Object.values(stat).some(Number.isNaN)) throw new Error(`no stat of a process: ${text}`);
  return stat;
}

/** The proportional set size of `/proc/PID/smaps_rollup`, in bytes. */
export function parsePss(text: string): number {
  const pss = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  if (pss === undefined) throw new Error("smaps_rollup without Pss");
  return Number(pss) * 1024;
}

/** The time that `/proc/PID/task/TID/schedstat` says a thread has run, in microseconds. */
export function parseSchedstat(text: string): number {
  const nanoseconds = /^(\d+) \d+ \d+$/m.exec(text)?.[1];
  if (nanoseconds === undefined) throw new Error(`no schedstat: ${text}`);
  return Number(nanoseconds) / 1_000;
}

/** `root` and its descendants; those that end meanwhile are left out. */
function tree(root: number): Stat[] {
  const all: Stat[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = readIfAny(`/proc/${name}/stat`);
    if (text !== undefined) all.push(parseStat(text));
  }
  const found = all.filter(({ pid }) => pid === root);
  // `found` grows during this loop: children are appended after their parent.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process or thread has ended.
    return undefined;
  }
}

/** Processor time of a process and its descendants so far, in microseconds, in steps of 10 ms. */
export function cpuTime(root: number): number {
  return tree(root).reduce((sum, { cpu }) => sum + cpu, 0);
}

/**
 * The same with the precision of a nanosecond, but only of threads that are alive: for bursts of some milliseconds in
 * which no thread ends.
 */
export function preciseCpuTime(root: number): number {
  let sum = 0;
  for (const { pid } of tree(root)) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readIfAny(`/proc/${pid}/task/${thread}/schedstat`);
      if (text !== undefined) sum += parseSchedstat(text);
    }
  }
  return sum;
}

/** The memory of a process and its descendants, shared pages counted in part, in bytes. */
export function memory(root: number): number {
  return tree(root).reduce((sum, { pid }) => sum + parsePss(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")), 0);
}
