import { useState } from "react";
import { pictureAt } from "./picture";

interface SecondPictureProps {
  src: string;
  tint: number;
}

/** Another view of the product, over the first picture of its card. It stays invisible until it has loaded. */
export function SecondPicture({ src, tint }: SecondPictureProps) {
  const [loaded, setLoaded] = useState(false);
  const [frame, picture] = pictureAt(src);
  return (
    <span className={`ProductImage ${frame}tint-${String(tint)} ProductCard-second${loaded ? " ProductCard-second--loaded" : ""}`}>
      <img
        className="ProductImage-picture"
        {...picture}
        alt=""
        decoding="async"
        onLoad={() => {
          setLoaded(true);
        }}
      />
    </span>
  );
}
