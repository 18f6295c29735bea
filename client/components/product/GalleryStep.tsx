import { ChevronLeft, ChevronRight } from "lucide-react";

interface GalleryStepProps {
  /** Which way it leads: to the picture before or after. */
  by: -1 | 1;
  onStep: (by: -1 | 1) => void;
}

/** The button beside a picture that leads to its neighbour. */
export function GalleryStep({ by, onStep }: GalleryStepProps) {
  const back = by < 0;
  return (
    <button
      className={back ? "GalleryStep GalleryStep--previous icon-button" : "GalleryStep GalleryStep--next icon-button"}
      type="button"
      aria-label={back ? "Previous image" : "Next image"}
      onClick={() => {
        onStep(by);
      }}
    >
      {back ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
    </button>
  );
}
