import type { Page } from "@playwright/test";
import { startFront } from "../support/front";
import type { Front } from "../support/front";
import { option } from "../support/listing";
import { cards, heading, hydrated, open } from "../support/page";
import { startOtherBuild, startVitrine } from "../support/server";
import type { Server } from "../support/server";
import { expect, MORE, test as base } from "../support/test";

// Two builds from other sources, whose contracts name fields differently: what one of them sends as data, the client of
// the other one cannot show. `scripts/other-build.mjs` makes the other build.

const PATIENT = ["--render-timeout", "20000"];
const TEXTS = { own: "A sample shop. Nothing here", other: "A sample shop of the other build. Nothing here" };
type Build = keyof typeof TEXTS;

const test = base.extend<{ front: Front }, { builds: Record<Build, Server> }>({
  builds: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern.
    async ({}, provide) => {
      const [own, other] = await Promise.all([startVitrine(...PATIENT), startOtherBuild(...PATIENT)]);
      await provide({ own, other });
      await Promise.all([own.stop(), other.stop()]);
    },
    { scope: "worker" },
  ],
  front: async ({ builds }, provide) => {
    const front = await startFront(builds.own.address);
    await provide(front);
    await front.stop();
  },
  baseURL: async ({ front }, provide) => {
    await provide(front.address);
  },
});

interface Visit {
  name: string;
  go: (page: Page) => Promise<unknown>;
  address: RegExp;
}

const VISITS: readonly Visit[] = [
  { name: "a listing", go: (page) => follow(page, "Deals"), address: /\/deals$/ },
  { name: "a filter", go: (page) => option(page, "checkbox", "In stock only").click(), address: /\/products\?stock=1$/ },
  { name: "a product", go: (page) => cards(page).first().getByRole("link").click(), address: /\/product\/\d+$/ },
  {
    name: "a search",
    go: async (page) => {
      await page.getByRole("banner").getByRole("searchbox", { name: "Search products" }).fill("watch");
      await page.keyboard.press("Enter");
    },
    address: /\/search\/watch$/,
  },
];

function follow(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
}

async function expectPage(page: Page, build: Build, address: RegExp): Promise<void> {
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("contentinfo").getByText(TEXTS[build])).toBeVisible();
  await hydrated(page);
  await expect(heading(page)).not.toHaveText(/^Oops/);
  await expect(cards(page).first()).toBeVisible();
}

test("the builds name a field differently", { tag: MORE }, async ({ builds, request }) => {
  const fields = async ({ address }: Server) => {
    const { content } = (await (await request.get(`${address}/_data/products`)).json()) as { content: object };
    return Object.keys(content);
  };
  expect(await fields(builds.own)).toContain("facets");
  expect(await fields(builds.other)).not.toContain("facets");
});

for (const [before, after] of [["own", "other"], ["other", "own"]] as const) {
  for (const { name, go, address } of VISITS) {
    test(`${name} in a tab of the ${before} build is a document of the ${after} one`, { tag: MORE }, async ({ page, builds, front, watch }) => {
      front.shop = builds[before].address;
      await open(page, "/products");
      await expectPage(page, before, /\/products$/);
      front.shop = builds[after].address;
      await go(page);
      await expectPage(page, after, address);
      expect(watch.documents).toHaveLength(2);
      // From here on tab and shop are of one build.
      await follow(page, "Best Sellers");
      await expectPage(page, after, /\/best-sellers$/);
      expect(watch.documents).toHaveLength(2);
    });
  }

  test(`while documents are of the ${before} build and data of the ${after} one, each press loads one document`, { tag: MORE }, async ({ page, builds, front, watch }) => {
    front.shop = builds[before].address;
    await page.route(/\/_data\//, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: builds[after].address + pathname + search }) });
    });
    await open(page, "/products");
    for (const [index, { go, address }] of VISITS.filter(({ name }) => name !== "a filter").entries()) {
      await go(page);
      await expectPage(page, before, address);
      expect(watch.documents).toHaveLength(index + 2);
    }
  });
}
