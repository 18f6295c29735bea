import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ButtonLink } from "../ui/ButtonLink";
import { List } from "../ui/List";
import { ProductImage } from "../ui/ProductImage";
import "./GalleryThumbnails.css";

interface GalleryThumbnailsProps {
  images: readonly string[];
  /** The index of the large picture. */
  chosen: number;
  onChoose: (index: number) => void;
}

export function GalleryThumbnails({ images, chosen, onChoose }: GalleryThumbnailsProps) {
  return (
    <List className="GalleryThumbnails">
      {images.map((image, index) => (
        // The index, because the same picture may be listed twice.
        <li key={`${index} ${image}`}>
          <ButtonLink
            className="GalleryThumbnails-choice"
            href={image}
            aria-label={text(Key.showImage, index + 1, images.length)}
            aria-current={index === chosen ? "true" : undefined}
            onPress={() => {
              onChoose(index);
            }}
          >
            <ProductImage src={image} alt="" />
          </ButtonLink>
        </li>
      ))}
    </List>
  );
}
