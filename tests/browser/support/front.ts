import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT } from "./client";
import { startHttp } from "./http";

/** What the build is called after an update; as long as a real name. */
const NEW_BUILD = "f".repeat(16);

const NOT_PASSED_ON = ["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"];

/** Pictures are the browser's own business: it says in its console that they are missing. */
const PICTURES = /^\/(sample-images|icons)\/|^\/favicon/;

/** Stands between browser and shop, and changes what the browser gets from the shop. */
export interface Front {
  readonly address: string;
  /** Every request that reached it. */
  readonly requests: { method: string; path: string; cookie: string | undefined; purpose: string | undefined }[];
  /** The client's script is passed on once this is resolved. */
  client: Promise<void>;
  /** A document is passed on from its footer on once this is resolved. */
  footer: Promise<void>;
  /** The shop behind it. */
  shop: string;
  /** Cuts every connection, except for pictures. */
  lost: boolean;
  /** Answers pages with 503. */
  busy: boolean;
  /** Serves another build: its pages, its service worker, or both. */
  updated: { pages: boolean; worker: boolean };
  stop(): Promise<void>;
}

export async function startFront(shop: string): Promise<Front> {
  const server = await startHttp((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? "/";
    const { method = "", headers } = request;
    const purpose = [headers["sec-purpose"]].flat().at(0);
    front.requests.push({ method, path, cookie: headers.cookie, purpose });
    if (CLIENT.test(path)) await front.client;
    const isPicture = PICTURES.test(path);
    if (front.lost && !isPicture) {
      response.destroy();
      return;
    }
    if (front.busy && headers.accept?.includes("html") === true) {
      response.writeHead(503, { "cache-control": "no-store", "content-type": "text/html" }).end("<h1>Busy</h1>");
      return;
    }
    const answered = await fetch(front.shop + path, {
      method,
      redirect: "manual",
      headers: { "accept-encoding": "identity", ...(purpose !== undefined && { "sec-purpose": purpose }) },
    });
    const isWorker = path === "/service-worker.js";
    const isNew = isWorker ? front.updated.worker : front.updated.pages;
    const build = answered.headers.get("vitrine-build") ?? (await buildOf(front.shop));
    for (const [name, value] of answered.headers) {
      if (!NOT_PASSED_ON.includes(name)) response.setHeader(name, isNew ? value.replaceAll(build, NEW_BUILD) : value);
    }
    response.writeHead(answered.status);
    const bytes = Buffer.from(await answered.arrayBuffer());
    const sent = isNew && !isPicture ? Buffer.from(bytes.toString().replaceAll(build, NEW_BUILD)) : bytes;
    const footer = isDocument(answered) ? sent.indexOf("<footer") : -1;
    if (footer < 0) {
      response.end(sent);
      return;
    }
    response.write(sent.subarray(0, footer));
    await front.footer;
    response.end(sent.subarray(footer));
  }

  const front: Front = {
    ...server,
    requests: [],
    client: Promise.resolve(),
    footer: Promise.resolve(),
    shop,
    lost: false,
    busy: false,
    updated: { pages: false, worker: false },
  };
  return front;
}

function isDocument(answered: Response): boolean {
  return answered.headers.get("content-type")?.startsWith("text/html") === true;
}

/** The build that the shop's pages name. */
export async function buildOf(shop: string): Promise<string> {
  return (await fetch(`${shop}/_data/offline`)).headers.get("vitrine-build") ?? "unknown";
}
