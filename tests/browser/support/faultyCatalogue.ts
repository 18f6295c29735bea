import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "./server";

/** A catalogue service in front of another one: it remembers what was asked and fails on demand. */
export interface FaultyCatalogue extends Server {
  /** Every request so far. */
  readonly requests: { method: string; path: string; headers: NodeJS.Dict<string | string[]> }[];
}

/** `fails` gets path and query; what it names is answered with 500. */
export async function startFaultyCatalogue(
  upstream: string,
  fails: (path: string) => boolean,
): Promise<FaultyCatalogue> {
  const requests: FaultyCatalogue["requests"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ method: request.method ?? "", path, headers: request.headers });
    if (fails(path)) {
      response.writeHead(500, { "content-type": "application/json" }).end('{"message":"out of order"}');
      return;
    }
    fetch(upstream + path).then(
      async (answer) => {
        const body = await answer.text();
        response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    log: () => requests.map(({ path }) => path).join("\n"),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
