import { expect, it } from "vitest";
import { colour, contrast, declarations } from "../test/colours";
import type { Theme } from "../test/colours";

const THEMES: readonly Theme[] = ["light", "dark"];

/** Contrast of text, WCAG 2 level AA. */
const AA = 4.5;

it.each([0, 1, 2, 3, 4, 5, 6, 7])("text is readable on the plates of tint-%i, and dark products are visible", (number) => {
  const tint = declarations("tints.css", `.tint-${String(number)}`);
  for (const theme of THEMES) {
    const plate = colour(tint, "--tint", theme);
    expect(contrast(colour(tint, "--tint-ink", theme), plate), theme).toBeGreaterThanOrEqual(AA);
    expect(contrast("#141414", plate), theme).toBeGreaterThanOrEqual(3);
  }
});
