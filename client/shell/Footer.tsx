import { memo } from "react";
import type { Shop, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { OperatorLink } from "../ui/OperatorLink";
import { FooterColumn } from "./FooterColumn";
import { NewsletterForm } from "./NewsletterForm";
import { linksOf, SHOP_LINKS } from "./shopLinks";
import type { PageLink } from "./shopLinks";
import "./Footer.css";

const [NEW_ARRIVALS, BEST_SELLERS, DEALS, BRANDS] = SHOP_LINKS;

const ALL_PRODUCTS: PageLink = { href: "/products", text: "All Products" };

function shopColumn({ links, sale }: Shop, unrated: boolean): readonly ShopLink[] {
  return [ALL_PRODUCTS, ...(links ?? linksOf([{ href: "/sale", text: sale }, NEW_ARRIVALS, BEST_SELLERS, DEALS], unrated))];
}

const BROWSE_COLUMN: readonly PageLink[] = [
  { href: "/", text: "Home" },
  { href: "/categories", text: "Categories" },
  BRANDS,
];

interface FooterProps {
  shop: Shop;
  /** Whether no product has a rating. */
  unrated: boolean;
}

/** Memoised, because the layout renders again while the next page loads. */
export const Footer = memo(function Footer({ shop, unrated }: FooterProps) {
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
        <FooterColumn title="Shop" links={shopColumn(shop, unrated)} />
        <FooterColumn title="Browse" links={BROWSE_COLUMN} />
        {contact !== undefined && <FooterColumn title="Contact" links={contact} />}
        {legal !== undefined && <FooterColumn title="Legal" links={legal} />}
        {notes.length > 0 && (
          <section className="Footer-promises" aria-labelledby="Footer-promises">
            <h2 className="Footer-title" id="Footer-promises">
              Good to know
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
