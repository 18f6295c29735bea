import { useLayoutEffect, useRef, useState } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ProductImage } from "../ui/ProductImage";
import { GalleryStage } from "./GalleryStage";
import { GalleryStep } from "./GalleryStep";
import { GalleryThumbnails } from "./GalleryThumbnails";
import { GalleryTrack } from "./GalleryTrack";
import { GalleryViewer } from "./GalleryViewer";
import { useGalleryKeys } from "./useGalleryKeys";
import "./ProductGallery.css";

interface ProductGalleryProps {
  title: string;
  images: readonly string[];
}

/** The product's pictures: large ones to swipe through, and all as thumbnails. */
export function ProductGallery({ title, images }: ProductGalleryProps) {
  const [chosen, setChosen] = useState(0);
  const [zoomed, setZoomed] = useState(false);
  const [viewing, setViewing] = useState(false);
  const gallery = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const count = images.length;

  function choose(index: number) {
    setChosen(index);
    setZoomed(false);
  }
  function step(by: -1 | 1) {
    if (count > 1) choose((chosen + by + count) % count);
  }
  useGalleryKeys(gallery, step, () => {
    setZoomed(false);
  });

  // The focus moves along with the chosen picture.
  useLayoutEffect(() => {
    const stages = frame.current?.querySelectorAll<HTMLElement>(".GalleryStage") ?? [];
    if ([...stages].some((stage) => stage === document.activeElement)) stages[chosen]?.focus({ preventScroll: true });
  }, [chosen]);

  if (count === 0) {
    return (
      <div className="ProductGallery-frame">
        <ProductImage src={null} alt={title} />
      </div>
    );
  }
  const position = text(Key.imageOf, chosen + 1, count);
  const pictures = images.map((src, index) => ({ src, alt: text(Key.imageAlt, title, index + 1, count) }));
  return (
    <div ref={gallery} className="ProductGallery" role="group" aria-label={text(Key.productImages)}>
      <div ref={frame} className="ProductGallery-frame">
        <GalleryTrack chosen={chosen} onChoose={choose}>
          {pictures.map(({ src, alt }, index) => (
            <div key={alt} className="GalleryTrack-slide" aria-hidden={index !== chosen}>
              <GalleryStage
                src={src}
                alt={alt}
                priority={index === 0}
                isCurrent={index === chosen}
                isZoomed={zoomed && index === chosen}
                onZoom={setZoomed}
                onView={() => {
                  setViewing(true);
                }}
              />
            </div>
          ))}
        </GalleryTrack>
        {count > 1 && (
          <>
            <GalleryStep by={-1} onStep={step} />
            <GalleryStep by={1} onStep={step} />
          </>
        )}
      </div>
      {/* While the viewer is open, it says this itself. */}
      {!viewing && (
        <p className="visually-hidden" role="status">
          {position}
        </p>
      )}
      {count > 1 && <GalleryThumbnails images={images} chosen={chosen} onChoose={choose} />}
      <GalleryViewer
        open={viewing}
        pictures={pictures}
        chosen={chosen}
        position={position}
        onChoose={choose}
        onStep={count > 1 ? step : null}
        onClose={() => {
          setViewing(false);
        }}
      />
    </div>
  );
}
