// Makes the shop's display typeface: cuts Bricolage Grotesque down to the letters, the weights and the one
// optical size that the style sheet uses. Usage: node scripts/subset-font.mjs DIRECTORY
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import subsetFont from "subset-font";

const PACKAGE = "@fontsource-variable/bricolage-grotesque";
const source = path.dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));

/** Weights that the style sheet may use, and the optical size for large type. */
const AXES = { wght: { min: 600, max: 800 }, opsz: 36 };

/** The entries of the name table that a reader of the file needs: copyright, licence, its address. */
const NAMES = [0, 13, 14];

/** Tables for choosing styles in documents, and for metrics that the style sheet sets. */
const UNUSED_TABLES = ["STAT", "MVAR"];

/**
 * The files, each with its `unicode-range` in `client/styles/fonts.css`. Every page loads the first. Kerning
 * pairs are half of its size, and would be most of the size of the others, whose letters are rare.
 */
const FILES = [
  { name: "display-basic", from: "latin", text: `${range(0x20, 0x7e)}\u00a0–—‘’“”…×·€£`, features: ["kern"] },
  { name: "display-accents", from: "latin", text: `${without(range(0xa1, 0xff), "£×·")}ŒœŸ‚„•‹›™`, features: [] },
  { name: "display-extended", from: "latin-ext", text: `${without(range(0x100, 0x17f), "ŒœŸ")}ȘșȚțẞ`, features: [] },
];

function range(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

function without(text, excluded) {
  return [...text].filter((character) => !excluded.includes(character)).join("");
}

const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: subset-font.mjs DIRECTORY");
await mkdir(directory, { recursive: true });
for (const { name, from, text, features } of FILES) {
  const whole = await readFile(path.join(source, `files/bricolage-grotesque-${from}-opsz-normal.woff2`));
  const subset = await subsetFont(whole, text, {
    targetFormat: "woff2",
    variationAxes: AXES,
    keepFeatures: features,
    preserveNameIds: NAMES,
    dropTables: UNUSED_TABLES,
    noHinting: true,
  });
  await writeFile(path.join(directory, `${name}.woff2`), subset);
}
await writeFile(path.join(directory, "display-licence.txt"), await readFile(path.join(source, "LICENSE")));
