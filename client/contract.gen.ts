// Generated from host/contract/; never edited.

import type { FACETS } from "./facets.gen";

/** A row of the table of facets. */
export type FacetRow = (typeof FACETS)[number];
/** The parameters of the facets of a kind. */
export type Parameter<Kind extends FacetRow["kind"] = FacetRow["kind"]> = Extract<FacetRow, { kind: Kind }>["parameter"];
/** What a filter of each kind is set to. */
type Value = { text: string, from: number, highest: number, lowest: number, choice: Array<string>, tag: string, flag: true, };
/** What the group of each kind shows: of a lowest price, the chosen one; of a flag, how many products it would leave. */
type Group = { text: never, from: WholePrice, highest: PriceFacets, lowest: RatingFacets, choice: ChoiceFacets, tag: never, flag: number, };
/**
 * The state of the filter sidebar, by the parameters of the address. What is absent is not set.
 */
export type Filters = { [R in FacetRow as R["parameter"]]?: Value[R["kind"]] | undefined } & { 
/**
 * Absent for the listing's own order.
 */
sort?: Sort | undefined, 
/**
 * Show also those choices of long filter groups that have fewer products.
 */
facets?: "all" | undefined, };
/**
 * The filter groups with exact counts. Each group is counted with every filter except its own.
 */
export type Facets = { [R in FacetRow as R["parameter"]]?: Group[R["kind"]] };

