import { useEffect, useRef, useState } from "react";
import { ImageOff } from "lucide-react";
import "./ProductImage.css";

interface ProductImageProps {
  src: string | null;
  /** Empty when the title is shown beside the image. */
  alt: string;
  /** Set for images that are visible at once: loaded eagerly and before others. */
  priority?: boolean;
  className?: string;
}

/** A square product picture, or a placeholder when there is none or it fails to load. */
export function ProductImage({ src, alt, priority = false, className = "" }: ProductImageProps) {
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

  return (
    <span className={`ProductImage ${className}`.trimEnd()}>
      {src === null || src === failedSrc ? (
        <span
          className="ProductImage-placeholder"
          {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
        >
          <ImageOff aria-hidden="true" strokeWidth={1.25} />
        </span>
      ) : (
        <img
          ref={image}
          className="ProductImage-picture"
          src={src}
          alt={alt}
          width={400}
          height={400}
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
