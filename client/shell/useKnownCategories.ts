import { useState } from "react";
import type { Category, Page } from "../contract.gen";

/** The categories of the header's menu: the last known ones, because a page that failed to load has none. */
export function useKnownCategories(page: Page | undefined): readonly Category[] {
  const [known, setKnown] = useState(page?.categories ?? []);
  const given = page?.categories ?? [];
  if (given.length > 0 && given !== known) setKnown(given);
  return known;
}
