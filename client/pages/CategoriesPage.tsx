import { useState } from "react";
import type { Categories } from "../contract.gen";
import { categoriesHref } from "../navigation/addresses";
import { foldText } from "../navigation/foldText";
import { Link } from "../navigation/Link";
import { CategoryFilter } from "../overview/CategoryFilter";
import { LayoutToggle } from "../overview/LayoutToggle";
import { OverviewPages } from "../overview/OverviewPages";
import { PageHeading } from "../overview/PageHeading";
import { useCategoryFilter } from "../overview/useCategoryFilter";
import { CategoryList } from "../ui/CategoryList";
import { FailureNotice } from "../ui/FailureNotice";
import "./CategoriesPage.css";

export function CategoriesPage({ content }: { content: Categories }) {
  const [layout, setLayout] = useState<"grid" | "list">("grid");
  const { text, change } = useCategoryFilter(content);
  const { pages } = content;

  // The host has filtered many categories, and sent one page of them.
  const query = pages === undefined ? text.trim() : content.query;
  const folded = foldText(query);
  const matching =
    pages === undefined
      ? content.categories.filter(({ name }) => foldText(name).includes(folded))
      : content.categories;
  const total = pages?.total ?? matching.length;

  return (
    <div className="CategoriesPage container">
      <PageHeading title="Categories" text="Every corner of the shop." />
      {content.failed ? (
        <FailureNotice what="categories" heading="h2" />
      ) : (
        <>
          <div className="CategoriesPage-tools">
            <CategoryFilter text={text} onChange={change} />
            <LayoutToggle layout={layout} onChange={setLayout} />
          </div>
          <p className="CategoriesPage-result" role="status">
            {total > 0
              ? `${total} ${total === 1 ? "category" : "categories"}`
              : `No categories found matching "${query}"`}
          </p>
          {total === 0 && query !== "" && (
            <Link className="CategoriesPage-all button button--quiet" to={categoriesHref("")}>
              Show all categories
            </Link>
          )}
          <CategoryList categories={matching} layout={layout} priorityCount={6} />
          {pages !== undefined && (
            <OverviewPages pages={pages} href={(page) => categoriesHref(content.query, page)} />
          )}
        </>
      )}
    </div>
  );
}
