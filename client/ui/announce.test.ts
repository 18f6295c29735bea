import { beforeEach, expect, it } from "vitest";
import { announce, ANNOUNCER_ID } from "./announce";

const region = document.createElement("p");

beforeEach(() => {
  region.id = ANNOUNCER_ID;
  document.body.append(region);
});

it("removes its own text, also a translated one, and no later text", () => {
  const clearFirst = announce("Loading");
  const clearSecond = announce("Adding... Lamp");
  clearFirst();
  expect(region.textContent).toBe("Adding... Lamp");
  region.textContent = "Wird hinzugefügt";
  clearSecond();
  expect(region.textContent).toBe("");
});
