import type { CategoryCard } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { Sill } from "../ui/Sill";
import "./ShopStory.css";

/** What the shop's name means, beside a window with pictures that the page has already. */
export function ShopStory({ categories }: { categories: readonly CategoryCard[] }) {
  return (
    <section className="ShopStory" aria-labelledby="ShopStory-title">
      <div>
        <h2 className="ShopStory-title" id="ShopStory-title">
          Only looking? Please do.
        </h2>
        <p className="ShopStory-text">
          A vitrine is what the French call a shop window. So that is what this shop is made of: good things on the
          sill, the price on the tag, and the light left on in the evening.
        </p>
        <Link className="ShopStory-link button" to={pageHref("/categories")}>
          Stroll past every window
        </Link>
      </div>
      <div className="ShopStory-window" aria-hidden="true">
        <Sill cards={categories} />
      </div>
    </section>
  );
}
