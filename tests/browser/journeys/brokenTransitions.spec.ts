import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

// Otherwise there are no transitions.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const BROKEN = {
  "that throws": "() => { throw new Error('broken'); }",
  "that is rejected": `() => {
    const reason = new Error('broken');
    return { ready: Promise.reject(reason), updateCallbackDone: Promise.reject(reason), finished: Promise.reject(reason) };
  }`,
  "that never calls back": "() => { const never = new Promise(() => {}); return { ready: never, updateCallbackDone: never, finished: never }; }",
  "that returns nothing": "() => undefined",
};

for (const [how, startViewTransition] of Object.entries(BROKEN)) {
  test(`the page changes despite a view transition ${how}`, async ({ page, watch }) => {
    await page.addInitScript(`
      globalThis.transitions = 0;
      const broken = ${startViewTransition};
      document.startViewTransition = () => { globalThis.transitions += 1; return broken(); };
    `);
    await open(page, "/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
    await expect(heading(page)).toHaveText("Deals");
    await expect(heading(page)).toBeFocused();
    await page.goBack();
    await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
    await page.goForward();
    await expect(heading(page)).toHaveText("Deals");
    expect(await page.evaluate(() => (globalThis as unknown as { transitions: number }).transitions)).toBe(3);
    expect(watch.documents).toHaveLength(1);
  });
}
