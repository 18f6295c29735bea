import type { ReactElement } from "react";
import { categoriesHref, pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { usePageRouter } from "../navigation/usePageRouter";
import { language, phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { EmptyWindow } from "../ui/EmptyWindow";
import "./ErrorPage.css";

/** The address leads nowhere, but the shop works. */
const NOT_FOUND = 404;

interface ErrorPageProps {
  /** HTTP status; undefined when there was no answer. */
  status: number | undefined;
  message: string;
  /** What else the visitor can do. */
  children?: ReactElement | false;
}

export function ErrorPage({ status, message, children }: ErrorPageProps) {
  const { empty } = usePageRouter();
  const products = <Link to={pageHref("/products")}>{text(Key.linkAllProducts)}</Link>;
  const categories = !empty.includes("categories") && <Link to={categoriesHref("")}>{text(Key.linkAllCategories)}</Link>;
  const sale = !empty.includes("sale") && <Link to={pageHref("/sale")}>{text(Key.linkSale)}</Link>;
  return (
    <div className="ErrorPage container" lang={language}>
      <EmptyWindow sign={status === undefined ? text(Key.closedSign) : String(status)} />
      <h1 className="ErrorPage-title" tabIndex={-1}>
        <span className="ErrorPage-oops">{text(Key.oops)}</span> <span>{text(Key.unexpectedError)}</span>
      </h1>
      <p className="ErrorPage-message" dir="auto">
        {message === "" ? text(Key.unknownError) : message}
      </p>
      <Link className="button button--primary" to={pageHref("/")}>
        {text(Key.backToHomepage)}
      </Link>
      {status === NOT_FOUND && (
        <p className="ErrorPage-ways">
          {categories && sale ? (
            phrase(Key.orSee, products, categories, sale)
          ) : (
            <>
              {products}
              {(categories || sale) && <span aria-hidden="true">{" · "}</span>}
              {categories || sale}
            </>
          )}
        </p>
      )}
      {children}
    </div>
  );
}
