import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Categories } from "../contract.gen";
import { home } from "../test/fixtures";
import { renderAt } from "../test/testing";
import { BrandsPage } from "./BrandsPage";
import { CategoriesPage } from "./CategoriesPage";
import { ErrorPage } from "./ErrorPage";
import { HomePage } from "./HomePage";

const start = home({
  categories: [{ slug: "tops", name: "Tops", thumbnail: null, count: 1, tint: 2 }],
  bestSellers: { products: [], failed: true },
});

const content: Categories = {
  query: "",
  categories: [
    { slug: "beauty", name: "Beauty", thumbnail: null, count: 4, tint: 2 },
    { slug: "mens-watches", name: "Mens Watches", thumbnail: "/w.svg", count: null, tint: 2 },
  ],
  failed: false,
};

describe("the home page", () => {
  it("shows the sale, the figures and the way to everything", () => {
    renderAt("/", <HomePage home={start} />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toMatch(/Summer Sale Up to 50% off/);
    expect(screen.getByRole("link", { name: "Shop the sale" }).getAttribute("href")).toBe("/sale");
    const figures = screen.getByRole("list", { name: "The shop in figures" }).textContent;
    for (const figure of ["1M+", "50K+", "24/7"]) expect(figures).toContain(figure);
    expect(screen.getByRole("link", { name: "View all Categories" }).getAttribute("href")).toBe("/categories");
    for (const title of ["Featured", "Best Sellers", "New Arrivals"]) {
      expect(screen.getByRole("link", { name: `View all ${title}` }).getAttribute("href")).toBe("/products");
    }
  });

  it("has a heading and no holes without banner, figures, story, best sellers and new arrivals", () => {
    const { categories, featured } = start;
    const { container } = renderAt("/", <HomePage home={{ categories, featured }} />);
    for (const name of ["Best Sellers", "New Arrivals"]) expect(screen.queryByRole("region", { name })).toBeNull();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Vitrine");
    expect(screen.queryByRole("list", { name: "The shop in figures" })).toBeNull();
    expect(container.querySelector(".SaleBanner, .ShopStory")).toBeNull();
  });

  it("lets one section fail alone", () => {
    renderAt("/", <HomePage home={start} />);
    const failed = within(screen.getByRole("region", { name: "Best Sellers" }));
    expect(failed.getByText("Oops! Something went wrong")).toBeTruthy();
    expect(failed.getByText("We couldn't load the products. Please try again later.")).toBeTruthy();
    expect(screen.getAllByText("Oops! Something went wrong")).toHaveLength(1);
  });
});

describe("the categories page", () => {
  const names = () => screen.queryAllByRole("listitem").map((item) => item.textContent.trim());

  it("filters by name in any case, and says so in the address", () => {
    renderAt("/categories", <CategoriesPage content={content} />);
    expect(names()).toEqual(["Beauty 4 products", "Mens Watches"]);
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "WATCH" } });
    expect(names()).toEqual(["Mens Watches"]);
    expect(window.location.search).toBe("?q=WATCH");
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "boats" } });
    expect(screen.getByRole("status").textContent).toBe('No categories found matching "boats"');
  });

  it("starts from the filter in the URL", () => {
    renderAt("/categories?q=beau", <CategoriesPage content={{ ...content, query: "beau" }} />);
    expect(names()).toEqual(["Beauty 4 products"]);
  });

  describe("with many categories", () => {
    const pages = { total: 5_000, page: 2, pageCount: 50 };
    const categories = [{ slug: "c-100", name: "Category 100", thumbnail: null, count: 1, tint: 2 }];

    it("shows one page and the way to the others", () => {
      renderAt("/categories?q=cat&page=2", <CategoriesPage content={{ query: "cat", categories, pages, failed: false }} />);
      expect(screen.getByRole("status").textContent).toBe("5000 categories");
      const links = within(screen.getByRole("navigation", { name: "Pages" }));
      expect(links.getByRole("link", { name: "Page 50" }).getAttribute("href")).toBe("/categories?q=cat&page=50");
      expect(links.getByRole("link", { name: "Previous page" }).getAttribute("href")).toBe("/categories?q=cat");
    });

    it("asks the host for what is typed, and keeps it while the answer comes", () => {
      const { router } = renderAt("/categories", <CategoriesPage content={{ query: "", categories, pages, failed: false }} />);
      const replace = vi.spyOn(router.navigator, "replace").mockReturnValue(undefined);
      const box = screen.getByRole("searchbox");
      fireEvent.change(box, { target: { value: "boats " } });
      expect(box).toHaveProperty("value", "boats ");
      expect(names()[0]).toBe("Category 100 1 product");
      expect(replace.mock.calls[0]?.[0]).toMatchObject({ pathname: "/categories", search: "?q=boats" });
    });

    it("says when none of all matches", () => {
      const none = { total: 0, page: 1, pageCount: 1 };
      renderAt("/categories?q=boats", <CategoriesPage content={{ query: "boats", categories: [], pages: none, failed: false }} />);
      expect(screen.getByRole("status").textContent).toBe('No categories found matching "boats"');
      expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
    });
  });

  it("switches between grid and list", () => {
    renderAt("/categories", <CategoriesPage content={content} />);
    const list = screen.getByRole("button", { name: "List view" });
    expect(list.getAttribute("aria-pressed")).toBe("false");
    fireEvent.click(list);
    expect(list.getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByRole("list").className).toContain("CategoryList--list");
  });
});

describe("the brands page", () => {
  it("groups brands by their first letter", () => {
    const brands = ["4Rivers", "Aune", "Aster"].map((name) => ({ name, count: 2, href: `/products?brand=${name}` }));
    renderAt("/brands", <BrandsPage content={{ brands, failed: false }} />);
    expect(screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual(["#", "A"]);
    expect(screen.getByRole("link", { name: "Aune 2 products" }).getAttribute("href")).toBe("/products?brand=Aune");
    expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
  });

  it("divides many brands into pages", () => {
    const brands = [{ name: "Aune", count: 1, href: "/products?brand=Aune" }];
    renderAt("/brands", <BrandsPage content={{ brands, pages: { total: 5_000, page: 1, pageCount: 10 }, failed: false }} />);
    expect(screen.getByRole("link", { name: "Next page" }).getAttribute("href")).toBe("/brands?page=2");
  });
});

describe("the route error page", () => {
  it("says what happened and leads home", () => {
    renderAt("/x", <ErrorPage status={404} message="Not Found" />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Oops! Sorry, an unexpected error has occurred.");
    expect(screen.getByText("Not Found")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to the homepage" }).getAttribute("href")).toBe("/");
  });

  it.each([
    { empty: [], ways: ["/products", "/categories", "/sale"], text: "or see all products, all categories or what is on sale" },
    { empty: ["sale"], ways: ["/products", "/categories"], text: "all products · all categories" },
    { empty: ["categories"], ways: ["/products", "/sale"], text: "all products · what is on sale" },
    { empty: ["categories", "sale"], ways: ["/products"], text: "all products" },
  ] satisfies { empty: string[]; ways: string[]; text: string }[])("leads to no page that would be empty: $empty", ({ empty, ways, text }) => {
    const { container } = renderAt("/x", <ErrorPage status={404} message="Not Found" />, { empty });
    const shown = container.querySelector(".ErrorPage-ways");
    expect(shown?.textContent).toBe(text);
    expect([...(shown?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"))).toEqual(ways);
  });

  it("admits an unknown error", () => {
    renderAt("/x", <ErrorPage status={undefined} message="" />);
    expect(screen.getByText("Unknown error")).toBeTruthy();
  });
});
