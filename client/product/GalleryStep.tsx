import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";

interface GalleryStepProps {
  /** -1 for the previous picture, 1 for the next one. */
  by: -1 | 1;
  onStep: (by: -1 | 1) => void;
}

/** The button for the previous or the next picture. */
export function GalleryStep({ by, onStep }: GalleryStepProps) {
  const isPrevious = by < 0;
  return (
    <button
      className={isPrevious ? "GalleryStep GalleryStep--previous icon-button" : "GalleryStep GalleryStep--next icon-button"}
      type="button"
      aria-label={text(isPrevious ? Key.previousImage : Key.nextImage)}
      onClick={() => {
        onStep(by);
      }}
    >
      {isPrevious ? <Icon name="chevron-left" /> : <Icon name="chevron-right" />}
    </button>
  );
}
