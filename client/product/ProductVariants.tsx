import type { AvailabilityLabel, ProductDetail } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Toggle } from "../ui/Toggle";
import { withKeys } from "../ui/withKeys";
import "./ProductVariants.css";

interface ProductVariantsProps {
  product: ProductDetail;
}

function stock(tone: AvailabilityLabel["tone"] | undefined): string {
  return `ProductVariants-cell ProductVariants-stock${tone === undefined ? "" : ` ProductVariants-stock--${tone}`}`;
}

/** The options of a product's variants, and a table of the variants. There is nothing to choose. */
export function ProductVariants({ product: { options = [], variants = [] } }: ProductVariantsProps) {
  if (options.length === 0) return null;
  return (
    <div className="ProductVariants">
      <dl className="ProductVariants-options">
        {withKeys(options, ({ name }) => name).map(([key, { name, values }]) => (
          <div key={key} className="ProductVariants-option">
            <dt className="ProductVariants-name">
              <bdi>{name}</bdi>
            </dt>
            <dd className="ProductVariants-values">
              <bdi>{values}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {variants.length > 0 && (
        <details className="ProductVariants-all">
          <Toggle>
            <span>{text(Key.allVariants, variants.length)}</span>
          </Toggle>
          <table className="ProductVariants-table">
            <thead>
              <tr>
                {([Key.variant, Key.availability, Key.price] as const).map((name) => (
                  <th key={name} scope="col" className="ProductVariants-head">
                    <span className="visually-hidden">{text(name)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {withKeys(variants, ({ name }) => name).map(([key, { name, sku, availability, price }]) => (
                <tr key={key}>
                  <th scope="row" className="ProductVariants-cell">
                    <bdi>{name}</bdi>
                    {sku !== "" && <bdi className="ProductVariants-sku">{sku}</bdi>}
                  </th>
                  <td className={stock(availability?.tone)}>{availability?.text}</td>
                  <td className="ProductVariants-cell ProductVariants-price">{price}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}
