import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { productCard } from "../test/fixtures";
import type { Autocomplete } from "../contract.gen";
import { attach } from "./main";

const network = vi.fn<typeof fetch>();
/** Functions that answer the requests, in their order. */
let answers: ((response: Response) => void)[];
/** The addresses of links that submitted the form, or null for the form's own submission. */
let submitted: (string | null)[];
let input: HTMLInputElement;

const SUGGESTIONS: Autocomplete = {
  products: [productCard({ id: "7", title: "Tall Lamp" }), productCard({ id: "8", title: "Low Lamp", thumbnail: null })],
  categories: [{ name: "Lamps", count: 12, href: "/category/lamps" }],
  brands: [],
};

beforeEach(() => {
  answers = [];
  submitted = [];
  network.mockReset().mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  vi.stubGlobal("fetch", network);
  document.documentElement.dataset.client = "ready";
  document.body.innerHTML = '<form class="SearchBox" role="search"><input class="SearchBox-input" type="search" name="q" value=""></form>';
  const form = document.querySelector("form") as HTMLFormElement;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitted.push(event.submitter?.getAttribute("href") ?? null);
  });
  input = document.querySelector("input") as HTMLInputElement;
  input.focus();
  attach(input);
});

afterEach(() => {
  input.blur();
  vi.unstubAllGlobals();
});

const settled = () => new Promise((resolve) => setTimeout(resolve));
const options = () => [...document.querySelectorAll<HTMLAnchorElement>("[role=option]")];
const isOpen = () => input.getAttribute("aria-expanded") === "true";
const asked = () => network.mock.calls.map(([address]) => address);
const status = () => document.querySelector("[role=status]")?.textContent;

