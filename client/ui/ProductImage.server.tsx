// On the server, importers of ProductImage.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ProductImage as Plain } from "./ProductImage";
import { memoised } from "../../ssr/memoised";

export const ProductImage = memoised(Plain, ({ src, alt, priority, className, sizes, tint, name }) => (priority === true ? null : JSON.stringify([src, alt, className, sizes, tint, name])));
