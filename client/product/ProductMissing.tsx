import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { useLocation } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { EmptyNotice } from "../ui/EmptyNotice";
import { Icon } from "../ui/Icon";

interface ProductMissingProps {
  /** The catalogue did not answer, so the product may exist. */
  failed: boolean;
}

export function ProductMissing({ failed }: ProductMissingProps) {
  const { pathname } = useLocation();
  return (
    <EmptyNotice
      framed={false}
      picture={<Icon name="package-search" size={44} />}
      title={text(Key.productNotFound)}
      text={text(Key.productDoesNotExist)}
      failure={failed && text(Key.productCouldNotBeLoaded)}
      actions={
        <>
          {failed && (
            <Link className="button button--primary" to={pathname}>
              {text(Key.tryAgain)}
            </Link>
          )}
          <Link className={failed ? "button button--quiet" : "button button--primary"} to={pageHref("/products")}>
            {text(Key.browseAllProducts)}
          </Link>
        </>
      }
    />
  );
}
