import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { Menu, X } from "lucide-react";
import { NavLink } from "../router";
import { SHOP_LINKS } from "../shop";
import { ThemeSwitch } from "./ThemeSwitch";
import "./MobileMenu.css";

const LINKS = [...SHOP_LINKS, { href: "/categories", name: "Categories" }];

/** `<details>` opens by itself; JavaScript only adds when it closes. */
export function MobileMenu() {
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
    // The header shows the same links from here on.
    matchMedia("(min-width: 768px)").addEventListener("change", close, options);
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
    // The keys bubble from the toggle and the links inside.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details className="MobileMenu" ref={menu} onKeyDown={closeOnEscape}>
      <summary className="MobileMenu-toggle icon-button" aria-label="Menu">
        <Menu className="MobileMenu-iconOpen" aria-hidden="true" size={24} />
        <X className="MobileMenu-iconClose" aria-hidden="true" size={24} />
      </summary>
      <div className="MobileMenu-panel">
        <nav aria-label="Mobile">
          <ul className="MobileMenu-list">
            {LINKS.map(({ href, name }) => (
              <li key={href}>
                <NavLink className="MobileMenu-link" to={href} onClick={close}>
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="MobileMenu-theme">
          <span aria-hidden="true">Theme</span>
          <ThemeSwitch />
        </div>
      </div>
    </details>
  );
}