export type Page = { 
/**
 * Canonical path and query, percent-encoded; the router on both sides starts from it.
 */
path: string, 
/**
 * Site-relative address that stands for every spelling of this page, without filters.
 */
canonical: string, 
/**
 * HTTP status of the document, decided before rendering.
 */
status: number, 
/**
 * What the shop says of itself on every page.
 */
shop: Shop, 
/**
 * The document's title, complete (`Home`, or `{title} | {name of the shop}`).
 */
title: string, 
/**
 * What search engines may do with the page: the value of its `robots` element.
 */
robots: string, 
/**
 * The categories of the header's menu: all, or of many the largest. Empty when the catalogue could
 * not name them.
 */
categories: Array<Category>, 
/**
 * How many categories there are, if the menu does not have them all.
 */
categoryTotal?: number, 
/**
 * The pages that would be empty, so that nothing links to them: their paths without the slash.
 */
empty?: Array<string>, 
/**
 * What the page shows below the header.
 */
content: Content, };
export type Shop = { name: string, 
/**
 * The shop's own logo.
 */
logo?: ShopLogo, 
/**
 * The language of the document, as the host sends it.
 */
language: string, 
/**
 * Shown in the strip above the header; without promises there is no strip.
 */
promises: Array<ShopPromise>, 
/**
 * What the footer names as good to know.
 */
notes: Array<string>, newsletter?: Newsletter, 
/**
 * The header's links, instead of those to the shop's own lists.
 */
links?: Array<ShopLink>, 
/**
 * The footer's links to the people of the shop.
 */
contact?: Array<ShopLink>, 
/**
 * The footer's links to the shop's terms.
 */
legal?: Array<ShopLink>, 
/**
 * The footer's last line.
 */
closing?: string, 
/**
 * What links call the sale.
 */
sale: string, 
/**
 * There is no cart, and there are no notifications.
 */
noCart?: boolean, 
/**
 * The products are the operator's own.
 */
own?: boolean, 
/**
 * The browser keeps a list of the products that a shopper saves.
 */
saves?: boolean, };
export type ShopLogo = { src: string, width: number, height: number, 
/**
 * The address of the dark theme's logo, if it is another one.
 */
dark?: string, 
/**
 * It shows the shop's name, which does not stand beside it.
 */
hasName?: boolean, };
export type ShopPromise = { icon: PromiseIcon, text: string, 
/**
 * Follows the text where there is room for it; may be empty.
 */
detail?: string, 
/**
 * Follows the detail; may be empty.
 */
end?: string, };
export type ShopLink = { text: string, 
/**
 * A path of the shop, or an address with its scheme.
 */
href: string, };
export type PromiseIcon = "bell" | "bookmark" | "check" | "headset" | "heart" | "package-open" | "ruler" | "shield-check" | "shopping-bag" | "sun" | "truck" | "undo-2" | "user-round" | "weight";
export type Newsletter = { title: string, 
/**
 * The label of the field for the email address, or the text of the link.
 */
invitation: string, 
/**
 * Where visitors subscribe, instead of the form.
 */
href?: string, };
export type Banner = { 
/**
 * The short line above the title.
 */
occasion: string, title: string, 
/**
 * May be empty.
 */
text: string, 
/**
 * The two words on the tag in the drawing of a summer's window, one below the other; without them there is no
 * drawing.
 */
tag?: [string, string], 
/**
 * That picture, or the one of what the banner links to.
 */
picture?: BannerPicture, 
/**
 * `None` for the links to the sale and to all products.
 */
links?: Array<ShopLink>, };
export type BannerPicture = { src: string, 
/**
 * From 0 to 7: the colour of its plate; absent if it belongs to no category.
 */
tint?: number, };
export type Figure = { 
/**
 * The figure itself, such as `24/7`.
 */
figure: string, 
/**
 * What it counts, such as `Support`.
 */
meaning: string, };
export type Story = { title: string, text: string, 
/**
 * The text of the link to the categories.
 */
link: string, };
export type Content = { "kind": "home" } & Home | { "kind": "categories" } & Categories | { "kind": "brands" } & Brands | { "kind": "listing" } & Listing | { "kind": "product" } & Product | { "kind": "saved" } & Saved | { "kind": "textPage" } & TextPageContent | { "kind": "offline" } & Offline | { "kind": "error" } & ErrorContent;
export type Category = { slug: string, name: string, };
export type CategoryCard = { slug: string, name: string, 
/**
 * Thumbnail of the category's first product; a placeholder is drawn without one.
 */
thumbnail: string | null, 
/**
 * Number of products, where it is known.
 */
count: number | null, 
/**
 * From 0 to 7: the colour of its plates, derived from the slug; class `tint-N`.
 */
tint: number, };
export type Home = { banner?: Banner, 
/**
 * The shop in figures.
 */
figures?: Array<Figure>, story?: Story, 
/**
 * Six categories, chosen at random in Rust.
 */
categories: Array<CategoryCard>, featured: Section, 
/**
 * Absent where no product has a rating.
 */
bestSellers?: Section, 
/**
 * Absent where the shop does not say when products were added.
 */
newArrivals?: Section, };
export type Section = { products: Array<ProductCard>, 
/**
 * The catalogue did not answer for this section.
 */
failed: boolean, };
export type Categories = { 
/**
 * The text filter as given in the URL (`?q=`), trimmed.
 */
query: string, 
/**
 * All categories, which the page filters by `query`; of many, one page of those that match it.
 */
categories: Array<CategoryCard>, 
/**
 * Present if the categories are divided into pages.
 */
pages?: Pages, 
/**
 * The catalogue did not answer.
 */
failed: boolean, };
export type Pages = { 
/**
 * How many entries there are, over all pages; of categories, only those that match the text filter.
 */
total: number, 
/**
 * Page number, from 1.
 */
page: number, 
/**
 * Number of pages, at least 1.
 */
pageCount: number, };
export type Brands = { 
/**
 * In alphabetical order; of many, one page.
 */
brands: Array<Brand>, 
/**
 * Present if the brands are divided into pages.
 */
pages?: Pages, 
/**
 * Present while the catalogue is being read, if brands are not known before.
 */
reading?: Reading, 
/**
 * They are not known: the catalogue did not answer, or is being read.
 */
failed: boolean, };
export type Brand = { name: string, count: number, 
/**
 * Site-relative address of the listing filtered to this brand.
 */
href: string, };
export type Reading = { 
/**
 * How many products have been read.
 */
read: number, 
/**
 * How many there are; 0 if that is not known.
 */
total: number, };
export type Listing = { source: ListingSource, 
/**
 * The visible heading.
 */
heading: string, 
/**
 * The category's tint, in the listing of a category.
 */
tint?: number, 
/**
 * Path of the listing without its query: the target of the filter form.
 */
basePath: string, 
/**
 * The products of this page of the result.
 */
products: Array<ProductCard>, 
/**
 * How many products match the filters, over all pages.
 */
total: number, 
/**
 * Page number, from 1.
 */
page: number, 
/**
 * Number of pages, at least 1.
 */
pageCount: number, filters: Filters, facets: Facets, 
/**
 * A few filters above the products, in the order of the occasion; each would leave fewer products, but some.
 */
quick?: Array<QuickFilter>, 
/**
 * The figures of the listing without its filters; absent when it is empty or the catalogue did not answer.
 */
figures?: ListingFigures, 
/**
 * Present while the catalogue is being read, if the listing is not known before.
 */
reading?: Reading, 
/**
 * It is not known: the catalogue did not answer, or is being read.
 */
failed: boolean, 
/**
 * Present when the search itself finds nothing, whatever the filters, and another one is shown.
 */
corrected?: Corrected, 
/**
 * Present when the search itself finds nothing, whatever the filters, and none that may be meant does.
 */
suggestions?: Suggestions, };
export type QuickFilter = { 
/**
 * What is shown, such as `Up to $50`.
 */
label: string, 
/**
 * What it adds to the filters: exactly one is set.
 */
adds: Filters, };
export type ListingFigures = { 
/**
 * What it has, in one line, such as `5 brands, from $9.99`.
 */
story: string, 
/**
 * The deepest discount that its cards show, in whole percent; absent when they show none.
 */
deepestDiscount?: number, };
export type Corrected = { 
/**
 * In lower case.
 */
text: string, 
/**
 * Site-relative address of the search as it was typed.
 */
typedHref: string, };
export type Suggestions = { 
/**
 * Categories and brands that the search names, the best match first.
 */
named: Array<Named>, 
/**
 * Searches that resemble this one and find something, in lower case, the most similar first.
 */
words: Array<string>, 
/**
 * Other categories: those with similar names, then the largest.
 */
categories: Array<Category>, 
/**
 * The best rated products in stock.
 */
popular: Array<ProductCard>, };
export type Autocomplete = { products: Array<ProductCard>, categories: Array<Named>, brands: Array<Named>, };
export type Named = { name: string, 
/**
 * How many products it has.
 */
count: number, 
/**
 * Site-relative address of the listing of its products.
 */
href: string, };
export type ListingSource = { "type": "all" } | { "type": "sale" } | { "type": "newArrivals" } | { "type": "bestSellers" } | { "type": "deals" } | { "type": "category", slug: string, } | { "type": "search", text: string, };
export type Sort = "price-asc" | "price-desc" | "rating-desc";
export type PriceFacets = { 
/**
 * The price slider's maximum: the listing's highest price rounded up, in whole currency units.
 */
ceiling: number, 
/**
 * Where the price slider stops: at most 33 whole prices in ascending order, from 0 to the maximum, with
 * about equally many products between two of them.
 */
stops: Array<WholePrice>, 
/**
 * The chosen highest price; absent without one.
 */
chosen?: WholePrice, };
export type WholePrice = { 
/**
 * In whole currency units.
 */
value: number, 
/**
 * Formatted, such as `$1,300`.
 */
text: string, };
export type RatingFacets = { 
/**
 * For 5, 4, 3, 2 and 1 stars "and up", in that order.
 */
steps: Array<RatingFacet>, 
/**
 * How many products there are of any rating. A step with the same count filters nothing.
 */
any: number, };
export type RatingFacet = { stars: number, count: number, };
export type ChoiceFacets = { 
/**
 * The choices that occur in the listing, by name or in their natural order; of many, those with the most products.
 */
choices: Array<Choice>, 
/**
 * How many more choices occur.
 */
hidden?: number, };
export type Choice = { 
/**
 * The value that goes into the URL.
 */
value: string, 
/**
 * What is shown, if it is not the value.
 */
name?: string, count: number, };
export type ProductCard = { 
/**
 * What the product is called in its address.
 */
id: string, title: string, brand: string | null, thumbnail: string | null, 
/**
 * Its category's: the colour of its plate, from 0 to 7.
 */
tint: number, 
/**
 * Another picture, shown while a pointer is over the card. Known only where lists have whole products.
 */
second?: string, price: Price, 
/**
 * Absent if it is not known.
 */
rating: Rating | null, 
/**
 * Absent if it is not known.
 */
availability: AvailabilityLabel | null, 
/**
 * The shop has no cart that it could be added to.
 */
noCart?: boolean, 
/**
 * The article number, in listings that hardly have pictures.
 */
number?: string, 
/**
 * Dimensions and weight, in listings that hardly have pictures.
 */
facts?: string, 
/**
 * The shop keeps no list of saved products.
 */
noHeart?: boolean, 
/**
 * The colours that it comes in, as `#rrggbb`: several, but not more than fit.
 */
colours?: Array<string>, };
export type Rating = { 
/**
 * 0 to 5.
 */
value: number, 
/**
 * Formatted with one decimal, such as `4.4`.
 */
text: string, };
export type AvailabilityLabel = { text: string, 
/**
 * Absent if nothing needs attention.
 */
tone?: AvailabilityTone, };
export type AvailabilityTone = "few" | "none";
export type Price = { 
/**
 * What is paid now, such as `$1,299.99`.
 */
current: string, 
/**
 * The price before the discount; absent when nothing is off. Rounded to whole units on
 * cards, to two decimals on the product page.
 */
original: string | null, 
/**
 * The discount in whole percent; absent when it rounds to nothing.
 */
percentOff: number | null, 
/**
 * A variant on offer costs more.
 */
from?: boolean, 
/**
 * What a unit costs, such as `$3.98 / 100 g`.
 */
unit?: string, 
/**
 * What the price before the discount is, if that is the lowest one of the last 30 days.
 */
originalNote?: string, };
export type Product = { 
/**
 * Absent when there is no such product, or when the catalogue did not answer (`failed`).
 */
product: ProductDetail | null, 
/**
 * The catalogue did not answer.
 */
failed: boolean, 
/**
 * More products of the same category.
 */
related: Array<ProductCard>, };
export type Fact = { name: string, text: string, icon: FactIcon, };
export type FactIcon = "truck" | "package-open" | "shield-check" | "ruler" | "weight" | "user-round" | "sun";
export type ProductDetail = { 
/**
 * The shop has no cart that it could be added to.
 */
noCart?: boolean, 
/**
 * What the product is called in its address.
 */
id: string, title: string, description: string, 
/**
 * Absent when the catalogue named none that can be part of an address.
 */
category: Category | null, brand: string | null, sku: string, tags: Array<Tag>, price: Price, 
/**
 * Absent if it is not known.
 */
rating: Rating | null, 
/**
 * Whether it can be had, in one label or two; empty if that is not known.
 */
availability: Array<AvailabilityLabel>, 
/**
 * At least 1.
 */
minimumOrderQuantity: number, 
/**
 * What the minimum order costs, formatted, such as `$95.52`.
 */
minimumOrderTotal: string, 
/**
 * What else is known of it, in the order of the page.
 */
facts: Array<Fact>, 
/**
 * Image addresses, at least the thumbnail where there is one.
 */
images: Array<string>, thumbnail: string | null, 
/**
 * Its category's: the colour of its plate, from 0 to 7.
 */
tint: number, 
/**
 * Absent if they are not known.
 */
reviews: Array<Review> | null, 
/**
 * The options of its variants.
 */
options?: Array<ProductOption>, 
/**
 * The values of the chosen variant, such as `M / Blue`; absent if none is chosen. Then it is shown as its cheapest one.
 */
variant?: string, 
/**
 * What the shop says of its prices.
 */
priceNote?: ShopLink, 
/**
 * Where it is sold, if the shop shows that.
 */
link?: ProductLink, 
/**
 * Where to ask for it or order it, if it has no link.
 */
enquiry?: ShopLink, };
export type ProductLink = { 
/**
 * An `http(s)` URL.
 */
href: string, 
/**
 * The name of its host, without `www.`.
 */
host: string, };
export type ProductOption = { name: string, 
/**
 * In the source's order.
 */
values: Array<OptionValue>, 
/**
 * There are too many values to show them side by side.
 */
isLong?: boolean, };
export type OptionValue = { name: string, 
/**
 * The id of the variant that has it instead of the chosen value, or else of the nearest one; absent where there is
 * nothing to choose.
 */
variant?: string, 
/**
 * The chosen variant has it.
 */
isChosen?: boolean, 
/**
 * Why it cannot be had: it is sold out or, without a tone, not made in this combination.
 */
note?: AvailabilityLabel, 
/**
 * The colour that it names, as `#rrggbb`.
 */
colour?: string, };
export type Tag = { name: string, 
/**
 * Site-relative address of the products that carry it, this one among them; absent where they are not known.
 */
href?: string, };
export type Review = { reviewerName: string, 
/**
 * 1 to 5.
 */
rating: number, 
/**
 * Formatted with one decimal, such as `4.0`.
 */
ratingText: string, 
/**
 * As the catalogue sent it (RFC 3339, or the date alone), for sorting and `<time datetime>`.
 */
date: string, 
/**
 * Formatted, such as `April 30, 2025`.
 */
dateText: string, comment: string, };
export type Saved = { title: string, introduction: string, needsScript: string, 
/**
 * Shown for an empty list.
 */
nothing: string, 
/**
 * The heading of those products that are gone.
 */
gone: string, };
export type SavedCards = { products: Array<ProductCard>, };
export type TextPageContent = { title: string, text: Array<TextNode>, };
export type TextNode = string | TextElement;
export type TextElement = { name: ElementName, 
/**
 * Where a link leads.
 */
href?: string, 
/**
 * What a link to this part of the page ends with.
 */
id?: string, 
/**
 * The address of a picture; while the operator's file is read, its path in the folder of pictures.
 */
src?: string, 
/**
 * What a picture shows.
 */
alt?: string, 
/**
 * The first number of a list, if it is not 1; at most nine digits.
 */
start?: number, content?: Array<TextNode>, };
export type ElementName = "a" | "blockquote" | "br" | "code" | "del" | "em" | "h2" | "h3" | "h4" | "hr" | "img" | "li" | "ol" | "p" | "pre" | "strong" | "sup" | "table" | "tbody" | "td" | "th" | "thead" | "tr" | "ul";
export type Offline = { 
/**
 * Pages that the browser has stored; the service worker fills this in.
 */
stored: Array<StoredPage>, };
export type StoredPage = { href: string, title: string, };
export type ErrorContent = { 
/**
 * Status text or message, such as `Not Found`.
 */
message: string, };
