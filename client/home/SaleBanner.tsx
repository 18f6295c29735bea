import type { Banner } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { SummerWindow } from "./SummerWindow";
import "./SaleBanner.css";

export function SaleBanner({ banner: { occasion, title, text, tag } }: { banner: Banner }) {
  return (
    <section className="SaleBanner" aria-labelledby="SaleBanner-title">
      <div className="SaleBanner-panel">
        <div className="SaleBanner-words">
          <h1 className="SaleBanner-title" id="SaleBanner-title" tabIndex={-1}>
            <span className="SaleBanner-eyebrow">{occasion}</span>{" "}
            <span className="SaleBanner-promise">{title}</span>
          </h1>
          <p className="SaleBanner-text">{text}</p>
          <div className="SaleBanner-links">
            <Link className="SaleBanner-link button" to={pageHref("/sale")}>
              Shop the sale
            </Link>
            <Link className="SaleBanner-link SaleBanner-link--quiet button" to={pageHref("/products")}>
              All products
            </Link>
          </div>
        </div>
        <SummerWindow tag={tag} />
      </div>
    </section>
  );
}
