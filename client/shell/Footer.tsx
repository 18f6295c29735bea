import { memo } from "react";
import type { Shop, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { OperatorLink } from "../ui/OperatorLink";
import { FooterColumn } from "./FooterColumn";
import { NewsletterForm } from "./NewsletterForm";
import { linksOf, shopLinks } from "./shopLinks";
import type { PageLink } from "./shopLinks";
import "./Footer.css";

function shopColumn({ links, sale }: Shop, empty: readonly string[]): readonly ShopLink[] {
  const all: PageLink = { href: "/products", text: text(Key.allProducts) };
  const [newArrivals, bestSellers, deals] = shopLinks();
  return linksOf([all, ...(links ?? [{ href: "/sale", text: sale }, newArrivals, bestSellers, deals])], empty);
}

function browseColumn(): readonly PageLink[] {
  const [, , , brands] = shopLinks();
  return [{ href: "/", text: text(Key.home) }, { href: "/categories", text: text(Key.categories) }, brands];
}

interface FooterProps {
  shop: Shop;
  /** The pages that would be empty. */
  empty: readonly string[];
}

/** Memoised, because the layout renders again while the next page loads. */
export const Footer = memo(function Footer({ shop, empty }: FooterProps) {
  const { name, notes, newsletter, contact, legal, closing } = shop;
  return (
    <footer className="Footer">
      <div className="Footer-columns container">
        {newsletter !== undefined && (
          <section className="Footer-newsletter" aria-labelledby="Footer-newsletter">
            <h2 className="Footer-title Footer-title--large" id="Footer-newsletter">
              {newsletter.title}
            </h2>
            {newsletter.href === undefined ? (
              <NewsletterForm invitation={newsletter.invitation} />
            ) : (
              <OperatorLink className="button" href={newsletter.href}>
                {newsletter.invitation}
              </OperatorLink>
            )}
          </section>
        )}
        <FooterColumn id="Shop" title={text(Key.shop)} links={shopColumn(shop, empty)} />
        <FooterColumn id="Browse" title={text(Key.browse)} links={linksOf(browseColumn(), empty)} />
        {contact !== undefined && <FooterColumn id="Contact" title={text(Key.contact)} links={contact} />}
        {legal !== undefined && <FooterColumn id="Legal" title={text(Key.legal)} links={legal} />}
        {notes.length > 0 && (
          <section className="Footer-promises" aria-labelledby="Footer-promises">
            <h2 className="Footer-title" id="Footer-promises">
              {text(Key.goodToKnow)}
            </h2>
            <ul className="Footer-list">
              {notes.map((note, index) => (
                <li key={index}>{note}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div className="Footer-end container">
        <Link className="Footer-name" to={pageHref("/")}>
          {name}
        </Link>
        {closing !== undefined && <p>{closing}</p>}
      </div>
    </footer>
  );
});
