// On the server, importers of Footer.tsx get this instead; see scripts/server-bundle-options.mjs.
import { Footer as Plain } from "./Footer";
import { memoised } from "../../ssr/memoised";

export const Footer = memoised(Plain, ({ shop: { name, notes, newsletter, links, contact, legal, closing, sale }, empty }) =>
  JSON.stringify([name, notes, newsletter, links, contact, legal, closing, sale, empty]),
);
