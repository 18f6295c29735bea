// @vitest-environment node
import { readFileSync } from "node:fs";
import { lazy, Suspense, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";

/** What the host takes for markup that lacks a part. */
function markOfTheHost(): string {
  const isolate = readFileSync("host/render/isolate.rs", "utf8");
  const mark = /SUSPENSE_FAILED: &str = "(.+)";/.exec(isolate)?.[1];
  if (mark === undefined) throw new Error("the host looks for no mark");
  return mark;
}

function Whole(): ReactElement {
  return <p>whole</p>;
}

function Broken(): ReactElement {
  throw new Error("broken");
}

const Late = lazy(() => new Promise<{ default: typeof Whole }>(() => undefined));

function render(part: ReactElement): string {
  return renderToString(
    <main>
      <Suspense fallback={<p>waiting</p>}>{part}</Suspense>
    </main>,
  );
}

describe("markup of a Suspense boundary", () => {
  // React reports there what it recovers from.
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

  it("carries the host's mark when a component throws", () => {
    const html = render(<Broken />);
    expect(html).toContain(markOfTheHost());
    expect(html).toContain("waiting");
  });

  it("carries the host's mark when a lazy part never resolves", () => {
    const html = render(<Late />);
    expect(html).toContain(markOfTheHost());
    expect(html).toContain("waiting");
  });

  it("carries no mark when everything is there", () => {
    const html = render(<Whole />);
    expect(html).not.toContain(markOfTheHost());
    expect(html).toContain("whole");
  });
});
