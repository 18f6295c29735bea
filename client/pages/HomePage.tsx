import { CategoryList } from "../components/CategoryList";
import { ProductSection } from "../components/ProductSection";
import { SaleBanner } from "../components/SaleBanner";
import { SectionHeading } from "../components/SectionHeading";
import { ShopStats } from "../components/ShopStats";
import type { Home, ProductCard } from "../contract.gen";
import "./HomePage.css";

export function HomePage({ home }: { home: Home }) {
  return (
    <div className="HomePage container">
      <SaleBanner />
      <ShopStats />
      {home.categories.length > 0 && (
        <section aria-labelledby="HomePage-categories">
          <SectionHeading id="HomePage-categories" title="Categories" href="/categories" />
          <CategoryList categories={home.categories} layout="shelf" />
        </section>
      )}
      <ProductSection title="Featured" section={home.featured} onAdd={logAdded} />
      <ProductSection title="Best Sellers" section={home.bestSellers} onAdd={logAdded} />
      <ProductSection title="New Arrivals" section={home.newArrivals} onAdd={logAdded} />
    </div>
  );
}

function logAdded(product: ProductCard) {
  console.log("Added to cart:", product.title);
}
