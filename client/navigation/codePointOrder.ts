/**
 * Compares texts by code point, as Rust does. JavaScript compares UTF-16 units, which puts
 * characters beyond U+FFFF before those from U+E000 to U+FFFF.
 */
export function compareByCodePoint(left: string, right: string): number {
  const [lefts, rights] = [codePoints(left), codePoints(right)];
  const at = lefts.findIndex((point, index) => point !== rights[index]);
  if (at === -1) return lefts.length - rights.length;
  return (lefts[at] ?? 0) - (rights[at] ?? -1);
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
