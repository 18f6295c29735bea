import { useId } from "react";
import type { Brand } from "../contract.gen";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { withKeys } from "../ui/withKeys";
import "./BrandGroup.css";

interface BrandGroupProps {
  initial: string;
  brands: readonly Brand[];
}

export function BrandGroup({ initial, brands }: BrandGroupProps) {
  const id = useId();
  return (
    <section className="BrandGroup" aria-labelledby={id}>
      <h2 className="BrandGroup-initial" id={id}>
        {initial}
      </h2>
      <ul className="BrandGroup-list">
        {withKeys(brands, ({ name }) => name).map(([key, { name, count, href }]) => (
          <li key={key}>
            <Link className="BrandGroup-link" to={href}>
              <span className="BrandGroup-name" dir="auto">
                {name}
              </span>{" "}
              <span className="BrandGroup-count">
                <span>{count}</span>
                <span className="visually-hidden">{` ${text(Key.productsAfter, count)}`}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
