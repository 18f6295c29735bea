/** Letters that decomposing leaves as they are. */
const LETTERS: Partial<Record<string, string>> = {
  ς: "σ", ß: "ss", æ: "ae", ð: "d", đ: "d", ø: "o", þ: "th", ħ: "h", ł: "l", œ: "oe", ŧ: "t",
};

/**
 * The form in which names are compared, as the host folds them (`host/catalogue/search/text.rs`), for the letters
 * of names: without case, accents and typographic variants, with a space for each run of white space and hyphens.
 */
export function foldText(text: string): string {
  return text
    .replace(/[`\u00B4\u02B9\u02BB-\u02BD\u2018-\u201B\u2032]/g, "'")
    .normalize("NFKD")
    .replace(/[\u0300-\u036F\u00AD\u200B-\u200F\uFEFF]/g, "")
    .replace(/[-\s\u058A\u05BE\u2010-\u2015\u2043\u2212]+/g, " ")
    .toUpperCase()
    .toLowerCase()
    .replace(/[ςßæðđøþħłœŧ]/g, (letter) => LETTERS[letter] ?? letter)
    .trim();
}
