// Writes the server bundle: scripts/bundle-server.mjs FILE [plain]
//
// With `plain`, no module of ssr/replacements/ stands for one of client/; both bundles give the same bytes,
// which a test compares.
import process from "node:process";
import { build } from "esbuild";
import { serverBundle } from "./server-bundle-options.mjs";

const [file, plain] = process.argv.slice(2);
const options = serverBundle(file);
await build(plain === "plain" ? { ...options, plugins: [] } : options);
