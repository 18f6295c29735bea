import { createServer, get } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "@playwright/test";

/** An answer as it is sent: its header's bytes and its body, still encoded. */
export interface Sent {
  header: number;
  coding: string;
  body: Buffer;
}

/** The longest wait for what the shop makes in idle time. Pages that it does not keep have no such variant. */
const FINAL_WITHIN_MS = 10_000;

/** The shop's answer in this coding. */
export async function sent(address: string, coding: string): Promise<Sent> {
  return measured(await ask(address, coding));
}

/**
 * The shop's answer once it has compressed it for good, or what it sends of a page that it does not keep. The coding `dcz`
 * needs the SHA-256 of the shop's dictionary, in Base64.
 */
export async function finallySent(address: string, coding: string, dictionary?: string): Promise<Sent> {
  const until = Date.now() + FINAL_WITHIN_MS;
  for (;;) {
    const asked = await ask(address, coding, dictionary);
    const { etag } = asked.answer.headers;
    // See `Variant::suffix`.
    const isFinal = etag === undefined || etag.endsWith(`-${coding}"`) || asked.answer.headers["content-encoding"] === "dcz";
    if (isFinal || Date.now() > until) return measured(asked);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function measured({ answer, body }: Asked): Sent {
  return { header: headerLength(answer), coding: answer.headers["content-encoding"] ?? "identity", body };
}

interface Asked {
  answer: IncomingMessage;
  body: Buffer;
}

async function ask(address: string, coding: string, dictionary?: string): Promise<Asked> {
  const headers = { accept: "text/html", "accept-encoding": coding };
  const available = dictionary === undefined ? {} : { "available-dictionary": `:${dictionary}:` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers: { ...headers, ...available } }, resolve).on("error", reject);
  });
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return { answer, body: Buffer.concat(parts) };
}

/** As HTTP/1.1 sends it: the status line, a line for each header and an empty one. */
function headerLength({ statusCode, statusMessage, rawHeaders }: IncomingMessage): number {
  const lines = rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0);
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`.length + lines + 2;
}

/** How often a screen is drawn that does not look like the whole one: browsers do not draw every edge alike each time. */
const ATTEMPTS = 3;
/** How exactly the end of a first screen is found, in bytes of the document. */
const STEP = 64;

/** How many bytes of a document give the same first screen as all of it, in both themes. */
export async function endOfFirstScreen(browser: Browser, address: string, document: Buffer, width: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce", serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    let body = document;
    await page.route("**/*", async (route) => {
      const url = route.request().url();
      // Nothing else is to come: style sheet, typefaces and client would change the first screen, pictures are not drawn alike.
      if (url === address) await route.fulfill({ body, contentType: "text/html; charset=utf-8" });
      // A client that fails would make the page fall back to what works without it.
      else if (!url.endsWith(".js")) await route.abort();
    });
    const screenOf = async (length: number) => {
      body = document.subarray(0, length);
      await page.goto(address, { waitUntil: "load" });
      return screen(page);
    };
    const whole = await screenOf(document.length);
    const isWhole = async (length: number) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if ((await screenOf(length)) === whole) return true;
      return false;
    };
    let [missing, enough] = [document.indexOf("<body"), document.length];
    while (enough - missing > STEP) {
      const middle = (missing + enough) >> 1;
      if (await isWhole(middle)) enough = middle;
      else missing = middle;
    }
    return enough;
  } finally {
    await context.close();
  }
}

async function screen(page: Page): Promise<string> {
  const screens: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    screens.push((await page.screenshot()).toString("base64"));
  }
  return screens.join();
}

/** Finds how much of an encoded body a browser needs before it has the document's beginning. */
export class Decoder {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #server = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain", "content-encoding": this.#coding });
    answer.end(this.#body);
  });
  #coding = "identity";
  #body: Buffer = Buffer.alloc(0);

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
  }

  static async start(browser: Browser): Promise<Decoder> {
    const context = await browser.newContext();
    const decoder = new Decoder(context, await context.newPage());
    await new Promise<void>((resolve) => decoder.#server.listen(0, "127.0.0.1", resolve));
    await decoder.#page.goto(`http://127.0.0.1:${(decoder.#server.address() as AddressInfo).port}/`);
    return decoder;
  }

  /** The fewest bytes of the body from which a browser decodes `length` bytes of the document. */
  async bytesFor({ coding, body }: Sent, length: number): Promise<number> {
    this.#coding = coding;
    let [missing, enough] = [0, body.length];
    while (enough - missing > 1) {
      const middle = (missing + enough) >> 1;
      this.#body = body.subarray(0, middle);
      if ((await this.#page.evaluate(decodedLength)) >= length) enough = middle;
      else missing = middle;
    }
    return enough;
  }

  async stop(): Promise<void> {
    await this.#context.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Runs in the page: how many bytes come out of what was sent, which breaks off. */
async function decodedLength(): Promise<number> {
  let length = 0;
  try {
    const answer = await fetch("/part", { cache: "no-store" });
    const reader = answer.body?.getReader();
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return length;
      length += value?.length ?? 0;
    }
  } catch {
    return length;
  }
}
