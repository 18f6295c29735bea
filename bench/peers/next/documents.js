// Each page's data, at hand in memory.
import { readFileSync } from "node:fs";
import process from "node:process";

// Each router has a module graph of its own; what they share is global.
const state = (globalThis.vitrine ??= { renders: 0, visits: new Map() });

/** The data of the next visit to an address, new objects as if a service had answered. */
export function pageOf(path) {
  state.pages ??= JSON.parse(readFileSync(process.env.VITRINE_DOCUMENTS, "utf8")).pages;
  const variants = state.pages[path];
  if (variants === undefined) return undefined;
  const visit = state.visits.get(path) ?? 0;
  state.visits.set(path, visit + 1);
  state.renders += 1;
  return JSON.parse(variants[visit % variants.length].json);
}

export const renders = () => state.renders;
