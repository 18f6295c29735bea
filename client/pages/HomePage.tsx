import type { Home, ProductCard } from "../contract.gen";
import { HomeHead } from "../home/HomeHead";
import { ProductSection } from "../home/ProductSection";
import { SaleBanner } from "../home/SaleBanner";
import { ShopStats } from "../home/ShopStats";
import { ShopStory } from "../home/ShopStory";
import { pageHref } from "../navigation/addresses";
import { usePageRouter } from "../navigation/usePageRouter";
import { FurtherStyles } from "../ui/FurtherStyles";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { CategoryList } from "../ui/CategoryList";
import { SectionHeading } from "../ui/SectionHeading";
import "./HomePage.css";

export function HomePage({ home }: { home: Home }) {
  const { banner, figures, story } = home;
  const { shop, empty } = usePageRouter();
  return (
    <div className="HomePage container">
      {banner === undefined ? (
        <HomeHead name={shop.name} tagline={shop.closing} products={home.featured.products} />
      ) : (
        <SaleBanner banner={banner} />
      )}
      {figures !== undefined && <ShopStats figures={figures} />}
      {home.categories.length > 0 && (
        <section aria-labelledby="HomePage-categories">
          <SectionHeading id="HomePage-categories" title={text(Key.categories)} href={pageHref("/categories")} />
          <CategoryList categories={home.categories} layout="shelf" />
        </section>
      )}
      <FurtherStyles />
      <ProductSection title={text(Key.featured)} section={home.featured} onAdd={logAdded} look="lead" />
      {home.bestSellers && <ProductSection title={text(Key.bestSellers)} section={home.bestSellers} onAdd={logAdded} look="ranked" />}
      {story !== undefined && <ShopStory story={story} categories={home.categories} hasLink={!empty.includes("categories")} />}
      {home.newArrivals && <ProductSection title={text(Key.newArrivals)} section={home.newArrivals} onAdd={logAdded} look="window" />}
    </div>
  );
}

function logAdded(product: ProductCard) {
  console.log("Added to cart:", product.title);
}
