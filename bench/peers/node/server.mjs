// Bare Node: `http` and the shop's own server bundle, with each page's data at hand.
//   node server.mjs PORT DATA.json SSR.js
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { runInThisContext } from "node:vm";

const [port, dataFile, bundle] = process.argv.slice(2);
const { headers, pages } = JSON.parse(readFileSync(dataFile, "utf8"));
runInThisContext(readFileSync(bundle, "utf8"), { filename: bundle });
const { renderPage } = globalThis;

const visits = new Map();
let renders = 0;

createServer((request, response) => {
  const variants = pages[request.url];
  if (variants === undefined) {
    if (request.url === "/renders") response.end(String(renders));
    else response.writeHead(404).end();
    return;
  }
  const visit = visits.get(request.url) ?? 0;
  visits.set(request.url, visit + 1);
  const { prefix, json, suffix } = variants[visit % variants.length];
  const body = Buffer.from(prefix + renderPage(json) + suffix);
  renders += 1;
  response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
}).listen(Number(port), "127.0.0.1");
