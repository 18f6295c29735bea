// On the server, importers of ProductTags.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ProductTags as Plain } from "./ProductTags";
import { memoised } from "../../ssr/memoised";

export const ProductTags = memoised(Plain, ({ tags }) => JSON.stringify(tags));
