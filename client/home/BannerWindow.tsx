import type { BannerPicture } from "../contract.gen";
import { ProductImage } from "../ui/ProductImage";
import "./BannerWindow.css";

/** The picture of what the banner is about, in the shop's window. */
export function BannerWindow({ picture: { src, tint } }: { picture: BannerPicture }) {
  return (
    <div className="BannerWindow" aria-hidden="true">
      <ProductImage className="BannerWindow-picture" src={src} alt="" priority sizes="(min-width: 48rem) 42vw, 90vw" tint={tint} />
    </div>
  );
}
