import { Link } from "../router";
import { SHOP_LINKS, SHOP_NAME } from "../shop";
import { FooterColumn } from "./FooterColumn";
import { NewsletterForm } from "./NewsletterForm";
import "./Footer.css";

const SHOP_COLUMN = [{ href: "/products", name: "All Products" }, { href: "/sale", name: "Summer Sale" }];
const BROWSE_COLUMN = [{ href: "/", name: "Home" }, { href: "/categories", name: "Categories" }];

export function Footer() {
  const [newArrivals, bestSellers, deals, brands] = SHOP_LINKS;
  return (
    <footer className="Footer">
      <div className="Footer-columns container">
        <section className="Footer-newsletter" aria-labelledby="Footer-newsletter">
          <h2 className="Footer-title Footer-title--large" id="Footer-newsletter">
            First look at what is new
          </h2>
          <NewsletterForm />
        </section>
        <FooterColumn title="Shop" links={[...SHOP_COLUMN, newArrivals, bestSellers, deals]} />
        <FooterColumn title="Browse" links={[...BROWSE_COLUMN, brands]} />
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
        <Link className="Footer-name" to="/">
          {SHOP_NAME}
        </Link>
        <p>A sample shop. Nothing here can be bought.</p>
      </div>
    </footer>
  );
}
