import { Link } from "../../router";
import { searchHref } from "../../searchUrl";
import "./ProductTags.css";

interface ProductTagsProps {
  tags: readonly string[];
}

/** Each tag leads to a search for it. */
export function ProductTags({ tags }: ProductTagsProps) {
  const links = [...new Set(tags)].flatMap((tag) => {
    const href = searchHref(tag);
    return href === undefined ? [] : [{ tag, href }];
  });
  if (links.length === 0) return null;
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets.
    <ul className="ProductTags" role="list" aria-label="Tags">
      {links.map(({ tag, href }) => (
        <li key={tag} className="ProductTags-item">
          <Link className="ProductTags-tag" to={href}>
            <bdi className="ProductTags-name">{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
