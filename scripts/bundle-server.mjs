// Writes the server bundle: scripts/bundle-server.mjs FILE [plain|minified]
//
// With `plain`, no `Name.server.tsx` replaces a `Name.tsx`. All bundles give the same markup, which a test compares.
// V8 gets the `minified` one, which is half as much to parse at each start. QuickJS does not: its stacks name lines
// of the script, but hardly columns, and a minified script has too few lines to find the sources by.
import process from "node:process";
import { build } from "esbuild";
import { serverBundle } from "./server-bundle-options.mjs";

const kinds = { plain: { plugins: [] }, minified: { minify: true } };
const [file, kind] = process.argv.slice(2);
await build({ ...serverBundle(file), ...kinds[kind] });
