import { memo } from "react";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { FooterColumn } from "./FooterColumn";
import { NewsletterForm } from "./NewsletterForm";
import { SHOP_LINKS } from "./shopLinks";
import type { ShopLink } from "./shopLinks";
import { SHOP_NAME } from "./shopName";
import "./Footer.css";

const [NEW_ARRIVALS, BEST_SELLERS, DEALS, BRANDS] = SHOP_LINKS;

const SHOP_COLUMN: readonly ShopLink[] = [
  { href: "/products", name: "All Products" },
  { href: "/sale", name: "Summer Sale" },
  NEW_ARRIVALS,
  BEST_SELLERS,
  DEALS,
];

const BROWSE_COLUMN: readonly ShopLink[] = [
  { href: "/", name: "Home" },
  { href: "/categories", name: "Categories" },
  BRANDS,
];

/** Memoised, because the layout renders again while the next page loads. */
export const Footer = memo(function Footer() {
  return (
    <footer className="Footer">
      <div className="Footer-columns container">
        <section className="Footer-newsletter" aria-labelledby="Footer-newsletter">
          <h2 className="Footer-title Footer-title--large" id="Footer-newsletter">
            First look at what is new
          </h2>
          <NewsletterForm />
        </section>
        <FooterColumn title="Shop" links={SHOP_COLUMN} />
        <FooterColumn title="Browse" links={BROWSE_COLUMN} />
        <section className="Footer-promises" aria-labelledby="Footer-promises">
          <h2 className="Footer-title" id="Footer-promises">
            Good to know
          </h2>
          <ul className="Footer-list">
            <li>Free shipping on orders over $50</li>
            <li>Returns within 30 days</li>
            <li>Support day and night, 24/7</li>
          </ul>
        </section>
      </div>
      <div className="Footer-end container">
        <Link className="Footer-name" to={pageHref("/")}>
          {SHOP_NAME}
        </Link>
        <p>A sample shop. Nothing here can be bought.</p>
      </div>
    </footer>
  );
});
