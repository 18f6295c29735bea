/**
 * Each item with a key that no other item has: the text that stands for it, and a number that tells equal ones apart.
 * React duplicates and loses elements whose keys are equal.
 */
export function withKeys<Item>(items: readonly Item[], textOf: (item: Item) => string | number): [key: string, item: Item][] {
  const counts = new Map<string | number, number>();
  return items.map((item) => {
    const text = textOf(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return [`${count} ${text}`, item];
  });
}
