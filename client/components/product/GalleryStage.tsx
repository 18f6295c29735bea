import { useState } from "react";
import type { PointerEvent } from "react";
import { ZoomIn } from "lucide-react";
import { ButtonLink } from "../ButtonLink";
import { ProductImage } from "../ProductImage";
import "./GalleryStage.css";

interface GalleryStageProps {
  src: string;
  alt: string;
  /** Opens the full-screen view, which fingers can pinch. */
  onView: () => void;
}

/** The large picture. A click zooms in, and the pointer then moves over the enlarged picture. */
export function GalleryStage({ src, alt, onView }: GalleryStageProps) {
  // The zoom belongs to one picture and does not stay on the next.
  const [zoomedSrc, setZoomedSrc] = useState<string | null>(null);
  const zoomed = zoomedSrc === src;

  function press() {
    if (matchMedia("(pointer: coarse)").matches) onView();
    else setZoomedSrc(zoomed ? null : src);
  }

  return (
    <ButtonLink
      className="GalleryStage"
      href={src}
      aria-pressed={zoomed}
      onPress={press}
      onPointerMove={followPointer}
      onPointerLeave={() => {
        setZoomedSrc(null);
      }}
    >
      <ProductImage key={src} className="GalleryStage-image" src={src} alt={alt} priority />
      <span className="visually-hidden">, zoom</span>
      <ZoomIn className="GalleryStage-hint" aria-hidden="true" size={20} />
    </ButtonLink>
  );
}

/** Written to the element, not to state: the pointer moves faster than React needs to render. */
function followPointer({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void {
  const box = currentTarget.getBoundingClientRect();
  currentTarget.style.setProperty("--zoom-x", `${((clientX - box.left) / box.width) * 100}%`);
  currentTarget.style.setProperty("--zoom-y", `${((clientY - box.top) / box.height) * 100}%`);
}
