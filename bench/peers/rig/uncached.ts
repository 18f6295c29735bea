// Pages that are all rendered: processor time, one request after the other over one connection.
import { fetchText, oneByOne } from "./client";
import { below, whole } from "./pages";
import type { Documents, Kind } from "./pages";
import { balanced, percentile } from "./statistics";
import type { Server } from "./server";

export interface Arm {
  readonly name: string;
  readonly server: Server;
  /** The text before each path. */
  readonly prefix: string;
  /** How many pages it has rendered since the last call. */
  readonly takeRenders: () => Promise<number>;
  /** Whether its documents have other bytes, which were compared by their text. */
  readonly isOther: boolean;
}

export interface Sample {
  /** Microseconds of processor time for each request. */
  readonly cpu: number;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** By kind, then by arm; one sample for each round. */
export type Samples = Record<string, Record<string, Sample[]>>;

/** The shop logs each request, and how long its render took if there was one: as JSON, and older programs as text. */
export function logged(name: string, server: Server): Arm {
  const takeRenders = () => Promise.resolve((server.takeLog().match(/render_ms"?[:=]/g) ?? []).length);
  return { name, server, prefix: "", takeRenders, isOther: false };
}

/** An arm on Node, which counts its renders itself. */
export function counted(name: string, server: Server): Arm {
  let before = 0;
  async function takeRenders(): Promise<number> {
    const now = Number(await fetchText(`${server.origin}/renders`));
    const taken = now - before;
    before = now;
    return taken;
  }
  return { name, server, prefix: "", takeRenders, isOther: false };
}

/** Enough for the engine to compile what a page needs. */
const WARM_UP_REQUESTS = 400;

export async function measureUncached(arms: readonly Arm[], kinds: readonly Kind[], documents: Documents, rounds: number, seconds: number): Promise<Samples> {
  const samples: Samples = {};
  const requests = new Map<string, number>();
  for (const kind of kinds) {
    samples[kind.name] = Object.fromEntries(arms.map(({ name }) => [name, []]));
    for (const arm of arms) {
      await ask(arm, kind, documents, WARM_UP_REQUESTS);
      const { perSecond } = await ask(arm, kind, documents, 50);
      requests.set(`${kind.name} ${arm.name}`, Math.max(Math.round(perSecond * seconds), 20));
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) {
      for (const arm of balanced(arms, round)) {
        const sample = await ask(arm, kind, documents, requests.get(`${kind.name} ${arm.name}`) ?? 0);
        samples[kind.name]?.[arm.name]?.push(sample);
      }
    }
    console.log(`bench: uncached, round ${round + 1} of ${rounds}`);
  }
  return samples;
}

async function ask(arm: Arm, kind: Kind, documents: Documents, requests: number): Promise<Sample> {
  const lengths = new Map(kind.paths.map((path) => [below(arm.prefix, path), new Set(documents.pages[path]?.map((document) => Buffer.byteLength(whole(document))))]));
  const paths = Array.from({ length: requests }, (_, number) => below(arm.prefix, kind.paths[number % kind.paths.length] ?? "/"));
  await arm.takeRenders();
  const before = arm.server.cpu();
  const load = await oneByOne(arm.server.origin, paths, ({ status, body }, path) => status === 200 && (arm.isOther || lengths.get(path)?.has(body.length) === true));
  const cpu = (arm.server.cpu() - before) / requests;
  const renders = await arm.takeRenders();
  if (renders !== requests) throw new Error(`${arm.name} rendered ${renders} pages for ${requests} requests of ${kind.name}`);
  return { cpu, perSecond: requests / load.seconds, p50: percentile(load.latencies, 50), p99: percentile(load.latencies, 99) };
}
