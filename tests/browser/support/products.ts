/** A product as the catalogue service sends it: what the pages are checked against. */
export interface Product {
  id: number;
  title: string;
  description: string;
  category: string;
  price: number;
  discountPercentage: number;
  rating: number;
  stock: number;
  tags: string[];
  brand?: string;
  sku: string;
  weight: number;
  dimensions: { width: number; height: number; depth: number };
  warrantyInformation: string;
  shippingInformation: string;
  returnPolicy: string;
  minimumOrderQuantity: number;
  thumbnail: string;
  images: string[];
  reviews: { reviewerName: string; rating: number; date: string; comment: string }[];
  variants?: { price?: number; stock: number; options?: { name: string; value: string }[] }[];
}

/** Whether a variant that is not sold out costs more than the product. */
export function hasDearerVariant({ price, variants = [] }: Product): boolean {
  return variants.some((variant) => variant.stock > 0 && (variant.price ?? price) > price);
}

/** The first product with a property; a test that needs one cannot go on without. */
export function findProduct(products: readonly Product[], wanted: (product: Product) => boolean): Product {
  const found = products.find(wanted);
  if (found === undefined) throw new Error("the catalogue has no such product");
  return found;
}

/** `mens-shirts` reads `Mens Shirts`. */
export function categoryName(slug: string): string {
  return slug.split("-").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
}

export function categorySlugs(products: readonly Product[]): string[] {
  return [...new Set(products.map(({ category }) => category))];
}

export function ofCategory(products: readonly Product[], slug: string): Product[] {
  return products.filter(({ category }) => category === slug);
}

/** Title or description contains the text, in whatever case. */
export function contains(product: Product, text: string): boolean {
  return [product.title, product.description].some((field) => field.toLowerCase().includes(text.toLowerCase()));
}

/** The products with a word in a text or name, in the order of a search. Its plural ends with `es`. */
export function searched(products: readonly Product[], word: string): Product[] {
  const found = products.map((product) => ({ product, rank: rank(product, word) })).filter(({ rank }) => Number.isFinite(rank));
  return found.sort((one, other) => one.rank - other.rank).map(({ product }) => product);
}

/**
 * The rank of a product in a search: by the field of the word, how it stands there and at which place in a title, then by
 * the stock and the rating. Lowest first; infinite if the product is not found.
 */
function rank({ title, brand, category, tags, description, rating, stock }: Product, word: string): number {
  const places = [`\\b${word}\\b`, `\\b${word}es\\b`, `\\b${word}`, word].map((place) => new RegExp(place, "i"));
  const best = (texts: string[]) => {
    const fits = texts.map((text) => places.findIndex((place) => place.test(text))).filter((fit) => fit >= 0);
    return fits.length > 0 ? Math.min(...fits) : undefined;
  };
  const fields = [[title], [brand ?? "", categoryName(category)], tags, [description]].map(best);
  const field = fields.findIndex((fit) => fit !== undefined);
  if (field < 0) return Infinity;
  const place = fields[field] ?? 0;
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const begins = places[place]?.test(words[0] ?? "") === true;
  const spot = begins ? Number(words.length > 1) : 2;
  const fit = field === 0 ? 3 * place + spot : 12 + 4 * (field - 1) + place;
  return 10_000 * fit + (stock > 0 ? 0 : 1_000) + 100 * (5 - rating);
}

/** `$1,299.99` */
export function money(amount: number, decimals = 2): string {
  const [whole = "", fraction] = amount.toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? `$${grouped}` : `$${grouped}.${fraction}`;
}

export function originalPrice({ price, discountPercentage }: Product): number {
  return price / (1 - discountPercentage / 100);
}

export function byId(left: Product, right: Product): number {
  return left.id - right.id;
}
