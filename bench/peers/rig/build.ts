// Builds what is measured. Everything that is built goes into `target/` and into `bench/peers/.cache/`, which git
// ignores.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/** The repository; `make` runs the rig there. */
export const ROOT = process.cwd();
export const PEERS = join(ROOT, "bench/peers");
export const CACHE = join(PEERS, ".cache");
/** The commit of the program before the work on its speed began. */
const BASE = "c689e77";

export interface Built {
  /** Our program, as operators ship it. */
  readonly ours: string;
  /** The same program at commit `c689e77`; only the whole benchmark builds it. */
  readonly base: string | undefined;
  /** The script of our isolates. */
  readonly ssr: string;
  readonly axum: string;
}

function run(command: string, args: readonly string[], folder = ROOT, environment: NodeJS.ProcessEnv = {}): void {
  console.log(`bench: ${command} ${args.join(" ")}`);
  execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, ...environment } });
}

/** Builds all arms, or for a quick run those that are built quickly. */
export function build(engine: string, quick: boolean): Built {
  mkdirSync(CACHE, { recursive: true });
  const target = join(ROOT, "target");
  const dist = ["build", "--profile", "dist", "--locked", "--no-default-features", "--features", engine, "--target-dir", target];
  const base = quick ? undefined : buildBase(dist, target, engine);
  const output = buildOurs(dist);
  run("cargo", ["build", "--release", "--locked", "--target-dir", join(target, "peers")], join(PEERS, "axum"));
  install("express");
  bundle(join(PEERS, "express/render.tsx"), join(PEERS, "express/dist/render.mjs"));
  if (!quick) {
    install("next");
    bundle(join(PEERS, "next/shop.tsx"), join(PEERS, "next/dist/shop.js"), true);
    copyStyles(output, join(PEERS, "next/dist"));
    run("npx", ["next", "build"], join(PEERS, "next"), { NEXT_TELEMETRY_DISABLED: "1" });
  }
  return {
    ours: join(target, "dist/vitrine"),
    base,
    ssr: join(output, "ssr.js"),
    axum: join(target, "peers/release/vitrine-peer-axum"),
  };
}

/**
 * Builds the base once. Its cache of pages is made optional, as ours is: that changes the range of one flag, from
 * `--page-memory 1` to `--page-memory 0`.
 */
function buildBase(dist: readonly string[], target: string, engine: string): string {
  const program = join(CACHE, `vitrine-${BASE}-${engine}`);
  if (existsSync(program)) return program;
  const folder = join(CACHE, "base");
  mkdirSync(folder, { recursive: true });
  const archive = join(CACHE, "base.tar");
  run("git", ["archive", "--output", archive, BASE]);
  run("tar", ["--extract", "--file", archive, "--directory", folder]);
  const settings = join(folder, "host/settings.rs");
  const text = readFileSync(settings, "utf8");
  const relaxed = text.replace(/(env = "VITRINE_PAGE_MEMORY", .*range\()1\.\./, "$10..");
  if (relaxed === text) throw new Error(`${settings} has no --page-memory`);
  writeFileSync(settings, relaxed);
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  run("cargo", dist, folder);
  copyFileSync(join(target, "dist/vitrine"), program);
  return program;
}

/** Installs the npm packages of an arm's lock file, unless they are there already. */
function install(arm: string): void {
  const folder = join(PEERS, arm);
  const [lock, installed] = [join(folder, "package-lock.json"), join(folder, "node_modules/.package-lock.json")];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  // `npm ci` gives this file the lock file's time on some versions.
  writeFileSync(installed, readFileSync(installed));
}

/**
 * Bundles the application's components. Their packages are those of the arm's own lock file, because these lie beside
 * the bundle.
 */
function bundle(entry: string, output: string, isClient = false): void {
  buildSync({
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    format: "esm",
    platform: isClient ? "browser" : "node",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["react", "react/jsx-runtime", "react-dom", "react-dom/server", "react-router-dom", "react-router"],
    loader: { ".css": "empty" },
    ...(isClient ? { banner: { js: '"use client";' } } : {}),
  });
}

/** Copies the style sheet of our build, and the typefaces, whose rules our documents carry. */
function copyStyles(from: string, to: string): void {
  const fontFaces = readFileSync(join(from, "first-paint/message.css"), "utf8").match(/@font-face\{[^}]*\}/g) ?? [];
  for (const name of readdirSync(join(from, "client"))) {
    if (name.endsWith(".woff2")) copyFileSync(join(from, "client", name), join(to, name));
    if (!/^entry-.*\.css$/.test(name)) continue;
    const styles = readFileSync(join(from, "client", name), "utf8");
    writeFileSync(join(to, "shop.css"), fontFaces.join("").replaceAll("/assets/", "./") + styles);
  }
}

/** Builds our program, and returns the folder that its build script writes to. */
function buildOurs(dist: readonly string[]): string {
  console.log(`bench: cargo ${dist.join(" ")}`);
  const output = execFileSync("cargo", [...dist, "--message-format", "json-render-diagnostics"], {
    cwd: ROOT,
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const messages = output.toString().trim().split("\n").map((line) => JSON.parse(line) as CargoMessage);
  const folder = messages.find(({ package_id: id, out_dir: out }) => out !== undefined && id?.includes(`${ROOT}#`))?.out_dir;
  if (folder === undefined) throw new Error("cargo names no output of the build script");
  return folder;
}

/** The fields that are used of a line that cargo prints. */
interface CargoMessage {
  readonly package_id?: string;
  readonly out_dir?: string;
}
