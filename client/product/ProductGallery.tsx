import { useRef, useState } from "react";
import { ProductImage } from "../ui/ProductImage";
import { GalleryStage } from "./GalleryStage";
import { GalleryStep } from "./GalleryStep";
import { GalleryThumbnails } from "./GalleryThumbnails";
import { GalleryViewer } from "./GalleryViewer";
import { useGalleryGestures } from "./useGalleryGestures";
import "./ProductGallery.css";

interface ProductGalleryProps {
  title: string;
  images: readonly string[];
}

/** The product's pictures: one large, and all as thumbnails. Keys, swipes and buttons move between them. */
export function ProductGallery({ title, images }: ProductGalleryProps) {
  const [chosen, setChosen] = useState(0);
  const [viewing, setViewing] = useState(false);
  const gallery = useRef<HTMLDivElement>(null);
  const count = images.length;
  const current = images[chosen];

  function step(by: -1 | 1) {
    setChosen((chosen + by + count) % count);
  }
  useGalleryGestures(gallery, count > 1, step);

  if (current === undefined) {
    return (
      <div className="ProductGallery-frame">
        <ProductImage src={null} alt={title} />
      </div>
    );
  }
  const position = `Image ${chosen + 1} of ${count}`;
  return (
    <div ref={gallery} className="ProductGallery" role="group" aria-label="Product images">
      <div className="ProductGallery-frame">
        {/* No key: the element keeps the focus while the arrow keys change the picture. */}
        <GalleryStage
          src={current}
          alt={`${title}, image ${chosen + 1} of ${count}`}
          onView={() => {
            setViewing(true);
          }}
        />
        {count > 1 && (
          <>
            <GalleryStep by={-1} onStep={step} />
            <GalleryStep by={1} onStep={step} />
          </>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {position}
      </p>
      {count > 1 && <GalleryThumbnails images={images} chosen={chosen} onChoose={setChosen} />}
      <GalleryViewer
        open={viewing}
        src={current}
        alt={`${title}, image ${chosen + 1} of ${count}`}
        position={position}
        onStep={count > 1 ? step : null}
        onClose={() => {
          setViewing(false);
        }}
      />
    </div>
  );
}
