// Programs that a test starts, and stops at its end.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";

export const ROOT = path.resolve(import.meta.dirname, "../../..");
export const VITRINE = process.env.VITRINE ?? path.join(ROOT, "target/release/vitrine");
/** Where `make test-all` has one: an executable that was built from other sources. */
const { OTHER_BUILD } = process.env;
/** Debian has servers where only root's path leads. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
/** Only ends what hangs. */
const HANGS_MS = 60_000;

/** For the option `skip` of a test: false when the program is installed, else why it is skipped. */
export const unlessInstalled = (name) =>
  PATH.split(":").some((folder) => existsSync(path.join(folder, name))) ? false : `${name} is not installed`;

/** Runs a program to its end. */
export const run = (name, args, options = {}) =>
  spawnSync(name, args, { encoding: "utf8", ...options, env: { ...process.env, ...options.env, PATH } });

/** A folder that is deleted at the end of the test. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(path.join(tmpdir(), "vitrine-deploy-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits until `condition` is true. */
export async function until(what, condition) {
  const deadline = Date.now() + HANGS_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(20);
  }
}

/** Starts a program that is ended after the test. */
export function start(t, name, args, options = {}) {
  const child = spawn(name, args, { stdio: ["ignore", "pipe", "pipe"], ...options, env: { ...process.env, ...options.env, PATH } });
  const program = { child, log: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (program.log += chunk));
  program.ended = new Promise((resolve) => child.once("exit", resolve));
  t.after(async () => {
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), 15_000);
    await program.ended;
    clearTimeout(impatience);
  });
  return program;
}

/** One isolate with much time for a render: on a busy machine a new worker has no older page to answer with. */
const PATIENT = ["--isolates", "1", "--render-timeout", "10000"];

/** A shop under its supervisor. */
export const startShop = (t, ...args) => startBuild(t, VITRINE, ...args);

/**
 * The executable of another build: the one that `make test-all` makes from other sources, or else a copy in which the
 * client's files have other names, in the table of files and in the documents that name them.
 */
export function otherBuild(folder) {
  if (OTHER_BUILD) return OTHER_BUILD;
  const file = path.join(folder, "vitrine");
  const program = readFileSync(VITRINE).toString("latin1");
  const names = new Set(program.match(/entry-[A-Z0-9]{8}(?=\.(?:js|css))/g));
  const renamed = (name) => name.slice(0, -2) + (name.endsWith("0B") ? "B0" : "0B");
  const other = [...names].reduce((text, name) => text.replaceAll(name, renamed(name)), program);
  writeFileSync(file, other, { encoding: "latin1", mode: 0o755 });
  return file;
}

/** A shop of this executable under its supervisor. */
export async function startBuild(t, program, ...args) {
  const shop = start(t, program, ["serve", "--supervise", ...PATIENT, "--listen", "127.0.0.1:0", "--log-format", "json", ...args]);
  shop.workers = () => [...shop.log.matchAll(/"worker ready"/g)].length;
  await until("the shop", () => {
    if (shop.child.exitCode !== null) throw new Error(`the shop ended:\n${shop.log}`);
    return shop.workers() > 0;
  });
  shop.port = Number(/"listening","address":"127\.0\.0\.1:(\d+)"/.exec(shop.log)?.[1]);
  return shop;
}

/** A port of the loopback address that nothing uses now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
