// On the server, importers of ProductFacts.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ProductFacts as Plain } from "./ProductFacts";
import { memoised } from "../../ssr/memoised";

export const ProductFacts = memoised(Plain, ({ facts }) => JSON.stringify(facts));
