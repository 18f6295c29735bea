// Tells browsers of changes and of errors, on a port of its own that outlives the host; and finds the sources of the
// errors that browsers report.
import { createServer } from "node:http";
import { SourceMap } from "node:module";
import path from "node:path";

/** The most bytes of an error's stack. */
const MOST_BYTES = 100_000;

/** A stack's lines, with positions in the sources where `sourceMap` has them. */
async function mapped(stack, sourceMap) {
  const maps = new Map();
  const lines = stack.split("\n").map(async (line) => {
    const frame = /^(.*?)\(?https?:\/\/[^/\s]+\/assets\/([\w.-]+):(\d+):(\d+)\)?$/.exec(line);
    if (frame === null) return line;
    const [, before, name, row, column] = frame;
    if (!maps.has(name)) maps.set(name, sourceMap(name).then((map) => map && new SourceMap(map)));
    const origin = (await maps.get(name))?.findEntry(Number(row) - 1, Number(column) - 1);
    if (origin?.originalSource === undefined) return line;
    // Relative to the folder of the bundle, `client/`.
    const file = path.posix.join("client", origin.originalSource);
    return `${before}(${file}:${origin.originalLine + 1}:${origin.originalColumn + 1})`;
  });
  return (await Promise.all(lines)).join("\n");
}

export class Events {
  #browsers = new Set();
  #sourceMap;
  /** For browsers that connect now: what is served, and what has failed since. */
  #current = null;
  #problem = null;

  /** `sourceMap` gives the map of a script by name. */
  constructor(sourceMap) {
    this.#sourceMap = sourceMap;
  }

  /** Listens on a free port and returns the origin. */
  async listen() {
    this.server = createServer((request, response) => void this.#answer(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  async #answer(request, response) {
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "POST") {
      let stack = "";
      for await (const chunk of request) {
        stack += chunk;
        if (stack.length > MOST_BYTES) break;
      }
      response.end(await mapped(stack, this.#sourceMap).catch(() => stack));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": connected\n\n");
    this.#browsers.add(response);
    response.on("close", () => this.#browsers.delete(response));
    // The browser may have loaded its page before the last change, and connected after it.
    if (this.#current !== null) this.#send(response, "current", this.#current);
    if (this.#problem !== null) this.#send(response, "problem", this.#problem);
  }

  #send(browser, event, data) {
    browser.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Shows a problem, `{ title, details: [{ place, text }] }`, in every page until the next change that works. */
  problem(problem) {
    this.#problem = problem;
    for (const browser of this.#browsers) this.#send(browser, "problem", problem);
  }

  /** Tells browsers that the host serves a new generation, see `Bundler.build`. */
  changed({ script, styles, onlyStyles }) {
    this.#problem = null;
    this.#current = { script, styles };
    for (const browser of this.#browsers) this.#send(browser, "changed", { styles, onlyStyles });
  }
}
