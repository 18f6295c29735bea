import { GalleryThumbnails as Plain } from "../../../client/product/GalleryThumbnails";
import { memoised } from "../../memoised";

export const GalleryThumbnails = memoised(Plain, ({ images, chosen }) => JSON.stringify([images, chosen]));
