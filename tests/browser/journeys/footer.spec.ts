import { open } from "../support/page";
import { expect, test } from "../support/test";
import { recordAddresses } from "../support/visit";

test("the footer claims 50,000+ subscribers", async ({ page }) => {
  await open(page, "/");
  await expect(page.getByRole("contentinfo").getByText("50,000+ subscribers")).toBeVisible();
});

test("the newsletter form only logs, and thanks the shopper", async ({ page, watch }) => {
  await open(page, "/categories");
  const requests = recordAddresses(page);
  const footer = page.getByRole("contentinfo");
  const email = footer.getByRole("textbox", { name: /email address/ });
  await email.fill("ada@example.com");
  await footer.getByRole("button", { name: "Subscribe" }).click();
  await expect(footer.getByRole("status")).toHaveText("Thank you for your interest!");
  await expect(email).toHaveValue("");
  await expect.poll(() => watch.logs).toEqual(["Newsletter subscription: ada@example.com"]);
  expect(requests).toEqual([]);
  await expect(page).toHaveURL("/categories");
});

test("the newsletter form wants an email address", async ({ page, watch }) => {
  await open(page, "/categories");
  const footer = page.getByRole("contentinfo");
  const email = footer.getByRole("textbox", { name: /email address/ });
  await expect(email).toHaveAttribute("type", "email");
  await expect(email).toHaveAttribute("required");
  for (const wrong of ["", "not an address"]) {
    await email.fill(wrong);
    await footer.getByRole("button", { name: "Subscribe" }).click();
    expect(await email.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
  }
  await expect(footer.getByRole("status")).toHaveText("");
  expect(watch.logs).toEqual([]);
});
