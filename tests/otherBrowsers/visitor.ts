import { expect } from "@playwright/test";
import { element } from "./tab";
import type { Key, Tab } from "./tab";

/** The point at which an element can be clicked, or null. */
function centre(element: string): string {
  return `((element) => {
    element?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = (element?.getClientRects() ?? [])[0];
    if (box === undefined) return null;
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const top = document.elementFromPoint(x, y);
    const isFree = element.contains(top) || (top?.closest("label, a")?.contains(element) ?? false);
    return isFree ? [x, y] : null;
  })(${element})`;
}

/** Does in a browser what a shopper does, and waits for what a shopper sees. */
export class Visitor {
  constructor(
    private readonly tab: Tab,
    private readonly shop: string,
  ) {}

  /** Loads a document and waits until the client has taken over. */
  async open(path: string): Promise<void> {
    await this.tab.open(this.shop + path);
    await this.expect("document.readyState === 'complete' && history.scrollRestoration", "manual");
    await this.expect("document.documentElement.dataset.client", "ready");
    // A document that is left takes this with it.
    await this.read("globalThis.sameDocument = true");
  }

  /** Loads a document whose scripts do not run. */
  async openWithoutScripts(path: string): Promise<void> {
    await this.tab.open(this.shop + path);
  }

  read(expression: string): Promise<unknown> {
    return this.tab.evaluate(expression);
  }

  async expect(expression: string, value: unknown): Promise<void> {
    await expect.poll(() => this.read(expression), { message: expression }).toEqual(value);
  }

  async expectHeading(text: string): Promise<void> {
    await this.expect("document.querySelector('main h1')?.textContent.trim()", text);
  }

  async expectAddress(path: string): Promise<void> {
    await this.expect("location.pathname + location.search", path);
  }

  async expectVisible(selector: string, text?: string): Promise<void> {
    await this.expect(`${element(selector, text)} !== undefined`, true);
  }

  async expectHidden(selector: string, text?: string): Promise<void> {
    await this.expect(`${element(selector, text)} === undefined`, true);
  }

  /** Scrolls to an element and clicks its centre, once it is there and nothing covers it or moves it. */
  async click(selector: string, text?: string): Promise<void> {
    let point: unknown = null;
    await expect
      .poll(async () => {
        const last = JSON.stringify(point);
        point = await this.read(centre(element(selector, text)));
        return point !== null && JSON.stringify(point) === last;
      }, { message: `${selector} ${text ?? ""} can be clicked` })
      .toBe(true);
    const [x, y] = point as [number, number];
    await this.tab.clickAt(x, y);
  }

  /** Chooses an option of a select; drivers cannot click into the list that the system draws. */
  async choose(selector: string, value: string): Promise<void> {
    await this.expectVisible(selector);
    await this.read(`((select) => {
      select.value = ${JSON.stringify(value)};
      select.dispatchEvent(new Event("change", { bubbles: true }));
    })(${element(selector)})`);
  }

  press(key: Key): Promise<void> {
    return this.tab.press(key);
  }

  async back(): Promise<void> {
    await this.read("history.back()");
  }

  async widen(): Promise<void> {
    await this.tab.resize(1280, 900);
    await this.expect("innerWidth > 1200", true);
  }

  /** A window as narrow as a phone, or as narrow as the browser's own controls allow. */
  async narrow(): Promise<void> {
    await this.tab.resize(360, 800);
    await this.expect("innerWidth < 480", true);
  }

  screenshot(): Promise<Uint8Array> {
    return this.tab.screenshot();
  }

  async expectSameDocument(): Promise<void> {
    expect(await this.read("globalThis.sameDocument"), "the document is still the first one").toBe(true);
  }

  async expectSilence(): Promise<void> {
    expect(await this.read("globalThis.complaints ?? []"), "what the page complained about").toEqual([]);
  }
}
