import type { PointerEvent } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ButtonLink } from "../ui/ButtonLink";
import { Icon } from "../ui/Icon";
import { ON_STAGE } from "../ui/picture";
import { ProductImage } from "../ui/ProductImage";
import "./GalleryStage.css";

interface GalleryStageProps {
  src: string;
  alt: string;
  /** Set for the picture that is visible at once. */
  priority: boolean;
  /** Whether this picture of the track is the one in sight; the others are out of reach. */
  isCurrent: boolean;
  isZoomed: boolean;
  onZoom: (zoomed: boolean) => void;
  /** Opens the full-screen view. */
  onView: () => void;
}

/** A large picture. A click zooms in at the pointer; on a touch screen a tap opens the full-screen view. */
export function GalleryStage({ src, alt, priority, isCurrent, isZoomed, onZoom, onView }: GalleryStageProps) {
  function press() {
    if (matchMedia("(pointer: coarse)").matches) onView();
    else onZoom(!isZoomed);
  }

  return (
    <ButtonLink
      className="GalleryStage"
      href={src}
      tabIndex={isCurrent ? 0 : -1}
      aria-pressed={isZoomed}
      onPress={press}
      onPointerMove={followPointer}
      onPointerLeave={() => {
        onZoom(false);
      }}
    >
      <span className="visually-hidden">{`${text(Key.zoomInOnBefore)} `}</span>
      <ProductImage src={src} alt={alt} priority={priority} sizes={ON_STAGE} />
      <Icon name={isZoomed ? "zoom-out" : "zoom-in"} className="GalleryStage-hint" size={20} />
    </ButtonLink>
  );
}

/** Writes to the element instead of the state, because React need not render on every pointer move. */
function followPointer({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void {
  const box = currentTarget.getBoundingClientRect();
  currentTarget.style.setProperty("--zoom-x", `${((clientX - box.left) / box.width) * 100}%`);
  currentTarget.style.setProperty("--zoom-y", `${((clientY - box.top) / box.height) * 100}%`);
}
