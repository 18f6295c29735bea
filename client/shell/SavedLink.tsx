import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { useSaved } from "../ui/savedProducts";

/** Leads to the saved products, and says how many there are. */
export function SavedLink() {
  const { length } = useSaved();
  return (
    <Link className="icon-button" to={pageHref("/saved")} aria-label={text(Key.savedNumber, length)}>
      <Icon name="heart" size={22} />
      {length > 0 && (
        <span className="HeaderActions-badge" aria-hidden="true">
          {length}
        </span>
      )}
    </Link>
  );
}
