/**
 * The form in which names are compared, as the host folds them (`host/catalogue/search/text.rs`), for the letters
 * of names: without case, accents and typographic variants, with a space for each run of white space and hyphens.
 */
export function foldText(text: string): string {
  return text
    .replace(/[`\u2018-\u201B]/g, "'")
    .normalize("NFKD")
    .replace(/[\u0300-\u036F\u00AD\u200B-\u200F\uFEFF]/g, "")
    .replace(/[-\s\u2010-\u2015\u2212]+/g, " ")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("\u03C2", "\u03C3")
    .replaceAll("\u00DF", "ss")
    .trim();
}
