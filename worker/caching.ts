/**
 * Whether an answer may be stored: a whole, public page of this build, from the shop itself. The host
 * answers errors, incomplete pages and shells with `no-store`.
 */
export function isStorable({ type, status, redirected, headers }: Response, build: string): boolean {
  const caching = headers.get("cache-control") ?? "";
  const vary = headers.get("vary") ?? "accept-encoding";
  return (
    type === "basic" &&
    status === 200 &&
    !redirected &&
    headers.get("vitrine-build") === build &&
    /\bpublic\b/.test(caching) &&
    !/\b(no-store|private)\b/.test(caching) &&
    vary.toLowerCase() === "accept-encoding" &&
    staleIfError(headers) > 0
  );
}

/** Whether an answer is a file of the bundle; a portal's page in its place is not. */
export function isImmutable({ status, headers }: Response): boolean {
  return status === 200 && /\bimmutable\b/.test(headers.get("cache-control") ?? "");
}

/** How long the host allows a page to be shown while it cannot be reached, in milliseconds. */
export function staleIfError(headers: Headers): number {
  const seconds = /\bstale-if-error=(\d+)/.exec(headers.get("cache-control") ?? "")?.[1];
  return Number(seconds ?? 0) * 1000;
}

/** The headers for another body: without those that describe the bytes that were sent. */
export function withoutEncoding(answered: Headers): Headers {
  const headers = new Headers(answered);
  for (const name of ["content-encoding", "content-length", "vary"]) headers.delete(name);
  return headers;
}
