import { heading, open } from "../support/page";
import { expect, test } from "../support/test";
import { testLanguage } from "../support/testLanguage";

test.use({ shopName: "german" });

testLanguage("de", "");

test("says what the shopper does in German, also on pages that the client loads", async ({ page }) => {
  await open(page, "/");
  await page.getByRole("banner").getByRole("searchbox", { name: "Artikel suchen" }).fill("Tischleuchte 3");
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Suchergebnisse für „Tischleuchte 3“");
  await page.getByRole("link", { name: "Tischleuchte 3", exact: true }).click();
  await expect(page.getByRole("group", { name: "Artikelbilder" }).getByRole("status")).toHaveText("Bild 1 von 3");
  await page.getByRole("button", { name: "Merken", exact: true }).click();
  await expect(page.getByText("In diesem Browser gemerkt.", { exact: true })).toBeVisible();
});
