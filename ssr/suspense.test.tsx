// @vitest-environment node
import { readFileSync } from "node:fs";
import { lazy, Suspense, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";

/** The comment by which the host recognises incomplete markup, read from the host's source. */
function failureMark(): string {
  const isolate = readFileSync("host/render/isolate.rs", "utf8");
  const mark = /SUSPENSE_FAILED: &str = "(.+)";/.exec(isolate)?.[1];
  if (mark === undefined) throw new Error("The host's source does not define SUSPENSE_FAILED");
  return mark;
}

function Complete(): ReactElement {
  return <p>complete</p>;
}

function Broken(): ReactElement {
  throw new Error("broken");
}

const Late = lazy(() => new Promise<{ default: typeof Complete }>(() => undefined));

function render(part: ReactElement): string {
  return renderToString(
    <main>
      <Suspense fallback={<p>waiting</p>}>{part}</Suspense>
    </main>,
  );
}

describe("markup of a Suspense boundary", () => {
  // React logs the errors that it recovers from.
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

  it("contains the host's mark when a component throws", () => {
    const html = render(<Broken />);
    expect(html).toContain(failureMark());
    expect(html).toContain("waiting");
  });

  it("contains the host's mark when a lazy component never resolves", () => {
    const html = render(<Late />);
    expect(html).toContain(failureMark());
    expect(html).toContain("waiting");
  });

  it("contains no mark when every component renders", () => {
    const html = render(<Complete />);
    expect(html).not.toContain(failureMark());
    expect(html).toContain("complete");
  });
});
