/**
 * The part of `make dev` in the browser: swaps the style sheet, reloads the page, and covers it with errors of
 * bundling, of the host's compiler, of rendering and of the page itself. Runs before the client.
 */

declare const EVENTS: string;

interface Problem {
  title: string;
  details: { place: string | null; text: string }[];
}

interface Change {
  styles: string;
  onlyStyles: boolean;
}

const OVERLAY_STYLES = `
  :host { position: fixed; inset: 0; z-index: 2147483647; overflow: auto; background: #14100ef2; color: #f3ece4;
    font: 14px/1.5 ui-monospace, monospace; padding: 24px clamp(16px, 6vw, 96px); }
  h1 { font: 600 20px/1.3 system-ui, sans-serif; color: #ff9c85; margin: 0 0 16px; }
  h2 { font: 600 14px/1.5 ui-monospace, monospace; color: #ffd479; margin: 16px 0 4px; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit; }
  button { position: absolute; inset-block-start: 16px; inset-inline-end: 16px; font: inherit; color: inherit;
    background: none; border: 1px solid currentColor; border-radius: 4px; padding: 4px 12px; cursor: pointer; }
`;

let overlay: HTMLElement | undefined;

function hideProblem(): void {
  overlay?.remove();
  overlay = undefined;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function showProblem({ title, details }: Problem): void {
  hideProblem();
  overlay = document.createElement("dev-error");
  overlay.setAttribute("role", "alert");
  const shadow = overlay.attachShadow({ mode: "open" });
  const styles = new CSSStyleSheet();
  styles.replaceSync(OVERLAY_STYLES);
  shadow.adoptedStyleSheets = [styles];
  const close = element("button", "Close");
  close.addEventListener("click", hideProblem);
  shadow.append(element("h1", title), close);
  for (const { place, text } of details) {
    if (place !== null) shadow.append(element("h2", place));
    shadow.append(element("pre", text));
  }
  document.documentElement.append(overlay);
}

/** Loads the new style sheet beside the old one, which stays until then, so that the page is never without styles. */
function swapStyles(address: string): void {
  const old = document.querySelectorAll<HTMLElement>('link[rel="stylesheet"], head style');
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  link.addEventListener("load", () => {
    for (const styles of old) styles.remove();
    document.documentElement.dataset.stylesSwapped = address;
  });
  document.body.append(link);
}

/** Shows an error of the page, with positions in the sources. */
async function report(title: string, error: unknown): Promise<void> {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const answer = await fetch(EVENTS, { method: "POST", body: stack }).catch(() => undefined);
  const text = answer === undefined ? stack : await answer.text();
  const place = /\(((?:client|ssr)\/[^)]+)\)/.exec(text)?.[1] ?? null;
  showProblem({ title, details: [{ place, text }] });
}

const events = new EventSource(EVENTS);
events.addEventListener("problem", ({ data }: MessageEvent<string>) => {
  showProblem(JSON.parse(data) as Problem);
});
events.addEventListener("changed", ({ data }: MessageEvent<string>) => {
  const change = JSON.parse(data) as Change;
  // A page that shows an error may be one whose script has failed.
  const isWhole = overlay === undefined && document.getElementById("render-error") === null;
  if (change.onlyStyles && isWhole) swapStyles(change.styles);
  else window.location.reload();
});

events.addEventListener("current", ({ data }: MessageEvent<string>) => {
  const { script, styles } = JSON.parse(data) as { script: string; styles: string };
  if (new URL(import.meta.url).pathname !== script) window.location.reload();
  else if (document.querySelector(`link[rel="stylesheet"][href="${styles}"]`) === null) swapStyles(styles);
});

window.addEventListener("error", ({ error, message }) => void report("An error in the page", error ?? message));
window.addEventListener("unhandledrejection", ({ reason }) => void report("An error in the page", reason));
// React reports here what an error boundary has caught.
const { error: log } = console;
console.error = (...details: unknown[]) => {
  log(...details);
  const error = details.find((detail) => detail instanceof Error);
  if (error !== undefined && document.getElementById("render-error") === null) void report("An error in the page", error);
};

const failure = document.getElementById("render-error")?.textContent;
if (failure != null) {
  const text = JSON.parse(failure) as string;
  const place = /\(([^()\s]*?(?:client|ssr)\/[^()\s]+)\)/.exec(text)?.[1]?.replace(/^.*?(?=(?:client|ssr)\/)/, "") ?? null;
  showProblem({ title: "The page was not rendered", details: [{ place, text }] });
}
