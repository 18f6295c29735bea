// How the server bundle is made: by build.rs through bundle-server.mjs, and by `make dev`.
import { readdirSync } from "node:fs";
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

/**
 * On the server `Name.server.tsx` stands for the `Name.tsx` beside it, except where ssr/ or another such module imports
 * it. The list of these modules is read once: restart `make dev` after adding or removing one.
 */
export const replacements = {
  name: "replacements",
  setup({ onResolve }) {
    const files = new Set(readdirSync(client, { recursive: true }).filter((file) => file.endsWith(".server.tsx")));
    const names = [...files].map((file) => path.basename(file, ".server.tsx"));
    // Every import that the filter lets through is sent from esbuild to this process, also when it bundles again.
    onResolve({ filter: new RegExp(`^\\.\\.?/(.*/)?(${names.join("|")})$`) }, ({ importer, resolveDir, path: imported }) => {
      if (isBelow(server, importer) || /\.server\.tsx?$/.test(importer)) return undefined;
      const file = `${path.resolve(resolveDir, imported)}.server.tsx`;
      return files.has(path.relative(client, file)) ? { path: file } : undefined;
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
