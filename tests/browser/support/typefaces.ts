import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { REPOSITORY } from "./server";

/** Typefaces of visitors' systems, or ones with the same widths, and where Debian's packages put them. */
export const TYPEFACES = {
  "Liberation Sans": "/usr/share/fonts/truetype/liberation",
  "DejaVu Sans": "/usr/share/fonts/truetype/dejavu",
  Roboto: "/usr/share/fonts/truetype/roboto",
  "Noto Sans": "/usr/share/fonts/truetype/noto",
} as const;

export type Typeface = keyof typeof TYPEFACES;

/** The environment of a browser that has these typefaces and no others; text without a family gets the first. */
export function onlyTypefaces(...typefaces: Typeface[]): Record<string, string> {
  const folder = resolve(REPOSITORY, "target/typefaces");
  const file = resolve(folder, `${typefaces.join("-")}.conf`);
  const folders = typefaces.map((typeface) => `<dir>${TYPEFACES[typeface]}</dir>`).join("");
  const preferred = typefaces.map((typeface) => `<family>${typeface}</family>`).join("");
  const aliases = ["sans-serif", "serif", "system-ui"].map((family) => `<alias><family>${family}</family><prefer>${preferred}</prefer></alias>`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${folder}/cache</cachedir>${aliases.join("")}</fontconfig>`);
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(inherited), FONTCONFIG_FILE: file };
}
