// The same pages by Next.js, as `make bench` builds them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { below, cut } from "../peers/rig/pages";
import { REPOSITORY } from "../../tests/browser/support/server";

const FOLDER = join(REPOSITORY, "bench/peers/next");
const ROUTERS = ["app", "pages"] as const;
const START_LIMIT_MS = 60_000;

export interface NextPeer {
  /** The address of one of the shop's pages in each of the routers. */
  readonly routers: readonly { readonly name: string; readonly addressOf: (path: string) => string }[];
  stop(): Promise<void>;
}

/** Starts Next.js with the data that a shop has for these pages; undefined where it was not built. */
export async function startNext(shop: string, paths: readonly string[]): Promise<NextPeer | undefined> {
  if (!existsSync(join(FOLDER, ".next/BUILD_ID"))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "vitrine-next-"));
  const data = join(folder, "documents.json");
  const documents = await Promise.all(paths.map(async (path) => [path, [cut(await (await fetch(shop + path)).text())]]));
  writeFileSync(data, JSON.stringify({ pages: Object.fromEntries(documents) as unknown }));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = [join(FOLDER, "node_modules/next/dist/bin/next"), "start", "--hostname", "127.0.0.1", "--port", String(port)];
  const environment = { ...process.env, NODE_ENV: "production", VITRINE_DOCUMENTS: data } as const;
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: "ignore", env: environment });
  const exited = once(child, "exit");
  const started = Date.now();
  while (!(await fetch(`${origin}/renders`).then(({ ok }) => ok, () => false))) {
    if (child.exitCode !== null || Date.now() - started > START_LIMIT_MS) throw new Error("Next.js does not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    routers: ROUTERS.map((router) => ({ name: `next, ${router}`, addressOf: (path) => origin + below(`/${router}`, path) })),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
