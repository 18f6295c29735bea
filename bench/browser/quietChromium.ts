import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { CDPSession } from "@playwright/test";

/** Sends commands of the Chrome DevTools Protocol, as Playwright's session of the same name does. */
export type Commands = Pick<CDPSession, "send">;

/** A page in a browser context of its own, with an empty cache. */
export interface QuietPage extends Commands {
  /** The value of an expression, or of its promise. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/**
 * A Chromium that nobody debugs. Playwright listens to the protocol's domain `Runtime` in each page, and then V8 finds
 * the source positions of every error object that scripts make: on a slow CPU that takes longer than running them.
 */
export class QuietChromium {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #commands: Writable;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(executable: string) {
    this.#profile = mkdtempSync(join(tmpdir(), "vitrine-chromium-"));
    const args = ["--headless", "--no-sandbox", "--hide-scrollbars", "--remote-debugging-pipe", `--user-data-dir=${this.#profile}`];
    this.#process = spawn(executable, args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    // Chromium reads commands from its descriptor 3 and writes answers to 4.
    this.#commands = this.#process.stdio[3] as Writable;
    const answers = this.#process.stdio[4] as Readable;
    let unread = "";
    answers.setEncoding("utf8").on("data", (text: string) => {
      const messages = (unread + text).split("\0");
      unread = messages.pop() ?? "";
      for (const message of messages) this.#receive(JSON.parse(message) as Answer);
    });
    this.#process.on("exit", () => {
      for (const id of this.#waiting.keys()) this.#receive({ id, error: { message: "Chromium has ended" } });
    });
  }

  static start(): QuietChromium {
    return new QuietChromium(process.env.CHROMIUM ?? "/usr/bin/chromium");
  }

  async newPage(width: number, height: number): Promise<QuietPage> {
    const { browserContextId } = await this.#send("Target.createBrowserContext", {});
    const { targetId } = await this.#send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    const send = ((method: string, parameters: object = {}) => this.#send(method, parameters, String(sessionId))) as CDPSession["send"];
    await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    // Without this the browser runs no script before those of a page.
    await send("Page.enable");
    return {
      send,
      evaluate: async (expression) => {
        const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value as unknown;
      },
      close: async () => {
        await this.#send("Target.disposeBrowserContext", { browserContextId });
      },
    };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #send(method: string, parameters: object, sessionId?: string): Promise<Record<string, unknown>> {
    this.#last += 1;
    const id = this.#last;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#commands.write(`${JSON.stringify({ id, method, params: parameters, sessionId })}\0`);
    });
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result ?? {};
  }

  #receive(answer: Answer): void {
    if (answer.id === undefined) return;
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
