// What is sent: the HTML of every page of the sitemap, and the scripts that a document asks for.
import { Agent } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { fetchAnswer, fetchText } from "./client";

export interface Largest {
  readonly path: string;
  readonly bytes: number;
}

export interface HtmlBytes {
  readonly pages: number;
  readonly identity: Largest;
  readonly brotli: Largest;
}

/** The largest documents among the pages that the sitemap and these paths name. */
export async function measureHtml(shop: string, further: readonly string[]): Promise<HtmlBytes> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sitemap = await fetchText(`${shop}/sitemap.xml`);
  const listed = [...sitemap.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, path = ""]) => path.replaceAll("&amp;", "&") || "/");
  const paths = [...new Set([...listed, ...further])];
  const largest: Record<"identity" | "br", Largest> = { identity: { path: "", bytes: 0 }, br: { path: "", bytes: 0 } };
  for (const path of paths) {
    for (const encoding of ["identity", "br"] as const) {
      const { status, body } = await fetchAnswer(shop + path, { agent, headers: { "accept-encoding": encoding } });
      if (status !== 200) throw new Error(`${path}: ${status}`);
      if (body.length > largest[encoding].bytes) largest[encoding] = { path, bytes: body.length };
    }
  }
  agent.destroy();
  return { pages: paths.length, identity: largest.identity, brotli: largest.br };
}

export interface ScriptBytes {
  /** The scripts that run without being asked for: scripts in the document, and files that its script elements name, with their static imports. */
  readonly first: number;
  /**
   * All files, with those that scripts ask for later. Without the scripts in the document, in which Next.js sends data
   * too.
   */
  readonly all: number;
}

const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"(\.?\.?\/[^"]+\.js)"/g;
const ANY_IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.?\.?\/[^"]+\.js)"/g;
/** A file that a script in the document names. */
const ADDRESS = /"(\/[^"]+\.js)"/g;

/** The compressed bytes of a document's scripts. */
export async function measureScripts(origin: string, path: string): Promise<ScriptBytes> {
  const html = await fetchText(origin + path);
  const url = (address: string) => new URL(address.replaceAll("&amp;", "&"), origin + path).href;
  const named = [...html.matchAll(/<script\b(?![^>]*\bnomodule)[^>]*\bsrc="([^"]+)"/gi)].map(([, source = ""]) => url(source));
  const inline = [...html.matchAll(/<script(?: type="module")?>(.*?)<\/script>/gis)].map(([, script = ""]) => script);
  const later = inline.flatMap((script) => [...script.matchAll(ADDRESS)].map(([, address = ""]) => url(address)));
  const ofInline = inline.reduce((sum, script) => sum + brotliCompressSync(script).length, 0);
  const all = await closure([...named, ...later], ANY_IMPORT);
  if (all === 0) throw new Error(`${path}: no script was found`);
  return { first: ofInline + (await closure(named, STATIC_IMPORT)), all };
}

async function closure(named: readonly string[], imports: RegExp): Promise<number> {
  const found = new Set(named);
  let bytes = 0;
  // `found` grows during this loop.
  for (const url of found) {
    const script = await fetchText(url);
    // Compressed in the same way for every program, whatever it can do itself.
    bytes += brotliCompressSync(script).length;
    for (const [, source = ""] of script.matchAll(imports)) found.add(new URL(source, url).href);
  }
  return bytes;
}
