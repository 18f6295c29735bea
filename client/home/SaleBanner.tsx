import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { SummerWindow } from "./SummerWindow";
import "./SaleBanner.css";

export function SaleBanner() {
  return (
    <section className="SaleBanner" aria-labelledby="SaleBanner-title">
      <div className="SaleBanner-panel">
        <div className="SaleBanner-words">
          <h1 className="SaleBanner-title" id="SaleBanner-title" tabIndex={-1}>
            <span className="SaleBanner-eyebrow">Summer Sale</span>{" "}
            <span className="SaleBanner-promise">Up to 50% off</span>
          </h1>
          <p className="SaleBanner-text">
            Sunny days, lighter prices. Fill your bag with favourites for the beach, the garden and the long evenings.
          </p>
          <div className="SaleBanner-links">
            <Link className="SaleBanner-link button" to={pageHref("/sale")}>
              Shop the sale
            </Link>
            <Link className="SaleBanner-link SaleBanner-link--quiet button" to={pageHref("/products")}>
              All products
            </Link>
          </div>
        </div>
        <SummerWindow />
      </div>
    </section>
  );
}
