import { useState } from "react";

interface SecondPictureProps {
  src: string;
  tint: number;
}

/** Another view of the product, over the first picture of its card. It stays invisible until it has loaded. */
export function SecondPicture({ src, tint }: SecondPictureProps) {
  const [loaded, setLoaded] = useState(false);
  return (
    <span className={`ProductImage tint-${String(tint)} ProductCard-second${loaded ? " ProductCard-second--loaded" : ""}`}>
      <img
        className="ProductImage-picture"
        src={src}
        alt=""
        width={400}
        height={400}
        decoding="async"
        onLoad={() => {
          setLoaded(true);
        }}
      />
    </span>
  );
}
