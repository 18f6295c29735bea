import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { Category } from "../contract.gen";
import { categoryHref, pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { ButtonLink } from "../ui/ButtonLink";
import { Icon } from "../ui/Icon";
import { withKeys } from "../ui/withKeys";
import "./CategoryMenu.css";

/** The page has one menu of categories. */
const PANEL_ID = "CategoryMenu-panel";

interface CategoryMenuProps {
  categories: readonly Category[];
  /** How many categories there are, if these are not all. */
  total: number | undefined;
}

/** A button that opens a panel of all categories, or of many the largest. Without JavaScript it is a link to the categories page. */
export function CategoryMenu({ categories, total }: CategoryMenuProps) {
  const [open, setOpen] = useState(false);
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
          setOpen(!open);
        }}
      >
        All Categories
        <Icon name="chevron-down" className="CategoryMenu-arrow" size={18} />
      </ButtonLink>
      <div className="CategoryMenu-panel" id={PANEL_ID} hidden={!open}>
        <ul className="CategoryMenu-list">
          {withKeys(categories, ({ slug }) => slug).map(([key, { slug, name }]) => (
            <li key={key}>
              <Link
                className="CategoryMenu-link"
                to={categoryHref(slug)}
                onClick={() => {
                  setOpen(false);
                }}
              >
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
        {total !== undefined && (
          <Link
            className="CategoryMenu-link CategoryMenu-link--every"
            to={pageHref("/categories")}
            onClick={() => {
              setOpen(false);
            }}
          >
            {`All ${total} categories`}
          </Link>
        )}
      </div>
    </div>
  );
}
