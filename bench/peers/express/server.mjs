// What a Node user would write: Express and `react-dom/server`, with each page's data at hand.
//   node server.mjs PORT DATA.json
import { readFileSync } from "node:fs";
import process from "node:process";
import express from "express";
import { render } from "./dist/render.mjs";

const [port, dataFile] = process.argv.slice(2);
const { headers, pages } = JSON.parse(readFileSync(dataFile, "utf8"));

const visits = new Map();
let renders = 0;

const app = express();
app.disable("x-powered-by");
app.get("/renders", (_, response) => response.send(String(renders)));
app.get("/{*path}", (request, response) => {
  const url = request.originalUrl;
  const variants = pages[url];
  if (variants === undefined) return response.sendStatus(404);
  const visit = visits.get(url) ?? 0;
  visits.set(url, visit + 1);
  const { prefix, json, suffix } = variants[visit % variants.length];
  const body = prefix + render(json) + suffix;
  renders += 1;
  return response.set(headers).send(body);
});
app.listen(Number(port), "127.0.0.1");
