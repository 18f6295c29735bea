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

const IDLE_MS = 5_000;
const WARM_UP_ROUNDS = 5;

/** The memory of a server that has rendered every page several times and then has had nothing to do, in bytes. */
export async function measureMemory(server: Server, paths: readonly string[]): Promise<number> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await oneByOne(server.origin, paths, ({ status }) => status === 200);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return server.memory();
}
