import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

const UNITS = [
  [Key.storedDays, 86_400_000],
  [Key.storedHours, 3_600_000],
  [Key.storedMinutes, 60_000],
] as const;

/** A duration in plain words, such as `3 hours`. */
export function ageInWords(milliseconds: number): string {
  for (const [key, length] of UNITS) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return text(key, count);
  }
  return text(Key.storedNow);
}
