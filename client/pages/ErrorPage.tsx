import type { ReactElement } from "react";
import { categoriesHref, pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
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
  return (
    <div className="ErrorPage container">
      <EmptyWindow sign={status === undefined ? "closed" : String(status)} />
      <h1 className="ErrorPage-title" tabIndex={-1}>
        <span className="ErrorPage-oops">Oops!</span> <span>Sorry, an unexpected error has occurred.</span>
      </h1>
      <p className="ErrorPage-message" dir="auto">
        {message === "" ? "Unknown error" : message}
      </p>
      <Link className="button button--primary" to={pageHref("/")}>
        Back to the homepage
      </Link>
      {status === NOT_FOUND && (
        <p className="ErrorPage-ways">
          or see <Link to={pageHref("/products")}>all products</Link>, <Link to={categoriesHref("")}>all categories</Link>{" "}
          or <Link to={pageHref("/sale")}>what is on sale</Link>
        </p>
      )}
      {children}
    </div>
  );
}
