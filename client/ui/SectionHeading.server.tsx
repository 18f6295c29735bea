// On the server, importers of SectionHeading.tsx get this instead; see scripts/server-bundle-options.mjs.
import { SectionHeading as Plain } from "./SectionHeading";
import { memoised } from "../../ssr/memoised";

export const SectionHeading = memoised(Plain, ({ id, title, href }) => JSON.stringify([id, title, href]));
