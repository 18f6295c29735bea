import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const MEDIA_WIDTH = /(?:@media|matchMedia|= ")[^{\n]*\((min|max)-width: ([^)]+)\)/g;

function read(file: string): string {
  return readFileSync(`client/${file}`, "utf8");
}

it("media queries use the widths of the table in tokens.css, in CSS and in JavaScript", () => {
  const breakpoints = [...read("styles/tokens.css").matchAll(/^ \* {3}(\d+)rem /gm)].map(([, width]) => Number(width));
  expect(breakpoints.length).toBeGreaterThan(0);
  const allowed = new Set(breakpoints.flatMap((width) => [`min ${width}rem`, `max ${width - 0.01}rem`]));

  const files = readdirSync("client", { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.(css|tsx?)$/.test(file));
  const used = files.flatMap((file) => [...read(file).matchAll(MEDIA_WIDTH)].map(([, side, width]) => `${side ?? ""} ${width ?? ""}`));
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((query) => !allowed.has(query))).toEqual([]);
});
