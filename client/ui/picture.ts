/** How wide the picture of a card is shown: there are two columns on a phone. */
export const ON_CARD = "(min-width:40rem) 16rem,45vw";

/** The attributes of an image that shows a picture. */
interface Attributes {
  src: string;
  width: string | number;
  height: string | number;
  srcSet?: string;
  sizes?: string;
}

/**
 * How to show the picture at an address of the catalogue, which says what is known of it (`host/pictures/shown.rs`): the class
 * of its frame, with a space behind it, and the attributes of its image. `sizes` says how wide it is shown.
 */
export function pictureAt(src: string, sizes = ON_CARD): [frame: string, Attributes] {
  const [, base, width = 400, height = 400, fit] = /^(\/images\/.+)\.\w+#(\d+)x(\d+)(.)$/.exec(src) ?? [];
  const image: Attributes = { src, width, height };
  if (fit === undefined) return ["", image];
  // The widths up to the picture's own, and the next one above, which stands for its own.
  image.srcSet = [160, 320, 480, 800, 1600]
    .filter((_, at, widths) => (widths[at - 1] ?? 0) < Number(width))
    .map((copy) => `${base ?? ""}-${copy}.webp ${Math.min(copy, Number(width))}w`)
    .join();
  image.sizes = sizes;
  return [`ProductImage--${fit} `, image];
}
