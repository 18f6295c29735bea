// The programs that are compared, and how each of them is started.
import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Built } from "./build";
import { PEERS } from "./build";
import { fetchAnswer, fetchText } from "./client";
import { LOAD_CORE, SERVER_CORE } from "./cores";
import type { Documents } from "./pages";
import { Server } from "./server";

/** Documents name it, so every program has the same one. */
const PUBLIC_URL = "https://shop.example";
const PICTURES = "https://cdn.dummyjson.com";
/** Young and old generation of a Node program that gets all the memory that it can use. */
const TUNED = ["--min-semi-space-size=16", "--max-semi-space-size=64", "--max-old-space-size=512"];

export class Arms {
  private readonly started: Server[] = [];
  private port: number;

  constructor(
    readonly built: Built,
    /** The folder for logs and for files that servers read. */
    readonly folder: string,
    firstPort: number,
  ) {
    this.port = firstPort;
    mkdirSync(folder, { recursive: true });
  }

  private async start(name: string, cores: string, program: string, args: (port: number) => string[], more: { folder?: string; path?: string } = {}): Promise<Server> {
    while (!(await isFree(this.port))) this.port += 1;
    const port = this.port++;
    const log = join(this.folder, `${name.replaceAll(/\W+/g, "-")}-${port}.log`);
    writeFileSync(log, "");
    const { folder, path } = more;
    const command = { program, args: args(port), ...(folder === undefined ? {} : { folder }) };
    const server = await Server.start(name, port, cores, command, log, path);
    this.started.push(server);
    return server;
  }

  /** The stub of the catalogue service. Without a file of products it serves the sample. */
  catalogue(products: string | undefined): Promise<Server> {
    const given = products === undefined ? [] : ["--products", products];
    const args = (port: number) => ["sample-catalogue", ...given, "--log", "warn", "--listen", `127.0.0.1:${port}`];
    return this.start("catalogue", LOAD_CORE, this.built.ours, args, { path: "/products/categories" });
  }

  /** Our program, or another build of it. */
  shop(name: string, catalogue: string, settings: readonly string[] = [], cores = SERVER_CORE, program = this.built.ours): Promise<Server> {
    return this.start(name, cores, program, (port) => [
      ...["--catalogue", catalogue, "--public-url", PUBLIC_URL, "--image-host", PICTURES],
      ...["--listen", `127.0.0.1:${port}`, ...settings],
    ]);
  }

  /** A file with the documents' data, which the Node programs are given. */
  dataFile(documents: Documents): string {
    const file = join(this.folder, "documents.json");
    writeFileSync(file, JSON.stringify(documents));
    return file;
  }

  express(data: string): Promise<Server> {
    return this.start("express", SERVER_CORE, process.execPath, (port) => [join(PEERS, "express/server.mjs"), String(port), data]);
  }

  node(data: string): Promise<Server> {
    return this.start("node", SERVER_CORE, process.execPath, (port) => [...TUNED, join(PEERS, "node/server.mjs"), String(port), data, this.built.ssr]);
  }

  /** nginx with files of pages that our program keeps; `openFiles` says whether it keeps the files open. */
  async nginx(shop: string, paths: readonly string[], openFiles: boolean): Promise<Server> {
    const name = openFiles ? "nginx, open files" : "nginx";
    const folder = join(this.folder, name.replaceAll(/\W+/g, "-"));
    mkdirSync(join(folder, "pages"), { recursive: true });
    mkdirSync(join(folder, "temp"), { recursive: true });
    let headers: string[] = [];
    for (const path of paths) {
      const { identity, gzip, shared } = await stored(shop, path);
      const file = join(folder, "pages", path === "/" ? "index.html" : `${path}.html`);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, identity);
      writeFileSync(`${file}.gz`, gzip);
      headers = Object.entries(shared).map(([name, value]) => `    add_header ${name} "${value.replaceAll('"', '\\"')}";`);
    }
    const template = readFileSync(join(PEERS, "nginx/nginx.conf"), "utf8");
    return this.start(name, SERVER_CORE, "nginx", (port) => {
      const words: Readonly<Record<string, string>> = {
        folder,
        port: String(port),
        headers: headers.join("\n"),
        // Started by root, nginx would give its worker a user who cannot read the files.
        user: process.getuid?.() === 0 ? "user root;" : "",
        open_files: openFiles ? "open_file_cache max=1000 inactive=60s;" : "",
      };
      const file = join(folder, "nginx.conf");
      writeFileSync(file, template.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? ""));
      return ["-e", "stderr", "-c", file];
    }, { path: paths[0] ?? "/" });
  }

  async axum(shop: string, paths: readonly string[]): Promise<Server> {
    const folder = join(this.folder, "axum");
    mkdirSync(folder, { recursive: true });
    const answers = [];
    for (const [number, path] of paths.entries()) {
      const { gzip, all } = await stored(shop, path);
      const file = join(folder, `${number}.gz`);
      writeFileSync(file, gzip);
      answers.push({ path, file, headers: all });
    }
    const list = join(folder, "answers.json");
    writeFileSync(list, JSON.stringify(answers));
    return this.start("axum", SERVER_CORE, this.built.axum, (port) => [`127.0.0.1:${port}`, list], { path: paths[0] ?? "/" });
  }

  next(router: "app" | "pages", data: string): Promise<Server> {
    process.env.VITRINE_DOCUMENTS = data;
    const next = join(PEERS, "next");
    const args = (port: number) => [join(next, "node_modules/next/dist/bin/next"), "start", "--hostname", "127.0.0.1", "--port", String(port)];
    return this.start(`next, ${router}`, SERVER_CORE, process.execPath, args, { folder: next, path: `/${router}` });
  }

  async stop(server: Server): Promise<void> {
    this.started.splice(this.started.indexOf(server), 1);
    await server.stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.started.splice(0).map((server) => server.stop()));
  }
}

/** Whether a port is free: it is not even the local end of a connection to somewhere else. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => { resolve(false); });
    probe.listen(port, "127.0.0.1", () => probe.close(() => { resolve(true); }));
  });
}

/** Headers that are the server's own: nginx makes them for its files. */
const OF_SERVER = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding", "etag", "last-modified", "content-type", "content-encoding"]);

interface Stored {
  readonly identity: string;
  readonly gzip: Buffer;
  /** The headers of the compressed answer, without those of the connection. */
  readonly all: Readonly<Record<string, string>>;
  /** Those of `all` that nginx does not make itself. */
  readonly shared: Readonly<Record<string, string>>;
}

/** An answer of our program's cache. */
async function stored(shop: string, path: string): Promise<Stored> {
  const gzip = { headers: { "accept-encoding": "gzip" } };
  const answer = await fetchAnswer(shop + path, gzip);
  const { body, headers } = answer;
  if (answer.status !== 200 || headers["content-encoding"] !== "gzip") throw new Error(`${path} is no compressed page`);
  const entries = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const identity = await fetchText(shop + path, gzip);
  return {
    identity,
    gzip: body,
    all: Object.fromEntries(entries.filter(([name]) => !["date", "connection", "keep-alive", "content-length", "transfer-encoding"].includes(name))),
    shared: Object.fromEntries(entries.filter(([name]) => !OF_SERVER.has(name))),
  };
}
