import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startFaultyCatalogue } from "./faultyCatalogue";
import { HOSTILE_PICTURES, hostileProducts } from "./hostileProducts";
import type { Product } from "./products";
import { REPOSITORY, startVitrine } from "./server";
import type { Server } from "./server";

export type ShopName = "sample" | "service" | "real" | "hostile" | "unreachable" | "partial";

export interface Shop extends Server {
  /** What its catalogue holds, as the catalogue service would answer it. */
  readonly products: Product[];
}

export const REAL_PRODUCTS = "../shared/catalogue/products.json";

export function hasRealProducts(): boolean {
  return existsSync(resolve(REPOSITORY, REAL_PRODUCTS));
}

/** Pages are tested here, not the time budget of a render on a busy machine. */
const PATIENT = ["--render-timeout", "20000"];

export async function startShop(name: ShopName): Promise<Shop> {
  switch (name) {
    case "sample":
      return startEmbedded();
    case "service":
      return startOverHttp(() => false);
    case "real":
      return startOverHttp(() => false, realProducts(), "https://cdn.dummyjson.com");
    case "hostile":
      return startOverHttp(() => false, hostileProducts(), HOSTILE_PICTURES);
    case "partial":
      // One section of the home page fails, and every category's picture.
      return startOverHttp((path) => path.includes("sortBy=rating") || path.includes("limit=1&"));
    case "unreachable":
      return startUnreachable();
  }
}

async function startEmbedded(): Promise<Shop> {
  const api = await startVitrine("sample-catalogue");
  const products = await readProducts(api.address);
  await api.stop();
  const shop = await startVitrine(...PATIENT);
  return { ...shop, products };
}

async function startOverHttp(fails: (path: string) => boolean, given?: readonly unknown[], pictures?: string): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  const file = join(folder, "products.json");
  if (given !== undefined) writeFileSync(file, JSON.stringify({ products: given }));
  const api = await startVitrine("sample-catalogue", ...(given === undefined ? [] : ["--products", file]));
  const catalogue = await startFaultyCatalogue(api.address, fails);
  const imageHost = pictures === undefined ? [] : ["--image-host", pictures];
  const shop = await startVitrine("--catalogue", catalogue.address, ...imageHost, ...PATIENT);
  return {
    ...shop,
    products: await readProducts(api.address),
    async stop() {
      await shop.stop();
      await Promise.all([catalogue.stop(), api.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A shop whose catalogue refuses every connection. */
async function startUnreachable(): Promise<Shop> {
  const gone = await startFaultyCatalogue("", () => true);
  await gone.stop();
  const shop = await startVitrine("--catalogue", gone.address, ...PATIENT);
  return { ...shop, products: [] };
}

function realProducts(): unknown[] {
  const stored: unknown = JSON.parse(readFileSync(resolve(REPOSITORY, REAL_PRODUCTS), "utf8"));
  if (!Array.isArray(stored)) throw new Error(`${REAL_PRODUCTS} is not a list`);
  return stored;
}

async function readProducts(api: string): Promise<Product[]> {
  const answer = await fetch(`${api}/products?limit=0`);
  return ((await answer.json()) as { products: Product[] }).products;
}
