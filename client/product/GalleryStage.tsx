import { useState } from "react";
import type { PointerEvent } from "react";
import { ZoomIn } from "lucide-react";
import { ButtonLink } from "../ui/ButtonLink";
import { ProductImage } from "../ui/ProductImage";
import "./GalleryStage.css";

interface GalleryStageProps {
  src: string;
  alt: string;
  /** Opens the full-screen view. */
  onView: () => void;
}

/** The large picture. A click zooms in at the pointer; on a touch screen a tap opens the full-screen view. */
export function GalleryStage({ src, alt, onView }: GalleryStageProps) {
  // Remembers the picture, so that the zoom ends when another one is shown.
  const [zoomedSrc, setZoomedSrc] = useState<string | null>(null);
  const isZoomed = zoomedSrc === src;

  function press() {
    if (matchMedia("(pointer: coarse)").matches) onView();
    else setZoomedSrc(isZoomed ? null : src);
  }

  return (
    <ButtonLink
      className="GalleryStage"
      href={src}
      aria-pressed={isZoomed}
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

/** Writes to the element instead of the state, because React need not render on every pointer move. */
function followPointer({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void {
  const box = currentTarget.getBoundingClientRect();
  currentTarget.style.setProperty("--zoom-x", `${((clientX - box.left) / box.width) * 100}%`);
  currentTarget.style.setProperty("--zoom-y", `${((clientY - box.top) / box.height) * 100}%`);
}
