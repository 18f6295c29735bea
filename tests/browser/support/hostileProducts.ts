import type { Product } from "./products";

/** Each text would run a script, break the layout or turn the line around if nothing prevented it. */
const HOSTILE_TEXTS = [
  '<script>globalThis.hacked="script"</script>',
  '<img src=x onerror="globalThis.hacked=\'image\'">',
  '"><svg onload="globalThis.hacked=\'svg\'">',
  "</script><script>globalThis.hacked='end'</script>",
  "<!--<script>globalThis.hacked='comment'</script>",
  "{{constructor.constructor('globalThis.hacked=1')()}}",
  "javascript:globalThis.hacked='address'",
  "W".repeat(10_000),
  "word ".repeat(2_000).trim(),
  "\u202Eright to left override",
  "\u0645\u0631\u062D\u0628\u0627 \u0628\u0643\u0645 \u0641\u064A \u0627\u0644\u0645\u062A\u062C\u0631 ".repeat(20).trim(),
  "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}".repeat(300),
  "Z" + "\u0335\u0322\u0315".repeat(400),
  "line\u2028separator\u2029paragraph",
  "' onmouseover='globalThis.hacked=1' x='",
];

/** A catalogue of two categories whose every text field is hostile; `pictures` is a host that has some. */
export function hostileProducts(pictures: string): Partial<Product>[] {
  return HOSTILE_TEXTS.map((text, index) => ({
    id: index + 1,
    title: text,
    description: text,
    category: index % 2 === 0 ? "beauty" : "furniture",
    price: index === 0 ? 9_999_999.99 : index + 0.5,
    discountPercentage: index * 6,
    rating: index % 6,
    stock: index,
    tags: [text, "plain"],
    // An empty text is no brand.
    brand: index % 5 === 4 ? "" : text,
    sku: text,
    weight: index,
    dimensions: { width: 1, height: 2, depth: 3 },
    warrantyInformation: text,
    shippingInformation: text,
    returnPolicy: text,
    minimumOrderQuantity: index,
    ...(index % 3 !== 0 && { thumbnail: index % 3 === 1 ? text : `${pictures}/a.webp` }),
    images: index % 3 === 0 ? [] : [text, `${pictures}/a.webp`],
    reviews: [
      { reviewerName: text, rating: index % 6, date: "2025-04-30T09:41:02.053Z", comment: text },
      { reviewerName: text, rating: 5, date: text, comment: text },
      { reviewerName: text, rating: 4, date: "2024-12-24T10:00:00.000Z", comment: text },
    ],
  }));
}
