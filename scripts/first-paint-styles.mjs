// Makes the styles that documents carry inline, so that the first paint waits for no style sheet: for each kind of
// page those of the components that its markup may consist of. Usage: node scripts/first-paint-styles.mjs DIRECTORY
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { build } from "esbuild";

/** What every page consists of. `Layout.tsx` itself imports the pages. */
const FRAME = [
  "styles/tokens.css",
  "styles/tints.css",
  "styles/fallbackFonts.css",
  "styles/base.css",
  "styles/controls.css",
  "shell/Layout.css",
  "shell/SkipLink",
  "shell/Header",
  "shell/Footer",
  "shell/FailedChange",
];

/** The kinds of pages; `host/document/first_paint.rs` says which page is of which kind. */
const KINDS = {
  home: ["pages/HomePage"],
  listing: ["pages/ListingPage"],
  product: ["pages/ProductPage"],
  overview: ["pages/CategoriesPage", "pages/BrandsPage"],
  message: ["pages/ErrorPage", "pages/OfflinePage"],
};

/** Styles of what the server's markup does not hold or does not show, although its components are imported. */
const LATER = ["product/GalleryViewer.css", "product/RecentlyViewed.css"];

const BROWSERS = ["es2022", "chrome120", "firefox121", "safari17.4"];

/** The style sheets that a program needs, in their order in the whole style sheet. */
async function styleSheets(imports) {
  const { metafile } = await build({
    stdin: { contents: imports.map((file) => `import "./${file}";`).join(""), resolveDir: "client", loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    outdir: "client",
    jsx: "automatic",
    external: ["display-font/*"],
    logLevel: "error",
  });
  const bundle = Object.entries(metafile.outputs).find(([name]) => name.endsWith(".css"));
  if (bundle === undefined) throw new Error(`${imports.join(", ")} need no styles`);
  return Object.keys(bundle[1].inputs).map((file) => path.relative("client", file));
}

/** Without the typeface: none stands before the first paint. */
async function minified(files) {
  const { outputFiles } = await build({
    stdin: { contents: files.map((file) => `@import "./${file}";`).join("\n"), resolveDir: "client", loader: "css" },
    bundle: true,
    write: false,
    minify: true,
    target: BROWSERS,
    legalComments: "none",
    logLevel: "error",
  });
  const css = outputFiles[0].text.trim();
  if (css.includes("</") || css.includes("url(")) throw new Error("these styles cannot stand in a document");
  return css;
}

const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: first-paint-styles.mjs DIRECTORY");
await mkdir(directory, { recursive: true });
const whole = await styleSheets(["entry"]);
for (const [kind, pages] of Object.entries(KINDS)) {
  const needed = new Set(await styleSheets([...FRAME, ...pages]));
  // In the order of the whole style sheet, which decides between rules of the same weight.
  const files = whole.filter((file) => needed.has(file) && !LATER.includes(file));
  await writeFile(path.join(directory, `${kind}.css`), await minified(files));
}
