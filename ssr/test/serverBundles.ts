import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContext, runInContext, Script } from "node:vm";

/** The functions that the host calls. */
interface BundleFunctions {
  renderPage: (json: string) => string;
  forgetMarkup: () => void;
  limitMarkup: (characters: number) => void;
}

export interface ServerBundle extends BundleFunctions {
  /** Runs a script beside the bundle. */
  evaluate: (script: string) => unknown;
}

/** The server bundle as the host loads it, with a memo of `budget` characters; `plain` has no replacements. */
export type Load = (kind: "memo" | "plain", budget?: number) => ServerBundle;

/** Builds both bundles. */
export function buildServerBundles(): Load {
  const folder = mkdtempSync(path.join(tmpdir(), "server-bundles-"));
  const scripts = { memo: build(folder, "memo"), plain: build(folder, "plain") };
  rmSync(folder, { recursive: true });

  return (kind, budget = 1 << 20) => {
    const ops = { op_console: console.error, op_parse_url: (href: string, base: string) => new URL(href, base === "" ? undefined : base) };
    const context = createContext({ Deno: { core: { ops } } });
    scripts[kind].runInContext(context);
    // The bundle defines all three.
    const functions = runInContext("({ renderPage, forgetMarkup, limitMarkup })", context) as BundleFunctions;
    functions.limitMarkup(budget);
    return { ...functions, evaluate: (script) => runInContext(script, context) as unknown };
  };
}

function build(folder: string, kind: "memo" | "plain"): Script {
  const file = path.join(folder, `${kind}.js`);
  execFileSync(process.execPath, ["scripts/bundle-server.mjs", file, kind]);
  return new Script(readFileSync(file, "utf8"));
}
