/** How wide the picture of a card is shown: there are two columns on a phone, of 158 pixels on one of 360. */
export const ON_CARD = "(min-width:40rem) 15rem,44vw";

/** How wide the large picture of the product page is shown: beside the facts on wide screens, else as wide as the screen. */
export const ON_STAGE = "(min-width:48rem) min(49vw,43rem),100vw";

/** The attributes of an image that shows a picture. */
interface Attributes {
  src: string;
  width: string | number;
  height: string | number;
  srcSet?: string;
  sizes?: string;
}

/**
 * How to show the picture at an address of the catalogue, which says behind a `#` what is known of it (`host/pictures/shown.rs`,
 * `elsewhere.rs`): the class of its frame, with a space behind it, and the attributes of its image. `sizes` says how wide it is
 * shown.
 */
export function pictureAt(src: string, sizes = ON_CARD): [frame: string, Attributes] {
  const [mark = "", base = "", width = 400, height = 400, fit] = /#([/?&][^,]*)?,?(?:(\d+)x(\d+)([cfw]))?$/.exec(src) ?? [];
  const image: Attributes = { src, width, height };
  if (mark === "") return ["", image];
  const address = src.slice(0, -mark.length);
  // What stands before the width of a copy: a path on this host, or the picture's address on one that makes copies itself.
  const before = base === "" ? address.replace(/\.\w+$/, "-") : base.startsWith("/") ? base : address + base;
  // The widths up to the picture's own, and the next one above, which stands for its own. All where it is not known.
  const own = fit ? Number(width) : Infinity;
  image.srcSet = [160, 320, 480, 800, 1600]
    .filter((_, at, widths) => (widths[at - 1] ?? 0) < own)
    .map((copy) => `${before}${copy}${before.endsWith("=") ? "" : ".webp"} ${Math.min(copy, own)}w`)
    .join();
  image.sizes = sizes;
  return [fit ? `ProductImage--${fit} ` : "", image];
}
