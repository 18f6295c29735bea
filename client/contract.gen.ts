// Generated from host/contract.rs; never edited.

export type Page = { path: string, status: number, title: string, categories: Array<Category>, content: Content, };
export type Content = { "kind": "home" } & Home | { "kind": "categories" } & Categories | { "kind": "brands" } & Brands | { "kind": "listing" } & Listing | { "kind": "product" } & Product | { "kind": "error" } & ErrorContent;
export type Category = { slug: string, name: string, };
export type CategoryCard = { slug: string, name: string, thumbnail: string | null, count: number | null, };
export type Home = { categories: Array<CategoryCard>, featured: Section, bestSellers: Section, newArrivals: Section, };
export type Section = { products: Array<ProductCard>, failed: boolean, };
export type Categories = { query: string, categories: Array<CategoryCard>, failed: boolean, };
export type Brands = { brands: Array<Brand>, failed: boolean, };
export type Brand = { name: string, count: number, href: string, };
export type Listing = { source: ListingSource, heading: string, basePath: string, products: Array<ProductCard>, total: number, page: number, pageCount: number, filters: Filters, facets: Facets, failed: boolean, };
export type ListingSource = { "type": "all" } | { "type": "sale" } | { "type": "newArrivals" } | { "type": "bestSellers" } | { "type": "deals" } | { "type": "category", slug: string, } | { "type": "search", text: string, };
export type Filters = { query: string, maxPrice: number | null, minRating: number | null, categories: Array<string>, brands: Array<string>, inStock: boolean, sort: Sort | null, };
export type Sort = "price-asc" | "price-desc" | "rating-desc";
export type Facets = { priceCeiling: number, ratings: Array<RatingFacet>, categories: Array<Facet>, brands: Array<Facet>, inStock: number, };
export type Facet = { value: string, name: string, count: number, selected: boolean, };
export type RatingFacet = { stars: number, count: number, selected: boolean, };
export type ProductCard = { id: number, title: string, brand: string | null, thumbnail: string | null, price: Price, rating: number, stock: number, };
export type Price = { current: string, original: string | null, percentOff: number | null, };
export type Product = { product: ProductDetail | null, failed: boolean, related: Array<ProductCard>, };
export type ProductDetail = { id: number, title: string, description: string, category: Category | null, brand: string | null, sku: string, tags: Array<string>, price: Price, rating: number, stock: number, minimumOrderQuantity: number, dimensions: string | null, weight: string | null, warranty: string, shipping: string, returns: string, images: Array<string>, thumbnail: string | null, reviews: Array<Review>, };
export type Review = { reviewerName: string, rating: number, date: string, dateText: string, comment: string, };
export type ErrorContent = { message: string, };
