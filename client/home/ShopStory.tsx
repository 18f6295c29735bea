import type { CategoryCard, Story } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { Sill } from "../ui/Sill";
import "./ShopStory.css";

interface ShopStoryProps {
  story: Story;
  categories: readonly CategoryCard[];
  /** Whether there are categories to lead to. */
  hasLink: boolean;
}

/** What the shop tells of itself, beside a window with pictures that the page has already. */
export function ShopStory({ story: { title, text, link }, categories, hasLink }: ShopStoryProps) {
  return (
    <section className="ShopStory" aria-labelledby="ShopStory-title">
      <div>
        <h2 className="ShopStory-title" id="ShopStory-title">
          {title}
        </h2>
        <p className="ShopStory-text">{text}</p>
        {hasLink && (
          <Link className="ShopStory-link button" to={pageHref("/categories")}>
            {link}
          </Link>
        )}
      </div>
      <div className="ShopStory-window" aria-hidden="true">
        <Sill cards={categories} />
      </div>
    </section>
  );
}
