// Bundles for a development build of the host: incrementally, unminified, with source maps. Each result is a
// folder of its own; the link `current` leads to the newest, which `host/dev.rs` reads when a worker starts.
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";
import { context, formatMessages } from "esbuild";
import { serverBundle } from "../server-bundle-options.mjs";
import { styleText } from "../style-text.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The kinds of pages whose documents carry styles inline. Here each gets all styles, because choosing them takes long. */
const KINDS = ["home", "own_home", "listing", "rows", "product", "overview", "message"];
/** How many results stay, for pages that were loaded from an earlier one. */
const KEPT = 3;

const shared = { absWorkingDir: root, bundle: true, jsx: "automatic", logLevel: "silent", write: false };

/** The client, with the part that shows changes and errors before everything else. */
const clientBundle = (fonts, events) => ({
  ...shared,
  stdin: { contents: 'import "./scripts/dev/browser";\nexport * from "./client/entry";', resolveDir: root, sourcefile: "dev.ts" },
  format: "esm",
  platform: "browser",
  target: ["es2022", "chrome120", "firefox121", "safari17.4"],
  sourcemap: "linked",
  legalComments: "none",
  outdir: path.join(root, "client"),
  entryNames: "entry-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  alias: { "display-font": fonts },
  define: { "process.env.NODE_ENV": '"development"', EVENTS: JSON.stringify(events) },
});

/** The suggestions while typing, which the first focus of the search field loads. */
const autocompleteBundle = {
  ...shared,
  entryPoints: ["client/autocomplete/main.ts"],
  format: "esm",
  platform: "browser",
  target: ["es2022", "chrome120", "firefox121", "safari17.4"],
  sourcemap: "linked",
  outdir: path.join(root, "client"),
  entryNames: "autocomplete-[hash]",
  plugins: [styleText],
};

/** Placeholders in the inline script for the addresses of scripts, whose hashes differ after every change. */
const CLIENT_ADDRESS = "/assets/client-address";
const AUTOCOMPLETE_ADDRESS = "/assets/autocomplete-address";

const earlyBundle = {
  ...shared,
  entryPoints: ["client/early/main.ts"],
  format: "iife",
  platform: "browser",
  outfile: path.join(root, "early.js"),
  define: { CLIENT_ADDRESS: JSON.stringify(CLIENT_ADDRESS), AUTOCOMPLETE_ADDRESS: JSON.stringify(AUTOCOMPLETE_ADDRESS) },
};

const workerBundle = (script) => ({
  ...shared,
  entryPoints: [`worker/${script}.ts`],
  format: "iife",
  platform: "browser",
  outdir: path.join(root, "worker"),
  define: { BUILD: '"development"', ASSETS: "[]" },
});

/** The problems of bundling, each with its place in the sources if it has one. */
async function problems(errors) {
  const texts = await formatMessages(errors, { kind: "error", color: false });
  return errors.map(({ location }, index) => ({
    text: texts[index].trim(),
    place: location === null ? null : `${location.file}:${location.line}:${location.column + 1}`,
  }));
}

