#!/usr/bin/env node
// Compares two builds of the program answer by answer:
//   scripts/compare-answers.mjs OLD NEW [PRODUCTS] [--other-client] [--lines FILE]
//
// For a change that no visitor should notice. Both programs answer the same requests, on the sample
// catalogue, without a catalogue, and on PRODUCTS (a JSON file) where it is given. Status, headers and
// decoded bodies have to be equal, apart from the names of the client's files, which carry hashes, the
// policy's hash of the script that names them, and times.
//
// With --other-client the two builds may have different clients and forms of data: the bodies of data answers, and the
// data, styles and scripts inside documents are not compared, but the markup that is made from the data is. With --lines
// every difference is written to FILE, as JSON Lines.
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import console from "node:console";
import { openSync, writeSync } from "node:fs";
import { request } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { "other-client": { type: "boolean", default: false }, lines: { type: "string" } },
});
const [oldProgram, newProgram, products] = positionals;
if (newProgram === undefined) {
  console.error("usage: scripts/compare-answers.mjs OLD NEW [PRODUCTS] [--other-client] [--lines FILE]");
  process.exit(2);
}
const lines = options.lines === undefined ? undefined : openSync(options.lines, "w");

/** Starts a program on a free port. */
async function start(program, ...args) {
  const child = spawn(program, [...args, "--listen", "127.0.0.1:0", "--log", "warn,vitrine=info", "--log-format", "text"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await new Promise((found, failed) => {
    let output = "";
    const read = (chunk) => {
      output += chunk;
      const listening = /listening address=127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (listening !== undefined) found(Number(listening));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => failed(new Error(output)));
  });
  return { port, stop: () => child.kill("SIGKILL") };
}

function ask(port, { method = "GET", path, headers = {} }) {
  return new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers: { host: "shop.example", ...headers } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    asked.on("error", failed);
    asked.end();
  });
}

function decoded({ headers, body }) {
  switch (headers["content-encoding"]) {
    case "br":
      return brotliDecompressSync(body);
    case "gzip":
      return gunzipSync(body);
    default:
      return body;
  }
}

/** A body without what belongs to the client: data, styles and scripts. Structured data stays. */
function withoutClient(body, { headers }) {
  if (headers["content-type"]?.startsWith("application/json")) return "";
  return (
    body
      .replace(/<style>.*?<\/style>|<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>|<meta name="vitrine-build"[^>]*>/gs, "")
      // React makes ids from the places of components.
      .replace(/_R_\w+_/g, "_R_")
  );
}

