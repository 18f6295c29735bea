import { WishlistButton as Plain } from "../../../client/ui/WishlistButton";
import { memoised } from "../../memoised";

export const WishlistButton = memoised(Plain, ({ product }) => product.title);
