/** The form of a text for a count. The rule has the number of the form for each number below 100, then for the last two digits of others. */
export function formOf(text: string | readonly string[], rule: string, count: string | number = 0): string {
  if (typeof text === "string") return text;
  const number = Number(count);
  return text[Number(rule[number < 100 ? number : 100 + (number % 100)] ?? rule.at(-1))] ?? "";
}

/** A text with values for `{0}` and so on. */
export function filled(text: string, values: readonly (string | number)[]): string {
  return pieces(text, values).join("");
}

/** The pieces of a text in their order, with values for `{0}` and so on. */
export function pieces<Value>(text: string, values: readonly Value[]): (string | Value)[] {
  return text.split(/\{(\d)\}/).map((piece, at) => (at % 2 === 1 ? values[Number(piece)] ?? "" : piece)).filter((piece) => piece !== "");
}
