import { EmptyWindow } from "../components/EmptyWindow";
import { Link } from "../router";
import "./ErrorPage.css";

interface ErrorPageProps {
  /** HTTP status, where there is one. */
  status: number | undefined;
  message: string;
}

export function ErrorPage({ status, message }: ErrorPageProps) {
  return (
    <div className="ErrorPage container">
      <EmptyWindow sign={status === undefined ? "" : String(status)} />
      <h1 className="ErrorPage-title" tabIndex={-1}>
        <span className="ErrorPage-oops">Oops!</span> <span>Sorry, an unexpected error has occurred.</span>
      </h1>
      <p className="ErrorPage-message" dir="auto">
        {message === "" ? "Unknown error" : message}
      </p>
      <Link className="button button--primary" to="/">
        Back to the homepage
      </Link>
    </div>
  );
}
