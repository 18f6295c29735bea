// On the server, importers of AddButton.tsx get this instead; see scripts/server-bundle-options.mjs.
import { AddButton as Plain } from "./AddButton";
import { memoised } from "../../ssr/memoised";

export const AddButton = memoised(Plain, ({ product }) => product.title);
