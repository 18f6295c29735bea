import { memo } from "react";
import type { Shop, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { FooterColumn } from "./FooterColumn";
import { NewsletterForm } from "./NewsletterForm";
import { linksOf, SHOP_LINKS } from "./shopLinks";
import type { PageLink } from "./shopLinks";
import "./Footer.css";

const [NEW_ARRIVALS, BEST_SELLERS, DEALS, BRANDS] = SHOP_LINKS;

const shopColumn = (sale: string): readonly PageLink[] => [
  { href: "/products", name: "All Products" },
  { href: "/sale", name: sale },
  NEW_ARRIVALS,
  BEST_SELLERS,
  DEALS,
];

const BROWSE_COLUMN: readonly PageLink[] = [
  { href: "/", name: "Home" },
  { href: "/categories", name: "Categories" },
  BRANDS,
];

const named = (links: readonly ShopLink[]) => links.map(({ text, href }) => ({ name: text, href }));

interface FooterProps {
  shop: Shop;
  /** Whether no product has a rating. */
  unrated: boolean;
}

/** Memoised, because the layout renders again while the next page loads. */
export const Footer = memo(function Footer({ shop: { name, notes, newsletter, contact, legal, closing, sale }, unrated }: FooterProps) {
  return (
    <footer className="Footer">
      <div className="Footer-columns container">
        {newsletter !== undefined && (
          <section className="Footer-newsletter" aria-labelledby="Footer-newsletter">
            <h2 className="Footer-title Footer-title--large" id="Footer-newsletter">
              {newsletter.title}
            </h2>
            <NewsletterForm invitation={newsletter.invitation} />
          </section>
        )}
        <FooterColumn title="Shop" links={linksOf(shopColumn(sale), unrated)} />
        <FooterColumn title="Browse" links={BROWSE_COLUMN} />
        {contact !== undefined && <FooterColumn title="Contact" links={named(contact)} />}
        {legal !== undefined && <FooterColumn title="Legal" links={named(legal)} />}
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
