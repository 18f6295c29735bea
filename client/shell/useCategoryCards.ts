import { useState } from "react";
import type { CategoryCard } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { isOfOtherBuild } from "../navigation/data";
import { usePageRouter } from "../navigation/usePageRouter";

/** The categories with their pictures, which are none at first, and what loads them. */
export function useCategoryCards(): [cards: readonly CategoryCard[], load: () => void] {
  const { load } = usePageRouter();
  const [cards, setCards] = useState<readonly CategoryCard[]>([]);

  function loadOnce() {
    if (cards.length > 0) return;
    load(pageHref("/categories")).then(
      (page) => {
        if (page.content.kind === "categories" && !isOfOtherBuild(page)) setCards(page.content.categories);
      },
      // There are no pictures then.
      () => undefined,
    );
  }

  return [cards, loadOnce];
}
