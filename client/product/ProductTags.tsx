import { Link } from "../navigation/Link";
import { searchHref } from "../navigation/searchUrl";
import { List } from "../ui/List";
import "./ProductTags.css";

interface ProductTagsProps {
  tags: readonly string[];
}

/** The tags of a product. Each is a link to a search for it. */
export function ProductTags({ tags }: ProductTagsProps) {
  const links = [...new Set(tags)].flatMap((tag) => {
    const href = searchHref(tag);
    return href === undefined ? [] : [{ tag, href }];
  });
  if (links.length === 0) return null;
  return (
    <List className="ProductTags" aria-label="Tags">
      {links.map(({ tag, href }) => (
        <li key={tag} className="ProductTags-item">
          <Link className="ProductTags-tag" to={href}>
            <bdi className="ProductTags-name">{tag}</bdi>
          </Link>
        </li>
      ))}
    </List>
  );
}
