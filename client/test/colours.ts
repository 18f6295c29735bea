import { readFileSync } from "node:fs";

export type Theme = "light" | "dark";

/** The custom properties that `selector`'s first rule in a style sheet of `client/styles` declares. */
export function declarations(file: string, selector: string): Map<string, string> {
  const sheet = readFileSync(`client/styles/${file}`, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const start = sheet.indexOf(`${selector} {`);
  if (start === -1) throw new Error(`${file} has no rule for ${selector}`);
  const rule = sheet.slice(start, sheet.indexOf("}", start));
  return new Map([...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? "", value ?? ""]));
}

/** The colour, such as `#1e1b17`, that a custom property has in a theme. */
export function colour(properties: ReadonlyMap<string, string>, name: string, theme: Theme): string {
  const value = properties.get(name) ?? "";
  const pair = /^light-dark\(([^,]+), ([^)]+\)?)\)$/.exec(value);
  const one = (theme === "light" ? pair?.[1] : pair?.[2]) ?? value;
  const reference = /^var\((--[\w-]+)\)$/.exec(one)?.[1];
  if (reference !== undefined) return colour(properties, reference, theme);
  if (!/^#[0-9a-f]{6}$/.test(one)) throw new Error(`${name} is no opaque colour: ${one}`);
  return one;
}

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