/** The parts of an answer that have to be equal. */
function essence(answer, port) {
  const names = /\/assets\/(entry|autocomplete)-[A-Z0-9]+\.(js|css)/g;
  const body = answer.body.length === 0 ? "" : decoded(answer).toString("latin1");
  const namesFiles = names.test(body);
  const text = (options["other-client"] ? withoutClient(body, answer) : body)
    .replace(names, "/assets/$1.$2")
    .replaceAll(`127.0.0.1:${port}`, "shop")
    .replace(/<updated>[^<]*<\/updated>/g, "<updated/>");
  const headers = { ...answer.headers };
  // These say when and how a request was answered.
  for (const name of ["date", "x-request-id", "server-timing", "cache-status"]) delete headers[name];
  if (options["other-client"]) {
    delete headers["vitrine-build"];
    // The size of the data decides whether it is compressed.
    if (headers["content-type"]?.startsWith("application/json")) for (const name of ["content-encoding", "content-length", "vary"]) delete headers[name];
  }
  // The inline script names the client's files.
  headers["content-security-policy"] = headers["content-security-policy"]?.replace(/'sha256-[^']*'/g, "'hash'");
  if (headers["last-modified"] !== undefined) headers["last-modified"] = "a time";
  const hasOwnAddress = body.includes(`127.0.0.1:${port}`) || body.includes("<updated>");
  const isHead = answer.body.length === 0 && headers.etag !== undefined;
  // The tag is a hash of the body, and the length of a compressed body depends on it, too.
  if (namesFiles || hasOwnAddress || isHead || text !== body) {
    headers.etag = headers.etag?.replace(/"[\w-]{22}/, '"hash');
    delete headers["content-length"];
  }
  return { status: answer.status, headers, text };
}

function addresses(categories, ids) {
  const listings = [
    "/products", "/sale", "/new-arrivals", "/best-sellers", "/deals",
    "/search/red", "/search/no%20such%20thing", "/search/%C3%A9", "/search/all-day", "/search/a%2Fb%2050%25",
    ...categories.map((slug) => `/category/${slug}`),
  ];
  const queries = [
    "page=2", "page=99", "sort=price-asc", "sort=price-desc&page=2", "sort=rating-desc", "max=20", "max=999999", "rating=4", "stock=1",
    "q=red", "q=&max=&sort=price-asc", "brand=Nobody", "category=beauty&category=tops", "utm_source=x", "utm_source=x&page=77", "rating=9&max=-1",
  ];
  const pages = [
    "/", "/categories", "/categories?q=mens", "/categories?q=%20x%20", "/brands",
    ...listings,
    ...listings.slice(0, 8).flatMap((path) => queries.map((query) => `${path}?${query}`)),
    ...ids.map((id) => `/product/${id}`),
    "/product/0", "/product/007", "/product/abc", "/product/99999", "/product/1?ref=x", "/missing", "/missing/deep?x=1",
    "/category/Beauty", "/category/BEAUTY?sort=price-asc", "/category/none", "/category/bad%2Fslug", "/products/", "/products/?page=2",
    "/search?q=x", "/search?q=..", "/search?q=%20", "/search/%20red%20", "/search/%20..%20?sort=price-asc", "/search/%FF", "//evil.example/",
  ];
  const files = [
    "/sitemap.xml", "/sitemap/1.xml", "/sitemap/0.xml", "/sitemap/x.xml", "/robots.txt", "/feed.xml", "/opensearch.xml",
    "/manifest.webmanifest", "/llms.txt", "/merchant.xml", "/products.jsonl", "/products.csv", "/favicon.ico", "/favicon.svg", "/icons/32.png", "/icons/512.png", "/icons/1.png",
    "/assets/none.js", "/healthz", "/sample-images/lipstick-rose-1.svg", "/sample-images/none.svg",
  ];
  return { pages, files };
}

function requests(categories, ids) {
  const { pages, files } = addresses(categories, ids);
  const both = [...pages, ...pages.map((path) => `/_data${path}`), ...files];
  const encodings = ["identity", "gzip", "br"].map((encoding) => ({ "accept-encoding": encoding }));
  const few = both.filter((_, index) => index % 7 === 0);
  return [
    ...both.map((path) => ({ path })),
    ...few.flatMap((path) => encodings.map((headers) => ({ path, headers }))),
    ...few.map((path) => ({ path, method: "HEAD" })),
    ...["POST", "PUT", "OPTIONS", "DELETE"].flatMap((method) => ["/", "/products", "/healthz", "/missing"].map((path) => ({ path, method }))),
    { path: `/?${"x".repeat(9000)}` },
    { path: "/", headers: { host: "a b" } },
    { path: "/products", headers: { "content-length": "70000" } },
  ];
}

/** Where two texts differ first; the length of the shorter one if it begins the other. */
function firstDifference(old, now) {
  let at = 0;
  while (at < Math.min(old.length, now.length) && old[at] === now[at]) at += 1;
  return at;
}

function excerpt(text, at) {
  return text.slice(Math.max(0, at - 40), at + 80);
}

/** One difference, for a line of the file. */
function difference(catalogue, { method = "GET", path, headers = {} }, old, now, at) {
  const names = [...new Set([...Object.keys(old.headers), ...Object.keys(now.headers)])];
  return {
    catalogue,
    method,
    path: path.slice(0, 200),
    headers,
    status: [old.status, now.status],
    changedHeaders: Object.fromEntries(
      names.filter((name) => old.headers[name] !== now.headers[name]).map((name) => [name, [old.headers[name], now.headers[name]]]),
    ),
    ...(old.text !== now.text && { body: { at, old: excerpt(old.text, at), new: excerpt(now.text, at) } }),
  };
}

async function compare(name, args, categories, ids, pause) {
  const [before, after] = [await start(oldProgram, ...args), await start(newProgram, ...args)];
  await setTimeout(pause);
  const counts = new Map();
  let [equal, different] = [0, 0];
  for (const asked of requests(categories, ids)) {
    const [old, now] = [essence(await ask(before.port, asked), before.port), essence(await ask(after.port, asked), after.port)];
    counts.set(old.status, (counts.get(old.status) ?? 0) + 1);
    if (JSON.stringify(old) === JSON.stringify(now)) {
      equal += 1;
      continue;
    }
    different += 1;
    const at = firstDifference(old.text, now.text);
    if (lines !== undefined) writeSync(lines, `${JSON.stringify(difference(name, asked, old, now, at))}\n`);
    if (different > 10) continue;
    console.log(`different: ${asked.method ?? "GET"} ${asked.path.slice(0, 100)} ${JSON.stringify(asked.headers ?? {})}`);
    console.log(`  status ${old.status} ${now.status}`);
    for (const header of new Set([...Object.keys(old.headers), ...Object.keys(now.headers)])) {
      if (old.headers[header] !== now.headers[header]) console.log(`  ${header}: ${old.headers[header]} | ${now.headers[header]}`);
    }
    if (old.text !== now.text) console.log(`  body at ${at}: ${excerpt(old.text, at)} | ${excerpt(now.text, at)}`);
  }
  before.stop();
  after.stop();
  const statuses = [...counts].sort(([left], [right]) => left - right).map(([status, count]) => `${count} of ${status}`);
  console.log(`${name}: ${equal} answers are equal, ${different} differ (${statuses.join(", ")})`);
  return different;
}

/** The catalogue service's API, served by the old program for both. */
async function service(...args) {
  const api = await start(oldProgram, "sample-catalogue", ...args);
  const listed = JSON.parse((await ask(api.port, { path: "/products?limit=0&select=category" })).body.toString());
  return {
    ...api,
    address: `http://127.0.0.1:${api.port}`,
    ids: listed.products.map(({ id }) => id),
    categories: [...new Set(listed.products.map(({ category }) => category))],
  };
}

const sample = await service();
let different = await compare("sample catalogue", [], sample.categories, sample.ids, 0);
different += await compare("no catalogue", ["--catalogue", "http://127.0.0.1:1"], sample.categories.slice(0, 2), [1, 2], 1500);
if (products !== undefined) {
  const real = await service("--products", products);
  different += await compare("given products over HTTP", ["--catalogue", real.address], real.categories, real.ids, 1500);
  real.stop();
}
sample.stop();
process.exit(different === 0 ? 0 : 1);
