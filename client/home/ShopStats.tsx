import type { Figure } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./ShopStats.css";

export function ShopStats({ figures }: { figures: readonly Figure[] }) {
  return (
    <ul className={`ShopStats ${figures.length === 3 ? "ShopStats--three" : ""}`.trimEnd()} aria-label={text(Key.shopInFigures)}>
      {figures.map(({ figure, meaning }, index) => (
        <li key={index} className="ShopStats-stat">
          <strong className="ShopStats-figure">{figure}</strong> <span className="ShopStats-meaning">{meaning}</span>
        </li>
      ))}
    </ul>
  );
}
