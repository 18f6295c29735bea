import { useState } from "react";
import type { Category, Page } from "../contract.gen";

interface KnownCategories {
  categories: readonly Category[];
  /** How many there are, if these are not all. */
  total: number | undefined;
  /** The pages that would be empty. */
  empty: readonly string[];
}

const NOTHING: readonly string[] = [];

/** The categories of the header's menu: the last known ones, because a page that failed to load has none. */
export function useKnownCategories(page: Page | undefined): KnownCategories {
  const [known, setKnown] = useState(page);
  if (page !== undefined && page.categories.length > 0 && page !== known) setKnown(page);
  return { categories: known?.categories ?? [], total: known?.categoryTotal, empty: (page ?? known)?.empty ?? NOTHING };
}
