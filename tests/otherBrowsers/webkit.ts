import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { start, stop } from "./processes";
import type { Key, StartedBrowser } from "./tab";

const KEYS: Partial<Record<Key, string>> = { Escape: "\uE00C", ArrowRight: "\uE014", ArrowDown: "\uE015", Enter: "\uE007" };

/** Starts WebKitGTK's MiniBrowser under a virtual display. */
export async function startWebKit(javaScript: boolean): Promise<StartedBrowser> {
  const screen = start("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1100x24", "-nolisten", "tcp"], ["ignore", "ignore", "ignore", "pipe"]);
  const [display] = (await once(screen.stdio[3] as Readable, "data")) as [Buffer];
  const port = await freePort();
  const driver = start("WebKitWebDriver", [`--port=${port}`], "ignore", {
    DISPLAY: `:${display.toString().trim()}`,
    LIBGL_ALWAYS_SOFTWARE: "1",
  });

  async function stopAll() {
    await stop(driver);
    await stop(screen);
  }

  async function call(method: "DELETE" | "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  try {
    await answering(() => call("GET", "/status"));
    const { sessionId } = (await call("POST", "/session", capabilities(javaScript))) as { sessionId: string };
    const session = `/session/${sessionId}`;
    const evaluate = (expression: string) => call("POST", `${session}/execute/sync`, { script: `return (${expression})`, args: [] });
    const setSize = (width: number, height: number) => call("POST", `${session}/window/rect`, { width, height });
    return {
      tab: {
        async open(url) {
          await call("POST", `${session}/url`, { url });
        },
        evaluate,
        async clickAt(x, y) {
          const actions = [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
          await call("POST", `${session}/actions`, { actions: [{ type: "pointer", id: "mouse", actions }] });
        },
        async press(key) {
          const keys = ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] ?? key }));
          await call("POST", `${session}/actions`, { actions: [{ type: "key", id: "keyboard", actions: keys }] });
        },
        async resize(width, height) {
          await setSize(width, height);
          // The window has a frame and a toolbar besides the page.
          const [innerWidth, innerHeight] = (await evaluate("[innerWidth, innerHeight]")) as [number, number];
          await setSize(2 * width - innerWidth, 2 * height - innerHeight);
        },
        async screenshot() {
          return Buffer.from((await call("GET", `${session}/screenshot`)) as string, "base64");
        },
      },
      async stop() {
        await call("DELETE", session).catch(() => undefined);
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function capabilities(javaScript: boolean): object {
  const binary = readdirSync("/usr/lib").map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`).find((file) => existsSync(file));
  // Without a GPU the browser itself crashes at a view transition.
  const args = ["--automation", "--features=-ViewTransitions", `--enable-javascript=${String(javaScript)}`];
  return { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } } };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Waits for the driver to listen. */
async function answering(ask: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((rested) => setTimeout(rested, 50));
    }
  }
}
