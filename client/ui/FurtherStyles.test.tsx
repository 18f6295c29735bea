import { act } from "@testing-library/react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { FurtherStyles } from "./FurtherStyles";

const page = (
  <main>
    <p>first</p>
    <FurtherStyles />
    <p>further</p>
  </main>
);

describe("FurtherStyles", () => {
  it("keeps what the host has put into its place", () => {
    const container = document.createElement("div");
    // The host looks for this.
    container.innerHTML = renderToString(page).replace("<style></style>", "<style>p{}</style>");
    const served = container.querySelector("style");
    const onRecoverableError = vi.fn();
    act(() => {
      hydrateRoot(container, page, { onRecoverableError });
    });
    expect(container.querySelector("style")).toBe(served);
    expect(served?.textContent).toBe("p{}");
    expect(onRecoverableError).not.toHaveBeenCalled();
  });

  it("is no element where the client draws the page", () => {
    const container = document.createElement("div");
    act(() => {
      createRoot(container).render(page);
    });
    expect(container.querySelector("style")).toBeNull();
    expect(container.textContent).toBe("firstfurther");
  });
});
