import { X } from "lucide-react";
import { ProductImage } from "../ui/ProductImage";
import { useModalDialog } from "../ui/useModalDialog";
import { GalleryStep } from "./GalleryStep";
import { useIsPinchZoomed } from "./pinchZoom";
import "./GalleryViewer.css";

interface GalleryViewerProps {
  open: boolean;
  src: string;
  alt: string;
  /** Such as `Image 1 of 4`. */
  position: string;
  /** Null when there is only one picture. */
  onStep: ((by: -1 | 1) => void) | null;
  onClose: () => void;
}

/** The picture in full screen, where it can be pinched. */
export function GalleryViewer({ open, src, alt, position, onStep, onClose }: GalleryViewerProps) {
  const dialog = useModalDialog(open, onClose);
  const isZoomed = useIsPinchZoomed();
  return (
    <dialog ref={dialog} className="GalleryViewer" aria-label="Product image, full screen">
      {open && (
        <div className="GalleryViewer-screen">
          <button className="icon-button GalleryViewer-close" type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <X aria-hidden="true" />
          </button>
          <div className={isZoomed ? "GalleryViewer-picture GalleryViewer-picture--enlarged" : "GalleryViewer-picture"}>
            <ProductImage key={src} src={src} alt={alt} priority />
          </div>
          <div className="GalleryViewer-foot">
            {onStep !== null && <GalleryStep by={-1} onStep={onStep} />}
            <p role="status">{position}</p>
            {onStep !== null && <GalleryStep by={1} onStep={onStep} />}
          </div>
        </div>
      )}
    </dialog>
  );
}
