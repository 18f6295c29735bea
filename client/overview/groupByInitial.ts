import type { Brand } from "../contract.gen";
import { foldText } from "../navigation/foldText";

/** Brands by their first letter, without accents as in their order. Those that start with another character are in the group `#`. */
export function groupByInitial(brands: readonly Brand[]): Map<string, Brand[]> {
  const groups = new Map<string, Brand[]>();
  for (const brand of brands) {
    const initial = /^\p{Letter}/u.exec(foldText(brand.name))?.[0].toUpperCase() ?? "#";
    const group = groups.get(initial);
    if (group === undefined) groups.set(initial, [brand]);
    else group.push(brand);
  }
  return groups;
}
