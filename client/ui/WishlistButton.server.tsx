import { WishlistButton as Plain } from "./WishlistButton";
import { memoised } from "../../ssr/memoised";

export const WishlistButton = memoised(Plain, ({ product }) => product.title);
