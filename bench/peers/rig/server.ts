// Programs that are measured: started on a core of their own, and asked what they have used.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, truncateSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fetchAnswer } from "./client";
import { cpuTime, memory, preciseCpuTime } from "./proc";

/** These limits only end what hangs. */
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder?: string;
}

export class Server {
  private constructor(
    readonly name: string,
    readonly origin: string,
    private readonly child: ChildProcess,
    private readonly log: string,
    /** From its start to its first complete answer, in milliseconds. */
    readonly startTime: number,
  ) {}

  /** Starts a program on these cores, and waits until it answers `path` with 200. */
  static async start(name: string, port: number, cores: string, command: Command, log: string, path = "/"): Promise<Server> {
    const output = openSync(log, "a");
    const started = performance.now();
    // taskset becomes the program, so its process is the program's.
    const child = spawn("taskset", ["-c", cores, command.program, ...command.args], {
      stdio: ["ignore", output, output],
      ...(command.folder === undefined ? {} : { cwd: command.folder }),
      // Debian keeps nginx where only root looks.
      env: { ...process.env, NODE_ENV: "production", PATH: `${process.env.PATH ?? ""}:/usr/sbin` },
    });
    closeSync(output);
    const origin = `http://127.0.0.1:${port}`;
    while (!(await answers(origin + path))) {
      if (child.exitCode !== null || performance.now() - started > START_LIMIT_MS) {
        child.kill("SIGKILL");
        throw new Error(`${name} did not start:\n${readFileSync(log, "utf8").slice(-3_000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return new Server(name, origin, child, log, performance.now() - started);
  }

  private get pid(): number {
    if (this.child.pid === undefined || this.child.exitCode !== null) throw new Error(`${this.name} has ended`);
    return this.child.pid;
  }

  cpu(): number {
    return cpuTime(this.pid);
  }

  preciseCpu(): number {
    return preciseCpuTime(this.pid);
  }

  memory(): number {
    return memory(this.pid);
  }

  /** What it has logged since the last call. */
  takeLog(): string {
    const text = readFileSync(this.log, "utf8");
    truncateSync(this.log);
    return text;
  }

  /** Stops every thread of the process, not of its children, until `resume`, so that it takes no time from others on its core. */
  pause(): void {
    this.child.kill("SIGSTOP");
  }

  resume(): void {
    this.child.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    // The program may be paused.
    this.resume();
    const impatience = setTimeout(() => this.child.kill("SIGKILL"), STOP_LIMIT_MS);
    await ended;
    clearTimeout(impatience);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetchAnswer(url)).status === 200;
  } catch {
    return false;
  }
}