function type(text: string): void {
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Answers the oldest request that waits. */
async function answer(body: unknown = SUGGESTIONS, init: ResponseInit = {}): Promise<void> {
  answers.shift()?.(new Response(JSON.stringify(body), init));
  await settled();
}

async function suggest(text: string, body?: unknown): Promise<void> {
  type(text);
  await answer(body);
}

/** Presses a key, and returns whether the browser's own action was not prevented. */
function press(key: string, init: KeyboardEventInit = {}): boolean {
  return input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
}

/** The text of the active option. */
function active(): string | null {
  const id = input.getAttribute("aria-activedescendant");
  const option = id === null ? null : document.getElementById(id);
  expect(option?.getAttribute("aria-selected") ?? null).toBe(option === null ? null : "true");
  return option?.textContent ?? null;
}

it("offers the search itself, products, categories and brands, and says how many", async () => {
  expect(input.getAttribute("role")).toBe("combobox");
  expect(isOpen()).toBe(false);
  await suggest(" lamp ", { ...SUGGESTIONS, brands: [{ name: "Lampo", count: 1, href: "/products?brand=Lampo" }] });
  expect(asked()).toEqual(["/_suggest?q=lamp"]);
  expect(isOpen()).toBe(true);
  expect(options().map((option) => option.getAttribute("href"))).toEqual([
    "/search/lamp", "/product/7", "/product/8", "/category/lamps", "/products?brand=Lampo",
  ]);
  expect(options().map(({ textContent }) => textContent)).toEqual([
    "Search for “lamp”", "Tall Lamp $40.00 Original price $50", "Low Lamp $40.00 Original price $50", "Lamps 12 products", "Lampo 1 product",
  ]);
  const groups = [...document.querySelectorAll("[role=group]")];
  expect(groups.map((group) => group.getAttribute("aria-label"))).toEqual(["Products", "Categories", "Brands"]);
  expect([...document.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(["Lamp", "Lamp", "Lamp", "Lamp"]);
  expect(status()).toBe("4 suggestions");
});

it("asks from the second letter to the two hundredth", () => {
  for (const text of ["", " l ", "👕", "l".repeat(201)]) type(text);
  expect(network).not.toHaveBeenCalled();
  type("👕👕");
  expect(network).toHaveBeenCalledTimes(1);
  type("");
});

it("asks from the first letter on in scripts without spaces", () => {
  type("茶");
  expect(network).toHaveBeenCalledTimes(1);
});

it("searches for the typed text while its suggestions are awaited", async () => {
  await suggest("la");
  press("ArrowDown");
  type("lam");
  expect(options()[0]?.getAttribute("href")).toBe("/search/lam");
  expect(active()).toBe(null);
  expect(options()).toHaveLength(4);
});

it("closes when the text becomes too short", async () => {
  await suggest("lamp");
  type("l");
  expect(isOpen()).toBe(false);
  expect(status()).toBe("");
});

it("has one request under way, and then asks for the newest text only", async () => {
  type("la");
  type("lam");
  type("lamp");
  expect(asked()).toEqual(["/_suggest?q=la"]);
  await answer();
  // It came too late.
  expect(isOpen()).toBe(false);
  expect(asked()).toEqual(["/_suggest?q=la", "/_suggest?q=lamp"]);
  await answer();
  expect(options()[0]?.textContent).toBe("Search for “lamp”");
});

it("does not ask again for what it has just asked for", async () => {
  await suggest("lam");
  type("lam ");
  expect(network).toHaveBeenCalledTimes(1);
});

it("asks again after a failure", async () => {
  await suggest("lamp");
  type("lam");
  await answer({}, { status: 503 });
  expect(isOpen()).toBe(false);
  press("ArrowDown");
  await answer();
  expect(asked()).toEqual(["/_suggest?q=lamp", "/_suggest?q=lam", "/_suggest?q=lam"]);
  expect(isOpen()).toBe(true);
});

it("a late answer leaves a list in which an option is active", async () => {
  await suggest("la");
  type("lam");
  press("ArrowDown");
  press("ArrowDown");
  const chosen = active();
  await answer({ products: [], categories: [], brands: [] });
  expect(active()).toBe(chosen);
  expect(isOpen()).toBe(true);
});

it("closes when the visitor goes back", async () => {
  await suggest("lamp");
  window.dispatchEvent(new PopStateEvent("popstate"));
  expect(isOpen()).toBe(false);
});

it("Escape also ends the waiting for the first list, and is the browser's then", async () => {
  type("lamp");
  expect(press("Escape")).toBe(true);
  await answer();
  expect(isOpen()).toBe(false);
});

it.each([
  ["a failure", () => answer({}, { status: 503 })],
  ["another shape", () => answer({ products: [{}], categories: [], brands: [] })],
])("closes without a word at %s", async (_, fail) => {
  await suggest("la");
  type("lam");
  await fail();
  expect(isOpen()).toBe(false);
  expect(status()).toBe("");
  await suggest("lamp");
  expect(isOpen()).toBe(true);
});

it("offers the search itself where nothing is found, and says so", async () => {
  await suggest("xyzzy", { products: [], categories: [], brands: [] });
  expect(options().map((option) => option.getAttribute("href"))).toEqual(["/search/xyzzy"]);
  expect(status()).toBe("No suggestions");
});

it("offers categories when the empty field is pressed", async () => {
  input.click();
  expect(asked()).toEqual(["/_suggest?q="]);
  await answer({ ...SUGGESTIONS, products: [] });
  expect(options().map((option) => option.getAttribute("href"))).toEqual(["/category/lamps"]);
  expect(status()).toBe("1 suggestion");
  await suggest("la");
  expect(options()[0]?.getAttribute("href")).toBe("/search/la");
});

it("offers a category or brand first whose name is the text", async () => {
  await suggest("lamps");
  expect([...document.querySelectorAll("[role=group]")].map((group) => group.getAttribute("aria-label"))).toEqual(["Categories", "Products"]);
});

it("says nothing without a connection", async () => {
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  type("lamp");
  await settled();
  expect(isOpen()).toBe(false);
});

it("moves through the options with the arrows, and between the last and the first through none", async () => {
  await suggest("lamp");
  const order = [...options().map(({ textContent }) => textContent), null];
  expect(active()).toBe(null);
  for (const expected of [...order, order[0]]) {
    expect(press("ArrowDown")).toBe(false);
    expect(active()).toBe(expected);
  }
  for (const expected of [null, order.at(-2)]) {
    press("ArrowUp");
    expect(active()).toBe(expected);
  }
  expect(document.activeElement).toBe(input);
});

it("leaves other keys to the text", async () => {
  await suggest("lamp");
  for (const key of ["Home", "End", "ArrowLeft", "a"]) expect(press(key)).toBe(true);
  expect(press("ArrowDown", { shiftKey: true })).toBe(true);
  expect(press("ArrowDown", { isComposing: true })).toBe(true);
  expect(active()).toBe(null);
});

it("Escape closes the list and keeps the text; the next one is the browser's", async () => {
  await suggest("lamp");
  press("ArrowDown");
  expect(press("Escape")).toBe(false);
  expect(isOpen()).toBe(false);
  expect(active()).toBe(null);
  expect(input.value).toBe("lamp");
  expect(press("Escape")).toBe(true);
});

it("a late answer does not open the list after Escape or blur", async () => {
  await suggest("la");
  type("lam");
  press("Escape");
  await answer();
  expect(isOpen()).toBe(false);
  type("lamp");
  input.blur();
  await answer();
  expect(isOpen()).toBe(false);
});

it("the arrow opens a closed list, without an active option", async () => {
  await suggest("lamp");
  press("Escape");
  press("ArrowDown", { altKey: true });
  await answer();
  expect(isOpen()).toBe(true);
  expect(active()).toBe(null);
  press("Escape");
  press("ArrowDown");
  await answer();
  press("ArrowDown");
  expect(active()).toBe("Search for “lamp”");
});

it("Enter without an active option is the form's", async () => {
  await suggest("lamp");
  expect(press("Enter")).toBe(true);
  expect(submitted).toEqual([]);
  expect(input.value).toBe("lamp");
});

it("Enter on an option submits the form by its link, and gives the field its text back", async () => {
  await suggest("lamp");
  press("ArrowDown");
  press("ArrowDown");
  expect(press("Enter")).toBe(false);
  expect(submitted).toEqual(["/product/7"]);
  expect(isOpen()).toBe(false);
  expect(input.value).toBe("");
});

it("the option that searches keeps the text", async () => {
  await suggest("lamp");
  press("ArrowDown");
  press("Enter");
  expect(submitted).toEqual(["/search/lamp"]);
  expect(input.value).toBe("lamp");
});

it("a plain click chooses, and others are the browser's", async () => {
  await suggest("lamp");
  const click = (init: MouseEventInit) =>
    options()[1]?.querySelector("mark")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
  // This DOM would follow the link.
  document.body.addEventListener("click", (event) => { event.preventDefault(); }, { once: true });
  click({ ctrlKey: true });
  expect(submitted).toEqual([]);
  expect(isOpen()).toBe(true);
  expect(click({})).toBe(false);
  expect(submitted).toEqual(["/product/7"]);
});

it("loads the page when nothing answers the submission", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  input.form?.addEventListener("submit", (event) => { event.stopImmediatePropagation(); }, { capture: true });
  await suggest("lamp");
  press("ArrowUp");
  press("Enter");
  expect(assign).toHaveBeenCalledWith("/category/lamps");
});

it("a press in the list leaves the focus in the field", async () => {
  await suggest("lamp");
  expect(options()[1]?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))).toBe(false);
});

