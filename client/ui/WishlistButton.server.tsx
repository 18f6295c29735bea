// On the server, importers of WishlistButton.tsx get this instead; see scripts/server-bundle-options.mjs.
import { WishlistButton as Plain } from "./WishlistButton";
import { usePageRouter } from "../navigation/usePageRouter";
import { memoised } from "../../ssr/memoised";

export const WishlistButton = memoised(Plain, ({ product }) => JSON.stringify([product.title, usePageRouter().shop.saves]));
