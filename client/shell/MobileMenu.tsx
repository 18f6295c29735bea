import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import type { ShopLink } from "../contract.gen";
import { NavLink } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { OperatorLink } from "../ui/OperatorLink";
import { menuLinks } from "./shopLinks";
import { ThemeSwitch } from "./ThemeSwitch";
import "./MobileMenu.css";

/** The width at which the style sheet shows the navigation bar instead (`styles/tokens.css`). */
const NAVIGATION_BAR_FITS = "(min-width: 48rem)";

interface MobileMenuProps {
  /** The operator's links, if there are any. */
  links: readonly ShopLink[] | undefined;
  /** The pages that would be empty. */
  empty: readonly string[];
}

/** A `<details>` element, which opens without JavaScript. JavaScript closes it where a menu should close. */
export function MobileMenu({ links, empty }: MobileMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);

  function close() {
    if (menu.current !== null) menu.current.open = false;
  }

  useEffect(() => {
    function closeOutside(event: Event) {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close();
    }
    const listening = new AbortController();
    const options = { signal: listening.signal };
    matchMedia(NAVIGATION_BAR_FITS).addEventListener("change", close, options);
    document.addEventListener("pointerdown", closeOutside, options);
    document.addEventListener("focusin", closeOutside, options);
    return () => {
      listening.abort();
    };
  }, []);

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || menu.current?.open !== true) return;
    close();
    menu.current.querySelector("summary")?.focus();
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys come from the controls inside.
    <details className="MobileMenu" ref={menu} onKeyDown={closeOnEscape}>
      <summary className="MobileMenu-toggle icon-button" aria-label={text(Key.menu)}>
        <Icon name="menu" className="MobileMenu-iconOpen" size={24} />
        <Icon name="x" className="MobileMenu-iconClose" size={24} />
      </summary>
      <div className="MobileMenu-panel">
        <nav aria-label={text(Key.mobileNavigation)}>
          <ul className="MobileMenu-list">
            {menuLinks(links, empty).map(({ href, text: name }, index) => (
              <li key={index}>
                <OperatorLink inside={NavLink} className="MobileMenu-link" href={href} onClick={close}>
                  {name}
                </OperatorLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="MobileMenu-theme">
          <span aria-hidden="true">{text(Key.theme)}</span>
          <ThemeSwitch />
        </div>
      </div>
    </details>
  );
}
