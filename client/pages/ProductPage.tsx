import type { Product, ProductCard } from "../contract.gen";
import { categoryHref, pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { ProductGallery } from "../product/ProductGallery";
import { ProductMissing } from "../product/ProductMissing";
import { ProductSummary } from "../product/ProductSummary";
import { RecentlyViewed } from "../product/RecentlyViewed";
import { Reviews } from "../product/Reviews";
import { FurtherStyles } from "../ui/FurtherStyles";
import { phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { ProductShelf } from "../ui/ProductShelf";
import { SectionHeading } from "../ui/SectionHeading";
import "./ProductPage.css";

interface ProductPageProps {
  content: Product;
}

export function ProductPage({ content: { product, failed, related } }: ProductPageProps) {
  if (product === null) return <ProductMissing failed={failed} />;
  const { category } = product;
  const backHref = category === null ? pageHref("/products") : categoryHref(category.slug);
  return (
    <div className="ProductPage container">
      <Link className="ProductPage-back" to={backHref}>
        <Icon name="arrow-left" className="ProductPage-arrow" size={18} />
        <span className="ProductPage-where">
          {phrase(Key.backTo, <bdi>{category?.name ?? text(Key.linkAllProducts)}</bdi>)}
        </span>
      </Link>
      <div className={product.images.length > 0 ? "ProductPage-product" : "ProductPage-product ProductPage-product--plain"}>
        {product.images.length > 0 && (
          <div className={`ProductPage-gallery tint-${product.tint}`}>
            <ProductGallery key={product.images[0]} title={product.title} images={product.images} />
          </div>
        )}
        <ProductSummary product={product} />
      </div>
      <FurtherStyles />
      {product.reviews !== null && <Reviews rating={product.rating} reviews={product.reviews} />}
      {related.length > 0 && (
        <section aria-labelledby="related-title">
          <SectionHeading id="related-title" title={category === null ? text(Key.moreFromShop) : text(Key.moreFrom, category.name)} href={backHref} />
          <ProductShelf products={related} onAdd={logAdded} />
        </section>
      )}
      <RecentlyViewed current={product} />
    </div>
  );
}

function logAdded(product: ProductCard): void {
  console.log("Add to cart:", product.title);
}
