// The web globals that the server bundle needs and a bare isolate lacks, built on functions of the host.
// No other code can call those functions, because the host deletes `Deno` after the bundle has run.

interface UrlParts {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

interface HostOps {
  readonly op_parse_url: (href: string, base: string) => UrlParts | null;
  readonly op_console: (message: string) => void;
}

declare const Deno: { core: { ops: HostOps } } | undefined;

// The tests run this code in Node, which has these globals already.
if (typeof Deno !== "undefined") {
  const { op_parse_url: parseUrl, op_console: writeLine } = Deno.core.ops;

  // React Router parses a URL when it loads.
  class HostUrl {
    constructor(href: string | URL, base?: string | URL) {
      const parts = parseUrl(String(href), base === undefined ? "" : String(base));
      if (parts === null) {
        throw new TypeError(`Invalid URL: ${String(href)}`);
      }
      Object.assign(this, parts);
    }

    toString(): string {
      return (this as unknown as UrlParts).href;
    }
  }

  // React logs the errors that it recovers from through `console.error`.
  const write = (...values: unknown[]): void => {
    writeLine(values.map(String).join(" "));
  };

  Object.assign(globalThis, {
    URL: HostUrl,
    console: { debug: write, error: write, info: write, log: write, warn: write },
  });
}
