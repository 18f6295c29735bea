// The table in docs/specification.md against the files and titles of the browser tests. Needs no
// browser, so it runs early: `npm run test:table`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

const FOLDER = import.meta.dirname;

/** The rows of the table: each has a number and its proofs, which are a file and a title. */
function rows() {
  const table = readFileSync(resolve(FOLDER, "../../docs/specification.md"), "utf8");
  return [...table.matchAll(/^\| (\d+\.\d+) \| .* \| (.*) \|$/gm)].map(([, number = "", proof = ""]) => ({
    number,
    proofs: [...proof.matchAll(/`([^`]+)`: (.+?)(?= <br> |$)/g)].map(([, file = "", title = ""]) => ({ file, title })),
  }));
}

/** The titles of a file's tests as patterns: what a loop fills in matches any text. */
function titles(file) {
  const source = readFileSync(resolve(FOLDER, file), "utf8");
  return [...source.matchAll(/\btest\(\s*(["'`])(.*?)\1,/g)].map(([, , title = ""]) => {
    const parts = title.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".+")}$`);
  });
}

test("every sentence of the specification names tests that exist", () => {
  assert.ok(rows().length > 100, "the table has more than 100 rows");
  for (const { number, proofs } of rows()) {
    assert.notEqual(proofs.length, 0, `row ${number} names a test`);
    for (const { file, title } of proofs) {
      assert.ok(existsSync(resolve(FOLDER, file)), `row ${number}: ${file} exists`);
      assert.ok(titles(file).some((known) => known.test(title)), `row ${number}: ${file} has "${title}"`);
    }
  }
});

test("the rows of a section are numbered without a gap", () => {
  let [section, row] = [0, 0];
  for (const { number } of rows()) {
    const next = number === `${section}.${row + 1}`;
    [section, row] = next ? [section, row + 1] : [section + 1, 1];
    assert.equal(number, `${section}.${row}`);
  }
});
