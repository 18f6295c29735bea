import { useState } from "react";
import type { Category, Page } from "../contract.gen";
import { isPage } from "../data";
import { useMatches } from "../router";

interface CurrentPage {
  /** Absent when the address's data could not be loaded. */
  page: Page | undefined;
  /** For the header's menu: the last ones known, because a failed page must not empty it. */
  categories: Category[];
}

export function useCurrentPage(): CurrentPage {
  const data = useMatches().at(-1)?.loaderData;
  const page = isPage(data) ? data : undefined;
  const [categories, setCategories] = useState(page?.categories ?? []);
  if (page !== undefined && page.categories.length > 0 && page.categories !== categories) {
    setCategories(page.categories);
  }
  return { page, categories };
}
