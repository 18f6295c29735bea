import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../..");
/** What is bundled and watched. */
const COPIED = ["client", "ssr", "worker", "scripts", "host", "package.json", "tsconfig.json", "Cargo.toml", "Cargo.lock", "build.rs"];
/** Only ends what hangs. */
const START_LIMIT_MS = 60_000;

/** A copy of the sources that `make dev` serves. */
export interface Sources {
  readonly address: string;
  read(file: string): string;
  write(file: string, text: string): void;
  stop(): Promise<void>;
}

/** Copies the sources and serves them with the host that was built before. */
export async function serveCopy(): Promise<Sources> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-development-"));
  for (const name of COPIED) cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  const child = spawn(process.execPath, ["scripts/dev/main.mjs", "v8", "--listen", "127.0.0.1:0"], {
    cwd: folder,
    env: { ...process.env, VITRINE_DEV_HOST: process.env.VITRINE_DEV_HOST ?? join(REPOSITORY, "target/dev/vitrine") },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => { done(); }));
  let output = "";
  const address = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => { failed(new Error(`not served within ${START_LIMIT_MS} ms:\n${output}`)); }, START_LIMIT_MS);
    child.once("exit", () => { failed(new Error(`it ended:\n${output}`)); });
    child.stderr.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
      const listening = /listening address=(\S+)/.exec(output)?.[1];
      if (listening === undefined || !output.includes("dev: serving")) return;
      clearTimeout(timer);
      found(`http://${listening}`);
    });
  });
  return {
    address,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write(file, text) { writeFileSync(join(folder, file), text); },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
