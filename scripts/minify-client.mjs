// Minifies the client's script once more: scripts/minify-client.mjs FOLDER
//
// Terser finds what esbuild does not look for: calls that can be inlined, branches and variables that nothing
// needs then. It puts functions that are passed to others into parentheses, by which V8 knows that they will be
// called: it compiles them while the script arrives, beside the page's thread. React's modules are such functions.
// The script is renamed, so that its name keeps having the hash of its content.
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { minify } from "terser";

const [folder] = process.argv.slice(2);
const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
// Scripts that import each other by name could not be renamed one by one.
if (scripts.length !== 1) throw new Error(`one script was expected, not ${scripts.join(", ")}`);

const [name] = scripts;
const source = await readFile(path.join(folder, name), "utf8");
const { code } = await minify(source, { module: true, ecma: 2020, compress: { passes: 3 }, format: { wrap_func_args: true } });
const hash = createHash("sha256").update(code).digest("hex").slice(0, 8).toUpperCase();
await rm(path.join(folder, name));
await writeFile(path.join(folder, name.replace(/-[^-]*\.js$/, `-${hash}.js`)), code);
