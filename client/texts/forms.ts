/** Between the forms of a text that depends on a count. */
const BETWEEN_FORMS = "\n";

/**
 * The pieces of a text in their order, with values for `{0}` and so on. The first value may be a count, which decides on the
 * form: the rule has a digit for each number below 100, then for the last two digits of others.
 */
export function pieces<Value>(text: string, rule: string, values: readonly Value[]): (string | Value)[] {
  const forms = text.split(BETWEEN_FORMS);
  const count = Number(values[0]);
  const form = Number(rule[count < 100 ? count : 100 + (count % 100)] ?? rule.at(-1));
  // A text with one form has it for every count.
  const parts = (forms[form] ?? text).split(/{(\d)}/);
  return parts.map((part, at) => (at % 2 === 1 ? (values[Number(part)] as Value) : part));
}
