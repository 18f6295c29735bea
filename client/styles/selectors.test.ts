import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The reset and the tokens, which are meant for everything. */
const MEANT_FOR_ALL = ["* {", ":root {"];

/** What makes a browser compute the styles of many elements when little has changed, or test each against a rule. */
const COSTLY = {
  // The root is tested again whenever anything is checked, focused or inserted.
  "`:has()` of the root": /(?::root|html|body)\S*:has\(/,
  // Every element then has two more styles to compute.
  "pseudo-elements of everything": /\*::?(?:before|after)/,
  // Browsers find the rules of an element by its class, id or tag. An element beside an inserted one is worse:
  // everything below it counts as changed.
  "a selector that ends without class or tag": /[\s>+~](?:\*|:(?!focus)[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?)\s*\{/,
};

it("no selector is costly when a filter is changed or a panel opened", () => {
  const files = readdirSync("client", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) => {
    const withoutComments = readFileSync(`client/${file}`, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    // Each selector of a list on its own line with a brace, so that the patterns see the end of each.
    const selectors = withoutComments.replaceAll(/,\n/g, " {\n").split("\n");
    return Object.entries(COSTLY).flatMap(([name, pattern]) =>
      selectors.filter((line) => !MEANT_FOR_ALL.includes(line.trim()) && pattern.test(line)).map((line) => `${file}: ${name}: ${line.trim()}`),
    );
  });
  expect(found).toEqual([]);
});

it("the styles of a shop without ornaments are for classes that exist", () => {
  const styles = readFileSync("host/profile/ornament.rs", "utf8");
  const classes = new Set([...styles.matchAll(/\.([A-Z][\w-]+)/g)].map(([, name = ""]) => name));
  const files = readdirSync("client", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  const sheets = files.map((file) => readFileSync(`client/${file}`, "utf8")).join("\n");
  expect(classes.size).toBeGreaterThan(3);
  for (const name of classes) expect(sheets).toMatch(new RegExp(`\\.${name}\\b`));
});
