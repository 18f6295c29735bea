import { afterEach, expect, it, vi } from "vitest";
import { share } from "./share";

function browser(own: object) {
  vi.stubGlobal("navigator", own);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const url = `${location.origin}${location.pathname}`;

it("opens the browser's own sheet, and says nothing", async () => {
  const sheet = vi.fn(() => Promise.resolve());
  browser({ share: sheet });
  expect(await share("Lamp")).toBe("");
  expect(sheet).toHaveBeenCalledWith({ title: "Lamp", url });
});

it("says nothing when the sheet is closed", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  browser({ share: () => Promise.reject(new DOMException("closed", "AbortError")), clipboard: { writeText } });
  expect(await share("Lamp")).toBe("");
  expect(writeText).not.toHaveBeenCalled();
});

it.each([{}, { share: () => Promise.reject(new DOMException("no", "NotAllowedError")) }])("copies the address where there is no sheet", async (own) => {
  const writeText = vi.fn(() => Promise.resolve());
  browser({ ...own, clipboard: { writeText } });
  expect(await share("Lamp")).toBe("The address is copied.");
  expect(writeText).toHaveBeenCalledWith(url);
});

it("shows the address when the browser does neither", async () => {
  browser({});
  expect(await share("Lamp")).toBe(url);
});
