import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { renderAt } from "../test/testing";
import { ProductCard } from "./ProductCard";

const lamp: ProductCardContract = {
  id: 7,
  title: "Harbour Lamp",
  brand: "Hallbryn",
  thumbnail: "/lamp.svg",
  tint: 3,
  price: { current: "$45.00", original: "$50", percentOff: 10 },
  rating: 4.36,
  stock: 12,
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
});

describe("ProductCard", () => {
  it("shows the product and leads to it", () => {
    show();
    expect(screen.getByRole("link", { name: "Harbour Lamp" }).getAttribute("href")).toBe("/product/7");
    expect(screen.getByRole("img", { name: "Rated 4.4 out of 5" })).toBeTruthy();
    expect(screen.getByText("$45.00")).toBeTruthy();
    expect(screen.getByText("Original price").parentElement?.textContent).toBe("Original price $50");
    expect(screen.getByText("10% off")).toBeTruthy();
  });

  it.each([
    [0, "0 left"],
    [9, "9 left"],
    [10, "In Stock"],
  ])("labels a stock of %i", (stock, label) => {
    show({ ...lamp, stock });
    expect(screen.getByText(label)).toBeTruthy();
  });

  it("presses only for what is left", () => {
    show({ ...lamp, stock: 0 });
    expect(screen.getByText("0 left").className).not.toContain("--few");
    cleanup();
    show({ ...lamp, stock: 1 });
    expect(screen.getByText("1 left").className).toContain("--few");
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

  it("adds nothing after it left the page", () => {
    const { onAdd, unmount } = show();
    fireEvent.click(screen.getByRole("button", { name: "Add Harbour Lamp" }));
    unmount();
    vi.advanceTimersByTime(1000);
    expect(onAdd).not.toHaveBeenCalled();
  });

  it("draws a placeholder for a picture that is missing or fails", () => {
    const { container } = show();
    const picture = container.querySelector("img");
    if (picture === null) throw new Error("The card has no picture");
    fireEvent.error(picture);
    expect(container.querySelector("img")).toBeNull();
    expect(container.querySelector(".ProductImage-placeholder")).toBeTruthy();
  });
});
