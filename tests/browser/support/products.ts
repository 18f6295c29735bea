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
  variants?: { price?: number; stock: number }[];
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

/** The products that contain a word, in the order of a search. */
export function searched(products: readonly Product[], word: string): Product[] {
  const found = products.filter((product) => contains(product, word)).map((product) => ({ product, rank: rank(product, word) }));
  return found.sort((one, other) => one.rank - other.rank).map(({ product }) => product);
}

/** The rank of a product in a search: by the field of the word, how it stands there, then the rating. Lowest first. */
function rank({ title, brand, category, tags, description, rating, stock }: Product, word: string): number {
  const best = (texts: string[]) => {
    const places = [`\\b${word}\\b`, `\\b${word}`, word].map((place) => new RegExp(place, "i"));
    const fits = texts.map((text) => places.findIndex((place) => place.test(text))).filter((fit) => fit >= 0);
    return fits.length > 0 ? Math.min(...fits) : undefined;
  };
  const fields = [[title], [brand ?? ""], [categoryName(category), ...tags], [description]].map(best);
  const field = fields.findIndex((fit) => fit !== undefined);
  return 10_000 * field + 1_000 * (fields[field] ?? 0) + 100 * (5 - rating) + (stock > 0 ? 0 : 0.5);
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
