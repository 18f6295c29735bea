// On the server, importers of ShopStory.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ShopStory as Plain } from "./ShopStory";
import { memoised } from "../../ssr/memoised";

export const ShopStory = memoised(Plain, ({ story, categories, hasLink }) => JSON.stringify([story, categories, hasLink]));
