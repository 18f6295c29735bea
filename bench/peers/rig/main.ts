// `make bench`: our program beside what a user would pick instead. See docs/performance.md for the method.
//   main.mjs v8|quickjs [quick]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { cpus, release } from "node:os";
import { join, resolve } from "node:path";
import { Arms } from "./arms";
import { build, ROOT } from "./build";
import { measureHtml, measureScripts } from "./bytes";
import { measureCached } from "./cached";
import { ATTENTIVE, ChangingCatalogue, measureChanged } from "./changed";
import { fetchAnswer } from "./client";
import { BOTH_CORES, LOAD_CORE } from "./cores";
import { below, chooseKinds, collect } from "./pages";
import type { Kind } from "./pages";
import { sameBytes, sameText } from "./parity";
import { measureDelay, measureGoodput, measureHits } from "./rates";
import { report } from "./report";
import type { More, Results } from "./results";
import { measureMemory, measureStarts } from "./starts";
import type { Start } from "./starts";
import { counted, logged, measureUncached } from "./uncached";
import type { Arm, Samples } from "./uncached";

const [engine = "v8", scope = ""] = process.argv.slice(2);
const quick = scope === "quick";
/** `BENCH_ROUNDS=2` tries the rig out. */
const rounds = Number(process.env.BENCH_ROUNDS ?? (quick ? "5" : "10"));
/** Every request is a render; the catalogue's copy stays. */
const UNKEPT = ["--page-memory", "0"];
const QUIET = ["--log", "warn"];
/** For measurements without refusals: no render is given up because something else had the core. */
const PATIENT = ["--render-timeout", "20000"];
/** The sizes of a page with which an operator would compare servers. */
const KEPT_BYTES = { least: 8_000, most: 20_000 };

const built = build(engine, quick);
// From here on this process is the load.
execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", LOAD_CORE, String(process.pid)], { stdio: "ignore" });
const folder = join(ROOT, "target/bench");
mkdirSync(folder, { recursive: true });
// Below the ports that the system gives to clients, of which the load takes many.
const arms = new Arms(built, folder, Number(process.env.BENCH_PORT ?? "21100"));

try {
  const file = resolve(ROOT, "../shared/catalogue/products.json");
  const catalogue = (await arms.catalogue(existsSync(file) ? file : undefined)).origin;
  const kinds = await chooseKinds(catalogue);
  const { data, uncached } = await rendered(catalogue, kinds);
  const kept = await measureKept(catalogue);
  const more = quick ? {} : { more: await measureMore(catalogue, kinds, data) };
  report({ ...about(), rounds, kinds, uncached, ...kept, ...more });
} finally {
  await arms.stopAll();
}

/**
 * Returns a file with the documents' data, not the documents: with them in its heap, the load's own pauses for garbage
 * would be longer than what is measured at fixed rates.
 */
async function rendered(catalogue: string, kinds: readonly Kind[]): Promise<{ data: string; uncached: Samples }> {
  const ours = await arms.shop("ours", catalogue, [...UNKEPT, ...PATIENT]);
  const documents = await collect(ours.origin, kinds);
  const data = arms.dataFile(documents);
  const [express, node] = [await arms.express(data), await arms.node(data)];
  await sameBytes("express", express.origin, documents);
  await sameBytes("node", node.origin, documents);
  const compared: Arm[] = [logged("ours", ours), counted("express", express), counted("node", node)];
  if (built.base !== undefined) {
    const base = await arms.shop("base", catalogue, [...UNKEPT, ...PATIENT], undefined, built.base);
    compared.push({ ...logged("base", base), isOther: true });
  }
  if (!quick) {
    for (const router of ["app", "pages"] as const) {
      const next = await arms.next(router, data);
      await sameText(next.name, next.origin, `/${router}`, documents);
      compared.push({ ...counted(next.name, next), prefix: `/${router}`, isOther: true });
    }
  }
  const uncached = await measureUncached(compared, kinds, documents, rounds, quick ? 0.4 : 1.2);
  for (const { server } of compared) await arms.stop(server);
  return { data, uncached };
}

async function measureKept(catalogue: string): Promise<Pick<Results, "cached" | "cachedPath" | "cachedBytes">> {
  const ours = await arms.shop("ours", catalogue, [...QUIET, ...PATIENT]);
  const { path, bytes } = await keptPage(ours.origin);
  const servers = [ours, await arms.nginx(ours.origin, [path], false), await arms.nginx(ours.origin, [path], true), await arms.axum(ours.origin, [path])];
  const cached = await measureCached(servers, path, rounds, quick ? 1 : 2);
  for (const server of servers) await arms.stop(server);
  return { cached, cachedPath: path, cachedBytes: bytes };
}

