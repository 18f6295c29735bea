import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderAt } from "../test/testing";
import { Link } from "./Link";
import { NavLink } from "./NavLink";

function show(props: Partial<Parameters<typeof Link>[0]> = {}) {
  const { router } = renderAt("/products?page=2", <Link to="/sale" {...props}>Sale</Link>);
  const push = vi.spyOn(router.navigator, "push").mockReturnValue(undefined);
  const replace = vi.spyOn(router.navigator, "replace").mockReturnValue(undefined);
  return { link: screen.getByRole("link"), push, replace };
}

it("navigates instead of loading a document", () => {
  const { link, push } = show({ preventScrollReset: true });
  expect(link.getAttribute("href")).toBe("/sale");
  // False means that the default was prevented.
  expect(fireEvent.click(link)).toBe(false);
  expect(push).toHaveBeenCalledExactlyOnceWith("/sale", undefined, { preventScrollReset: true });
});

it("makes no history entry for the current address", () => {
  const { link, push, replace } = show({ to: "/products?page=2" });
  fireEvent.click(link);
  expect(push).not.toHaveBeenCalled();
  expect(replace).toHaveBeenCalledOnce();
});

it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  "leaves a press with %j to the browser",
  (press) => {
    const { link, push } = show();
    expect(fireEvent.click(link, press)).toBe(true);
    expect(push).not.toHaveBeenCalled();
  },
);

it("leaves a press to a handler that has dealt with it", () => {
  const { link, push } = show({ onClick: (event) => { event.preventDefault(); } });
  fireEvent.click(link);
  expect(push).not.toHaveBeenCalled();
});

it.each([
  ["/products", true],
  ["/Products", true],
  ["/products/more", true],
  ["/products-new", false],
  ["/", false],
])("at %s the link to the products is the current one: %s", (path, isCurrent) => {
  renderAt(path, <NavLink to="/products">Products</NavLink>);
  expect(screen.getByRole("link").getAttribute("aria-current")).toBe(isCurrent ? "page" : null);
});
