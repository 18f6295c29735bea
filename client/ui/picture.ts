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
 * How to show the picture at an address of the catalogue, which says behind a `#` what is known of it (`host/pictures/shown.rs`,
 * `elsewhere.rs`): the class of its frame, with a space behind it, and the attributes of its image. `sizes` says how wide it is
 * shown.
 */
export function pictureAt(src: string, sizes = ON_CARD): [frame: string, Attributes] {
  const [address = "", known = ""] = src.split("#");
  const [, other, width = 400, height = 400, fit] = /^(\/pictures\/[^,]+)?,?(?:(\d+)x(\d+)([cfw]))?$/.exec(known) ?? [];
  const base = other ?? (fit !== undefined && address.startsWith("/images/") ? address.replace(/\.\w+$/, "") : undefined);
  // What stands before the width of a copy, and what behind it.
  const [before, after] = known === "width" ? [`${address}${address.includes("?") ? "&" : "?"}width=`, ""] : [`${base ?? ""}-`, ".webp"];
  const image: Attributes = { src, width, height };
  if (base === undefined && after !== "") return ["", image];
  // The widths up to the picture's own, and the next one above, which stands for its own. All where it is not known.
  const own = fit === undefined ? Infinity : Number(width);
  image.srcSet = [160, 320, 480, 800, 1600]
    .filter((_, at, widths) => (widths[at - 1] ?? 0) < own)
    .map((copy) => `${before}${copy}${after} ${Math.min(copy, own)}w`)
    .join();
  image.sizes = sizes;
  return [fit === undefined ? "" : `ProductImage--${fit} `, image];
}
