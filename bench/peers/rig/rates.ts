// Requests that come at a fixed rate, whether or not the last one was answered.
import { join } from "node:path";
import { PEERS } from "./build";
import { atRate, oneByOne } from "./client";
import type { IsGood } from "./client";
import { balanced, percentile } from "./statistics";
import type { Server } from "./server";
import { runWrk } from "./wrk";

/** Listings with different addresses. A price above those of all products would not do: it would be redirected. */
const distinct = (number: number) => `/products?max=${2_000 + (number % 30_000)}&rating=${1 + (Math.floor(number / 30_000) % 4)}`;

/**
 * The pages a second that a server answers on several connections, each with one request at a time. A saturated
 * server may refuse some, which do not count.
 */
async function capacity(server: Server, path: (number: number) => string, connections: number, requests: number): Promise<number> {
  const shares = Array.from({ length: connections }, (_, share) => Array.from({ length: requests / connections }, (__, number) => path(number * connections + share)));
  let refused = 0;
  const isAnswer: IsGood = ({ status }) => {
    if (status === 503) refused += 1;
    return status === 200 || status === 503;
  };
  const loads = await Promise.all(shares.map((paths) => oneByOne(server.origin, paths, isAnswer)));
  return (requests - refused) / Math.max(...loads.map(({ seconds }) => seconds));
}

export interface Delay {
  readonly perSecond: number;
  /** In milliseconds, one for each round. */
  readonly ours: number[];
  readonly theirs: number[];
  /** The same answers when nothing has to be rendered: what load, kernel and machine take by themselves. */
  readonly kept: number[];
}

/**
 * The slowest answers of both at 70 % of what `theirs` can do, and of `keeping`, which has the pages in memory. While
 * one is measured, the others are paused: engines collect garbage when they have nothing to do.
 */
export async function measureDelay(ours: Server, theirs: Server, keeping: Server, paths: readonly string[], rounds: number, seconds: number): Promise<Delay> {
  const path = (number: number) => paths[(number * 7) % paths.length] ?? "/";
  const delay: Omit<Delay, "perSecond"> = { ours: [], theirs: [], kept: [] };
  const measured = [
    { server: ours, figures: delay.ours, connections: 1 },
    { server: theirs, figures: delay.theirs, connections: 4 },
    { server: keeping, figures: delay.kept, connections: 1 },
  ];
  for (const { server, connections } of measured) await capacity(server, path, connections, 400);
  for (const { server } of measured) server.pause();
  theirs.resume();
  const perSecond = 0.7 * (await capacity(theirs, path, 4, 800));
  theirs.pause();
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, figures, connections } of balanced(measured, round)) {
      server.resume();
      // Lets it catch up on what it would have done meanwhile.
      await capacity(server, path, connections, 200);
      const { latencies, failures } = await atRate(server.origin, path, { perSecond, seconds, connections: 64 });
      if (failures > 0) throw new Error(`${server.name}: ${failures} failures at ${perSecond.toFixed(0)}/s`);
      figures.push(percentile(latencies, 99));
      server.pause();
    }
  }
  for (const { server } of measured) server.resume();
  return { perSecond, ...delay };
}

/** Pages a second, one figure for each round. */
export interface Goodput {
  /** Pages that are answered while nobody waits in vain. */
  readonly saturation: number[];
  /** Rendered pages, with three times as many requests. */
  readonly goodput: number[];
}

export async function measureGoodput(shop: Server, rounds: number, seconds: number): Promise<Goodput> {
  let next = 0;
  const path = () => {
    next += 1;
    return distinct(next);
  };
  await capacity(shop, path, 16, 800);
  const result: Goodput = { saturation: [], goodput: [] };
  for (let round = 0; round < rounds; round += 1) {
    const saturation = await capacity(shop, path, 16, 4_800);
    const overload = await atRate(shop.origin, path, { perSecond: 3 * saturation, seconds, connections: 400 });
    result.saturation.push(saturation);
    result.goodput.push(overload.latencies.length / overload.seconds);
  }
  return result;
}

/** The 99th percentile in milliseconds, one figure for each round. */
export interface Hits {
  readonly idle: number[];
  readonly busy: number[];
}

/** Measures a kept page, idle and while as many listings are asked for as can be rendered. */
export async function measureHits(shop: Server, path: string, rounds: number, seconds: number): Promise<Hits> {
  const rate = { perSecond: 100, seconds, connections: 16 };
  const hits = async () => {
    const { latencies, failures } = await atRate(shop.origin, () => path, rate);
    if (failures > 0) throw new Error(`${failures} hits failed`);
    return percentile(latencies, 99);
  };
  const result: Hits = { idle: [], busy: [] };
  for (let round = 0; round < rounds; round += 1) result.idle.push(await hits());
  // One load for all rounds, because it would begin with the same listings again, which are kept. Some
  // requests of the load may be refused: they only keep the isolates busy.
  const load = runWrk(shop.origin, { connections: 16, seconds: rounds * seconds + 1, script: join(PEERS, "rig/distinct.lua") });
  for (let round = 0; round < rounds; round += 1) result.busy.push(await hits());
  await load;
  return result;
}
