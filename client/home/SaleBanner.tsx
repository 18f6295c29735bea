import type { Banner, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { OperatorLink } from "../ui/OperatorLink";
import { BannerWindow } from "./BannerWindow";
import { SummerWindow } from "./SummerWindow";
import "./SaleBanner.css";

function usualLinks(): ShopLink[] {
  return [
    { text: text(Key.shopTheSale), href: pageHref("/sale") },
    { text: text(Key.allProductsLink), href: pageHref("/products") },
  ];
}

export function SaleBanner({ banner: { occasion, title, text: words, tag, picture, links = usualLinks() } }: { banner: Banner }) {
  return (
    <section className="SaleBanner" aria-labelledby="SaleBanner-title">
      <div className={`SaleBanner-panel${tag === undefined && picture === undefined ? " SaleBanner-panel--plain" : ""}`}>
        <div className="SaleBanner-words">
          <h1 className="SaleBanner-title" id="SaleBanner-title" tabIndex={-1}>
            <span className="SaleBanner-eyebrow">{occasion}</span>{" "}
            <span className="SaleBanner-promise">{title}</span>
          </h1>
          {words !== "" && <p className="SaleBanner-text">{words}</p>}
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
        {picture !== undefined && <BannerWindow picture={picture} />}
      </div>
    </section>
  );
}
