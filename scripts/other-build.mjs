// Builds target/other/vitrine: scripts/other-build.mjs v8|quickjs
// With `check` instead of the engine it only checks that the sources still have the texts that it replaces.
//
// It is the next version of the shop, for the tests of what happens when two builds meet: the same sources with another
// text in every page, and with two fields of the contract that have other names. Nothing in target/release changes.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const ROOT = path.resolve(import.meta.dirname, "..");
const SOURCES = path.join(ROOT, "target/other-build");
/** Cargo's folder for this build alone. */
const TARGET = path.join(ROOT, "target/other");
const NOT_COPIED = ["target", "node_modules", ".git", "fuzz/corpus", "bench/peers"];

/** File, text, and its replacement. The file has each text once. */
const REPLACEMENTS = [
  ["host/profile/defaults.rs", "A sample shop. ", "A sample shop of the other build. "],

  ["host/contract/mod.rs", "    pub facets: Facets,", '    #[serde(rename = "filterGroups")]\n    pub facets: Facets,'],
  ["client/contract.gen.ts", "facets: Facets, ", "filterGroups: Facets, "],
  ["client/listing/FilterForm.tsx", "const { basePath, facets } = listing;", "const { basePath, filterGroups: facets } = listing;"],
  ["client/listing/FilterControl.tsx", "const { basePath, facets, source } = listing;", "const { basePath, filterGroups: facets, source } = listing;"],
  ["client/pages/ListingPage.tsx", "const { failed, facets, reading } = listing;", "const { failed, filterGroups: facets, reading } = listing;"],
  ["client/listing/activeFilters.ts", "{ basePath, facets, quick = [] }: Listing", "{ basePath, filterGroups: facets, quick = [] }: Listing"],
  ["client/test/fixtures.ts", "    facets: {", "    filterGroups: {"],
  ["client/listing/FilterForm.server.tsx", "{ basePath, facets, source, total }", "{ basePath, filterGroups: facets, source, total }"],
  ["client/listing/FilterForm.server.tsx", "({ listing: { facets } })", "({ listing: { filterGroups: facets } })"],

  ["host/contract/product.rs", "    pub related: Vec<ProductCard>,", '    #[serde(rename = "alike")]\n    pub related: Vec<ProductCard>,'],
  ["client/contract.gen.ts", "related: Array<ProductCard>, };", "alike: Array<ProductCard>, };"],
  ["client/pages/ProductPage.tsx", "{ product, failed, related } }", "{ product, failed, alike: related } }"],
  ["client/product/shownCard.ts", "return content.related;", "return content.alike;"],
  ["client/test/contents.ts", "related: cards.slice(0, 4)", "alike: cards.slice(0, 4)"],
  ["client/test/contents.ts", "related: []", "alike: []"],
];

function fail(reason) {
  process.stderr.write(`other-build: ${reason}\n`);
  process.exit(1);
}

function run(name, args, options) {
  const { status, error } = spawnSync(name, args, { stdio: "inherit", cwd: ROOT, ...options });
  if (status !== 0) fail(`${name} failed${error === undefined ? "" : `: ${error.message}`}`);
}

/** The dates stay, so that Cargo compiles only what has changed since the build before. */
function copySources() {
  rmSync(SOURCES, { recursive: true, force: true });
  const isCopied = (file) => !NOT_COPIED.includes(path.relative(ROOT, file));
  mkdirSync(SOURCES, { recursive: true });
  for (const name of readdirSync(ROOT)) {
    const file = path.join(ROOT, name);
    // One by one, because a folder cannot be copied into itself.
    if (isCopied(file)) cpSync(file, path.join(SOURCES, name), { recursive: true, preserveTimestamps: true, filter: isCopied });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(SOURCES, "node_modules"));
}

/** The text of a file with the replacement. */
function replaced(folder, [name, from, to]) {
  const parts = readFileSync(path.join(folder, name), "utf8").split(from);
  if (parts.length !== 2) fail(`${name} has the text ${JSON.stringify(from)} ${parts.length - 1} times; please mend the table`);
  return parts.join(to);
}

function replace(replacement) {
  const file = path.join(SOURCES, replacement[0]);
  const { mtimeMs } = statSync(file);
  writeFileSync(file, replaced(SOURCES, replacement));
  const date = new Date(Math.max(mtimeMs, statSync(import.meta.filename).mtimeMs));
  utimesSync(file, date, date);
}

/** The dependencies are the same, and compiling them takes longest. */
function copyDependencies() {
  const [from, to] = [path.join(ROOT, "target/release"), path.join(TARGET, "release")];
  if (existsSync(to) || !existsSync(path.join(from, ".fingerprint"))) return;
  for (const folder of [".fingerprint", "build", "deps"]) {
    mkdirSync(path.join(to, folder), { recursive: true });
    // For dependencies, deps has only libraries and lists; a file without an ending is one of our programs.
    const isOurs = (name) => /^(lib)?vitrine-/.test(name) || (folder === "deps" && path.extname(name) === "");
    const names = readdirSync(path.join(from, folder)).filter((name) => !isOurs(name));
    // Unlike Node, `cp` keeps dates to the nanosecond. Cargo compares them.
    if (names.length > 0) run("cp", ["-a", "-t", path.join(to, folder), ...names], { cwd: path.join(from, folder) });
  }
}

const engine = process.argv[2];
for (const replacement of REPLACEMENTS) replaced(ROOT, replacement);
if (engine === "check") process.exit();
if (engine !== "v8" && engine !== "quickjs") fail("please name the engine: v8 or quickjs");
copySources();
REPLACEMENTS.forEach(replace);
copyDependencies();
run("cargo", ["build", "--release", "--locked", "--no-default-features", "--features", `${engine},as-tested`, "--bin", "vitrine"], {
  cwd: SOURCES,
  env: { ...process.env, CARGO_TARGET_DIR: TARGET },
});
copyFileSync(path.join(TARGET, "release/vitrine"), path.join(TARGET, "vitrine"));
