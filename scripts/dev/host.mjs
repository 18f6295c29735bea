// The development build of the host: compiles it, runs it under its own supervisor, and replaces its worker.
import { execFile, spawn } from "node:child_process";
import console from "node:console";
import { mkdir, rename } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 5;
/** A worker may still have to copy a catalogue. */
const READY_WITHIN_MS = 60_000;
const REMEMBERED_CHARACTERS = 20_000;

/**
 * Compiles the host with the feature `dev`. Returns undefined, or the compiler's message if it fails.
 *
 * The executable is moved to `program`, because target/release/vitrine is to be a build for use.
 */
export async function compile(root, engine, program) {
  const flags = ["build", "--release", "--locked", "--no-default-features", "--features", `${engine},as-tested,dev`, "--bin", "vitrine"];
  const child = spawn("cargo", [...flags, "--color", "never"], { cwd: root, stdio: ["ignore", "inherit", "pipe"] });
  let message = "";
  child.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    message += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) return message;
  await mkdir(path.dirname(program), { recursive: true });
  await rename(await executable(root), program);
  return undefined;
}

/** Where cargo writes the executable. */
async function executable(root) {
  const metadata = await new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 64 << 20 };
    execFile("cargo", ["metadata", "--format-version", "1", "--no-deps"], options, (error, output) => {
      if (error) reject(error);
      else resolve(JSON.parse(output));
    });
  });
  return path.join(metadata.target_directory, "release/vitrine");
}

export class Host {
  #child;
  #address;
  /** The newest part of what the program wrote. */
  #log = "";

  /** Starts the program and returns undefined once it serves this build of the bundles, or what it wrote when it fails. */
  async start(program, args, { bundles, state, build }) {
    const env = {
      VITRINE_SERVICE_WORKER: "off",
      VITRINE_RENDER_AHEAD: "off",
      VITRINE_ISOLATES: "1",
      VITRINE_STATE_DIR: state,
      ...process.env,
      VITRINE_DEV_BUNDLES: bundles,
      VITRINE_SUPERVISE: "true",
      VITRINE_LOG_FORMAT: "text",
    };
    this.#child = spawn(program, args, { env, stdio: ["ignore", "inherit", "pipe"] });
    const listening = new Promise((resolve) => {
      this.#child.stderr.on("data", (chunk) => {
        process.stderr.write(chunk);
        this.#log = (this.#log + chunk).slice(-REMEMBERED_CHARACTERS);
        // eslint-disable-next-line no-control-regex -- The log of a terminal is coloured.
        const found = /listening.*?address.*?=(?:\x1b\[\w+)?([\d.:[\]]+:\d+)/.exec(this.#log);
        if (found !== null) resolve(found[1]);
      });
    });
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.once("error", (error) => {
      console.error(`${program} cannot be started: ${error.message}`);
      process.exit(1);
    });
    this.ended = ended;
    this.#address = await Promise.race([listening, ended.then(() => undefined)]);
    if (this.#address === undefined) return this.#log;
    return this.#serves(build);
  }

  /** Replaces the worker and returns undefined once it serves this build, or what it wrote when it fails. */
  async replace(build) {
    this.#log = "";
    this.#child.kill("SIGHUP");
    return this.#serves(build);
  }

  async #serves(build) {
    const deadline = Date.now() + READY_WITHIN_MS;
    // The old worker accepts connections for a moment longer.
    for (let seen = 0; Date.now() < deadline; ) {
      seen = (await this.#build()) === build ? seen + 1 : 0;
      if (seen === 3) return undefined;
      if (this.#log.includes("the new worker failed") || this.#child.exitCode !== null) return this.#log;
      await pause(POLL_MS);
    }
    return `The host does not serve the change after ${READY_WITHIN_MS / 1000} seconds.\n${this.#log}`;
  }

  /** The build that the host serves now. */
  #build() {
    const [, host, port] = /^(.*):(\d+)$/.exec(this.#address);
    return new Promise((resolve) => {
      const probe = request({ host: host.replace(/[[\]]/g, ""), port, path: "/healthz", agent: false }, (answer) => {
        answer.resume();
        resolve(answer.headers["vitrine-dev"]);
      });
      probe.once("error", () => resolve(undefined));
      probe.end();
    });
  }

  stop() {
    this.#child?.kill("SIGTERM");
    return this.ended;
  }
}
