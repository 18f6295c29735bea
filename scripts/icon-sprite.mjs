// Writes the two sprites of each kind of page into a folder: the icons of its first screens, and all others. There is one
// symbol for each name of client/ui/iconNames.ts, drawn by lucide-react. The host puts both into every document.
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { buildSync } from "esbuild";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { ICONS } from "./first-screen.mjs";

const [{ text }] = buildSync({ entryPoints: ["client/ui/iconNames.ts"], format: "esm", write: false }).outputFiles;
const { ICON_NAMES } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

/** The shapes inside the svg element of an icon. */
function shapes(name) {
  const exported = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  if (lucide[exported] === undefined) throw new Error(`lucide-react has no icon named ${name}`);
  const inner = /^<svg[^>]*>(.*)<\/svg>$/s.exec(renderToStaticMarkup(createElement(lucide[exported])));
  if (inner === null) throw new Error(`lucide-react draws ${name} in an unknown way`);
  return inner[1].replace(/><\/\w+>/g, "/>");
}

/** Five stars in a row, each 20 wide. Every rating refers to it. */
const STARS =
  "M10 1.7L12.4 7.4L18.6 7.9L13.9 12L15.3 18L10 14.8L4.7 18L6.1 12L1.4 7.9L7.6 7.4zM30 1.7L32.4 7.4L38.6 7.9L33.9 12L35.3 18L30 14.8L24.7 18L26.1 12L21.4 7.9L27.6 7.4zM50 1.7L52.4 7.4L58.6 7.9L53.9 12L55.3 18L50 14.8L44.7 18L46.1 12L41.4 7.9L47.6 7.4zM70 1.7L72.4 7.4L78.6 7.9L73.9 12L75.3 18L70 14.8L64.7 18L66.1 12L61.4 7.9L67.6 7.4zM90 1.7L92.4 7.4L98.6 7.9L93.9 12L95.3 18L90 14.8L84.7 18L86.1 12L81.4 7.9L87.6 7.4z";

const symbols = new Map([
  ["StarRow", `<path id="StarRow" d="${STARS}"/>`],
  ...ICON_NAMES.map((name) => [name, `<symbol id="icon-${name}" viewBox="0 0 24 24">${shapes(name)}</symbol>`]),
]);
const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: icon-sprite.mjs FOLDER");
for (const [kind, first] of Object.entries(ICONS)) {
  const unknown = first.find((name) => !symbols.has(name));
  if (unknown !== undefined) throw new Error(`there is no icon named ${unknown}`);
  const sprite = (isFirst) => [...symbols].filter(([name]) => first.includes(name) === isFirst).map(([, symbol]) => symbol).join("");
  writeFileSync(path.join(folder, `${kind}.svg`), sprite(true));
  writeFileSync(path.join(folder, `${kind}-further.svg`), sprite(false));
}
