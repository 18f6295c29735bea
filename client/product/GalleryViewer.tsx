import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { ProductImage } from "../ui/ProductImage";
import { useModalDialog } from "../ui/useModalDialog";
import { GalleryStep } from "./GalleryStep";
import { GalleryTrack } from "./GalleryTrack";
import "./GalleryViewer.css";

interface GalleryViewerProps {
  open: boolean;
  pictures: readonly { src: string; alt: string }[];
  chosen: number;
  /** Such as `Image 1 of 4`. */
  position: string;
  onChoose: (index: number) => void;
  /** Null when there is only one picture. */
  onStep: ((by: -1 | 1) => void) | null;
  onClose: () => void;
}

/** The pictures in full screen, where they can be pinched. */
export function GalleryViewer({ open, pictures, chosen, position, onChoose, onStep, onClose }: GalleryViewerProps) {
  const dialog = useModalDialog(open, onClose);
  return (
    <dialog ref={dialog} className="GalleryViewer" aria-label={text(Key.fullScreen)}>
      {open && (
        <div className="GalleryViewer-screen">
          <button className="icon-button GalleryViewer-close" type="button" aria-label={text(Key.close)} onClick={() => dialog.current?.close()}>
            <Icon name="x" />
          </button>
          <GalleryTrack chosen={chosen} onChoose={onChoose}>
            {pictures.map(({ src, alt }, index) => (
              <div key={alt} className="GalleryTrack-slide GalleryViewer-picture" aria-hidden={index !== chosen}>
                <ProductImage src={src} alt={alt} priority={index === chosen} sizes="100rem" />
              </div>
            ))}
          </GalleryTrack>
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
