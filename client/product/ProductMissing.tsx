import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { useLocation } from "../navigation/router";
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
      title="Product not found"
      text="The product you are looking for does not exist."
      failure={failed && "This product could not be loaded"}
      actions={
        <>
          {failed && (
            <Link className="button button--primary" to={pathname}>
              Try again
            </Link>
          )}
          <Link className={failed ? "button button--quiet" : "button button--primary"} to={pageHref("/products")}>
            Browse all products
          </Link>
        </>
      }
    />
  );
}
