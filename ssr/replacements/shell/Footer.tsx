import { Footer as Plain } from "../../../client/shell/Footer";
import { memoised } from "../../memoised";

export const Footer = memoised(Plain, ({ shop: { name, notes, newsletter, links, contact, legal, closing, sale }, unrated }) =>
  JSON.stringify([name, notes, newsletter, links, contact, legal, closing, sale, unrated]),
);
