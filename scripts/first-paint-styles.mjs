// Makes the styles that documents carry inline, so that the first paint waits for no style sheet: a few for pages
// without React; for each other kind of page those of the components that its markup may consist of, and the rules
// `@font-face`, which the whole style sheet loses. Usage: node scripts/first-paint-styles.mjs FOLDER, where
// FOLDER/client is the bundled client; the styles are written to FOLDER/first-paint.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { splitStyles } from "./first-paint-rules.mjs";
import { BELOW, LATER } from "./first-screen.mjs";

/** The parts of every page. Not `Layout.tsx`, which imports the pages. */
const FRAME = [
  "styles/tokens.css",
  "styles/tints.css",
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
  own_home: ["pages/HomePage"],
  listing: ["pages/ListingPage"],
  rows: ["pages/ListingPage"],
  product: ["pages/ProductPage"],
  overview: ["pages/CategoriesPage", "pages/BrandsPage"],
  message: ["pages/ErrorPage", "pages/OfflinePage", "pages/TextPage"],
};

/** The styles of pages that the host answers without React. */
const PLAIN = ["styles/tokens.css", "styles/base.css", "styles/plainPage.css"];

/** The variables that the styles of a shop's own profile read, see `host/profile/`. */
const READ_ELSEWHERE = ["--radius-s", "--colour-line", "--colour-ink", "--colour-inverse", "--colour-sunken"];

/** Styles of parts that the server's markup lacks or does not show, although their components are imported. */
const NEVER_FIRST = ["product/GalleryViewer.css", "product/RecentlyViewed.css"];

/** Styles of parts that pages of one kind do not show, but those of another kind with the same components. */
const ELSEWHERE = {
  home: ["home/HomeHead.css", "home/BannerWindow.css"],
  own_home: ["home/SummerWindow.css"],
  listing: ["ui/ProductRows.css", "ui/LayoutToggle.css"],
};

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

/**
 * Takes the rules `@font-face` out of the whole style sheet, which is renamed: its name has the hash of its content.
 * A browser that meets such a rule lays the whole page out again, so they come before there is anything to lay out.
 * They load nothing there: only the whole style sheet uses the typeface.
 */
async function takeFontFaces(client) {
  const sheets = (await readdir(client)).filter((name) => name.endsWith(".css"));
  if (sheets.length !== 1) throw new Error(`one style sheet was expected, not ${sheets.join(", ")}`);
  const [name] = sheets;
  const whole = await readFile(path.join(client, name), "utf8");
  const rule = /@font-face\s*\{[^}]*\}/g;
  const rest = whole.replace(rule, "");
  const hash = createHash("sha256").update(rest).digest("hex").slice(0, 8).toUpperCase();
  await rm(path.join(client, name));
  await writeFile(path.join(client, name.replace(/-[^-]*\.css$/, `-${hash}.css`)), rest);
  const rules = whole.match(rule) ?? [];
  // In a document, relative addresses start from its address, not from the folder of files.
  return rules.join("").replaceAll(/url\("?\.\//g, (start) => start.replace("./", "/assets/"));
}

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

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: first-paint-styles.mjs FOLDER");
const directory = path.join(folder, "first-paint");
await mkdir(directory, { recursive: true });
const fontFaces = await takeFontFaces(path.join(folder, "client"));
const whole = await styleSheets(["entry"]);
for (const [kind, pages] of Object.entries(KINDS)) {
  const needed = new Set(await styleSheets([...FRAME, ...pages]));
  // In the order of the whole style sheet, which decides between rules of the same weight.
  const left = [...NEVER_FIRST, ...(ELSEWHERE[kind] ?? [])];
  const files = whole.filter((file) => needed.has(file) && !left.includes(file));
  const { first, further } = splitStyles(await minified(files), { later: LATER, below: BELOW[kind], read: READ_ELSEWHERE });
  await writeFile(path.join(directory, `${kind}.css`), first + fontFaces);
  await writeFile(path.join(directory, `${kind}-further.css`), further);
}
await writeFile(path.join(directory, "plain.css"), await minified(PLAIN));
