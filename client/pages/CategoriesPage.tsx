import { useState } from "react";
import type { Categories } from "../contract.gen";
import { categoriesHref } from "../navigation/addresses";
import { foldText } from "../navigation/foldText";
import { Link } from "../navigation/Link";
import { CategoryFilter } from "../overview/CategoryFilter";
import { OverviewPages } from "../overview/OverviewPages";
import { PageHeading } from "../overview/PageHeading";
import { useCategoryFilter } from "../overview/useCategoryFilter";
import { FurtherStyles } from "../ui/FurtherStyles";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { CategoryList } from "../ui/CategoryList";
import { FailureNotice } from "../ui/FailureNotice";
import { LayoutToggle } from "../ui/LayoutToggle";
import "./CategoriesPage.css";

export function CategoriesPage({ content }: { content: Categories }) {
  const [layout, setLayout] = useState<"grid" | "list">("grid");
  const { text: typed, change } = useCategoryFilter(content);
  const { pages } = content;

  // The host has filtered many categories, and sent one page of them.
  const query = pages === undefined ? typed.trim() : content.query;
  const folded = foldText(query);
  const matching =
    pages === undefined
      ? content.categories.filter(({ name }) => foldText(name).includes(folded))
      : content.categories;
  const total = pages?.total ?? matching.length;

  return (
    <div className="CategoriesPage container">
      <PageHeading title={text(Key.categories)} text={text(Key.categoriesIntroduction)} />
      {content.failed ? (
        <FailureNotice failure={Key.categoriesFailed} heading="h2" />
      ) : (
        <>
          <div className="CategoriesPage-tools">
            <CategoryFilter text={typed} onChange={change} />
            <LayoutToggle layout={layout} onChange={setLayout} />
          </div>
          <p className="CategoriesPage-result" role="status">
            {total > 0
              ? text(Key.numberOfCategories, total)
              : text(Key.noCategories, query)}
          </p>
          {total === 0 && query !== "" && (
            <Link className="CategoriesPage-all button button--quiet" to={categoriesHref("")}>
              {text(Key.showAllCategories)}
            </Link>
          )}
          <CategoryList categories={matching} layout={layout} priorityCount={6} />
          <FurtherStyles />
          {pages !== undefined && (
            <OverviewPages pages={pages} href={(page) => categoriesHref(content.query, page)} />
          )}
        </>
      )}
    </div>
  );
}
