import { useEffect, useState } from "react";
import type { ProductCard, Saved } from "../contract.gen";
import { savedCards } from "../navigation/data";
import { PageHeading } from "../overview/PageHeading";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { FailureNotice } from "../ui/FailureNotice";
import { Icon } from "../ui/Icon";
import { List } from "../ui/List";
import { ProductGrid } from "../ui/ProductGrid";
import { readSaved, toggleSaved, useSaved } from "../ui/savedProducts";
import "./SavedPage.css";

/** The products that this browser keeps, as they are today. What is removed stays in sight until the page is left. */
export function SavedPage({ content: { title, introduction, needsScript, nothing, gone: goneTitle } }: { content: Saved }) {
  const [cards, setCards] = useState<readonly ProductCard[] | null>();
  const saved = useSaved();

  useEffect(() => {
    savedCards(readSaved().map(({ id }) => id)).then(setCards, () => {
      setCards(null);
    });
  }, []);

  const gone = saved.filter(({ id }) => cards?.some((card) => card.id === id) === false);
  return (
    <div className="SavedPage container">
      <PageHeading title={title} text={introduction} />
      <noscript>
        <p>{needsScript}</p>
      </noscript>
      {cards === null && <FailureNotice failure={Key.productsFailed} heading="h2" />}
      {cards && (
        <>
          <h2 className="visually-hidden">{text(Key.products)}</h2>
          <ProductGrid products={cards} onAdd={() => undefined} />
        </>
      )}
      {gone.length > 0 && (
        <section aria-labelledby="SavedPage-gone">
          <h2 id="SavedPage-gone">{goneTitle}</h2>
          <List className="SavedPage-list">
            {gone.map((product) => (
              <li key={product.id} className="SavedPage-item">
                <bdi>{product.title}</bdi>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={text(Key.removeSaved, product.title)}
                  onClick={() => {
                    toggleSaved(product);
                  }}
                >
                  <Icon name="x" size={20} />
                </button>
              </li>
            ))}
          </List>
        </section>
      )}
      {cards?.length === 0 && gone.length === 0 && <p>{nothing}</p>}
    </div>
  );
}
