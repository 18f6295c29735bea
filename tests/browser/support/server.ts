import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export const REPOSITORY = resolve(import.meta.dirname, "../../..");

/** A build of the same shop from other sources, whose contract is another one. */
const OTHER_BUILD = resolve(REPOSITORY, "target/other/vitrine");

/** Something that answers HTTP until it is stopped. */
export interface Server {
  readonly address: string;
  /** The newest part of what it logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Only ends what hangs. */
const START_LIMIT_MS = 60_000;

/** Starts the program on a free port and waits until it says where it listens. */
export async function startVitrine(...args: string[]): Promise<Server> {
  const program = process.env.VITRINE ?? resolve(REPOSITORY, "target/release/vitrine");
  if (!existsSync(program)) throw new Error(`${program} does not exist; \`make build\` makes it`);
  return startProgram(program, ...args);
}

/** Starts the other build, as {@link startVitrine} does. */
export async function startOtherBuild(...args: string[]): Promise<Server> {
  if (!existsSync(OTHER_BUILD)) throw new Error(`${OTHER_BUILD} does not exist; \`node scripts/other-build.mjs v8\` makes it`);
  return startProgram(OTHER_BUILD, ...args);
}

async function startProgram(program: string, ...args: string[]): Promise<Server> {
  const log = ["--log", "warn,vitrine=info", "--log-format", "text"];
  const child = spawn(program, [...args, "--listen", "127.0.0.1:0", ...log], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolveExit) => child.once("exit", () => { resolveExit(); }));
  let output = "";
  const address = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => { failed(new Error(`no address within ${START_LIMIT_MS} ms:\n${output}`)); }, START_LIMIT_MS);
    function read(chunk: Buffer) {
      output = (output + chunk.toString()).slice(-10_000);
      const listening = /listening address=(\S+)/.exec(output)?.[1];
      if (listening === undefined) return;
      clearTimeout(timer);
      found(`http://${listening}`);
    }
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", failed);
    child.once("exit", (code) => { failed(new Error(`vitrine ended with ${String(code)}:\n${output}`)); });
  });
  return {
    address,
    log: () => output,
    async stop() {
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGKILL"), 30_000);
      await exited;
      clearTimeout(impatience);
    },
  };
}
