// Writes what the executable consists of: scripts/bill-of-materials.mjs ENGINE DIRECTORY
//
// The crates are those that cargo resolves for this platform and engine without build and development dependencies
// (procedural macros and what only they use are left out, too). The npm packages are those whose files are in a
// bundle, as esbuild reports. One without a licence is an error.
import { execFileSync } from "node:child_process";
import console from "node:console";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";
import { build } from "esbuild";
import { serverBundle } from "./server-bundle-options.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [engine, directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: bill-of-materials.mjs ENGINE DIRECTORY");

/** Code of others that crates bring into the executable, without a crate of its own. */
const INSIDE = {
  v8: [{ name: "V8", licence: "BSD-3-Clause", of: "v8" }, { name: "ICU", licence: "Unicode-3.0", of: "v8" }, { name: "libc++ and libc++abi", licence: "Apache-2.0 WITH LLVM-exception", of: "v8" }],
  quickjs: [{ name: "QuickJS", licence: "MIT", of: "deno_core" }],
};

const cargo = (...args) => execFileSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 256 << 20 });
const target = /^host: (.*)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];

/** The crates in the executable, by name and version. */
function crates() {
  const features = ["--no-default-features", "--features", engine];
  const { packages, resolve } = JSON.parse(cargo("metadata", "--format-version", "1", "--locked", "--filter-platform", target, ...features));
  const byId = new Map(packages.map((each) => [each.id, each]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id) || isMacro(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(resolve.root);
  found.delete(resolve.root);
  return [...found].map((id) => byId.get(id)).map(({ name, version, license, license_file, repository }) => ({
    name,
    version,
    licence: license ?? (license_file === null ? null : `see ${license_file}`),
    source: repository,
    purl: `pkg:cargo/${name}@${version}`,
  }));
}

/** The npm packages with files in the bundle of the client, the server or the worker, and those of icons and typeface. */
async function npmPackages() {
  const options = { absWorkingDir: root, bundle: true, write: false, metafile: true, jsx: "automatic", outdir: "none", logLevel: "error" };
  const bundles = await Promise.all([
    build({ ...options, entryPoints: ["client/entry.tsx", "worker/serviceWorker.ts"], format: "esm", external: ["display-font/*"], define: { BUILD: '""', ASSETS: "[]", "process.env.NODE_ENV": '"production"' } }),
    build({ ...serverBundle("none/ssr.js"), write: false, metafile: true }),
  ]);
  const files = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const names = files.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter((name) => name !== undefined);
  // The sprite of icons and the typeface are made from these.
  const all = new Set([...names, "lucide-react", "@fontsource-variable/bricolage-grotesque"]);
  return [...all].map((name) => {
    const { version, license, repository } = JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8"));
    return { name, version, licence: license ?? null, source: repository?.url ?? repository ?? null, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` };
  });
}

const byName = (one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
const [rust, npm] = [crates().sort(byName), (await npmPackages()).sort(byName)];
const without = [...rust, ...npm].filter(({ licence }) => licence === null).map(({ name }) => name);
if (without.length > 0) throw new Error(`no licence is known of ${without.join(", ")}`);
if (rust.length < 100 || npm.length < 4) throw new Error(`only ${rust.length} crates and ${npm.length} npm packages were found`);

/** An SPDX expression. Old crates write `/` for OR. */
const expression = (licence) => licence.replaceAll("/", " OR ").replace(/ +/g, " ");
const component = ({ name, version, licence, source, purl }) => ({
  type: "library",
  "bom-ref": purl,
  name,
  version,
  purl,
  licenses: licence.startsWith("see ") ? [{ license: { name: licence } }] : [{ expression: expression(licence) }],
  ...(source === null ? {} : { externalReferences: [{ type: "vcs", url: source }] }),
});
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
for (const [kind, packages] of Object.entries({ crates: rust, npm })) {
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": "vitrine", name: "vitrine", version } },
    components: packages.map(component),
  };
  writeFileSync(path.join(directory, `vitrine-${kind}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

const row = ({ name, version: of, licence }) => `| ${name} | ${of} | ${licence.startsWith("see ") ? licence : expression(licence)} |`;
const inside = INSIDE[engine].map(({ name, licence, of }) => `| ${name} | in ${of} | ${licence} |`);
const table = (rows) => ["| Name | Version | Licence |", "| --- | --- | --- |", ...rows].join("\n");
const text = `# Licences of what is in the executable

## Crates

${table([...rust.map(row), ...inside])}

## npm packages

${table(npm.map(row))}
`;
writeFileSync(path.join(directory, "LICENCES.md"), text);
console.log(`${rust.length} crates, ${npm.length} npm packages`);
