import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { REPOSITORY } from "./support/server";

interface Row {
  number: string;
  proofs: { file: string; title: string }[];
}

function rows(): Row[] {
  const table = readFileSync(resolve(REPOSITORY, "docs/specification.md"), "utf8");
  return [...table.matchAll(/^\| (\d+\.\d+) \| .* \| (.*) \|$/gm)].map(([, number = "", proof = ""]) => ({
    number,
    proofs: [...proof.matchAll(/`([^`]+)`: (.+?)(?= <br> |$)/g)].map(([, file = "", title = ""]) => ({ file, title })),
  }));
}

/** The titles of a file's tests; what a title takes from a loop stands for any text. */
function titles(file: string): RegExp[] {
  const source = readFileSync(resolve(import.meta.dirname, file), "utf8");
  return [...source.matchAll(/\btest\(\s*(["'`])(.*?)\1,/g)].map(([, , title = ""]) => {
    const parts = title.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".+")}$`);
  });
}

test("every sentence of the specification has a test", () => {
  expect(rows().length).toBeGreaterThan(100);
  for (const { number, proofs } of rows()) {
    expect(proofs.length, `row ${number} has a proof`).toBeGreaterThan(0);
    for (const { file, title } of proofs) {
      expect(existsSync(resolve(import.meta.dirname, file)), `row ${number}: ${file} exists`).toBe(true);
      expect(titles(file).some((known) => known.test(title)), `row ${number}: ${file} has "${title}"`).toBe(true);
    }
  }
});

test("the rows of a section are numbered without a gap", () => {
  let [section, row] = [0, 0];
  for (const { number } of rows()) {
    const next = number === `${section}.${row + 1}`;
    [section, row] = next ? [section, row + 1] : [section + 1, 1];
    expect(number).toBe(`${section}.${row}`);
  }
});
