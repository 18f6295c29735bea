import { useEffect, useRef, useState } from "react";
import { ImageOff } from "lucide-react";
import "./ProductImage.css";

interface ProductImageProps {
  src: string | null;
  /** Empty when the title stands beside the image. */
  alt: string;
  /** For images that are seen first: fetched at once, and before others. */
  priority?: boolean;
  className?: string;
}

/** A square product picture; a placeholder is drawn when there is none or it cannot be loaded. */
export function ProductImage({ src, alt, priority = false, className = "" }: ProductImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);

  // A load that failed before hydration fired its error event when nobody listened.
  useEffect(() => {
    const element = image.current;
    if (src === null || !element?.complete) return;
    let current = true;
    element.decode().catch(() => {
      if (current) setFailedSrc(src);
    });
    return () => {
      current = false;
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
