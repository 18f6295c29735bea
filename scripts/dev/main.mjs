// Runs the shop for development: scripts/dev/main.mjs ENGINE [ARGS…]
//
// Bundles client and server, compiles the host with the feature `dev`, and serves. A change of client/, ssr/ or
// worker/ is bundled, a change of the host compiled; then the worker is replaced, and open pages show the change.
// VITRINE_DEV_HOST names a program to run instead of compiling one.
import console from "node:console";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";
import { Bundler } from "./bundles.mjs";
import { Events } from "./events.mjs";
import { compile, Host } from "./host.mjs";
import { watchSources } from "./watch.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [engine, ...args] = process.argv.slice(2);
const target = path.join(root, "target/dev");
const givenHost = process.env.VITRINE_DEV_HOST;
const program = givenHost ?? path.join(target, "vitrine");

const BUNDLED = ["client", "ssr", "worker", "scripts/dev/browser.ts", "tsconfig.json"];
const COMPILED = ["host", "Cargo.toml", "Cargo.lock", "build.rs"];
const ICON_NAMES = "client/ui/iconNames.ts";

const say = (text) => console.error(`dev: ${text}`);
const isOneOf = (sources) => (file) => sources.some((source) => file === source || file.startsWith(`${source}/`));
/** Tests are not part of the program. */
const isProgram = (file) => !/\.test\.tsx?$/.test(file);

let bundler;
const events = new Events((name) => bundler.sourceMap(name));
bundler = new Bundler(path.join(target, "bundles"), await events.listen());
const host = new Host();

/** Bundles; returns what is served from now on, or undefined after it has shown the problems. */
async function bundle(files) {
  const { problems, generation } = await bundler.build(files);
  if (problems === undefined) return generation;
  for (const { text } of problems) say(text);
  events.problem({ title: "The client cannot be bundled", details: problems });
  return undefined;
}

async function compiled() {
  if (givenHost !== undefined) return true;
  const message = await compile(root, engine, program);
  if (message === undefined) return true;
  const errors = message.slice(Math.max(message.search(/^(error|warning)/m), 0));
  const place = /--> (host\/\S+)/.exec(errors)?.[1] ?? null;
  events.problem({ title: "The host cannot be compiled", details: [{ place, text: errors }] });
  return false;
}

/** What is still to be done, because it failed or has not been tried. */
const due = { bundles: true, host: true };
let isRunning = false;

async function work(files) {
  const started = performance.now();
  if (files.some(isOneOf(BUNDLED))) due.bundles = true;
  if (files.some(isOneOf(COMPILED))) due.host = true;
  if (files.includes(ICON_NAMES)) bundler.drawIcons();
  let generation = bundler.last;
  if (due.bundles) {
    generation = await bundle(files);
    if (generation === undefined) return;
    due.bundles = false;
  }
  if (due.host) {
    if (!(await compiled())) return;
    due.host = false;
    // The same bundles under a new name, which shows that the new host serves.
    if (isRunning) generation = await bundler.rename();
  }
  const failure = isRunning
    ? await host.replace(generation.build)
    : await host.start(program, args, { bundles: bundler.current, state: path.join(target, "state"), build: generation.build });
  if (failure !== undefined) {
    if (!isRunning) {
      say("the host has not started");
      process.exit(1);
    }
    const place = /((?:client|ssr)\/[\w./-]+:\d+:\d+)/.exec(failure)?.[1] ?? null;
    events.problem({ title: "The new worker failed, the old one still serves", details: [{ place, text: failure }] });
    return;
  }
  if (!isRunning) {
    void host.ended.then((code) => {
      say("the host has ended");
      process.exit(code ?? 1);
    });
  }
  isRunning = true;
  events.changed(generation);
  say(`${files.length === 0 ? "serving" : files.join(", ")} after ${Math.round(performance.now() - started)} ms`);
}

/** Files that have changed during the work. They are handled together after it. */
let waiting;
let isBusy = false;
async function onChange(files) {
  waiting = [...(waiting ?? []), ...files];
  if (isBusy) return;
  isBusy = true;
  while (waiting !== undefined) {
    const changes = waiting;
    waiting = undefined;
    await work(changes).catch((error) => {
      say(error.stack);
      events.problem({ title: "An error in scripts/dev", details: [{ place: null, text: error.stack }] });
    });
  }
  isBusy = false;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    void Promise.resolve(host.stop()).then(() => process.exit(0));
  });
}

await bundler.start();
watchSources(root, [...BUNDLED, ...COMPILED], (files) => {
  const relevant = files.filter(isProgram).filter(isOneOf([...BUNDLED, ...COMPILED]));
  if (relevant.length > 0) void onChange(relevant);
});
await onChange([]);
