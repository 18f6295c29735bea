// Writes the sprite of the shop's icons to a file: one symbol for each name of client/ui/iconNames.ts, drawn by
// lucide-react. Called by build.rs; the host puts the sprite into every document.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { buildSync } from "esbuild";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

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

const symbols = ICON_NAMES.map((name) => `<symbol id="icon-${name}" viewBox="0 0 24 24">${shapes(name)}</symbol>`);
const [, , file] = process.argv;
if (file === undefined) throw new Error("usage: icon-sprite.mjs FILE");
writeFileSync(file, symbols.join(""));
