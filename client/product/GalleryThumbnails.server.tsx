// On the server, importers of GalleryThumbnails.tsx get this instead; see scripts/server-bundle-options.mjs.
import { GalleryThumbnails as Plain } from "./GalleryThumbnails";
import { memoised } from "../../ssr/memoised";

export const GalleryThumbnails = memoised(Plain, ({ images, chosen }) => JSON.stringify([images, chosen]));
