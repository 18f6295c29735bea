import { useEffect, useRef, useState } from "react";
import { initial } from "./initial";
import { ON_CARD, pictureAt } from "./picture";
import "./ProductImage.css";

interface ProductImageProps {
  src: string | null;
  /** Empty when the title is shown beside the image. */
  alt: string;
  /** Set for images that are visible at once: loaded eagerly and before others. */
  priority?: boolean;
  className?: string;
  /** How wide it is shown, for browsers that do not find out by themselves. */
  sizes?: string;
  /** The tint of the category, which the plate behind the picture has. */
  tint?: number | undefined;
  /** The name of what the picture shows. Its initial stands on a plate without a picture. */
  name?: string;
}

/** A square product picture on a plate, which shows only an initial when there is no picture or it fails to load. */
export function ProductImage({ src, alt, priority = false, className = "", sizes = ON_CARD, tint, name = alt }: ProductImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);

  // An image that failed before hydration has already fired its error event.
  useEffect(() => {
    const element = image.current;
    if (src === null || !element?.complete) return;
    let isCurrent = true;
    element.decode().catch(() => {
      if (isCurrent) setFailedSrc(src);
    });
    return () => {
      isCurrent = false;
    };
  }, [src]);

  const [frame, picture] = pictureAt(src ?? "", priority ? sizes : `auto, ${sizes}`);
  return (
    <span className={`ProductImage ${frame}${tint === undefined ? "" : `tint-${String(tint)} `}${className}`.trimEnd()}>
      {src === null || src === failedSrc ? (
        <span
          className="ProductImage-placeholder"
          // Drawn by the style sheet: it is no text.
          data-initial={initial(name)}
          {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
        />
      ) : (
        <img
          ref={image}
          className="ProductImage-picture"
          {...picture}
          alt={alt}
          decoding="async"
          loading={priority ? "eager" : "lazy"}
          {...(priority ? { fetchPriority: "high" } : {})}
          onError={() => {
            setFailedSrc(src);
          }}
        />
      )}
    </span>
  );
}
