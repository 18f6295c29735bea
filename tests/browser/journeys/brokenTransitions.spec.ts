import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

// Otherwise there are no transitions.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const BROKEN = {
  "throws": "() => { throw new Error('broken'); }",
  "is rejected": `() => {
    const reason = new Error('broken');
    return { ready: Promise.reject(reason), updateCallbackDone: Promise.reject(reason), finished: Promise.reject(reason) };
  }`,
  "never calls back": "() => { const never = new Promise(() => {}); return { ready: never, updateCallbackDone: never, finished: never }; }",
  "returns nothing": "() => undefined",
};

test("the page changes despite a view transition that throws, is rejected, never calls back or returns nothing", async ({ page, watch }) => {
  await open(page, "/");
  for (const [how, startViewTransition] of Object.entries(BROKEN)) {
    await test.step(how, async () => {
      await page.evaluate(`{
        globalThis.transitions = 0;
        const broken = ${startViewTransition};
        document.startViewTransition = () => { globalThis.transitions += 1; return broken(); };
      }`);
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
      await expect(heading(page)).toHaveText("Deals");
      await expect(heading(page)).toBeFocused();
      await page.goBack();
      await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
      await page.goForward();
      await expect(heading(page)).toHaveText("Deals");
      expect(await page.evaluate(() => (globalThis as unknown as { transitions: number }).transitions), how).toBe(3);
      await page.goBack();
      await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
    });
  }
  expect(watch.documents).toHaveLength(1);
});
