import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProductDetail } from "../contract.gen";
import { productHref } from "../navigation/addresses";
import { productCard, productDetail } from "../test/fixtures";
import { renderAt } from "../test/testing";
import { ProductPage } from "./ProductPage";

function show(part: Partial<ProductDetail> = {}) {
  const product = productDetail(part);
  return renderAt(productHref(product.id), <ProductPage content={{ product, failed: false, related: [productCard({ id: "2" })] }} />);
}

beforeEach(() => {
  localStorage.clear();
});

describe("a product", () => {
  it("shows everything that the catalogue knows", () => {
    const { container } = show();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Tall Oak Lamp");
    expect(screen.getByRole("link", { name: "Back to Home Decoration" }).getAttribute("href")).toBe("/category/home-decoration");
    for (const text of ["In Stock", "SKU HOM-HAL-001", "(2 reviews)", "$40.00", "$49.99", "20% off"]) {
      expect(container.textContent).toContain(text);
    }
    const { thumbnail, ...texts } = productDetail();
    for (const text of Object.values(texts).filter((value) => typeof value === "string")) {
      expect(container.textContent).toContain(text);
    }
    expect(container.querySelector(`img[src="${thumbnail ?? ""}"]`)).toBeTruthy();
    expect(screen.getByRole("link", { name: "50% wool" }).getAttribute("href")).toBe("/products?tag=50%25%20wool");
    expect(screen.getByRole("heading", { name: "More from Home Decoration" })).toBeTruthy();
  });

  it("shows a tag whose products are not known as a text", () => {
    show({ tags: [{ name: "oak" }] });
    expect(screen.getByRole("list", { name: "Tags" }).textContent).toBe("oak");
    expect(screen.queryByRole("link", { name: "oak" })).toBeNull();
  });

  it("may have no brand and no category", () => {
    show({ brand: null, category: null });
    expect(screen.queryByText("Halm", { selector: ".ProductSummary-brandName" })).toBeNull();
    expect(screen.getByRole("link", { name: "Back to all products" })).toBeTruthy();
  });

  it("has a link for each value of its options, which says why it cannot be had", () => {
    const sizes = [
      { name: "S", variant: "1-a" },
      { name: "M", variant: "1-b", isChosen: true },
      { name: "L", variant: "1-c", note: { text: "Sold out", tone: "none" as const } },
      { name: "XL", variant: "1-d", note: { text: "not in this combination" } },
    ];
    const options = [{ name: "Size", values: sizes }, { name: "Colour", values: [{ name: "Blue", colour: "#0000ff" }] }];
    const { container } = show({ options });
    const group = within(screen.getByRole("group", { name: "Size" }));
    const links = group.getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).toEqual(["S", "M", "L, Sold out", "XL, not in this combination"]);
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["a", "b", "c", "d"].map((end) => `/product/1?variant=1-${end}`));
    expect(group.getByRole("link", { current: true }).textContent).toBe("M");
    const colour = screen.getByRole("group", { name: "Colour" });
    expect(within(colour).queryByRole("link")).toBeNull();
    expect(colour.querySelector("circle")?.getAttribute("fill")).toBe("#0000ff");
    expect(container.querySelector(".ProductOptions form")).toBeNull();
  });

  it("has a select in a form for an option with many values", () => {
    const values = Array.from({ length: 31 }, (_, index) => ({ name: `${index} cm`, variant: `1-${index}` }));
    const { container } = show({ options: [{ name: "Length", values, isLong: true }] });
    const select = screen.getByRole("combobox", { name: "Length" });
    expect(within(select).getAllByRole("option")).toHaveLength(32);
    expect(select.getAttribute("name")).toBe("variant");
    expect(container.querySelector(".ProductOptions form")?.getAttribute("action")).toBe("/product/1");
    expect(screen.getByRole("button", { name: "Choose" })).toBeTruthy();
  });

  it("is sold out beside its low stock", () => {
    show({ availability: [{ text: "Low Stock", tone: "few" }, { text: "Sold out", tone: "none" }] });
    expect(screen.getByText("Low Stock").nextElementSibling?.textContent).toBe("Sold out");
    expect(screen.getByText("Low Stock").className).toContain("--low");
  });

  it("says nothing about what is not known", () => {
    const unknown = { availability: [], options: [], rating: null, reviews: null, facts: [], sku: "", brand: null };
    const { container } = show(unknown);
    expect(container.querySelector(".ProductSummary")?.textContent).not.toMatch(/Stock|Sold out|SKU|\b0\.0\b|review|Weight|Dimensions|Warranty/i);
    expect(screen.queryByRole("region", { name: "Reviews" })).toBeNull();
    cleanup();
    const { container: unrated } = show({ rating: null, reviews: [] });
    expect(screen.queryByText("(0 reviews)")).toBeNull();
    expect(unrated.querySelector(".ProductHead .StarRating, .Reviews .StarRating")).toBeNull();
    cleanup();
    show({ rating: { value: 4.4, text: "4.4" }, reviews: [] });
    expect(screen.getByRole("link", { name: "(0 reviews)" })).toBeTruthy();
  });

  it("only logs its actions, with the quantity", () => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    show({ minimumOrderQuantity: 4 });
    const quantity = screen.getByRole("spinbutton", { name: "Quantity" });
    expect(quantity).toHaveProperty("value", "4");
    fireEvent.click(screen.getByRole("button", { name: "Decrease quantity" }));
    expect(quantity).toHaveProperty("value", "4");
    fireEvent.click(screen.getByRole("button", { name: "Increase quantity" }));
    fireEvent.click(screen.getByRole("button", { name: "Add to Cart" }));
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    fireEvent.click(screen.getByRole("button", { name: "Share" }));
    expect(log.mock.calls.map((call) => call.join(" "))).toEqual(["Add to cart: Tall Oak Lamp 5", "Save: Tall Oak Lamp", "Share: Tall Oak Lamp"]);
  });

  it("has a link to where it is sold in place of the cart", () => {
    show({ noCart: true, link: { href: "https://www.shop.example/lamp?a=b", host: "shop.example" } });
    const link = screen.getByRole("link", { name: "View at shop.example" });
    expect([link.getAttribute("href"), link.getAttribute("rel")]).toEqual(["https://www.shop.example/lamp?a=b", "noopener external"]);
    expect(link.closest(".ProductActions")).toBeNull();
    expect(screen.queryByRole("button", { name: "Add to Cart" })).toBeNull();
    expect(screen.queryByRole("spinbutton")).toBeNull();
    cleanup();
    show({ noCart: true });
    expect(screen.queryByText(/^View at/)).toBeNull();
  });

  it("raises a typed quantity to the minimum when the entry is finished", () => {
    show({ minimumOrderQuantity: 3 });
    const quantity = screen.getByRole("spinbutton", { name: "Quantity" });
    fireEvent.change(quantity, { target: { value: "" } });
    expect(quantity).toHaveProperty("value", "");
    fireEvent.blur(quantity);
    expect(quantity).toHaveProperty("value", "3");
    fireEvent.change(quantity, { target: { value: "900000" } });
    fireEvent.blur(quantity);
    expect(quantity).toHaveProperty("value", "900000");
  });

  it("sorts its reviews", () => {
    show();
    const names = () => [...document.querySelectorAll(".ReviewItem-name")].map((name) => name.textContent);
    expect(names()).toEqual(["Ada", "Bo"]);
    fireEvent.change(screen.getByRole("combobox", { name: "Sort reviews by" }), { target: { value: "highest" } });
    expect(names()).toEqual(["Bo", "Ada"]);
  });

  it("keeps the number of its reviews in every order, also of those that are the same", () => {
    const [review] = productDetail().reviews ?? [];
    if (review === undefined) throw new Error("the example has no review");
    show({ reviews: [review, { ...review }, { ...review, rating: 1, ratingText: "1.0" }, { ...review }] });
    const choice = screen.getByRole("combobox", { name: "Sort reviews by" });
    const ratings = () => [...document.querySelectorAll(".ReviewItem .StarRating-number")].map((rating) => rating.textContent);
    for (const [value, first] of [["lowest", "1.0"], ["highest", "3.0"], ["newest", "3.0"], ["lowest", "1.0"], ["highest", "3.0"]] as const) {
      fireEvent.change(choice, { target: { value } });
      expect(ratings()).toHaveLength(4);
      expect(ratings()[0]).toBe(first);
    }
  });
});

