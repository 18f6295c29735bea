import { foldText } from "../navigation/foldText";

/** A piece of a text, and whether it is what was typed. */
export interface TextPart {
  text: string;
  isMarked: boolean;
}

/** A character with the marks on it. */
const CHARACTER = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Cuts a name into the parts that match a typed text and those between them. Both are compared as `foldText` writes
 * them; the parts are the original characters, and one that folds to several letters is marked whole.
 */
export function markedParts(name: string, typed: string): TextPart[] {
  const characters = name.match(CHARACTER) ?? [];
  const { folded, origins } = foldCharacters(characters);
  const marked = new Set<number>();
  for (const [start, end] of matches(folded, foldText(typed))) {
    // Characters between them that fold to nothing are marked, too.
    for (let index = origins[start] ?? 0; index <= (origins[end - 1] ?? -1); index += 1) marked.add(index);
  }
  const parts: TextPart[] = [];
  characters.forEach((text, index) => {
    const isMarked = marked.has(index);
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += text;
    else parts.push({ text, isMarked });
  });
  return parts;
}

/** The folded text, and for each of its code units the index of the character that it comes from. */
function foldCharacters(characters: readonly string[]): { folded: string; origins: number[] } {
  let folded = "";
  const origins: number[] = [];
  characters.forEach((character, index) => {
    // Between letters, because `foldText` trims.
    const piece = foldText(`x${character}x`).slice(1, -1);
    if (piece === " " && folded.endsWith(" ")) return;
    folded += piece;
    for (let unit = 0; unit < piece.length; unit += 1) origins.push(index);
  });
  return { folded, origins };
}

/** The ranges of the whole typed text, or else of its words. */
function matches(folded: string, typed: string): [start: number, end: number][] {
  const needles = folded.includes(typed) ? [typed] : typed.split(" ");
  return needles.flatMap((needle) => {
    const start = needle === "" ? -1 : firstMatch(folded, needle);
    return start < 0 ? [] : [[start, start + needle.length]];
  });
}

/** Where a text first begins a word, or else where it first occurs. */
function firstMatch(folded: string, needle: string): number {
  for (let start = folded.indexOf(needle); start >= 0; start = folded.indexOf(needle, start + 1)) {
    if (start === 0 || /[^\p{L}\p{N}]/u.test(folded.charAt(start - 1))) return start;
  }
  return folded.indexOf(needle);
}
