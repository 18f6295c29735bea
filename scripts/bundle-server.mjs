// Writes the server bundle: scripts/bundle-server.mjs FILE [plain|minified]
//
// With `plain`, no `Name.server.tsx` stands for a `Name.tsx`; all bundles give the same bytes,
// which a test compares. V8 is given the `minified` one, of which it has half as much to parse at each start. QuickJS
// is not: it knows the lines of a script, and hardly its columns, by which stacks name sources.
import process from "node:process";
import { build } from "esbuild";
import { serverBundle } from "./server-bundle-options.mjs";

const kinds = { plain: { plugins: [] }, minified: { minify: true } };
const [file, kind] = process.argv.slice(2);
await build({ ...serverBundle(file), ...kinds[kind] });
