import { useRef, useState } from "react";
import type { CategoryCard } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { isOfOtherBuild } from "../navigation/data";
import { usePageRouter } from "../navigation/usePageRouter";

/**
 * The categories with their pictures, and a function that loads them. The categories are undefined before that call,
 * and an empty list until they arrive.
 */
export function useCategoryCards(): [cards: readonly CategoryCard[] | undefined, load: () => void] {
  const { load } = usePageRouter();
  const [cards, setCards] = useState<readonly CategoryCard[]>();

  const isAsked = useRef(false);

  function loadOnce() {
    if (isAsked.current) return;
    isAsked.current = true;
    setCards([]);
    load(pageHref("/categories")).then(
      (page) => {
        if (page.content.kind === "categories" && !isOfOtherBuild(page)) setCards(page.content.categories);
      },
      () => {
        // Then there are no pictures. They are asked for again when the menu opens the next time.
        isAsked.current = false;
      },
    );
  }

  return [cards, loadOnce];
}
