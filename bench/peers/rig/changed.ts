// Listings whose products have all changed since they were last rendered: what is remembered of them is useless.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchAnswer, fetchText, oneByOne } from "./client";
import type { Kind } from "./pages";
import type { Server } from "./server";

/** Stands before the catalogue, and raises every price by a cent whenever it is told to. */
export class ChangingCatalogue {
  private cents = 0;

  private constructor(
    readonly origin: string,
    private readonly end: () => void,
  ) {}

  static async start(catalogue: string): Promise<ChangingCatalogue> {
    const server = createServer((request, response) => {
      void fetchAnswer(catalogue + (request.url ?? "/")).then(({ status, body }) => {
        const raised = JSON.stringify(raise(JSON.parse(body.toString()), changing.cents));
        response.writeHead(status, { "content-type": "application/json" }).end(raised);
      }, () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const changing = new ChangingCatalogue(`http://127.0.0.1:${port}`, () => {
      server.close();
      server.closeAllConnections();
    });
    return changing;
  }

  change(): void {
    this.cents += 1;
  }

  stop(): void {
    this.end();
  }
}

function raise(value: unknown, cents: number): unknown {
  if (Array.isArray(value)) return value.map((item) => raise(item, cents));
  if (typeof value !== "object" || value === null) return value;
  const raised = Object.entries(value).map(([name, inner]: [string, unknown]) => [
    name,
    name === "price" && typeof inner === "number" ? Math.round(inner * 100 + cents) / 100 : raise(inner, cents),
  ]);
  return Object.fromEntries(raised) as unknown;
}

/** Settings of a shop that notices a change within a second, and keeps no page. */
export const ATTENTIVE = ["--page-memory", "0", "--fresh", "1"];
/** Longer than the shop's data are fresh. */
const PAUSE_MS = 1_100;
const POLL_MS = 20;
const POLLS = 500;

/** Microseconds of processor time for each request, by kind and arm, one for each change. */
export type Bursts = Record<string, Record<string, number[]>>;

/** `other` renders the same pages at the same times, so that it has been idle for as long. */
export async function measureChanged(shop: Server, other: Server, catalogue: ChangingCatalogue, kinds: readonly Kind[], changes: number): Promise<Bursts> {
  const bursts: Bursts = {};
  for (const kind of kinds.filter(({ isListing }) => isListing)) {
    // Pages without a product in common.
    const paths = kind.paths.filter((path) => !path.includes("sort="));
    const result: Record<string, number[]> = { [shop.name]: [], [other.name]: [] };
    for (let round = 0; round < 5; round += 1) for (const server of [shop, other]) await oneByOne(server.origin, kind.paths, ({ status }) => status === 200);
    for (let change = 0; change < changes; change += 1) {
      const probe = `${shop.origin}/_data${paths[0] ?? "/products"}`;
      const before = await fetchText(probe);
      catalogue.change();
      await pause(PAUSE_MS);
      for (let poll = 0; (await fetchText(probe)) === before; poll += 1) {
        if (poll > POLLS) throw new Error("the shop does not notice a change of its catalogue");
        await pause(POLL_MS);
      }
      // By then, the work that the change has caused beside renders is over.
      await pause(POLL_MS * 5);
      for (const server of [shop, other]) {
        const cpu = server.preciseCpu();
        await oneByOne(server.origin, paths, ({ status }) => status === 200);
        result[server.name]?.push((server.preciseCpu() - cpu) / paths.length);
      }
    }
    bursts[kind.name] = result;
  }
  return bursts;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
