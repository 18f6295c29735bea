import { open } from "../support/page";
import { findProduct } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

type Review = Product["reviews"][number];

const newest = (left: Review, right: Review) => Date.parse(right.date) - Date.parse(left.date);

const ORDERS: readonly [name: RegExp, compare: (left: Review, right: Review) => number][] = [
  [/^Newest/, newest],
  [/^Highest/, (left, right) => right.rating - left.rating || newest(left, right)],
  [/^Lowest/, (left, right) => left.rating - right.rating || newest(left, right)],
];

test("reviews sort by newest, which is the default, highest and lowest", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ reviews }) => new Set(reviews.map(({ rating }) => rating)).size > 1);
  await open(page, `/product/${product.id}`);
  const section = page.getByRole("region", { name: "Reviews" });
  const sort = section.getByRole("combobox", { name: /sort/i });
  await expect(sort.locator("option:checked")).toHaveText(/^Newest/);
  await expect(sort.locator("option")).toHaveCount(3);
  for (const [name, compare] of ORDERS) {
    await sort.selectOption(await sort.locator("option").filter({ hasText: name }).innerText());
    const expected = [...product.reviews].sort(compare);
    await expect(section.getByRole("article").locator("p").last()).toHaveText(expected.at(-1)?.comment ?? "");
    await expect(section.getByRole("article")).toHaveText(
      expected.map(({ comment }) => new RegExp(comment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))),
    );
  }
});

test("the number of reviews leads to them", async ({ page, shop }) => {
  const { id, reviews } = findProduct(shop.products, (product) => product.reviews.length > 1);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, `/product/${id}`);
  await page.getByRole("main").getByRole("link", { name: `(${reviews.length} reviews)` }).click();
  await expect(page).toHaveURL(`/product/${id}#reviews`);
  const title = page.getByRole("heading", { name: "Reviews" });
  await expect(title).toBeInViewport();
  // The sticky header does not cover them, and the keyboard goes on from there.
  const header = await page.getByRole("banner").boundingBox();
  expect((await title.boundingBox())?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
  await expect(page.getByRole("region", { name: "Reviews" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Sort reviews by" })).toBeFocused();
});

test("a review shows who wrote it, when, how many stars and the comment", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ reviews }) => reviews.length > 1);
  await open(page, `/product/${product.id}`);
  for (const { reviewerName, rating, date, comment } of product.reviews) {
    const written = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(date));
    const review = page
      .getByRole("region", { name: "Reviews" })
      .getByRole("article")
      .filter({ hasText: reviewerName })
      .filter({ hasText: comment });
    await expect(review.first()).toContainText(written);
    await expect(review.first().getByRole("img", { name: `Rated ${rating.toFixed(1)} out of 5` })).toBeVisible();
  }
});

test("a bar per star counts the reviews", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ reviews }) => reviews.length > 1);
  await open(page, `/product/${product.id}`);
  const rows = page.getByRole("list", { name: "Reviews by rating" }).getByRole("listitem");
  await expect(rows).toHaveText(
    [5, 4, 3, 2, 1].map((stars) => {
      const count = product.reviews.filter(({ rating }) => rating === stars).length;
      return new RegExp(`^${stars} stars?${count} reviews?$`);
    }),
  );
});
