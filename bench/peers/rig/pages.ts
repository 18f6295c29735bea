// Which addresses are asked for, and the shop's own documents for them.
import { Agent } from "node:http";
import { fetchAnswer, fetchText } from "./client";

export interface Kind {
  readonly name: string;
  readonly isListing: boolean;
  readonly paths: readonly string[];
}

/** One of the documents of an address, cut around its markup. */
export interface Document {
  readonly prefix: string;
  readonly markup: string;
  readonly suffix: string;
  /** The page's data, as the document carries it. */
  readonly json: string;
}

export interface Documents {
  /** The home page shows other categories on each of several visits; every other page has one document. */
  readonly pages: Readonly<Record<string, readonly Document[]>>;
  /** The headers of a page that do not depend on its content. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Product {
  readonly id: number;
  readonly category: string;
  readonly price: number;
}

const SORTS = ["", "sort=price-asc", "sort=price-desc", "sort=rating-desc"];
/** Cards on a page of a listing. */
const PAGE_SIZE = 48;
const PRODUCTS = 40;
/** The number of home pages that the shop has for a day, see `HOME_SEEDS_PER_DAY`. */
const HOME_VARIANTS = 8;

export async function chooseKinds(catalogue: string): Promise<Kind[]> {
  const answer = await fetchText(`${catalogue}/products?limit=0`);
  const { products } = JSON.parse(answer) as { products: Product[] };
  const listings = [15, 30].map((cards) => ({ name: `listing, ${cards} cards`, isListing: true, paths: sorted(listingOf(products, cards)) }));
  const pages = Math.max(Math.floor(products.length / PAGE_SIZE), 1);
  const all = Array.from({ length: pages }, (_, page) => sorted("/products").map((path) => (page === 0 ? path : with_(path, `page=${page + 1}`))));
  const step = Math.max(Math.floor(products.length / PRODUCTS), 1);
  const some = products.filter((_, index) => index % step === 0).slice(0, PRODUCTS);
  return [
    ...listings,
    { name: `listing, ${PAGE_SIZE} cards`, isListing: true, paths: all.flat() },
    { name: "product", isListing: false, paths: some.map(({ id }) => `/product/${id}`) },
    { name: "home", isListing: false, paths: ["/"] },
  ];
}

const with_ = (path: string, parameter: string) => (parameter === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${parameter}`);
const sorted = (path: string) => SORTS.map((sort) => with_(path, sort));

/** The listing of a category with this many products, or else of the cheapest of the smallest category with more. */
function listingOf(products: readonly Product[], cards: number): string {
  const categories = new Map<string, number[]>();
  for (const { category, price } of products) categories.set(category, [...(categories.get(category) ?? []), price]);
  const large = [...categories].filter(([, prices]) => prices.length >= cards).sort(([, left], [, right]) => left.length - right.length);
  const [slug, prices] = large[0] ?? [];
  if (slug === undefined || prices === undefined) {
    // A small catalogue has no such category.
    return "/products";
  }
  if (prices.length === cards) return `/category/${slug}`;
  const [last, next] = [...prices].sort((left, right) => left - right).slice(cards - 1);
  if (last === undefined || next === undefined || Math.ceil(last) > next) throw new Error(`no price parts ${cards} products of ${slug}`);
  return `/category/${slug}?max=${Math.ceil(last)}`;
}

const ROOT_START = '<div id="root">';
const DATA_START = /<\/div>\s*<script type="application\/json" id="page-data">/;

/** Cuts a document; fails when it has no markup, because then the browser would draw it. */
export function cut(html: string): Document {
  const start = html.indexOf(ROOT_START) + ROOT_START.length;
  const end = DATA_START.exec(html);
  if (start < ROOT_START.length || end === null || end.index <= start) throw new Error("a document without markup or data");
  const json = html.slice(end.index + end[0].length, html.indexOf("</script>", end.index));
  return { prefix: html.slice(0, start), markup: html.slice(start, end.index), suffix: html.slice(end.index), json };
}

/** Headers that differ from answer to answer, or are the server's own. */
const OWN_HEADERS = new Set(["date", "content-length", "connection", "keep-alive", "etag", "last-modified", "transfer-encoding", "x-robots-tag"]);

export async function collect(origin: string, kinds: readonly Kind[]): Promise<Documents> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pages: Record<string, Document[]> = {};
  let headers: Record<string, string> = {};
  for (const path of kinds.flatMap(({ paths }) => paths)) {
    const documents: Document[] = [];
    for (let visit = 0; visit < (path === "/" ? HOME_VARIANTS : 1); visit += 1) {
      const answer = await fetchAnswer(origin + path, { agent });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      documents.push(cut(answer.body.toString()));
      headers = Object.fromEntries(
        Object.entries(answer.headers).flatMap(([name, value]) => (OWN_HEADERS.has(name) || typeof value !== "string" ? [] : [[name, value]])),
      );
    }
    pages[path] = documents;
  }
  agent.destroy();
  return { pages, headers };
}

export const whole = ({ prefix, markup, suffix }: Document) => prefix + markup + suffix;

/** The address of a page in a program that has its pages below a folder. */
export function below(folder: string, path: string): string {
  return folder !== "" && path === "/" ? folder : folder + path;
}