/** The first page of a suitable size. The home page is not suitable: its answers take turns. */
async function keptPage(shop: string): Promise<{ path: string; bytes: number }> {
  for (const path of ["/category/smartphones", "/product/1", "/categories", "/brands"]) {
    const { status, body } = await fetchAnswer(shop + path, { headers: { "accept-encoding": "gzip" } });
    if (status === 200 && body.length >= KEPT_BYTES.least && body.length <= KEPT_BYTES.most) return { path, bytes: body.length };
  }
  throw new Error(`no page has ${KEPT_BYTES.least} to ${KEPT_BYTES.most} bytes`);
}

async function measureMore(catalogue: string, kinds: readonly Kind[], data: string): Promise<More> {
  const paths = kinds.flatMap((kind) => kind.paths);
  const listings = kinds.findLast(({ isListing }) => isListing)?.paths ?? paths;
  const express = await arms.express(data);

  const changing = await ChangingCatalogue.start(catalogue);
  const attentive = await arms.shop("ours", changing.origin, [...ATTENTIVE, ...PATIENT]);
  const changed = await measureChanged(attentive, express, changing, kinds, 2 * rounds);
  await arms.stop(attentive);
  changing.stop();
  console.log("bench: changed data, done");

  const unkept = await arms.shop("ours", catalogue, [...UNKEPT, ...QUIET]);
  // Pages that it made ahead would be made on the core of the measured servers.
  const keeping = await arms.shop("ours", catalogue, [...QUIET, "--render-ahead", "off"]);
  const delay = await measureDelay(unkept, express, keeping, paths, Math.min(rounds, 6), 6);
  await arms.stop(keeping);
  await arms.stop(express);
  const goodput = await measureGoodput(unkept, rounds, 4);
  await arms.stop(unkept);
  const free = await arms.shop("ours", catalogue, QUIET, BOTH_CORES);
  const hits = await measureHits(free, paths.find((path) => path.startsWith("/product/")) ?? "/", Math.ceil(rounds / 2), 4);
  await arms.stop(free);
  const whole = await arms.shop("ours", catalogue, [...QUIET, ...PATIENT], BOTH_CORES);
  const html = await measureHtml(whole.origin, paths);
  const scripts: Record<string, { first: number; all: number }> = {};
  const documentsOfKinds = kinds.map((kind) => kind.paths[0] ?? "/");
  for (const path of documentsOfKinds) scripts[`ours ${path}`] = await measureScripts(whole.origin, path);
  await arms.stop(whole);
  console.log("bench: fixed rates, done");

  const memory: Record<string, number> = {};
  const starts: Record<string, Start> = {};
  const programs = [
    { name: "ours", prefix: "", start: () => arms.shop("ours", catalogue, QUIET), forMemory: () => arms.shop("ours", catalogue, [...QUIET, ...PATIENT, "--isolates", "2"], BOTH_CORES) },
    { name: "express", prefix: "", start: () => arms.express(data) },
    ...(["app", "pages"] as const).map((router) => ({ name: `next, ${router}`, prefix: `/${router}`, start: () => arms.next(router, data) })),
  ];
  for (const { name, prefix, start, ...own } of programs) {
    starts[name] = await measureStarts(start, (server) => arms.stop(server), listings, prefix, rounds);
    const server = await ("forMemory" in own ? own.forMemory() : start());
    memory[name] = await measureMemory(server, paths.map((path) => below(prefix, path)));
    if (prefix !== "") for (const path of documentsOfKinds) scripts[`${name} ${path}`] = await measureScripts(server.origin, below(prefix, path));
    await arms.stop(server);
  }
  console.log("bench: starts, done");
  return { changed, delay, goodput, hits, starts, memory, html, scripts };
}

function about(): Pick<Results, "commit" | "machine" | "versions"> {
  const first = (command: string, ...args: string[]) => execFileSync(command, args).toString().trim().split("\n")[0] ?? "";
  const changes = first("git", "status", "--porcelain", "--untracked-files=no") === "" ? "" : " with changes";
  return {
    commit: first("git", "rev-parse", "--short", "HEAD") + changes,
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Linux ${release()}`,
    versions: `${first(built.ours, "--version")}, Node ${process.versions.node}`,
  };
}
