import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/router";
import { SHOP_NAME } from "./shopName";
import "./Logo.css";

/** The drawing of a shop window, and the name. */
export function Logo() {
  return (
    <Link className="Logo" to={pageHref("/")} aria-label={`${SHOP_NAME}, home`}>
      <svg className="Logo-mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
        <path className="Logo-window" d="M4 13v14a2 2 0 0 0 2 2h20a2 2 0 0 0 2-2V13z" />
        <path className="Logo-glass" d="M8 15h16v10H8z" />
        <path className="Logo-awning" d="M6 3h20l4 8v2a3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0v-2z" />
      </svg>
      <span>{SHOP_NAME}</span>
    </Link>
  );
}
