import { useState } from "react";
import { CategoryFilter } from "../components/CategoryFilter";
import { CategoryList } from "../components/CategoryList";
import { FailureNotice } from "../components/FailureNotice";
import { LayoutToggle } from "../components/LayoutToggle";
import { PageHeading } from "../components/PageHeading";
import type { Categories } from "../contract.gen";
import "./CategoriesPage.css";

export function CategoriesPage({ content }: { content: Categories }) {
  const [layout, setLayout] = useState<"grid" | "list">("grid");
  const [text, setText] = useState(content.query);
  const [shown, setShown] = useState(content);
  // Back, forward and links bring the filter of their own address.
  if (shown !== content) {
    setShown(content);
    setText(content.query);
  }

  const wanted = text.trim();
  const matching = content.categories.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));

  function filter(next: string) {
    setText(next);
    // The list is here already, so only the address follows; the router's state is kept for its way back.
    const query = next.trim() === "" ? "" : `?q=${encodeURIComponent(next.trim())}`;
    window.history.replaceState(window.history.state, "", window.location.pathname + query);
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
              : `No categories found matching "${wanted}"`}
          </p>
          <CategoryList categories={matching} layout={layout} priorityCount={6} />
        </>
      )}
    </div>
  );
}
