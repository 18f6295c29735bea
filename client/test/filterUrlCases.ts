import { readFileSync } from "node:fs";
import type { Filters } from "../contract.gen";

interface FilterUrlCases {
  listings: { basePath: string; filters: Filters; page: number; href: string }[];
  searches: { text: string; href: string }[];
}

/** Addresses that client and host have to write alike; the host's tests read the same file. */
export const filterUrlCases = JSON.parse(readFileSync("tests/cases/filter-urls.json", "utf8")) as FilterUrlCases;
