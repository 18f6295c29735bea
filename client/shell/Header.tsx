import { memo } from "react";
import type { Category, Shop } from "../contract.gen";
import { HeaderActions } from "./HeaderActions";
import { Logo } from "./Logo";
import { MainNav } from "./MainNav";
import { MobileMenu } from "./MobileMenu";
import { PromiseStrip } from "./PromiseStrip";
import { SearchBox } from "./SearchBox";
import "./Header.css";

const NOTHING: readonly string[] = [];

interface HeaderProps {
  shop: Shop;
  categories: readonly Category[];
  /** How many categories there are, if these are not all. */
  categoryTotal?: number | undefined;
  /** The pages that would be empty. */
  empty?: readonly string[];
  /** The text of the current search, or an empty text. */
  searchText: string;
}

/** Memoised, because the layout renders again while the next page loads. */
export const Header = memo(function Header({ shop: { name, logo, promises, links, noCart = false, own = false, saves = false }, categories, categoryTotal, empty = NOTHING, searchText }: HeaderProps) {
  return (
    <header className="Header">
      {promises.length > 0 && <PromiseStrip promises={promises} />}
      <div className="Header-bar container">
        <Logo name={name} logo={logo} />
        <MobileMenu links={links} empty={empty} />
        <MainNav categories={categories} categoryTotal={categoryTotal} links={links} empty={empty} />
        {/* The key resets the box, so that text typed on the previous page does not stay. */}
        <SearchBox key={searchText} text={searchText} />
        <HeaderActions noCart={noCart} account={!own} saves={saves} />
      </div>
    </header>
  );
});
