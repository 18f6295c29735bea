import { ButtonLink } from "../ButtonLink";
import { ProductImage } from "../ProductImage";
import "./GalleryThumbnails.css";

interface GalleryThumbnailsProps {
  images: readonly string[];
  /** Index of the picture that is shown large. */
  chosen: number;
  onChoose: (index: number) => void;
}

export function GalleryThumbnails({ images, chosen, onChoose }: GalleryThumbnailsProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets.
    <ul className="GalleryThumbnails" role="list">
      {images.map((image, index) => (
        // The same picture may be listed twice.
        <li key={`${index} ${image}`}>
          <ButtonLink
            className="GalleryThumbnails-choice"
            href={image}
            aria-label={`Show image ${index + 1} of ${images.length}`}
            aria-current={index === chosen ? "true" : undefined}
            onPress={() => {
              onChoose(index);
            }}
          >
            <ProductImage src={image} alt="" priority />
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
