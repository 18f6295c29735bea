import { useState } from "react";
import type { Categories } from "../contract.gen";
import { categoriesHref } from "../navigation/addresses";
import { usePageRouter } from "../navigation/usePageRouter";
import { CategoryFilter } from "../overview/CategoryFilter";
import { LayoutToggle } from "../overview/LayoutToggle";
import { PageHeading } from "../overview/PageHeading";
import { CategoryList } from "../ui/CategoryList";
import { FailureNotice } from "../ui/FailureNotice";
import "./CategoriesPage.css";

export function CategoriesPage({ content }: { content: Categories }) {
  const router = usePageRouter();
  const [layout, setLayout] = useState<"grid" | "list">("grid");
  const [text, setText] = useState(content.query);
  const [shownContent, setShownContent] = useState(content);

  // New content belongs to another address, with a filter of its own.
  if (shownContent !== content) {
    setShownContent(content);
    setText(content.query);
  }

  const query = text.trim();
  const matching = content.categories.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));

  function filter(next: string) {
    setText(next);
    // All categories are loaded already, so only the address changes.
    router.rewriteAddress(categoriesHref(next));
  }

  return (
    <div className="CategoriesPage container">
      <PageHeading title="Categories" text="Every corner of the shop, from the kitchen to the car park." />
      {content.failed ? (
        <FailureNotice what="categories" heading="h2" />
      ) : (
        <>
          <div className="CategoriesPage-tools">
            <CategoryFilter text={text} onChange={filter} />
            <LayoutToggle layout={layout} onChange={setLayout} />
          </div>
          <p className="CategoriesPage-result" role="status">
            {matching.length > 0
              ? `${matching.length} ${matching.length === 1 ? "category" : "categories"}`
              : `No categories found matching "${query}"`}
          </p>
          <CategoryList categories={matching} layout={layout} priorityCount={6} />
        </>
      )}
    </div>
  );
}
