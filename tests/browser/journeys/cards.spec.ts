import { cards, open, openStopped } from "../support/page";
import { expect, test } from "../support/test";
import { recordAddresses } from "../support/visit";

test("the add button shows 'Adding...' for 500 ms, then an alert and the console name the product", async ({ page, watch }) => {
  await openStopped(page, "/products");
  const alerts: string[] = [];
  page.on("dialog", async (dialog) => {
    alerts.push(`${dialog.type()}: ${dialog.message()}`);
    await dialog.accept();
  });
  const card = cards(page).nth(1);
  const title = await card.getByRole("heading").innerText();
  await card.getByRole("button", { name: `Add ${title}`, exact: true }).click();
  const adding = card.getByRole("button", { name: `Adding... ${title}`, exact: true });
  await expect(adding).toBeVisible();
  // A second click while it works adds nothing.
  await adding.dispatchEvent("click");
  await page.clock.runFor(499);
  await expect(adding).toBeVisible();
  expect(watch.logs).toEqual([]);
  expect(alerts).toEqual([]);
  await page.clock.runFor(1);
  await expect(card.getByRole("button", { name: `Add ${title}`, exact: true })).toBeVisible();
  await expect.poll(() => alerts).toEqual([`alert: ${title} added to cart`]);
  await expect.poll(() => watch.logs).toEqual([`Add to cart: ${title}`]);
});

test("the wishlist heart toggles and only logs", async ({ page, watch }) => {
  await open(page, "/products");
  const requests = recordAddresses(page);
  const title = await cards(page).first().getByRole("heading").innerText();
  const heart = cards(page).first().getByRole("button", { name: `Wishlist: ${title}` });
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => watch.logs).toEqual([`Added to wishlist: ${title}`, `Removed from wishlist: ${title}`]);
  expect(requests).toEqual([]);
});
