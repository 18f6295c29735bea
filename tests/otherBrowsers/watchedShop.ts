import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Server } from "../browser/support/server";

const WATCH_PATH = "/watch.js";
const WATCH = readFileSync(resolve(import.meta.dirname, "watch.js"), "utf8");

export interface WatchedShop extends Server {
  /** Refuses every connection from now on. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
}

/**
 * Puts a server in front of a shop that adds a script to each document, because not every driver
 * says what a page complained about, and that can refuse connections as a lost network does.
 */
export async function watchShop(shop: Server): Promise<WatchedShop> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === WATCH_PATH) {
      outgoing.writeHead(200, { "content-type": "text/javascript" }).end(WATCH);
      return;
    }
    const { method, headers, url = "/" } = incoming;
    const plain = { ...headers };
    delete plain["accept-encoding"];
    const asked = request(shop.address + url, { method, headers: plain }, (answer) => {
      const { "content-length": length, ...others } = answer.headers;
      const isDocument = others["content-type"]?.startsWith("text/html") === true;
      outgoing.writeHead(answer.statusCode ?? 502, isDocument || length === undefined ? others : answer.headers);
      if (!isDocument) {
        answer.pipe(outgoing);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        outgoing.end(Buffer.concat(chunks).toString().replace("<head>", `<head><script src="${WATCH_PATH}"></script>`));
      });
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });

  async function listen(port: number): Promise<number> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function refuse() {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const port = await listen(0);
  return {
    address: `http://127.0.0.1:${port}`,
    log: () => shop.log(),
    goOffline: refuse,
    async goOnline() {
      if (!server.listening) await listen(port);
    },
    async stop() {
      await refuse();
      await shop.stop();
    },
  };
}
