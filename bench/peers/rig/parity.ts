// Before anything is timed: do the arms answer the same?
import { Agent } from "node:http";
import { fetchAnswer, fetchText } from "./client";
import { below, whole } from "./pages";
import type { Documents } from "./pages";

/** Compares every document of a Node arm byte by byte; those of an address may come in any order. */
export async function sameBytes(name: string, origin: string, documents: Documents): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const [path, expected] of Object.entries(documents.pages)) {
    const wanted = new Set(expected.map(whole));
    for (let visit = 0; visit < expected.length; visit += 1) {
      const html = await fetchText(origin + path, { agent });
      if (!wanted.has(html)) throw new Error(`${name} answers ${path} with other HTML than the shop${firstDifference(html, [...wanted][0] ?? "")}`);
    }
  }
  agent.destroy();
}

/** Compares the visible text of every document. */
export async function sameText(name: string, origin: string, prefix: string, documents: Documents): Promise<void> {
  for (const [path, expected] of Object.entries(documents.pages)) {
    const wanted = new Set(expected.map(({ markup }) => visibleText(markup)));
    for (let visit = 0; visit < expected.length; visit += 1) {
      const text = visibleText(bodyOf(await fetchText(origin + below(prefix, path))));
      if (!wanted.has(text)) throw new Error(`${name} shows other text at ${path}${firstDifference(text, [...wanted][0] ?? "")}`);
    }
  }
}

/** Checks that arms that only send what is stored give the same bytes and the same kind of 304. */
export async function sameStored(origins: readonly string[], path: string): Promise<void> {
  const headers = { "accept-encoding": "gzip" };
  const [first, ...others] = await Promise.all(origins.map((origin) => fetchAnswer(origin + path, { headers })));
  if (first === undefined) return;
  for (const [index, other] of others.entries()) {
    const missing = Object.keys(first.headers).filter((name) => other.headers[name] === undefined);
    if (!other.body.equals(first.body)) throw new Error(`${origins[index + 1] ?? ""} answers ${path} with other bytes`);
    if (missing.length > 0) throw new Error(`${origins[index + 1] ?? ""} lacks ${missing.join(", ")}`);
  }
  for (const origin of origins) {
    const { status } = await fetchAnswer(origin + path, { headers: { ...headers, "if-none-match": await entityTag(origin, path) } });
    if (status !== 304) throw new Error(`${origin}${path} answers its own tag with ${status}`);
  }
}

export async function entityTag(origin: string, path: string): Promise<string> {
  const { headers } = await fetchAnswer(origin + path, { headers: { "accept-encoding": "gzip" } });
  if (headers.etag === undefined) throw new Error(`${origin}${path} has no entity tag`);
  return headers.etag;
}

function bodyOf(html: string): string {
  return html.slice(html.indexOf("<body"), html.lastIndexOf("</body>"));
}

/** The text between tags, without scripts and white space. */
export function visibleText(html: string): string {
  return html
    .replaceAll(/<(script|style|template|noscript)\b[^>]*>.*?<\/\1>/gs, "")
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function firstDifference(found: string, wanted: string): string {
  let at = 0;
  while (at < wanted.length && found[at] === wanted[at]) at += 1;
  return ` at ${at}: "${found.slice(at, at + 80)}" instead of "${wanted.slice(at, at + 80)}"`;
}
