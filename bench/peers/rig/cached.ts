// Pages that are stored: 16 connections, with gzip, and with answers of status 304.
import { entityTag, sameStored } from "./parity";
import type { Server } from "./server";
import { balanced } from "./statistics";
import type { Samples } from "./uncached";
import { wrk } from "./wrk";

const CONNECTIONS = 16;

export async function measureCached(servers: readonly Server[], path: string, rounds: number, seconds: number): Promise<Samples> {
  await sameStored(servers.map(({ origin }) => origin), path);
  const samples: Samples = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["page", "304"]) {
      for (const server of balanced(servers, round)) {
        const condition = name === "304" ? { "if-none-match": await entityTag(server.origin, path) } : {};
        const before = server.cpu();
        const result = await wrk(server.origin + path, { connections: CONNECTIONS, seconds, headers: { "accept-encoding": "gzip", ...condition } });
        const cpu = (server.cpu() - before) / result.requests;
        const sample = { cpu, perSecond: result.perSecond, p50: result.p50 / 1_000, p99: result.p99 / 1_000 };
        ((samples[name] ??= {})[server.name] ??= []).push(sample);
      }
    }
    console.log(`bench: cached, round ${round + 1} of ${rounds}`);
  }
  return samples;
}
