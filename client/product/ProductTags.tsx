import type { Tag } from "../contract.gen";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { withKeys } from "../ui/withKeys";
import "./ProductTags.css";

interface ProductTagsProps {
  tags: readonly Tag[];
}

/** The tags of a product. Each is a link to the products that carry it, where the host knows them. */
export function ProductTags({ tags }: ProductTagsProps) {
  if (tags.length === 0) return null;
  return (
    <List className="ProductTags" aria-label={text(Key.tags)}>
      {withKeys(tags, ({ name }) => name).map(([key, { name, href }]) => {
        const label = <bdi className="ProductTags-name">{name}</bdi>;
        return (
          <li key={key} className="ProductTags-item">
            {href === undefined ? (
              <span className="ProductTags-tag">{label}</span>
            ) : (
              <Link className="ProductTags-tag ProductTags-tag--link" to={href}>
                {label}
              </Link>
            )}
          </li>
        );
      })}
    </List>
  );
}
