// How the server bundle is made: by build.rs through bundle-server.mjs, and by `make dev`.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, URL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const client = path.join(root, "client");
const server = path.join(root, "ssr");

/**
 * The entry points of `react-dom/server` include the streaming renderer, which needs web globals that an
 * isolate lacks. `renderToString` is in this file and needs none of them.
 */
const REACT_SERVER = "./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js";

const isBelow = (folder, file) => file.startsWith(folder + path.sep);

/** A module of ssr/replacements/ stands for the module of client/ with the same path, except in those of ssr/. */
export const replacements = {
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

/** Options of esbuild for the bundle at `outfile`. */
export const serverBundle = (outfile) => ({
  absWorkingDir: root,
  entryPoints: ["ssr/entry.tsx"],
  outfile,
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
  plugins: [replacements],
});
