import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ICON_NAMES } from "./iconNames";

it("draws no icon that nothing shows", () => {
  const files = readdirSync("client", { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith("iconNames.ts"),
  );
  const sources = files.map((file) => readFileSync(`client/${file}`, "utf8")).join("\n");
  expect(ICON_NAMES.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});
