import type { ProductCard, Suggestions } from "../contract.gen";
import { categoryHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { searchHref } from "../navigation/searchUrl";
import { phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { ProductGrid } from "../ui/ProductGrid";
import { withKeys } from "../ui/withKeys";
import "./SearchSuggestions.css";

interface SearchSuggestionsProps {
  suggestions: Suggestions;
  onAdd: (product: ProductCard) => void;
}

/** In a search that finds nothing: what it names, similar words, categories, and a row of popular products. */
export function SearchSuggestions({ suggestions: { named, words, categories, popular }, onAdd }: SearchSuggestionsProps) {
  const searches = words.flatMap((word) => {
    const href = searchHref(word);
    return href === undefined ? [] : [{ name: word, href }];
  });
  const places = categories.map(({ slug, name }) => ({ name, href: categoryHref(slug) }));
  return (
    <div className="SearchSuggestions">
      {named.length > 0 && (
        <List className="SearchSuggestions-links" aria-label={text(Key.namedLikeSearch)}>
          {withKeys(named, ({ href }) => href).map(([key, { name, count, href }]) => (
            <li key={key}>
              <Link className="button button--primary" to={href}>
                <span>{phrase(Key.shopAt, <bdi>{name}</bdi>)}</span>
                <span className="SearchSuggestions-count">{` ${text(Key.numberOfProducts, count)}`}</span>
              </Link>
            </li>
          ))}
        </List>
      )}
      <SuggestionLinks title={text(Key.didYouMean)} links={searches} />
      <SuggestionLinks title={text(Key.lookAroundIn)} links={places} />
      {popular.length > 0 && (
        <>
          <h3 className="SearchSuggestions-title">{text(Key.popularProducts)}</h3>
          <ProductGrid products={popular} onAdd={onAdd} rows={1} />
        </>
      )}
    </div>
  );
}

interface SuggestionLinksProps {
  title: string;
  links: readonly { name: string; href: string }[];
}

function SuggestionLinks({ title, links }: SuggestionLinksProps) {
  if (links.length === 0) return null;
  return (
    <>
      <h3 className="SearchSuggestions-title">{title}</h3>
      <List className="SearchSuggestions-links" aria-label={title}>
        {withKeys(links, ({ href }) => href).map(([key, { name, href }]) => (
          <li key={key}>
            <Link className="button button--quiet" to={href}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </List>
    </>
  );
}
