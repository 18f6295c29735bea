import type { Fact } from "../contract.gen";
import { Icon } from "../ui/Icon";
import "./ProductFacts.css";

interface ProductFactsProps {
  facts: readonly Fact[];
}

/** What is known of a product beside its text: shipping, returns, warranty, dimensions and weight. */
export function ProductFacts({ facts }: ProductFactsProps) {
  return (
    <dl className="ProductFacts">
      {facts.map(({ name, text, icon }, place) => (
        <div key={place} className="ProductFacts-fact">
          <dt className="ProductFacts-name">
            <Icon name={icon} className="ProductFacts-icon" size={20} />
            <span>{name}</span>
          </dt>
          <dd className="ProductFacts-text" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
