import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { colour, contrast, declarations } from "../test/colours";
import type { Theme } from "../test/colours";

const THEMES: readonly Theme[] = ["light", "dark"];

/** Contrast of text, WCAG 2 level AA. */
const AA = 4.5;

/** Level AAA, which body text has. */
const AAA = 7;

/** Contrast of what shows a control's edge or a state. */
const VISIBLE = 3;

/** Texts and the grounds that they stand on in components. */
const TEXTS = [
  ["ink", ["page", "surface", "sunken", "action-tint"], AAA],
  ["ink-soft", ["page", "surface"], AAA],
  ["ink-soft", ["sunken", "disc"], AA],
  ["on-picture", ["picture"], AA],
  ["action", ["page", "surface", "sunken", "action-tint"], AA],
  ["action-strong", ["page", "surface", "action-tint"], AA],
  ["on-action", ["action", "action-strong"], AA],
  ["offer", ["page", "surface", "offer-tint", "disc"], AA],
  ["on-offer", ["offer"], AA],
  ["good", ["page", "surface"], AA],
  ["warn", ["page", "surface"], AA],
  ["on-inverse", ["inverse"], AAA],
  ["on-inverse-soft", ["inverse"], AAA],
  ["summer-ink", ["summer"], AAA],
  ["control-line", ["page", "surface", "sunken"], VISIBLE],
  ["focus", ["page", "surface", "sunken"], VISIBLE],
  ["star", ["page", "surface"], VISIBLE],
] as const;

const tokens = declarations("tokens.css", ":root");

it.each(TEXTS)("%s has its contrast on %s in both themes", (text, grounds, least) => {
  for (const theme of THEMES) {
    for (const ground of grounds) {
      const ratio = contrast(colour(tokens, `--colour-${text}`, theme), colour(tokens, `--colour-${ground}`, theme));
      expect(ratio, `${text} on ${ground}, ${theme}`).toBeGreaterThanOrEqual(least);
    }
  }
});

it("signs and price tags are readable, and so is the banner in the light of its lamps", () => {
  for (const theme of THEMES) {
    expect(contrast(colour(tokens, "--art-sign-ink", theme), colour(tokens, "--art-cream", theme))).toBeGreaterThanOrEqual(AA);
  }
  const lit = contrast(colour(tokens, "--colour-summer-ink", "dark"), colour(tokens, "--colour-summer-glow", "dark"));
  expect(lit).toBeGreaterThanOrEqual(AA);
});

it("the browser's bars have the colour of the strip at the top of the page", () => {
  const document = readFileSync("host/document/templates/document.html", "utf8");
  for (const theme of THEMES) {
    const named = new RegExp(`content="(#[0-9a-f]{6})"[^>]*data-for="${theme}"`).exec(document)?.[1];
    expect(named, theme).toBe(colour(tokens, "--colour-inverse", theme));
  }
});

/** The contrast up to which two grounds look like neighbours. */
const NEAR = 1.25;

it.each([0, 1, 2, 3, 4, 5, 6, 7])("text is readable on the ground of tint-%i, and its awning is seen", (number) => {
  const tint = declarations("tints.css", `.tint-${String(number)}`);
  for (const theme of THEMES) {
    const ground = colour(tint, "--tint", theme);
    expect(contrast(colour(tint, "--tint-ink", theme), ground), theme).toBeGreaterThanOrEqual(AA);
    // The stripes of the awning differ, and hang over the page.
    const cloth = colour(tint, "--awning-cloth", theme);
    expect(contrast(cloth, colour(tokens, "--art-cream", theme)), theme).toBeGreaterThanOrEqual(2.2);
    expect(contrast(cloth, ground), theme).toBeGreaterThanOrEqual(2.2);
  }
  // By night only the ink and the awning have the hue.
  expect(contrast(colour(tint, "--tint", "dark"), colour(tokens, "--colour-surface", "dark"))).toBeLessThanOrEqual(NEAR);
});

it("dark products are visible on the plates behind pictures", () => {
  for (const number of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const tint = declarations("tints.css", `.tint-${String(number)}`);
    expect(contrast("#141414", colour(tint, "--tint", "light")), String(number)).toBeGreaterThanOrEqual(3);
  }
  expect(contrast("#141414", colour(tokens, "--colour-picture", "dark"))).toBeGreaterThanOrEqual(3);
});
