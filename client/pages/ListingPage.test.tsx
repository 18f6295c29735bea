import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FACETS } from "../facets.gen";
import { NO_FILTERS } from "../navigation/filterUrl";
import { BRANDS, PRICES, dollars, listing, productCard } from "../test/fixtures";
import { renderAt } from "../test/testing";
import { ListingPage } from "./ListingPage";

function show(part: Parameters<typeof listing>[0] = {}, path = "/products") {
  const shown = renderAt(path, <ListingPage listing={listing(part)} />);
  const push = vi.spyOn(shown.router.navigator, "push").mockReturnValue(undefined);
  /** The addresses that were asked for, once the next frame is shown. */
  function asked() {
    wait(20);
    return push.mock.calls.map(([to]) => (typeof to === "string" ? to : `${to.pathname ?? ""}${to.search ?? ""}`));
  }
  return { ...shown, push, asked };
}

function wait(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the filters of a listing", () => {
  it("show the facets with their counts", () => {
    show();
    expect(screen.getByRole("radio", { name: "4 stars and up (2 products)" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Brand 1 (1 product)" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "In stock only (all 2 products)" })).toBeTruthy();
    expect(screen.getByRole("slider", { name: "Highest price, in steps" })).toHaveProperty("value", "12");
  });

  it("stop the slider at the listing's prices, and keep the exact price in the field", () => {
    const { asked } = show({ facets: { ...listing().facets, max: { ...PRICES, ceiling: 37_000, stops: dollars(0, 9, 10, 500, 37_000) } } });
    const slider = screen.getByRole("slider", { name: "Highest price, in steps" });
    const field = screen.getByRole("spinbutton", { name: "Highest price" });
    const state = () => [slider, field].map((control) => (control instanceof HTMLInputElement ? control.value : ""));
    expect(["min", "max", "step", "name"].map((name) => slider.getAttribute(name))).toEqual(["0", "4", "1", null]);
    expect(state()).toEqual(["4", "37000"]);
    expect(slider.getAttribute("aria-valuetext")).toBe("$37,000");
    fireEvent.change(slider, { target: { value: "3" } });
    wait(150);
    expect(state()).toEqual(["3", "500"]);
    fireEvent.change(field, { target: { value: "499" } });
    wait(150);
    expect(state()).toEqual(["2", "499"]);
    // The answer brings the text of a price between two stops.
    expect(slider.getAttribute("aria-valuetext")).toBe("499");
    fireEvent.change(slider, { target: { value: "0" } });
    wait(150);
    fireEvent.change(slider, { target: { value: "4" } });
    wait(150);
    expect(asked()).toEqual(["/products?max=500", "/products?max=499", "/products?max=0", "/products"]);
  });

  it("write prices as the host says", () => {
    const chosen = { value: 1500, text: "1.500 €" };
    show({ filters: { ...NO_FILTERS, max: 1500 }, facets: { ...listing().facets, max: { ceiling: 37_000, stops: dollars(0, 37_000), chosen } } });
    expect(screen.getByText("1.500 €", { selector: "[aria-hidden]" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Remove filter Up to 1.500 €" })).toBeTruthy();
  });

  it("have nothing to clear while nothing is chosen", () => {
    const { unmount } = show();
    expect(screen.getByRole("link", { name: "Clear all" }).getAttribute("aria-disabled")).toBe("true");
    unmount();
    const { asked } = show({ filters: { ...NO_FILTERS, sort: "price-asc" } });
    fireEvent.click(screen.getByRole("link", { name: "Clear all" }));
    expect(asked()).toEqual(["/products"]);
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Filters" }));
  });

  it("say which choices change nothing", () => {
    const steps = [5, 4, 3, 2, 1].map((stars) => ({ stars, count: stars > 2 ? 6 - stars : 4 }));
    show({ total: 4, facets: { ...listing().facets, rating: { steps, any: 4 }, stock: 4 } });
    expect(screen.getByRole("radio", { name: "2 stars and up (all 4 products)" })).toBeTruthy();
    expect(screen.getByRole("radio", { name: "3 stars and up (3 products)" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "In stock only (all 4 products)" })).toBeTruthy();
  });

  it("apply a choice at once, through the address", () => {
    const { asked, push } = show({ filters: { ...NO_FILTERS, stock: true } });
    fireEvent.click(screen.getByRole("checkbox", { name: /^Brand 3/ }));
    expect(screen.getByRole("checkbox", { name: /^Brand 3/ })).toHaveProperty("checked", true);
    // The frame that shows the choice comes first.
    expect(push).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("radio", { name: /^4 stars/ }));
    expect(asked()).toEqual(["/products?brand=Brand%203&stock=1", "/products?rating=4&brand=Brand%203&stock=1"]);
  });

  it("do not take the visitor back from a page that was asked for since", () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    const { router } = renderAt("/products", <ListingPage listing={listing()} />);
    const next = () => router.getState().next?.pathname;
    fireEvent.click(screen.getByRole("checkbox", { name: /^Brand 3/ }));
    router.navigator.push("/product/1");
    wait(20);
    expect(next()).toBe("/product/1");
    // A choice while that page is loading is the visitor's last wish.
    fireEvent.click(screen.getByRole("checkbox", { name: /^Brand 2/ }));
    wait(20);
    expect(next()).toBe("/products");
  });

  it("clear the chosen rating by clicking it again", () => {
    const { asked } = show({ filters: { ...NO_FILTERS, rating: 3 } });
    fireEvent.click(screen.getByRole("radio", { name: /^3 stars/ }));
    expect(asked()).toEqual(["/products"]);
  });

  it("follow the slider at once and ask at most every 100 ms", () => {
    const { asked } = show();
    const slider = screen.getByRole("slider", { name: "Highest price, in steps" });
    for (let stop = 11; stop >= 1; stop -= 1) {
      fireEvent.change(slider, { target: { value: String(stop) } });
      expect(screen.getByRole("spinbutton", { name: "Highest price" })).toHaveProperty("value", String(stop * 10));
      wait(20);
    }
    wait(200);
    expect(asked().length).toBeLessThanOrEqual(4);
    expect(asked()[0]).toBe("/products?max=110");
    expect(asked().at(-1)).toBe("/products?max=10");
  });

  it("take no cap at the ceiling, above it, or from an empty field", () => {
    const { asked } = show({ filters: { ...NO_FILTERS, max: 50 } });
    const field = screen.getByRole("spinbutton", { name: "Highest price" });
    for (const value of ["60", "120", "70", "500", "80", ""]) {
      fireEvent.change(field, { target: { value } });
      wait(150);
    }
    expect(asked()).toEqual(["/products?max=60", "/products", "/products?max=70", "/products", "/products?max=80", "/products"]);
    fireEvent.blur(field);
    expect(field).toHaveProperty("value", "120");
  });

  it("keep the space that is being typed, and search without it", () => {
    const { asked } = show();
    const box = screen.getByRole("searchbox", { name: "Search within" });
    fireEvent.change(box, { target: { value: "oak " } });
    expect(box).toHaveProperty("value", "oak ");
    expect(asked()).toEqual(["/products?q=oak"]);
  });

  it("ask for more choices of a long group, and keep them", () => {
    const { facets } = listing();
    const long = { ...facets, brand: { choices: BRANDS, hidden: 4_900 } };
    const { asked, unmount } = show({ facets: long, filters: { ...NO_FILTERS, stock: true } });
    const more = screen.getByRole("link", { name: "Show more of 4910 Brands" });
    expect(more.getAttribute("href")).toBe("/products?stock=1&facets=all");
    fireEvent.click(more);
    expect(asked()).toEqual(["/products?stock=1&facets=all"]);
    unmount();

    const longer = show({ facets: long, filters: { ...NO_FILTERS, facets: "all" } });
    expect(longer.container.querySelector('input[type="hidden"][name="facets"]')?.getAttribute("value")).toBe("all");
    expect(screen.getByRole("link", { name: "All brands of the shop" }).getAttribute("href")).toBe("/brands");
    fireEvent.click(screen.getByRole("checkbox", { name: /^Brand 3/ }));
    expect(longer.asked()).toEqual(["/products?brand=Brand%203&facets=all"]);
  });

  it("are searched in a long group that is unfolded", () => {
    const sizes = Array.from({ length: 14 }, (_, place) => ({ value: String(36 + place), count: place }));
    const shown = () => within(screen.getByRole("group", { name: "Size" })).getAllByRole("checkbox").map((box) => box.getAttribute("value"));
    const { container } = show({ facets: { ...listing().facets, size: { choices: sizes } }, filters: { ...NO_FILTERS, size: ["46"] } });
    // Sizes stay in their order, whatever is chosen and whatever has no products.
    expect(shown()).toEqual(sizes.map(({ value }) => value));
    expect(screen.queryByRole("searchbox", { name: "Search: Size" })).toBeNull();
    const group = [...container.querySelectorAll("fieldset")].find((own) => own.textContent.startsWith("Size"));
    const details = group?.querySelector("details");
    if (details === null || details === undefined) throw new Error("the sizes cannot be unfolded");
    details.open = true;
    fireEvent(details, new Event("toggle"));
    const search = screen.getByRole("searchbox", { name: "Search: Size" });
    fireEvent.change(search, { target: { value: " 4 1" } });
    expect(screen.queryByRole("checkbox", { name: /^41/ })).toBeNull();
    fireEvent.change(search, { target: { value: "41 " } });
    expect(shown()).toEqual(["41"]);
    details.open = false;
    fireEvent(details, new Event("toggle"));
    expect(shown()).toHaveLength(14);
  });

  it("have no search of a group that is read at a glance", () => {
    const few = Array.from({ length: 12 }, (_, place) => ({ value: String(36 + place), count: 1 }));
    const { container } = show({ facets: { size: { choices: few } } });
    for (const details of container.querySelectorAll("details")) {
      details.open = true;
      fireEvent(details, new Event("toggle"));
    }
    expect(screen.queryByRole("searchbox", { name: "Search: Size" })).toBeNull();
  });

  it("leave the categories out where there is only one", () => {
    show({ source: { type: "category", slug: "tops" } });
    expect(screen.queryByRole("group", { name: "Categories" })).toBeNull();
    expect(screen.getByRole("group", { name: "Brands" })).toBeTruthy();
  });

  it("are a GET form with every parameter, for browsers without JavaScript", () => {
    // A tag and a lowest price have no control of their own.
    const { container } = show({ basePath: "/sale", filters: { ...NO_FILTERS, min: 5, brand: ["Gone"], tag: "oak", sort: "price-asc" } });
    const form = container.querySelector("form");
    expect(form?.getAttribute("action")).toBe("/sale");
    expect(form?.method).toBe("get");
    const names = [...container.querySelectorAll("[name]")].map((field) => field.getAttribute("name"));
    expect([...new Set(names)].sort()).toEqual([...FACETS.map(({ parameter }) => parameter), "sort"].sort());
    expect(container.querySelector('input[type="hidden"][name="brand"]')?.getAttribute("value")).toBe("Gone");
  });
});

describe("the quick filters", () => {
  const quick = [{ label: "Up to $50", adds: { max: 50 } }, { label: "Tops", adds: { category: ["tops"] } }, { label: "Halm", adds: { brand: ["Halm"] } }, { label: "In stock only", adds: { stock: true as const } }];

  it("are links that keep the other choices", () => {
    show({ quick, filters: { ...NO_FILTERS, rating: 4, sort: "price-asc" } });
    const links = within(screen.getByRole("list", { name: "Quick filters" })).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Up to $50", "/products?max=50&rating=4&sort=price-asc"],
      ["Tops", "/products?rating=4&category=tops&sort=price-asc"],
      ["Halm", "/products?rating=4&brand=Halm&sort=price-asc"],
      ["In stock only", "/products?rating=4&stock=1&sort=price-asc"],
    ]);
  });

  it("leave the row when their group has a choice, and the row with the last of them", () => {
    const { asked } = show({ quick });
    fireEvent.click(screen.getByRole("link", { name: "Tops" }));
    expect(screen.queryByRole("link", { name: "Tops" })).toBeNull();
    for (const name of ["Up to $50", "Halm", "In stock only"]) fireEvent.click(screen.getByRole("link", { name }));
    expect(screen.queryByRole("list", { name: "Quick filters" })).toBeNull();
    expect(asked().at(-1)).toBe("/products?max=50&category=tops&brand=Halm&stock=1");
  });
});

describe("the active filters", () => {
  it("are links to the listing without them", () => {
    show({ filters: { ...NO_FILTERS, q: "oak", max: 1500, brand: ["Brand 1"], sort: "rating-desc" }, facets: { ...listing().facets, max: { ...PRICES, chosen: { value: 1500, text: "$1,500" } } } });
    const chips = within(screen.getByRole("list", { name: "Active filters" }));
    expect(chips.getByRole("link", { name: 'Remove filter "oak"' }).getAttribute("href")).toBe("/products?max=1500&brand=Brand%201&sort=rating-desc");
    expect(chips.getByRole("link", { name: "Remove filter Up to $1,500" }).getAttribute("href")).toBe("/products?q=oak&brand=Brand%201&sort=rating-desc");
    expect(chips.getByRole("link", { name: "Clear all filters" }).getAttribute("href")).toBe("/products");
  });

  it("are removed on top of the changes that are under way", () => {
    const { asked } = show({ filters: { ...NO_FILTERS, q: "oak", brand: ["Brand 1"], stock: true } });
    fireEvent.click(screen.getByRole("link", { name: 'Remove filter "oak"' }));
    expect(screen.queryByRole("link", { name: 'Remove filter "oak"' })).toBeNull();
    fireEvent.click(screen.getByRole("link", { name: "Remove filter Brand 1" }));
    expect(asked()).toEqual(["/products?brand=Brand%201&stock=1", "/products?stock=1"]);
    fireEvent.click(screen.getByRole("link", { name: "Clear all filters" }));
    expect(asked().at(-1)).toBe("/products");
    expect(screen.queryByRole("list", { name: "Active filters" })).toBeNull();
  });

  it("open in a new tab like any link", () => {
    const { asked } = show({ filters: { ...NO_FILTERS, stock: true } });
    fireEvent.click(screen.getByRole("link", { name: "Remove filter In stock only" }), { ctrlKey: true });
    expect(asked()).toEqual([]);
    expect(screen.getByRole("checkbox", { name: /^In stock only/ })).toHaveProperty("checked", true);
  });

  it("are counted on the button that opens the dialog", () => {
    show({ filters: { ...NO_FILTERS, q: "oak", brand: ["Brand 1", "Brand 2"] } });
    const button = screen.getByRole("button", { name: "Filters 3 active" });
    expect(button.getAttribute("href")).toBe("#filters");
    fireEvent.click(button);
    const dialog = screen.getByRole("dialog", { name: "Filters" });
    expect(within(dialog).getByRole("searchbox")).toHaveProperty("value", "oak");
    expect(document.querySelectorAll("form")).toHaveLength(1);
    fireEvent.click(within(dialog).getByRole("button", { name: "Close filters" }));
    expect(within(dialog).queryByRole("searchbox")).toBeNull();
    expect(document.querySelectorAll("form")).toHaveLength(1);
  });
});

describe("the results", () => {
  it("are counted and paged", () => {
    show({ total: 200, page: 2, pageCount: 5, filters: { ...NO_FILTERS, stock: true } });
    expect(screen.getByText("200 products").getAttribute("role")).toBe("status");
    expect(screen.getByRole("link", { name: "Previous page" }).getAttribute("rel")).toBe("prev");
    expect(screen.getByRole("link", { name: "Next page" }).getAttribute("href")).toBe("/products?stock=1&page=3");
    expect(screen.getByRole("link", { name: "Page 2" }).getAttribute("aria-current")).toBe("page");
  });

  it("sort by the choice", () => {
    const { asked } = show({ page: 2, pageCount: 2 });
    fireEvent.change(screen.getByRole("combobox", { name: "Sort by" }), { target: { value: "price-desc" } });
    expect(asked()).toEqual(["/products?sort=price-desc"]);
  });

  it("name the added product in an alert and in the console", () => {
    const alert = vi.fn();
    vi.stubGlobal("alert", alert);
    const log = vi.spyOn(console, "log").mockReturnValue();
    show({ products: [productCard({ title: "Felt Slippers" })] });
    fireEvent.click(screen.getByRole("button", { name: /^Add/ }));
    wait(500);
    expect(alert).toHaveBeenCalledExactlyOnceWith("Felt Slippers added to cart");
    expect(log).toHaveBeenCalledOnce();
  });

  it("may be none", () => {
    show({ products: [] });
    expect(screen.getByRole("heading", { name: "No products found" })).toBeTruthy();
    expect(screen.getByText("Try adjusting your filters or search terms")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Try again" })).toBeNull();
  });

  it("suggest words, categories and products where a search finds nothing", () => {
    const named = [{ name: "Lamps", count: 4, href: "/category/lamps" }, { name: "Lamp & Co", count: 1, href: "/products?brand=Lamp" }];
    const suggestions = { named, words: ["lamp", "a/b"], categories: [{ slug: "tops", name: "Tops" }], popular: [productCard()] };
    show({ products: [], source: { type: "search", text: "lapm" }, suggestions });
    expect(screen.getByRole("heading", { name: "No products found" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Shop Lamps 4 products" }).getAttribute("href")).toBe("/category/lamps");
    expect(screen.getByRole("link", { name: "Shop Lamp & Co 1 product" }).getAttribute("href")).toBe("/products?brand=Lamp");
    expect(screen.getByRole("link", { name: "lamp" }).getAttribute("href")).toBe("/search/lamp");
    expect(screen.getByRole("link", { name: "a/b" }).getAttribute("href")).toBe("/search/a%2Fb");
    expect(screen.getByRole("link", { name: "Tops" }).getAttribute("href")).toBe("/category/tops");
    expect(screen.getByRole("link", { name: "Tall Oak Lamp" })).toBeTruthy();
    cleanup();
    show({ products: [], source: { type: "search", text: "lapm" }, suggestions: { named: [], words: [], categories: [], popular: [] } });
    expect(screen.queryByText("Did you mean")).toBeNull();
    expect(screen.queryByText("Popular products")).toBeNull();
  });

  it("may be out of reach", () => {
    const { container } = show({ products: [], failed: true, filters: { ...NO_FILTERS, rating: 4 } });
    const inOrder = ["The products could not be loaded", "We could not reach the catalogue just now.", "Try again", "No products found", "Try adjusting your filters or search terms"];
    const places = inOrder.map((text) => container.textContent.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    // Neither the listing nor its filters count what nobody knows.
    expect(container.textContent).not.toMatch(/\d+ products?/);
    expect(screen.queryByRole("radio")).toBeNull();
    expect(screen.queryByRole("button", { name: /Filters/ })).toBeNull();
    expect(screen.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe("/products?rating=4");
  });
});

describe("a catalogue that is being read", () => {
  it("says how far it is, and asks for the page again", () => {
    const { router, container } = show({ failed: true, products: [], total: 0, reading: { read: 1992, total: 6000 } }, "/products?stock=1");
    const replace = vi.spyOn(router.navigator, "replace").mockReturnValue(undefined);
    expect(screen.getByText("The catalogue is being read: 1992 of 6000 products.")).toBeTruthy();
    expect(container.textContent).not.toContain("No products found");
    wait(9_999);
    expect(replace).not.toHaveBeenCalled();
    wait(1);
    expect(replace.mock.calls.map(([to]) => to)).toEqual([{ pathname: "/products", search: "?stock=1", hash: "" }]);
  });
});

describe("a search that finds nothing", () => {
  it("shows another one, and links to itself as it was typed", () => {
    show({ source: { type: "search", text: "lipstik" }, corrected: { text: "lipstick", typedHref: "/search/lipstik?typed=1" } }, "/search/lipstik");
    const link = screen.getByRole("link", { name: "Search as typed" });
    expect(link.getAttribute("href")).toBe("/search/lipstik?typed=1");
    expect(link.parentElement?.textContent).toBe("No products for \u201Clipstik\u201D. Showing \u201Clipstick\u201D. Search as typed");
  });
});
