import type { Content, Page } from "../client/contract.gen";
import { CATEGORIES, CONTENTS } from "../client/test/contents";
import { shop } from "../client/test/fixtures";

// Runs once, after the bundle and before a snapshot of the isolate is taken: the functions that these pages call are
// compiled in it. What only other pages call is compiled when they come.

declare const renderPage: (json: string) => string;
declare const forgetMarkup: () => void;

/** The markup of what repeats is noted, then remembered, then used. */
const ROUNDS = 3;

function page(content: Content): Page {
  return { path: "/", canonical: "/", status: 200, shop: shop(), title: "Warm-up", robots: "noindex", categories: CATEGORIES, content };
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const content of CONTENTS) {
    if (renderPage(JSON.stringify(page(content))) === "") throw new Error(`The page of kind ${content.kind} is empty.`);
  }
}
forgetMarkup();
