import { language, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { SavedLink } from "./SavedLink";
import { ThemeSwitch } from "./ThemeSwitch";
import "./HeaderActions.css";

/** Sample numbers: the shop has no accounts and no cart. */
const NOTIFICATIONS = 2;
const CART_ITEMS = 3;

interface HeaderActionsProps {
  /** The shop has no cart, and nothing to be notified of. */
  noCart: boolean;
  account: boolean;
  /** The browser keeps a list of saved products. */
  saves: boolean;
}

export function HeaderActions({ noCart, account, saves }: HeaderActionsProps) {
  return (
    <div className="HeaderActions" lang={language}>
      <div className="HeaderActions-other">
        <ThemeSwitch />
        {!noCart && (
          <button type="button" className="icon-button" aria-label={text(Key.notifications, NOTIFICATIONS)}>
            <Icon name="bell" size={22} />
            <span className="HeaderActions-badge" aria-hidden="true">
              {NOTIFICATIONS}
            </span>
          </button>
        )}
        {saves && <SavedLink />}
        {account && (
          <button type="button" className="icon-button" aria-label={text(Key.account)}>
            <Icon name="user-round" size={22} />
          </button>
        )}
      </div>
      {!noCart && (
        <button type="button" className="HeaderActions-cart icon-button" aria-label={text(Key.cart, CART_ITEMS)}>
          <Icon name="shopping-bag" size={22} />
          <span className="HeaderActions-badge" aria-hidden="true">
            {CART_ITEMS}
          </span>
        </button>
      )}
    </div>
  );
}
