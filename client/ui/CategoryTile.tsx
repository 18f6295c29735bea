import type { CategoryCard } from "../contract.gen";
import { categoryHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ProductImage } from "./ProductImage";
import "./CategoryTile.css";

interface CategoryTileProps {
  category: CategoryCard;
  priority?: boolean;
}

export function CategoryTile({ category: { slug, name, thumbnail, count, tint }, priority = false }: CategoryTileProps) {
  return (
    <Link className={`CategoryTile tint-${tint}`} to={categoryHref(slug)}>
      <ProductImage className="CategoryTile-image" src={thumbnail} alt="" priority={priority} tint={tint} name={name} />
      <span className="CategoryTile-words">
        <span className="CategoryTile-name" dir="auto">
          {name}
        </span>
        {count !== null && (
          <span className="CategoryTile-count">{` ${text(Key.numberOfProducts, count)}`}</span>
        )}
      </span>
    </Link>
  );
}
