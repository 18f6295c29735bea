import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { shop } from "../test/fixtures";
import { renderAt } from "../test/testing";
import { Header } from "./Header";

const categories = [
  { slug: "beauty", name: "Beauty" },
  { slug: "home-decoration", name: "Home Decoration" },
];

function show(categoryTotal?: number) {
  const shown = renderAt("/", <Header shop={shop()} categories={categories} categoryTotal={categoryTotal} searchText="" />);
  const push = vi.spyOn(shown.router.navigator, "push").mockReturnValue(undefined);
  return { ...shown, push };
}

describe("the header", () => {
  it("makes its promises and shows the sample badges", () => {
    show();
    const header = screen.getByRole("banner");
    for (const promise of ["Free shipping on orders over $50", "24/7 support", "30-day returns"]) {
      expect(header.textContent).toContain(promise);
    }
    expect(screen.getByRole("button", { name: "Notifications: 2 new" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Cart: 3 items" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Account" })).toBeTruthy();
  });

  it("searches for a trimmed text and ignores a blank one", () => {
    const { push } = show();
    const box = screen.getByRole("searchbox", { name: "Search products" });
    fireEvent.change(box, { target: { value: "   " } });
    fireEvent.submit(screen.getByRole("search"));
    expect(push).not.toHaveBeenCalled();
    fireEvent.change(box, { target: { value: " 50% off " } });
    fireEvent.submit(screen.getByRole("search"));
    expect(push.mock.calls[0]?.[0]).toMatchObject({ pathname: "/search/50%25%20off" });
  });

  it("goes where the link leads that submits the search", () => {
    const { push } = show();
    const form = screen.getByRole("search");
    fireEvent.change(screen.getByRole("searchbox", { name: "Search products" }), { target: { value: "oak" } });
    const submitter = document.createElement("a");
    submitter.setAttribute("href", "/products?brand=Oak%20%26%20Co");
    const isLeft = fireEvent(form, new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
    expect(isLeft).toBe(false);
    expect(push.mock.calls[0]?.[0]).toMatchObject({ pathname: "/products", search: "?brand=Oak%20%26%20Co" });
  });

  it("discloses all categories and hides them on Escape, outside and on choosing", () => {
    show();
    const trigger = screen.getByRole("button", { name: "All Categories" });
    const expanded = () => trigger.getAttribute("aria-expanded");
    expect(trigger.getAttribute("href")).toBe("/categories");
    fireEvent.click(trigger);
    expect(expanded()).toBe("true");

    const link = screen.getByRole("link", { name: "Home Decoration" });
    expect(link.getAttribute("href")).toBe("/category/home-decoration");
    fireEvent.keyDown(link, { key: "Escape" });
    expect(expanded()).toBe("false");
    expect(document.activeElement).toBe(trigger);

    fireEvent.keyDown(trigger, { key: " " });
    expect(expanded()).toBe("true");
    fireEvent.pointerDown(document.body);
    expect(expanded()).toBe("false");

    fireEvent.click(trigger);
    fireEvent.click(screen.getByRole("link", { name: "Beauty" }));
    expect(expanded()).toBe("false");
  });

  it("leads to all categories where the menu has only the largest", () => {
    show(5_000);
    const trigger = screen.getByRole("button", { name: "All Categories" });
    fireEvent.click(trigger);
    const link = screen.getByRole("link", { name: "All 5000 categories" });
    expect(link.getAttribute("href")).toBe("/categories");
    fireEvent.click(link);
    expect(trigger.getAttribute("aria-expanded")).toBe("false");
  });

  it("lists the four shop links and the categories in the mobile menu", () => {
    const { container } = show();
    const menu = within(container.querySelector<HTMLElement>(".MobileMenu") ?? container);
    const hrefs = menu.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual(["/new-arrivals", "/best-sellers", "/deals", "/brands", "/categories"]);
  });

  it("links to no page that would be empty", () => {
    const own = [{ text: "New", href: "/new-arrivals" }, { text: "Deals", href: "/deals" }];
    for (const links of [undefined, own]) {
      const empty = ["brands", "categories", "new-arrivals", "best-sellers"];
      const { container, unmount } = renderAt("/", <Header shop={shop(links && { links })} categories={[]} empty={empty} searchText="" />);
      const hrefs = [...container.querySelectorAll("nav a")].map((link) => link.getAttribute("href"));
      expect(hrefs).toEqual(["/deals", "/deals"]);
      unmount();
    }
  });
});
