const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in plain words, such as `3 hours`. */
export function ageInWords(milliseconds: number): string {
  for (const [name, length] of UNITS) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return "less than a minute";
}
