import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { serveCopy } from "./sources";
import type { Sources } from "./sources";

const COMPONENT = "client/overview/PageHeading.tsx";
const STYLES = "client/overview/PageHeading.css";
/** How often a change is timed; `DEV_ROUNDS=9` for figures. */
const ROUNDS = Number(process.env.DEV_ROUNDS ?? 1);

let sources: Sources;

test.beforeAll(async () => { sources = await serveCopy(); });
test.afterAll(async () => { await sources.stop(); });

const problem = (page: Page) => page.locator("dev-error");

/** Fails the test when the browser complains; an error on purpose is no complaint. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text());
  });
  return found;
}

/** Opens the page once it is connected, so that no change is missed. */
async function open(page: Page) {
  const connected = page.waitForRequest((request) => request.resourceType() === "eventsource");
  await page.goto(`${sources.address}/categories`);
  await connected;
  await expect(page.locator("html")).toHaveAttribute("data-client", "ready");
}

/** Returns once the page's first heading has this value. `waitForFunction` needs `eval`, which the policy forbids. */
async function shows(page: Page, read: (heading: HTMLElement) => string | undefined, wanted: string | undefined) {
  const heading = page.locator("#root h1");
  await expect.poll(() => heading.evaluate(read).catch(() => "no page"), { intervals: [10] }).toBe(wanted);
}

/** What the page's first heading was like, frame by frame, as a loaded document saw it. */
interface Sight {
  /** Milliseconds of the system's clock. */
  at: number;
  letterSpacing: string;
  round: string | undefined;
}

/**
 * Makes every document of the page report its heading in the first frame and whenever it is different in a later one.
 * Asking from here instead would measure how long the browser takes to answer.
 */
async function watchHeading(page: Page): Promise<Sight[]> {
  const sights: Sight[] = [];
  await page.exposeFunction("reportHeading", (sight: Sight) => { sights.push(sight); });
  await page.addInitScript(() => {
    let last = "";
    function look(): void {
      const heading = document.querySelector<HTMLElement>("#root h1");
      if (heading !== null) {
        const seen = { letterSpacing: getComputedStyle(heading).letterSpacing, round: heading.dataset.round };
        const text = JSON.stringify(seen);
        if (text !== last) {
          const { reportHeading } = window as unknown as { reportHeading: (sight: Sight) => Promise<void> };
          void reportHeading({ at: performance.timeOrigin + performance.now(), ...seen });
        }
        last = text;
      }
      requestAnimationFrame(look);
    }
    look();
  });
  return sights;
}

/** Milliseconds from `started`, by the system's clock, until the browser began a frame with such a heading. */
async function delay(sights: Sight[], started: number, isWanted: (sight: Sight) => boolean): Promise<number> {
  const find = () => sights.find((sight) => sight.at > started && isWanted(sight));
  await expect.poll(() => find() !== undefined).toBe(true);
  const found = find();
  if (found === undefined) throw new Error("the heading was seen and is gone");
  return found.at - started;
}

/** Edits a file for the length of a step, and waits until the page shows it as it was. */
async function withEdit(file: string, edit: (text: string) => string, step: () => Promise<void>) {
  const text = sources.read(file);
  const edited = edit(text);
  expect(edited).not.toBe(text);
  sources.write(file, edited);
  try {
    await step();
  } finally {
    sources.write(file, text);
  }
}

function report(what: string, times: number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(`${what}: median ${Math.round(median)} ms, slowest ${Math.round(sorted.at(-1) ?? 0)} ms, of ${times.length}`);
}

test("a change of a style shows without a reload", async ({ page }) => {
  const found = complaints(page);
  const sights = await watchHeading(page);
  await open(page);
  await page.evaluate(() => { document.body.dataset.sameDocument = "yes"; });
  const times: number[] = [];
  const spacing = (heading: HTMLElement) => getComputedStyle(heading).letterSpacing;
  const usual = await page.locator("#root h1").evaluate(spacing);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const started = Date.now();
    await withEdit(STYLES, (text) => `${text}\nh1 { letter-spacing: ${round + 10}px !important }\n`, async () => {
      times.push(await delay(sights, started, ({ letterSpacing }) => letterSpacing === `${round + 10}px`));
    });
    // What is removed goes, too.
    await shows(page, spacing, usual);
  }
  expect(await page.evaluate(() => document.body.dataset.sameDocument)).toBe("yes");
  expect(found).toEqual([]);
  report("style", times);
});

test("a change of a component shows, rendered by the server too", async ({ page, request }) => {
  const found = complaints(page);
  const sights = await watchHeading(page);
  await open(page);
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const started = Date.now();
    await withEdit(COMPONENT, (text) => text.replace("<h1 ", `<h1 data-round="${round}" `), async () => {
      times.push(await delay(sights, started, (sight) => sight.round === String(round)));
      const html = await (await request.get(`${sources.address}/categories`)).text();
      expect(html).toContain(`<h1 data-round="${round}"`);
    });
    await shows(page, (heading) => heading.dataset.round, undefined);
  }
  expect(found).toEqual([]);
  report("component", times);
});

test("an error of bundling is shown with its place until it is mended", async ({ page }) => {
  await open(page);
  await withEdit(COMPONENT, (text) => text.replace("return (", "return (("), async () => {
    await expect(problem(page)).toContainText("The client cannot be bundled");
    await expect(problem(page)).toContainText(/client\/overview\/PageHeading\.tsx:\d+:\d+/);
    await page.screenshot({ path: "target/development-tests/bundling.png" });
    // It is shown to those who come later, too, on the page as it was.
    await page.reload();
    await expect(problem(page)).toContainText("The client cannot be bundled");
    await expect(page.locator("#root h1")).toBeAttached();
  });
  await expect(problem(page)).toHaveCount(0);
});

test("an error of rendering is shown with its place in the sources", async ({ page }) => {
  await open(page);
  await withEdit(COMPONENT, (text) => text.replace("return (", "if (true as boolean) throw new Error('broken on purpose');\n  return ("), async () => {
    await expect(problem(page)).toContainText("The page was not rendered");
    await expect(problem(page)).toContainText("Error: broken on purpose");
    await expect(problem(page)).toContainText(/client\/overview\/PageHeading\.tsx:\d+:\d+/);
    await page.screenshot({ path: "target/development-tests/rendering.png" });
  });
  await expect(problem(page)).toHaveCount(0);
});

test("an error in the page alone is shown with its place in the sources", async ({ page }) => {
  await open(page);
  const broken = "if (typeof document !== 'undefined') throw new Error('broken in browsers');\n  return (";
  await withEdit(COMPONENT, (text) => text.replace("return (", broken), async () => {
    await expect(problem(page)).toContainText("An error in the page");
    await expect(problem(page)).toContainText("Error: broken in browsers");
    await expect(problem(page)).toContainText(/client\/overview\/PageHeading\.tsx:\d+:\d+/);
    await page.screenshot({ path: "target/development-tests/page.png" });
  });
  await expect(problem(page)).toHaveCount(0);
});

test("a bundle that fails as a whole leaves the old worker, and is shown", async ({ page }) => {
  await open(page);
  await withEdit("ssr/entry.tsx", (text) => `${text}\nthrow new Error("no bundle");\n`, async () => {
    await expect(problem(page)).toContainText("The new worker failed, the old one still serves");
    await expect(problem(page)).toContainText("no bundle");
    await expect(page.locator("#root h1")).toBeAttached();
  });
  await expect(problem(page)).toHaveCount(0);
});