it("closes when the form is submitted or the field left", async () => {
  await suggest("lamp");
  input.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  expect(isOpen()).toBe(false);
  press("ArrowDown");
  await answer();
  expect(isOpen()).toBe(true);
  input.blur();
  expect(isOpen()).toBe(false);
});

it("shows hostile names as text, and leaves out addresses of other shops", async () => {
  const name = '<img src=x onerror="alert(1)">lamp';
  const hrefs = ["javascript:alert(1)", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example/", "", "/category/fine"];
  await suggest("lamp", {
    products: [productCard({ id: "../x?y", title: name, thumbnail: null })],
    categories: hrefs.map((href) => ({ name, count: 1, href })),
    brands: [],
  });
  expect(options().map((option) => option.getAttribute("href"))).toEqual(["/search/lamp", "/product/..%2Fx%3Fy", "/category/fine"]);
  expect(document.querySelector("img")).toBe(null);
  expect(options()[2]?.textContent).toBe(`${name} 1 product`);
});

it("shows the initial of a product whose picture is missing or fails", async () => {
  await suggest("lamp");
  const initials = () => [...document.querySelectorAll<HTMLElement>("[data-initial]")].map(({ dataset }) => dataset.initial);
  expect(initials()).toEqual(["L"]);
  document.querySelector("img")?.dispatchEvent(new Event("error"));
  expect(initials()).toEqual(["T", "L"]);
});

it("is attached once, however often the field is focused", async () => {
  attach(input);
  await suggest("lamp");
  press("ArrowDown");
  expect(active()).toBe("Search for “lamp”");
  expect(document.querySelectorAll("[role=listbox]")).toHaveLength(1);
});

it("waits for the client, and then takes what was typed", async () => {
  document.documentElement.dataset.client = "awaited";
  const form = input.form as HTMLFormElement;
  form.innerHTML = '<input type="search" name="q" value="">';
  input = form.querySelector("input") as HTMLInputElement;
  input.focus();
  attach(input);
  type("lamp");
  expect(form.children).toHaveLength(1);
  expect(network).not.toHaveBeenCalled();
  document.documentElement.dataset.client = "ready";
  await settled();
  await answer();
  expect(isOpen()).toBe(true);
});
