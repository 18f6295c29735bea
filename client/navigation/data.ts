import type { Page, SavedCards } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** The header with which the host names the build of the client that an answer is for. */
const BUILD = "vitrine-build";

/** Answers of another build of the shop. The contract may have changed, so they should not be drawn. */
const ofOtherBuild = new WeakSet<object>();

export function isOfOtherBuild(outcome: object): boolean {
  return ofOtherBuild.has(outcome);
}

/** RFC 9110's words for the statuses that the host and proxies answer. HTTP/2 and HTTP/3 carry no words. */
const WORDS: Partial<Record<number, Key>> = {
  400: Key.status400,
  401: Key.status401,
  403: Key.status403,
  404: Key.status404,
  405: Key.status405,
  408: Key.status408,
  413: Key.status413,
  414: Key.status414,
  429: Key.status429,
  431: Key.status431,
  500: Key.status500,
  502: Key.status502,
  503: Key.status503,
  504: Key.status504,
};

/** The host's answer was not a page. The message is the status text, or says the status in words. */
export class LoadError extends Error {
  readonly status: number;

  constructor(response: Response) {
    // A success that is not a page was not sent by the host, but by a proxy or portal before it.
    const status = response.ok ? 502 : response.status;
    const words = WORDS[status];
    super(words === undefined ? response.statusText : text(words));
    this.status = status;
  }
}

/** Loads the page of a path and query. Rejects with a `LoadError` when the answer is not a page. */
export async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const build = buildOfDocument();
  const response = await fetch(`/_data${path}`, {
    // The service worker gives stored answers only to pages of its own build.
    headers: { accept: "application/json", ...(build !== undefined && { [BUILD]: build }) },
    ...(signal && { signal }),
  });
  const body: unknown = isJson(response) ? await response.json() : undefined;
  const answered = response.headers.get(BUILD);
  // Proxies in front of the shop answer without a build.
  const isOther = answered !== null && build !== undefined && answered !== build;
  // After a failure, loading the document would fail as well, and take away what is shown.
  const isFailure = response.status >= 500;
  const outcome = isPage(body) && !(isOther && isFailure) ? body : new LoadError(response);
  if (isOther && !isFailure) ofOtherBuild.add(outcome);
  if (outcome instanceof LoadError) throw outcome;
  return outcome;
}

/** The build of the document's client. */
function buildOfDocument(): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name=${BUILD}]`)?.content;
}

export function isPage(value: unknown): value is Page {
  return (
    typeof value === "object" && value !== null && "path" in value && "content" in value && "categories" in value
  );
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}

/** The cards of products, by their keys, as they are today. Those that are gone are missing. */
export async function savedCards(keys: readonly string[]): Promise<SavedCards["products"]> {
  if (keys.length === 0) return [];
  const response = await fetch(`/_cards?keys=${keys.join()}`);
  return ((await response.json()) as SavedCards).products;
}
