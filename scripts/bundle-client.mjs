// Writes the client's files: scripts/bundle-client.mjs FOLDER FONTS
//
// FONTS is the folder of the display typeface (scripts/subset-font.mjs). esbuild bundles and minifies, then Terser
// minifies the script once more. It finds what esbuild does not look for: calls that can be inlined, branches and
// variables that nothing needs then. It puts functions that are passed to others into parentheses, by which V8 knows
// that they will be called: it compiles them while the script arrives, beside the page's thread. React's modules are
// such functions.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { minify } from "terser";
import { styleText } from "./style-text.mjs";

const [folder, fonts] = process.argv.slice(2);

/** React DOM's functions for elements that a component renders and the document's head gets. The first decides which those are. */
const PLACING_IN_HEAD = [
  "isHostHoistableType",
  "createHoistableInstance",
  "getResource",
  "acquireResource",
  "mountHoistable",
  "insertStylesheet",
  "adoptPreloadPropsForStylesheet",
  "adoptPreloadPropsForScript",
  "getHydratableHoistableCache",
  "preloadResource",
  "suspendResource",
  "insertSuspendedStylesheets",
  "insertStylesheetIntoRoot",
];

/** The source with an empty function of this name. */
function emptied(source, name) {
  const whole = new RegExp(`^function ${name}\\([^]*?^}`, "m");
  if (!whole.test(source)) throw new Error(`React DOM has no function ${name}`);
  return source.replace(whole, `function ${name}() {}`);
}

/**
 * Unused components of React Router stay in a bundle: it assigns their display names, and esbuild does not know that
 * making a component or a context has no effect. Without the names, and marked as pure, they go. React DOM's functions
 * that preload or connect ahead stay too, because its files export them as properties of objects; nothing calls them. What
 * places titles, links and style sheets into the head is for components that render such elements: the shop's do not, its
 * head is the host's.
 */
const unusedParts = {
  name: "unused parts of React Router and React DOM",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/react-router\/dist\/.*\.mjs$/ }, async ({ path: file }) => {
      const source = await readFile(file, "utf8");
      const contents = source
        .replace(/^\w+\.displayName = "[\w.]+";$/gm, "")
        .replace(/^var (\w+) = (?=React\d*\.(?:forwardRef|createContext|memo)\()/gm, "var $1 = /* @__PURE__ */ ");
      return { contents };
    });
    onLoad({ filter: /node_modules\/react-dom\/cjs\/.*\.production\.js$/ }, async ({ path: file }) => {
      const source = await readFile(file, "utf8");
      const contents = source
        .replace(/^ {2}[A-Za-z]: pre(?:connect|fetch|init|load)\w*,?$/gm, "")
        .replace(/^exports\.(?:browser|createPortal|pre\w+|requestFormReset|unstable_\w+|useForm\w+) = function[^]*?^};$/gm, "");
      if (path.basename(file) !== "react-dom-client.production.js") return { contents };
      return { contents: PLACING_IN_HEAD.reduce(emptied, contents) };
    });
  },
};

const require = createRequire(import.meta.url);

/**
 * React as modules whose exports are variables. esbuild would wrap React's CommonJS files once for each file that
 * imports them, and look up every hook and every call of `jsx` in that object.
 */
const reactAsModules = {
  name: "React as modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ path: name, importer, namespace }) => {
      if (namespace === "react" || !/\.(tsx?|mjs)$/.test(importer)) return undefined;
      return { path: name, namespace: "react" };
    });
    onLoad({ filter: /.*/, namespace: "react" }, ({ path: name }) => {
      const contents = `import object from "${name}";\nexport const { ${Object.keys(require(name)).join(", ")} } = object;\nexport default object;`;
      return { contents, resolveDir: process.cwd() };
    });
  },
};

const shared = {
  bundle: true,
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  format: "esm",
  platform: "browser",
  target: ["es2022", "chrome120", "firefox121", "safari17.4"],
  minify: true,
  legalComments: "none",
  entryNames: "[name]-[hash]",
  outdir: folder,
  write: false,
  logLevel: "warning",
};

const client = await build({
  ...shared,
  entryPoints: ["client/entry.tsx", path.join(fonts, "display-licence.txt")],
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file", ".txt": "copy" },
  alias: {
    "display-font": fonts,
    // The package's own entry leads to its files for development, which warn.
    "react-router-dom": "./node_modules/react-router/dist/production/index.mjs",
  },
  plugins: [unusedParts, reactAsModules],
});

// A build of its own, so that it shares no file with the client: the few common modules cost less than a request.
const autocomplete = await build({
  ...shared,
  entryPoints: { autocomplete: "client/autocomplete/main.ts" },
  plugins: [styleText],
});

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
for (const { path: file, contents, text } of [...client.outputFiles, ...autocomplete.outputFiles]) {
  if (!file.endsWith(".js")) {
    await writeFile(file, contents);
    continue;
  }
  const options = { module: true, ecma: 2020, compress: { passes: 3 }, format: { wrap_func_args: true } };
  const code = Buffer.from((await minify(text, options)).code);
  // The name gets the hash of the new content.
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 8).toUpperCase();
  await writeFile(file.replace(/-[^-]*\.js$/, `-${hash}.js`), code);
}
