// Writes the server bundle: scripts/bundle-server.mjs FILE [plain]
//
// A module of ssr/replacements/ stands for the module of client/ with the same path, for every module but
// those of ssr/. With `plain` none does; both bundles give the same bytes, which a test compares.
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const client = path.join(root, "client");
const server = path.join(root, "ssr");

/**
 * The entry points of `react-dom/server` include the streaming renderer, which needs web globals that an
 * isolate lacks. `renderToString` is in this file and needs none of them.
 */
const REACT_SERVER = "./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js";

const isBelow = (folder, file) => file.startsWith(folder + path.sep);

const replacements = {
  name: "replacements",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ importer, resolveDir, path: imported }) => {
      const file = `${path.resolve(resolveDir, imported)}.tsx`;
      if (isBelow(server, importer) || !isBelow(client, file)) return undefined;
      const replacement = path.join(server, "replacements", path.relative(client, file));
      return existsSync(replacement) ? { path: replacement } : undefined;
    });
  },
};

const [file, plain] = process.argv.slice(2);
await build({
  absWorkingDir: root,
  entryPoints: ["ssr/entry.tsx"],
  outfile: file,
  bundle: true,
  format: "iife",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["browser", "import", "module"],
  target: "es2022",
  jsx: "automatic",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
  alias: { "react-dom/server": REACT_SERVER },
  loader: { ".css": "empty" },
  sourcemap: "external",
  sourcesContent: false,
  // Every isolate reads the whole script when it starts. Names stay, for stack traces and for profiles.
  minifyWhitespace: true,
  plugins: plain === "plain" ? [] : [replacements],
});
