import { expect } from "@playwright/test";
import type { BrowserContext } from "@playwright/test";

interface Expected {
  pattern: RegExp;
  seen: number;
  /** How often it has to come; `some` is at least once, and `any` does not say. */
  times: number | "some" | "any";
}

/** What Playwright writes where service workers are blocked. */
const BLOCKED_WORKER = "Service Worker registration blocked by Playwright";

/** Listens to everything that a browser context complains about. */
export class Watch {
  /** What the pages wrote with `console.log`. */
  readonly logs: string[] = [];
  /** Addresses of the documents that were asked for. */
  readonly documents: string[] = [];
  private readonly complaints: string[] = [];
  private readonly expected: Expected[] = [];

  constructor(context: BrowserContext) {
    context.on("console", (message) => {
      if (message.text() === BLOCKED_WORKER) return;
      if (message.type() === "log") this.logs.push(message.text());
      if (["warning", "error"].includes(message.type())) {
        this.complain(`${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    context.on("weberror", (error) => { this.complain(`uncaught: ${error.error().message}`); });
    context.on("request", (request) => {
      if (request.isNavigationRequest()) this.documents.push(request.url());
    });
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // The browser itself cancels what a page no longer needs once it is left.
      if (reason !== "net::ERR_ABORTED") this.complain(`failed: ${request.url()} (${reason})`);
    });
  }

  /** Announces a complaint that belongs to what is tested; it has to come, and this often, unless it is of "any" number. */
  expect(pattern: RegExp, times: number | "some" | "any" = 1): void {
    this.expected.push({ pattern, seen: 0, times });
  }

  /** Chromium logs one line for a document or request that is answered with such a status. */
  expectStatus(status: number, times: number | "some" = 1): void {
    this.expect(new RegExp(`Failed to load resource: the server responded with a status of ${status} `), times);
  }

  /** The complaints that were expected and have not come. */
  missing(): readonly string[] {
    const missing = this.expected.filter(({ seen, times }) => times !== "any" && (times === "some" ? seen === 0 : seen !== times));
    return missing.map(({ pattern }) => pattern.source);
  }

  verify(): void {
    expect(this.complaints, "what the browser complained about").toEqual([]);
    expect(this.missing(), "complaints that were expected and did not come").toEqual([]);
  }

  private complain(text: string): void {
    const expected = this.expected.find(
      ({ pattern, seen, times }) => pattern.test(text) && (typeof times === "string" || seen < times),
    );
    if (expected === undefined) this.complaints.push(text);
    else expected.seen += 1;
  }
}
