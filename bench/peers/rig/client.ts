// The load generator where every answer is looked at, or where requests start at fixed times.
import { Agent, get } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import { gunzipSync, brotliDecompressSync } from "node:zlib";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Fetching {
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20_000;

export function fetchAnswer(url: string, { agent, headers = {} }: Fetching = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ...(agent === undefined ? {} : { agent }), headers, timeout: TIMEOUT_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.once("error", reject);
      response.once("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    request.once("timeout", () => request.destroy(new Error(`${url} was not answered within ${TIMEOUT_MS} ms`)));
    request.once("error", reject);
  });
}

/** The text of an answer with status 200. */
export async function fetchText(url: string, fetching?: Fetching): Promise<string> {
  const { status, headers, body } = await fetchAnswer(url, fetching);
  if (status !== 200) throw new Error(`${url}: ${status}`);
  switch (headers["content-encoding"]) {
    case undefined:
      return body.toString();
    case "br":
      return brotliDecompressSync(body).toString();
    case "gzip":
      return gunzipSync(body).toString();
    default:
      throw new Error(`${url}: encoded in another way than was asked for`);
  }
}

export interface Load {
  /** From the time at which the request should have started, in milliseconds, one for each answer. */
  readonly latencies: number[];
  /** Answers with another status than 200, and requests without an answer. */
  readonly failures: number;
  readonly seconds: number;
}

export type IsGood = (answer: Answer, path: string) => boolean;

/** Sends one request after the other over one connection. */
export async function oneByOne(origin: string, paths: readonly string[], isGood: IsGood): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies: number[] = [];
  const started = performance.now();
  try {
    for (const path of paths) {
      const sent = performance.now();
      const answer = await fetchAnswer(origin + path, { agent });
      latencies.push(performance.now() - sent);
      if (!isGood(answer, path)) throw new Error(`${origin}${path}: ${answer.status}, ${answer.body.length} bytes`);
    }
  } finally {
    agent.destroy();
  }
  return { latencies, failures: 0, seconds: (performance.now() - started) / 1_000 };
}

/** The status of an answer whose body is thrown away: bodies would keep this process's collector busy. */
function fetchStatus(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: TIMEOUT_MS }, (response) => {
      response.once("error", reject);
      response.once("end", () => { resolve(response.statusCode ?? 0); });
      response.resume();
    });
    request.once("timeout", () => request.destroy(new Error(`${url} was not answered within ${TIMEOUT_MS} ms`)));
    request.once("error", reject);
  });
}

/** The time between two looks for due requests; those that are late are made up for. */
const TICK_MS = 1;

/**
 * Starts requests at a fixed rate, however late answers are. A latency counts from the time at which the request was
 * due, so that waiting for a slow server is part of it.
 */
export async function atRate(
  origin: string,
  path: (number: number) => string,
  { perSecond, seconds, connections }: { perSecond: number; seconds: number; connections: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const total = Math.round(perSecond * seconds);
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  let failures = 0;
  async function send(number: number, due: number): Promise<void> {
    try {
      if ((await fetchStatus(origin + path(number), agent)) === 200) latencies.push(performance.now() - due);
      else failures += 1;
    } catch {
      failures += 1;
    }
  }
  const started = performance.now();
  for (let number = 0; number < total; ) {
    const due = started + (number * 1_000) / perSecond;
    if (performance.now() < due) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      continue;
    }
    const sending: Promise<void> = send(number, due).finally(() => underWay.delete(sending));
    underWay.add(sending);
    number += 1;
    // Lets answers be read even while requests are due.
    if (number % 16 === 0) await new Promise(setImmediate);
  }
  await Promise.all(underWay);
  agent.destroy();
  return { latencies, failures, seconds: (performance.now() - started) / 1_000 };
}
