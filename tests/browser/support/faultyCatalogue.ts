import { startHttp } from "./http";
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
  const server = await startHttp((request, response) => {
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
  return { ...server, requests, log: () => requests.map(({ path }) => path).join("\n") };
}