const node = (script, output) => execFileSync(process.execPath, [script, output], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

export class Bundler {
  #folder;
  #events;
  #contexts;
  /** The last result of each context that had one. */
  #results = [];
  #generations = [];
  /** Makes the names of generations unique across runs, too, because a browser may outlive a run. */
  #start = Date.now().toString(36);
  #count = 0;

  /** `folder` belongs to this bundler alone; `events` is the origin that tells browsers of changes. */
  constructor(folder, events) {
    this.#folder = folder;
    this.#events = events;
  }

  get current() {
    return path.join(this.#folder, "current");
  }

  /** The map of the current server or client script with this name; undefined when there is none. */
  async sourceMap(name) {
    const file = path.join(this.current, "client", `${name}.map`);
    return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : undefined;
  }

  async start() {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true });
    const fonts = path.join(this.#folder, "fonts");
    node("scripts/subset-font.mjs", fonts);
    this.drawIcons();
    this.#contexts = await Promise.all([
      context(clientBundle(fonts, this.#events)),
      context({ ...serverBundle(path.join(this.#folder, "ssr.js")), logLevel: "silent", write: false }),
      context(workerBundle("serviceWorker")),
      context(workerBundle("removal")),
      context(earlyBundle),
      context(autocompleteBundle),
    ]);
  }

  /** Draws the sprite of icons again; needed after a change of their names. */
  drawIcons() {
    const folder = path.join(this.#folder, "icons");
    mkdirSync(folder, { recursive: true });
    node("scripts/icon-sprite.mjs", folder);
  }

  /**
   * Bundles again what contains these files; without files, everything. Returns `problems`, or the new `generation`:
   * its name, the addresses that pages load, and whether only style sheets differ from the last one.
   */
  async build(files) {
    const isOfWorker = (file) => file.startsWith("worker/");
    const isNeeded = [
      files.some((file) => !isOfWorker(file)),
      // The server bundle has no styles.
      files.some((file) => !isOfWorker(file) && !file.endsWith(".css")),
      files.some(isOfWorker),
      files.some(isOfWorker),
      files.some((file) => !isOfWorker(file) && !file.endsWith(".css")),
      files.some((file) => file.startsWith("client/")),
    ];
    const attempts = await Promise.allSettled(
      this.#contexts.map((bundle, index) =>
        files.length === 0 || isNeeded[index] || this.#results[index] === undefined ? bundle.rebuild() : this.#results[index],
      ),
    );
    this.#results = attempts.map(({ value }) => value);
    const failed = attempts.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
    const unknown = failed.find(({ errors }) => errors === undefined);
    if (unknown !== undefined) throw unknown;
    if (failed.length > 0) {
      // Client and server often share the faulty module.
      const all = await problems(failed.flatMap(({ errors }) => errors));
      return { problems: all.filter(({ text }, index) => all.findIndex((other) => other.text === text) === index) };
    }
    const [client, server, serviceWorker, removal, early, autocomplete] = this.#results.map(({ outputFiles }) => outputFiles);
    return { generation: await this.#write([...client, ...autocomplete], server, [...serviceWorker, ...removal], early[0].text) };
  }

  /** Gives the current bundles a new name, which a restarted host reports. */
  async rename() {
    const { last } = this;
    return this.#publish({ ...last, build: this.#nextName(), onlyStyles: false }, path.join(this.#folder, last.folder));
  }

  get last() {
    return this.#generations.at(-1);
  }

  #nextName() {
    this.#count += 1;
    return `${this.#start}-${this.#count}`;
  }

  async #write(client, server, workers, earlyScript) {
    const build = this.#nextName();
    const folder = path.join(this.#folder, build);
    const files = new Map();
    for (const { path: file, contents } of client) files.set(`client/${path.basename(file)}`, contents);
    for (const { path: file, contents } of server) files.set(path.basename(file), contents);
    for (const { path: file, contents } of workers) files.set(`worker/${path.basename(file)}`, contents);
    const named = (pattern) => {
      const name = [...files.keys()].find((file) => pattern.test(file));
      if (name === undefined) throw new Error(`esbuild wrote no file like ${pattern}`);
      return name;
    };
    const styleSheet = named(/^client\/entry-\w+\.css$/);
    const text = Buffer.from(files.get(styleSheet)).toString();
    // The typeface comes with the style sheet: its relative addresses would lead elsewhere from a document.
    const inline = text.replace(/@font-face\s*\{[^}]*\}/g, "").replaceAll("</", "<\\/");
    for (const kind of KINDS) {
      files.set(`first-paint/${kind}.css`, Buffer.from(inline));
      // The policy forbids an empty element.
      files.set(`first-paint/${kind}-further.css`, Buffer.from("/**/"));
      for (const name of [`${kind}.svg`, `${kind}-further.svg`]) {
        files.set(`first-paint/${name}`, await readFile(path.join(this.#folder, "icons", name)));
      }
    }
    // The client does not import these styles.
    const plain = await readFile(path.join(root, "client/styles/plainPage.css"), "utf8");
    files.set("first-paint/plain.css", Buffer.from(inline + plain));
    const address = (name) => name.replace("client/", "/assets/");
    const script = named(/^client\/entry-\w+\.js$/);
    const early = earlyScript
      .replaceAll(CLIENT_ADDRESS, address(script))
      .replaceAll(AUTOCOMPLETE_ADDRESS, address(named(/^client\/autocomplete-\w+\.js$/)));
    files.set("early.js", Buffer.from(early));
    const { last } = this;
    const isSame = (name) => last?.files.has(name) && Buffer.compare(last.files.get(name), files.get(name)) === 0;
    const isStyle = (name) => name.endsWith(".css") || name.endsWith(".css.map");
    const others = [...files.keys()].filter((name) => !isStyle(name));
    const generation = {
      build,
      folder: build,
      files,
      script: address(script),
      styles: address(styleSheet),
      font: address(named(/^client\/display-basic-\w+\.woff2$/)),
      onlyStyles: others.every(isSame),
    };
    for (const directory of new Set([...files.keys()].map((name) => path.dirname(name)))) {
      await mkdir(path.join(folder, directory), { recursive: true });
    }
    await Promise.all([...files].map(([name, contents]) => writeFile(path.join(folder, name), contents)));
    return this.#publish(generation, folder);
  }

  /** Writes the manifest and points the link `current` to the folder. */
  async #publish(generation, folder) {
    const { build, script, styles, font } = generation;
    const manifest = JSON.stringify({ build, script, styles, font, events: this.#events });
    await writeFile(path.join(folder, "manifest.json.new"), manifest);
    await rename(path.join(folder, "manifest.json.new"), path.join(folder, "manifest.json"));
    await rm(`${this.current}.new`, { force: true });
    await symlink(path.basename(folder), `${this.current}.new`);
    await rename(`${this.current}.new`, this.current);
    const sameFolder = this.#generations.findIndex((other) => other.folder === generation.folder);
    if (sameFolder >= 0) this.#generations.splice(sameFolder, 1);
    this.#generations.push(generation);
    while (this.#generations.length > KEPT) {
      const { folder: old } = this.#generations.shift();
      await rm(path.join(this.#folder, old), { recursive: true, force: true });
    }
    return generation;
  }

  async dispose() {
    await Promise.all((this.#contexts ?? []).map((bundle) => bundle.dispose()));
  }
}
