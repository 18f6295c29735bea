import { PackageOpen, Ruler, ShieldCheck, Truck, Weight } from "lucide-react";
import type { ProductDetail } from "../contract.gen";
import "./ProductFacts.css";

interface ProductFactsProps {
  product: ProductDetail;
}

/** Shipping, returns, warranty, dimensions and weight, as far as they are known. */
export function ProductFacts({ product }: ProductFactsProps) {
  const facts = [
    { name: "Shipping", text: product.shipping, Icon: Truck },
    { name: "Returns", text: product.returns, Icon: PackageOpen },
    { name: "Warranty", text: product.warranty, Icon: ShieldCheck },
    { name: "Dimensions", text: product.dimensions, Icon: Ruler },
    { name: "Weight", text: product.weight, Icon: Weight },
  ];
  return (
    <dl className="ProductFacts">
      {facts.map(
        ({ name, text, Icon }) =>
          text !== null &&
          text !== "" && (
            <div key={name} className="ProductFacts-fact">
              <dt className="ProductFacts-name">
                <Icon className="ProductFacts-icon" aria-hidden="true" size={20} strokeWidth={1.75} />
                {name}
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
