import { expect, it } from "vitest";
import cases from "../../tests/cases/folded-texts.json";
import { foldText } from "./foldText";

it.each(cases.names)("folds the name %j to %j, as the host does", (name, folded) => {
  expect(foldText(name)).toBe(folded);
});
