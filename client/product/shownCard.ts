import type { Page, ProductCard } from "../contract.gen";
import { productHref } from "../navigation/addresses";

/** The card on a page that leads to a product's address, if there is one. */
export function shownCard(page: Page, pathname: string): ProductCard | undefined {
  return cardsOf(page).find(({ id }) => productHref(id) === pathname);
}

function cardsOf({ content }: Page): ProductCard[] {
  switch (content.kind) {
    case "home":
      return [content.featured, content.bestSellers, content.newArrivals].flatMap((section) => section?.products ?? []);
    case "listing":
      return [...content.products, ...(content.suggestions?.popular ?? [])];
    case "product":
      return content.related;
    default:
      return [];
  }
}
