// How long a start takes, what the first pages cost, and how much memory an idle server keeps.
import { oneByOne } from "./client";
import { below } from "./pages";
import type { Server } from "./server";

export interface Start {
  /** From exec to the first complete page, in milliseconds. */
  readonly milliseconds: number[];
  /** Microseconds of processor time for each of the first listings after that: engine and memo are cold. */
  readonly cold: number[];
}

const COLD_PAGES = 8;

export async function measureStarts(start: () => Promise<Server>, stop: (server: Server) => Promise<void>, listings: readonly string[], prefix: string, runs: number): Promise<Start> {
  const result: Start = { milliseconds: [], cold: [] };
  const paths = listings.slice(0, COLD_PAGES).map((path) => below(prefix, path));
  for (let run = 0; run < runs; run += 1) {
    const server = await start();
    result.milliseconds.push(server.startTime);
    const before = server.preciseCpu();
    await oneByOne(server.origin, paths, ({ status }) => status === 200);
    result.cold.push((server.preciseCpu() - before) / paths.length);
    await stop(server);
  }
  return result;
}

const WARM_UP_ROUNDS = 5;
/** A server is idle once it has used at most this share of a core for this long: longer than ours waits until it tidies up. */
const IDLE_SHARE = 0.01;
const IDLE_MS = 40_000;
const IDLE_WITHIN_MS = 240_000;

/** The memory of a server that has rendered every page several times and then has had nothing to do, in bytes. */
export async function measureMemory(server: Server, paths: readonly string[]): Promise<number> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await oneByOne(server.origin, paths, ({ status }) => status === 200);
  // Ours still makes smaller variants of its pages then, at the lowest priority.
  const deadline = Date.now() + IDLE_WITHIN_MS;
  while (Date.now() < deadline) {
    const before = server.cpu();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    if (server.cpu() - before <= IDLE_SHARE * IDLE_MS * 1_000) return server.memory();
  }
  console.warn(`bench: ${server.name} was not idle within ${IDLE_WITHIN_MS} ms`);
  return server.memory();
}
