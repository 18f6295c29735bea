import type { Page } from "../contract.gen";
import { buildOfDocument } from "./serviceWorker";

/** The host's answer was not a page. The message is the status text. */
export class LoadError extends Error {
  readonly status: number;

  constructor(response: Response) {
    // A success that is not a page was not sent by the host, but by a proxy or portal before it.
    super(response.ok ? "Bad Gateway" : response.statusText);
    this.status = response.ok ? 502 : response.status;
  }
}

/** Loads the page of a path and query. Rejects with a `LoadError` when the answer is not a page. */
export async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const build = buildOfDocument();
  const response = await fetch(`/_data${path}`, {
    // The service worker gives its own build only what it has stored.
    headers: { accept: "application/json", ...(build !== undefined && { "vitrine-build": build }) },
    ...(signal && { signal }),
  });
  const body: unknown = isJson(response) ? await response.json() : undefined;
  if (isPage(body)) return body;
  throw new LoadError(response);
}

export function isPage(value: unknown): value is Page {
  return (
    typeof value === "object" && value !== null && "path" in value && "content" in value && "categories" in value
  );
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}
