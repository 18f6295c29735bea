import type { Banner, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { OperatorLink } from "../ui/OperatorLink";
import { SummerWindow } from "./SummerWindow";
import "./SaleBanner.css";

const USUAL_LINKS: ShopLink[] = [
  { text: "Shop the sale", href: pageHref("/sale") },
  { text: "All products", href: pageHref("/products") },
];

export function SaleBanner({ banner: { occasion, title, text, tag, links = USUAL_LINKS } }: { banner: Banner }) {
  return (
    <section className="SaleBanner" aria-labelledby="SaleBanner-title">
      <div className={`SaleBanner-panel${tag === undefined ? " SaleBanner-panel--plain" : ""}`}>
        <div className="SaleBanner-words">
          <h1 className="SaleBanner-title" id="SaleBanner-title" tabIndex={-1}>
            <span className="SaleBanner-eyebrow">{occasion}</span>{" "}
            <span className="SaleBanner-promise">{title}</span>
          </h1>
          {text !== "" && <p className="SaleBanner-text">{text}</p>}
          {links.length > 0 && (
            <div className="SaleBanner-links">
              {links.map(({ text: name, href }, index) => (
                <OperatorLink key={index} className={`SaleBanner-link${index > 0 ? " SaleBanner-link--quiet" : ""} button`} href={href}>
                  {name}
                </OperatorLink>
              ))}
            </div>
          )}
        </div>
        {tag !== undefined && <SummerWindow tag={tag} />}
      </div>
    </section>
  );
}
