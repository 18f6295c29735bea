import type { ProductDetail } from "../contract.gen";
import { Icon } from "../ui/Icon";
import "./ProductFacts.css";

interface ProductFactsProps {
  product: ProductDetail;
}

/** Shipping, returns, warranty, dimensions and weight, as far as they are known. */
export function ProductFacts({ product }: ProductFactsProps) {
  const facts = [
    { name: "Shipping", text: product.shipping, icon: "truck" },
    { name: "Returns", text: product.returns, icon: "package-open" },
    { name: "Warranty", text: product.warranty, icon: "shield-check" },
    { name: "Dimensions", text: product.dimensions, icon: "ruler" },
    { name: "Weight", text: product.weight, icon: "weight" },
  ] as const;
  return (
    <dl className="ProductFacts">
      {facts.map(
        ({ name, text, icon }) =>
          text !== null &&
          text !== "" && (
            <div key={name} className="ProductFacts-fact">
              <dt className="ProductFacts-name">
                <Icon name={icon} className="ProductFacts-icon" size={20} />
                <span>{name}</span>
              </dt>
              <dd className="ProductFacts-text" dir="auto">
                {text}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
