import { memo } from "react";
import type { Page } from "../contract.gen";
import { parsePath } from "../navigation/router";
import { BrandsPage } from "../pages/BrandsPage";
import { CategoriesPage } from "../pages/CategoriesPage";
import { ErrorPage } from "../pages/ErrorPage";
import { HomePage } from "../pages/HomePage";
import { ListingPage } from "../pages/ListingPage";
import { OfflinePage } from "../pages/OfflinePage";
import { ProductPage } from "../pages/ProductPage";
import { SavedPage } from "../pages/SavedPage";
import { TextPage } from "../pages/TextPage";

/** Renders a page by its kind. Memoised, because the layout renders again while the next page loads. */
export const PageContent = memo(function PageContent({ page }: { page: Page }) {
  const { content } = page;
  // The key resets the state of a page (quantity, opened groups) when the path changes.
  const key = parsePath(page.path).pathname;
  switch (content.kind) {
    case "home":
      return <HomePage key={key} home={content} />;
    case "categories":
      return <CategoriesPage key={key} content={content} />;
    case "brands":
      return <BrandsPage key={key} content={content} />;
    case "listing":
      return <ListingPage key={key} listing={content} />;
    case "product":
      return <ProductPage key={key} content={content} />;
    case "saved":
      return <SavedPage key={key} content={content} />;
    case "textPage":
      return <TextPage key={key} content={content} />;
    case "offline":
      return <OfflinePage key={key} stored={content.stored} />;
    case "error":
      return <ErrorPage key={key} status={page.status} message={content.message} />;
  }
});
