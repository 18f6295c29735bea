import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startFaultyCatalogue } from "./faultyCatalogue";
import { hostileProducts } from "./hostileProducts";
import { startHttp } from "./http";
import { ARABIC, BRACKETED, GERMAN } from "./languages";
import type { Language } from "./languages";
import { largeProducts } from "./largeProducts";
import { optionProducts } from "./optionProducts";
import { photograph } from "./photograph";
import type { Product } from "./products";
import { REPOSITORY, startVitrine } from "./server";
import type { Server } from "./server";

export type ShopName = "sample" | "service" | "real" | "hostile" | "large" | "unreachable" | "partial" | "own" | "rows" | "options" | "copied" | "german" | "arabic" | "bracketed" | "lines" | "table";

export interface Shop extends Server {
  readonly name: string;
  /** What its catalogue holds, as the catalogue service would answer it. */
  readonly products: Product[];
}

export const REAL_PRODUCTS = "../shared/catalogue/products.json";

export function hasRealProducts(): boolean {
  return existsSync(resolve(REPOSITORY, REAL_PRODUCTS));
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="#9ab"/></svg>';

/** The name of a shop of the sample or a service, and the name of a shop of a file. */
const DEMO = "Vitrine";
const NEUTRAL = "Shop";

/** Pages are tested here, not the time budget of a render on a busy machine. */
const PATIENT = ["--render-timeout", "20000"];

export async function startShop(name: ShopName): Promise<Shop> {
  switch (name) {
    case "sample":
      return startEmbedded();
    case "service":
      return startOverHttp(() => false);
    case "real":
      return startOverHttp(() => false, realProducts);
    case "hostile":
      return startOverHttp(() => false, hostileProducts);
    case "large":
      return startOverHttp(() => false, largeProducts);
    case "options":
      return startOverHttp(() => false, optionProducts);
    case "partial":
      // One section of the home page fails, and every category's picture.
      return startOverHttp((path) => path.includes("sortBy=rating") || path.includes("limit=1&"));
    case "unreachable":
      return startUnreachable();
    case "own":
      return startOwn();
    case "rows":
      return startRows();
    case "copied":
      return startCopied();
    case "german":
      return startInLanguage(GERMAN);
    case "arabic":
      return startInLanguage(ARABIC);
    case "bracketed":
      return startInLanguage(BRACKETED);
    case "lines":
      return startFile("products.jsonl", (products) => products.map((product) => JSON.stringify(product)).join("\n"));
    case "table":
      return startFile("products.csv", table);
  }
}

async function startEmbedded(): Promise<Shop> {
  const api = await startVitrine("sample-catalogue");
  const products = await readProducts(api.address);
  await api.stop();
  const shop = await startVitrine(...PATIENT);
  return { ...shop, name: DEMO, products };
}

/** A shop in front of a catalogue service: of the sample, or of products with pictures on a host of their own. */
async function startOverHttp(fails: (path: string) => boolean, given?: (pictures: string) => unknown[]): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.json");
  const pictures = await startPictures();
  if (given !== undefined) writeFileSync(file, JSON.stringify({ products: given(pictures.address) }));
  const api = await startVitrine("sample-catalogue", ...(given === undefined ? [] : ["--products", file]));
  const catalogue = await startFaultyCatalogue(api.address, fails);
  const shop = await startVitrine("--catalogue", catalogue.address, "--image-host", pictures.address, ...PATIENT);
  return {
    ...shop,
    name: DEMO,
    products: await readProducts(api.address),
    async stop() {
      await shop.stop();
      await Promise.all([catalogue.stop(), api.stop(), pictures.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop whose catalogue refuses every connection. */
async function startUnreachable(): Promise<Shop> {
  const gone = await startFaultyCatalogue("", () => true);
  await gone.stop();
  const shop = await startVitrine("--catalogue", gone.address, ...PATIENT);
  return { ...shop, name: DEMO, products: [] };
}

/** A shop's file with everything that is shown on every page or at home, in a colour that needs other lightnesses. */
const OWN_FACE = `
name = "${NEUTRAL}"
tagline = "Lamps and cups"
accent = "#98d8a9"
notes = ["Sent in two days"]

[enquiry]
text = "Ask for it"
to = "mailto:shop@example.org"

[[promises]]
text = "Free above 40"

[banner]
occasion = "Now"
title = "Lamps of paper"
text = "Light and warm."
picture = "180.png"
links = [{ text = "Look", to = "/new-arrivals" }, { text = "All", to = "/products" }]

[story]
title = "Since 1921"
text = "Three people and a workshop."
link = "All shelves"

[newsletter]
title = "Be the first to know"
text = "Subscribe"
to = "https://post.example/"

[[legal]]
text = "Terms"
page = "terms.md"
`;

/** A text with everything that the page of a text may have. */
const TERMS = `---
title: Ours
---
# Terms

A [link](/products), \`code\`, a [part](#how-long) and a note[^1].

> Quoted

${["", "-", "1"].map((cell) => `${`| ${cell === "" ? "a column of a wide table" : cell} `.repeat(20)}|`).join("\n")}

![A lamp](32.png)

## How long

[^1]: A note.
`;

/** A shop of a file, with a picture that lies beside it, a link to where a product is sold, and a face of its own. */
async function startOwn(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.csv");
  writeFileSync(file, "id,title,price,images,link\nlamp,Oak Lamp,5.00 EUR,512.png,https://www.market.example/lamp\ncup,Cup,4.00 EUR,,\n");
  const face = join(folder, "shop.toml");
  writeFileSync(face, OWN_FACE);
  writeFileSync(join(folder, "terms.md"), TERMS);
  const shop = await startVitrine("--catalogue", `file:${file}`, "--images", resolve(REPOSITORY, "client/icons"), "--shop", face, ...PATIENT);
  return {
    ...shop,
    name: NEUTRAL,
    products: [],
    async stop() {
      await shop.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop of a file whose products and texts are in one language. */
async function startInLanguage({ name, face, products }: Language): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.jsonl");
  writeFileSync(file, products.map((product) => JSON.stringify(product)).join("\n"));
  writeFileSync(join(folder, "shop.toml"), face);
  const images = resolve(REPOSITORY, "client/icons");
  const shop = await startVitrine("--catalogue", `file:${file}`, "--images", images, "--shop", join(folder, "shop.toml"), ...PATIENT);
  return {
    ...shop,
    name,
    products: [],
    async stop() {
      await shop.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop of a file whose products have no pictures, and that says hardly anything of itself. */
async function startRows(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.csv");
  const row = (number: number) => `${number},Hex bolt M${number},${number}.50 EUR,Bolts,${number === 2 ? 0 : 40},Rue,HB-${number}`;
  writeFileSync(file, `id,title,price,category,stock,brand,sku\n${Array.from({ length: 12 }, (_, index) => row(index + 1)).join("\n")}\n`);
  const face = join(folder, "shop.toml");
  writeFileSync(face, `name = "${NEUTRAL}"\ntagline = "Bolts and nuts"\nsaved = false\n`);
  const shop = await startVitrine("--catalogue", `file:${file}`, "--shop", face, ...PATIENT);
  return {
    ...shop,
    name: NEUTRAL,
    products: [],
    async stop() {
      await shop.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop of a file whose pictures are on another host, which copies them. */
async function startCopied(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.csv");
  const picture = photograph();
  const pictures = await startHttp((_, response) => {
    response.writeHead(200, { "content-type": "image/png" }).end(picture);
  });
  const row = (number: number) => `p${number},Lamp ${number},${number + 1}.50 EUR,Lamps,${pictures.address}/${number}.png ${pictures.address}/${number}-side.png`;
  writeFileSync(file, `id,title,price,category,images\n${Array.from({ length: 6 }, (_, number) => row(number)).join("\n")}\n`);
  const shop = await startVitrine("--catalogue", `file:${file}`, "--pictures", "all", "--image-host", pictures.address, ...PATIENT);
  return {
    ...shop,
    name: NEUTRAL,
    products: [],
    async stop() {
      await shop.stop();
      await pictures.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop of the real products in a file. */
async function startFile(name: string, write: (products: Product[]) => string): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, name);
  const pictures = await startPictures();
  const products = realProducts(pictures.address) as Product[];
  writeFileSync(file, write(products));
  const shop = await startVitrine("--catalogue", `file:${file}`, ...PATIENT);
  return {
    ...shop,
    name: NEUTRAL,
    products,
    async stop() {
      await shop.stop();
      await pictures.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The products as a table of our own form. */
function table(products: Product[]): string {
  const cell = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;
  const header = "id,title,description,category,brand,price,list_price,stock,images,tags,sku";
  const row = ({ id, title, description, category, brand = "", price, discountPercentage, stock, images, tags, sku }: Product) => {
    const listPrice = price / (1 - discountPercentage / 100);
    return [id, title, description, category, brand, price, listPrice, stock, images.join(" "), tags.join(","), sku].map(cell).join(",");
  };
  return [header, ...products.map(row)].join("\n");
}

/** The same picture for every path. */
function startPictures() {
  return startHttp((_, response) => {
    response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "max-age=3600" }).end(PICTURE);
  });
}

/** The real products, whose pictures would otherwise come from the network. */
function realProducts(pictures: string): unknown[] {
  const text = readFileSync(resolve(REPOSITORY, REAL_PRODUCTS), "utf8");
  const stored: unknown = JSON.parse(text.replaceAll("https://cdn.dummyjson.com", pictures));
  if (!Array.isArray(stored)) throw new Error(`${REAL_PRODUCTS} is not a list`);
  return stored;
}

async function readProducts(api: string): Promise<Product[]> {
  const answer = await fetch(`${api}/products?limit=0`);
  return ((await answer.json()) as { products: Product[] }).products;
}
