import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";

const running = new Set<ChildProcess>();

// Also when a test ends without its fixtures, as after an interruption.
process.on("exit", () => {
  for (const child of running) end(child, "SIGKILL");
});

export function start(program: string, args: readonly string[], stdio: StdioOptions, variables: NodeJS.ProcessEnv = {}): ChildProcess {
  // In a group of its own, because browsers start further processes.
  const child = spawn(program, args, { stdio, detached: true, env: { ...process.env, ...variables } });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a process and those that it started. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    end(child, "SIGTERM");
    const impatience = setTimeout(() => { end(child, "SIGKILL"); }, 5_000);
    await exited;
    clearTimeout(impatience);
  }
  // What it started and has not ended itself.
  end(child, "SIGKILL");
}

function end({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}
