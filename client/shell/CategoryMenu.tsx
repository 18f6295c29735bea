import { useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { Category } from "../contract.gen";
import { categoryHref, pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { useAfterNextPaint } from "../navigation/useAfterNextPaint";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ButtonLink } from "../ui/ButtonLink";
import { Icon } from "../ui/Icon";
import { Plate } from "../ui/Plate";
import { withKeys } from "../ui/withKeys";
import { useCategoryCards } from "./useCategoryCards";
import "./CategoryMenu.css";

/** The page has one menu of categories. */
const PANEL_ID = "CategoryMenu-panel";

interface CategoryMenuProps {
  categories: readonly Category[];
  /** How many categories there are, if these are not all. */
  total: number | undefined;
}

/**
 * A button that opens a panel of all categories, or of the largest of many. Their pictures load once it is open.
 * Without JavaScript it is a link to the categories page.
 */
export function CategoryMenu({ categories, total }: CategoryMenuProps) {
  const [open, setOpen] = useState(false);
  const [cards, loadCards] = useCategoryCards();
  const afterNextPaint = useAfterNextPaint();
  const menu = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    if (!open) return;
    function closeOutside(event: Event) {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) setOpen(false);
    }
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, [open]);

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    trigger.current?.focus();
  }

  // The same elements while the categories are the same: opening and closing need not render dozens of links.
  const links = useMemo(() => {
    const close = () => {
      setOpen(false);
    };
    return (
      <>
        <ul className="CategoryMenu-list">
          {withKeys(categories, ({ slug }) => slug).map(([key, { slug, name }]) => (
            <li key={key}>
              <Link className="CategoryMenu-link" to={categoryHref(slug)} onClick={close}>
                {cards !== undefined && <Plate name={name} card={cards.find((card) => card.slug === slug)} />}
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
        <Link className="CategoryMenu-link CategoryMenu-link--every" to={pageHref("/categories")} onClick={close}>
          {text(Key.everyCategory, total ?? categories.length)}
        </Link>
      </>
    );
  }, [categories, total, cards]);

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- The keys come from the controls inside.
    <div className="CategoryMenu" ref={menu} onKeyDown={closeOnEscape}>
      <ButtonLink
        ref={trigger}
        className="CategoryMenu-trigger"
        href={pageHref("/categories")}
        aria-expanded={open}
        aria-controls={PANEL_ID}
        onPress={() => {
          // The names come first: the plates would delay the frame that shows them.
          if (!open) afterNextPaint(loadCards);
          setOpen(!open);
        }}
      >
        {text(Key.allCategories)}
        <Icon name="chevron-down" className="CategoryMenu-arrow" size={18} />
      </ButtonLink>
      <div className="CategoryMenu-panel" id={PANEL_ID} hidden={!open}>
        {links}
      </div>
    </div>
  );
}
