import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { renderAt } from "../test/testing";
import { ANNOUNCER_ID } from "./announce";
import { ProductCard } from "./ProductCard";

const lamp: ProductCardContract = {
  id: "7",
  title: "Harbour Lamp",
  brand: "Hallbryn",
  thumbnail: "/lamp.svg",
  tint: 3,
  price: { current: "$45.00", original: "$50", percentOff: 10 },
  rating: { value: 4.36, text: "4.4" },
  availability: { text: "In Stock" },
};

function show(product: ProductCardContract = lamp) {
  const onAdd = vi.fn();
  return { onAdd, ...renderAt("/", <ProductCard product={product} onAdd={onAdd} />) };
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

/** Says that the device can, or cannot, hover. */
function hovering(matches: boolean) {
  vi.stubGlobal("matchMedia", () => ({ matches }));
}

describe("ProductCard", () => {
  it("shows the colours that the product comes in", () => {
    const { container } = show({ ...lamp, colours: ["#ff0000", "#0000ff"] });
    expect([...container.querySelectorAll("circle")].map((circle) => circle.getAttribute("fill"))).toEqual(["#ff0000", "#0000ff"]);
  });

  it("shows the product and leads to it", () => {
    show();
    expect(screen.getByRole("link", { name: "Harbour Lamp" }).getAttribute("href")).toBe("/product/7");
    expect(screen.getByRole("img", { name: "Rated 4.4 out of 5" })).toBeTruthy();
    expect(screen.getByText("$45.00")).toBeTruthy();
    expect(screen.getByText("Original price").parentElement?.textContent).toBe("Original price $50");
    expect(screen.getByText("10% off")).toBeTruthy();
  });

  it("says nothing about an availability and a rating that are not known", () => {
    const { container } = show({ ...lamp, availability: null, rating: null });
    expect(container.querySelector(".ProductCard-stock, .StarRating, .ProductCard--sold-out")).toBeNull();
    expect(container.textContent).not.toMatch(/left|In Stock|0\.0/);
    cleanup();
    show({ ...lamp, rating: { value: 0, text: "0.0" } });
    expect(screen.getByRole("img", { name: "Rated 0.0 out of 5" })).toBeTruthy();
  });

  it("presses only for what is left", () => {
    const { container } = show({ ...lamp, availability: { text: "0 left", tone: "none" } });
    expect(screen.getByText("0 left").className).not.toContain("--few");
    expect(container.querySelector(".ProductCard--sold-out")).toBeTruthy();
    cleanup();
    show({ ...lamp, availability: { text: "1 left", tone: "few" } });
    expect(screen.getByText("1 left").className).toContain("--few");
    cleanup();
    show();
    expect(screen.getByText("In Stock").className).toBe("ProductCard-stock");
  });

  it("toggles the wishlist heart and logs it", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    show();
    const heart = screen.getByRole("button", { name: "Wishlist: Harbour Lamp" });
    fireEvent.click(heart);
    expect(heart.getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(heart);
    expect(heart.getAttribute("aria-pressed")).toBe("false");
    expect(log.mock.calls).toEqual([
      ["Added to wishlist:", "Harbour Lamp"],
      ["Removed from wishlist:", "Harbour Lamp"],
    ]);
  });

  it("adds once, half a second after the click", () => {
    const { onAdd } = show();
    const add = screen.getByRole("button", { name: "Add Harbour Lamp" });
    fireEvent.click(add);
    fireEvent.click(add);
    expect(add.textContent).toBe("Adding... Harbour Lamp");
    wait(499);
    expect(onAdd).not.toHaveBeenCalled();
    wait(1);
    expect(onAdd.mock.calls).toEqual([[lamp]]);
    expect(add.textContent).toBe("Add Harbour Lamp");
  });

  it("adds nothing after it left the page, and no longer says that it does", () => {
    const region = document.createElement("p");
    region.id = ANNOUNCER_ID;
    document.body.append(region);
    const { onAdd, unmount } = show();
    fireEvent.click(screen.getByRole("button", { name: "Add Harbour Lamp" }));
    expect(region.textContent).toBe("Adding... Harbour Lamp");
    unmount();
    expect(region.textContent).toBe("");
    region.remove();
    vi.advanceTimersByTime(1000);
    expect(onAdd).not.toHaveBeenCalled();
  });

  it("has a check mark for a while after it was added", () => {
    show();
    const add = screen.getByRole("button", { name: "Add Harbour Lamp" });
    fireEvent.click(add);
    wait(500);
    expect(add.className).toContain("AddButton--added");
    wait(2000);
    expect(add.className).toContain("AddButton--idle");
  });

  it("asks for the second picture when a pointer comes, and shows it once it has loaded", () => {
    hovering(true);
    const { container } = show({ ...lamp, second: "/lamp-2.svg" });
    const second = () => container.querySelector('img[src="/lamp-2.svg"]');
    expect(second()).toBeNull();
    fireEvent.pointerEnter(screen.getByRole("article"));
    expect(container.querySelector(".ProductCard-second--loaded")).toBeNull();
    fireEvent.load(second() ?? document.body);
    expect(container.querySelector(".ProductCard-second--loaded")).toBeTruthy();
  });

  it("asks for the second picture when the focus comes, and never without a pointer that hovers", () => {
    for (const can of [true, false]) {
      hovering(can);
      const { container, unmount } = show({ ...lamp, second: "/lamp-2.svg" });
      fireEvent.focus(screen.getByRole("link", { name: "Harbour Lamp" }));
      fireEvent.pointerEnter(screen.getByRole("article"));
      expect(container.querySelector('img[src="/lamp-2.svg"]') !== null).toBe(can);
      unmount();
    }
  });

  it("shows the brand below the title, and no empty line without one", () => {
    const { container, unmount } = show();
    expect(container.querySelector(".ProductCard-title + .ProductCard-brand")?.textContent).toBe("Hallbryn");
    unmount();
    expect(show({ ...lamp, brand: null }).container.querySelector(".ProductCard-brand")).toBeNull();
  });

  it("gives the keyboard the title first, then heart and button", () => {
    show();
    const stops = [...screen.getByRole("article").querySelectorAll("a, button")];
    expect(stops).toEqual([
      screen.getByRole("link", { name: "Harbour Lamp" }),
      screen.getByRole("button", { name: "Wishlist: Harbour Lamp" }),
      screen.getByRole("button", { name: "Add Harbour Lamp" }),
    ]);
  });

  it("keeps words with hyphens whole", () => {
    show({ ...lamp, title: "Fit-and-Flare Dress - long, semi-sheer" });
    const link = screen.getByRole("link", { name: "Fit-and-Flare Dress - long, semi-sheer" });
    expect([...link.querySelectorAll(".ProductCard-word")].map((word) => word.textContent)).toEqual(["Fit-and-Flare", "semi-sheer"]);
  });

  it.each([
    ["Harbour Lamp", "H"],
    ["\u00AB\u00E9clair\u00BB", "\u00E9"],
    ["\u{1F6D2} 3 pots", "3"],
    ["\u{1F6D2} !", ""],
  ])("draws the initial of %s on the plate of its category for a picture that is missing or fails", (title, initial) => {
    const { container, unmount } = show({ ...lamp, title });
    const picture = container.querySelector("img");
    if (picture === null) throw new Error("The card has no picture");
    fireEvent.error(picture);
    expect(container.querySelector("img")).toBeNull();
    const plate = () => container.querySelector(".ProductImage.tint-3 > .ProductImage-placeholder[aria-hidden]");
    expect(plate()?.getAttribute("data-initial")).toBe(initial);
    unmount();
    const without = show({ ...lamp, title, thumbnail: null });
    expect(without.container.querySelector(".tint-3 > .ProductImage-placeholder")?.getAttribute("data-initial")).toBe(initial);
  });
});
