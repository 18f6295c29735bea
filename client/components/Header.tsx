import type { Category } from "../contract.gen";
import { HeaderActions } from "./HeaderActions";
import { Logo } from "./Logo";
import { MainNav } from "./MainNav";
import { MobileMenu } from "./MobileMenu";
import { PromiseStrip } from "./PromiseStrip";
import { SearchBox } from "./SearchBox";
import "./Header.css";

interface HeaderProps {
  categories: readonly Category[];
  /** What the shown results were searched for. */
  searchText: string;
}

export function Header({ categories, searchText }: HeaderProps) {
  return (
    <header className="Header">
      <PromiseStrip />
      <div className="Header-bar container">
        <MobileMenu />
        <Logo />
        {/* A new text is a new box: what was typed before belongs to the page that was left. */}
        <SearchBox key={searchText} text={searchText} />
        <HeaderActions />
      </div>
      <MainNav categories={categories} />
    </header>
  );
}