describe("the pictures of a product", () => {
  it("change by buttons, thumbnails and arrow keys, and say which one is shown", () => {
    show();
    const gallery = within(screen.getByRole("group", { name: "Product images" }));
    const status = gallery.getByRole("status");
    expect(status.textContent).toBe("Image 1 of 3");
    fireEvent.click(gallery.getByRole("button", { name: "Previous image" }));
    expect(status.textContent).toBe("Image 3 of 3");
    fireEvent.click(gallery.getByRole("button", { name: "Show image 2 of 3" }));
    expect(gallery.getByRole("button", { name: "Show image 2 of 3" }).getAttribute("aria-current")).toBe("true");
    fireEvent.keyDown(gallery.getByRole("button", { name: "Next image" }), { key: "ArrowRight" });
    expect(status.textContent).toBe("Image 3 of 3");
    expect(gallery.getByRole("img", { name: "Tall Oak Lamp, image 3 of 3" })).toBeTruthy();
  });

  it("zoom on a click and back", () => {
    show();
    const stage = screen.getByRole("button", { name: /^Zoom in on Tall/ });
    fireEvent.click(stage);
    expect(stage.getAttribute("aria-pressed")).toBe("true");
    fireEvent.keyDown(stage, { key: " " });
    expect(stage.getAttribute("aria-pressed")).toBe("false");
  });

  it("may be missing", () => {
    show({ images: [] });
    expect(screen.queryByRole("img", { name: /Tall Oak Lamp/ })).toBeNull();
    expect(document.querySelector(".ProductPage-product--plain")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Next image" })).toBeNull();
  });
});

describe("recently viewed products", () => {
  it("are those seen before, without the current one", () => {
    show({ id: "7", title: "Felt Slippers" }).unmount();
    show({ id: "8", title: "Wool Rug" });
    const recent = within(screen.getByRole("region", { name: "Recently viewed" }));
    expect(recent.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/product/7"]);
  });
});

describe("a missing product", () => {
  it("says so in the specified words", () => {
    renderAt("/product/9", <ProductPage content={{ product: null, failed: false, related: [] }} />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Product not found");
    expect(screen.getByText("The product you are looking for does not exist.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Try again" })).toBeNull();
  });

  it("offers another try when the catalogue did not answer", () => {
    const { container } = renderAt("/product/9", <ProductPage content={{ product: null, failed: true, related: [] }} />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("This product could not be loaded");
    expect(screen.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe("/product/9");
    const inOrder = ["We could not reach the catalogue just now.", "Try again", "Product not found", "The product you are looking for does not exist."];
    const places = inOrder.map((text) => container.textContent.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
