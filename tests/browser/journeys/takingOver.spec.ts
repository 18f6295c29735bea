import type { Page } from "@playwright/test";
import { heading, hydrated, searchField } from "../support/page";
import { chips, option } from "../support/listing";
import { expect, MORE, test } from "../support/test";

// Presses in the moment after the client has started and before it has hydrated the page. They reach it once.

/** Runs in the page right after the client's script, before anything is hydrated. */
async function inBetween(page: Page, what: (...given: string[]) => void, ...given: string[]): Promise<void> {
  await page.addInitScript(
    `{
      const { set, get } = Object.getOwnPropertyDescriptor(History.prototype, "scrollRestoration");
      let isDone = false;
      Object.defineProperty(History.prototype, "scrollRestoration", {
        configurable: true,
        get,
        // The router takes scrolling upon itself in the script; what is queued there runs at the script's end.
        set(value) {
          set.call(this, value);
          if (isDone || value !== "manual") return;
          isDone = true;
          queueMicrotask(() => {
            globalThis.clientWas = document.documentElement.dataset.client;
            (${what.toString()})(...${JSON.stringify(given)});
          });
        },
      });
    }`,
  );
}

async function openPressed(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  const before = await page.evaluate(() => (globalThis as unknown as { clientWas?: string }).clientWas);
  expect(before, "what happens in between comes before the client is ready").toBe("awaited");
}

function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

/** A click that follows the events of a pointer. */
function pressWithPointer(selector: string): void {
  const element = document.querySelector<HTMLElement>(selector);
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup"]) {
    element?.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, isPrimary: true }));
  }
  element?.click();
}

const STOCK = "#filter-form input[name=stock]";
const BRAND = "#filter-form input[name=brand]";

for (const [how, pressed] of [["by a click alone", press], ["with a pointer", pressWithPointer]] as const) {
  // A filter is pressed in both ways, whatever is tested.
  const tag = pressed === press ? MORE : [];

  test(`a filter pressed in between is applied once, ${how}`, async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/_data/")) asked.push(new URL(request.url()).search);
    });
    await inBetween(page, pressed, STOCK);
    await openPressed(page, "/products");
    await expect(page).toHaveURL(/\/products\?stock=1$/);
    await expect(option(page, "checkbox", "In stock only")).toBeChecked();
    await expect(chips(page)).toHaveCount(1);
    expect(new Set(asked)).toEqual(new Set(["?stock=1"]));
  });

  test(`a brand pressed in between is chosen once, ${how}`, { tag }, async ({ page }) => {
    await inBetween(page, pressed, BRAND);
    await openPressed(page, "/products");
    await expect(page).toHaveURL(/\/products\?brand=[^&]+$/);
    await expect(page.locator(BRAND).first()).toBeChecked();
    await expect(chips(page)).toHaveCount(1);
  });

  test(`a product added in between is added once, ${how}`, { tag }, async ({ page, watch }) => {
    const alerts: string[] = [];
    page.on("dialog", async (dialog) => {
      alerts.push(dialog.message());
      await dialog.accept();
    });
    await inBetween(page, pressed, "main article .AddButton");
    await openPressed(page, "/products");
    await expect.poll(() => alerts.length).toBe(1);
    await expect.poll(() => watch.logs.length).toBe(1);
    await expect(page.getByRole("button", { name: /^Adding/ })).toHaveCount(0);
    expect(alerts).toHaveLength(1);
    expect(watch.logs).toHaveLength(1);
  });

  test(`a link pressed in between leads to its page without a document, ${how}`, { tag }, async ({ page, watch }) => {
    await inBetween(page, pressed, "main article .ProductCard-link");
    await openPressed(page, "/products");
    await expect(page).toHaveURL(/\/product\/\d+$/);
    await expect(heading(page)).toBeFocused();
    expect(watch.documents).toHaveLength(1);
  });

  test(`the menu opened in between is open, ${how}`, { tag }, async ({ page }) => {
    await inBetween(page, pressed, ".CategoryMenu-trigger");
    await openPressed(page, "/");
    await expect(page.locator(".CategoryMenu-trigger")).toHaveAttribute("aria-expanded", "true");
    await expect(page).toHaveURL(/\/$/);
  });
}

test("what is typed in between stays", async ({ page }) => {
  const type = (selector: string) => {
    const box = document.querySelector<HTMLInputElement>(selector);
    if (box === null) return;
    box.value = "red";
    box.dispatchEvent(new InputEvent("input", { bubbles: true, data: "red" }));
  };
  await inBetween(page, type, ".SearchBox-input");
  await openPressed(page, "/");
  await expect(searchField(page)).toHaveValue("red");
  await searchField(page).press("Enter");
  await expect(page).toHaveURL(/\/search\/red$/);
});
