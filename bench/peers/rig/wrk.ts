// Runs wrk, a load generator that sends the next request when the last one is answered.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LOAD_CORE } from "./cores";

export interface WrkResult {
  readonly requests: number;
  readonly perSecond: number;
  /** In microseconds. */
  readonly p50: number;
  readonly p99: number;
}

const UNITS: Readonly<Record<string, number>> = { us: 1, ms: 1_000, s: 1_000_000, m: 60_000_000 };

/** Parses wrk's report. Throws when it names an error or an answer of an error's status. */
export function parseWrk(report: string): WrkResult {
  const problem = /^\s*(?:Socket errors|Non-2xx or 3xx responses):.*$/m.exec(report);
  if (problem !== null) throw new Error(problem[0].trim());
  const requests = Number(/^\s*(\d+) requests in /m.exec(report)?.[1]);
  const perSecond = Number(/^Requests\/sec:\s+([\d.]+)$/m.exec(report)?.[1]);
  const [p50, p99] = [50, 99].map((share) => {
    const [, value, unit = ""] = new RegExp(`^\\s*${share}%\\s+([\\d.]+)(us|ms|s|m)$`, "m").exec(report) ?? [];
    return Number(value) * (UNITS[unit] ?? Number.NaN);
  });
  const result = { requests, perSecond, p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN };
  if (Object.values(result).some(Number.isNaN)) throw new Error(`wrk reported something else:\n${report}`);
  return result;
}

export interface WrkOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A Lua script that makes the requests. */
  readonly script?: string;
}

export async function wrk(url: string, options: WrkOptions): Promise<WrkResult> {
  return parseWrk(await runWrk(url, options));
}

/** Runs wrk, and returns its report, whatever it says. */
export async function runWrk(url: string, { connections, seconds, headers = {}, script }: WrkOptions): Promise<string> {
  const { stdout } = await promisify(execFile)("taskset", [
    ...["-c", LOAD_CORE, "wrk", "--threads", "1", "--latency", "--timeout", "10s"],
    ...["--connections", String(connections), "--duration", `${seconds}s`],
    ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
    ...(script === undefined ? [] : ["--script", script]),
    url,
  ]);
  return stdout;
}
