import { describe, expect, it } from "vitest";
import { isImmutable, isStorable, staleIfError, withoutEncoding } from "./caching";

const PUBLIC = "public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=600";
const WHOLE = { "cache-control": PUBLIC, "vitrine-build": "b1", vary: "accept-encoding" };

function response(headers: Record<string, string>, about: { status?: number; type?: string; redirected?: boolean } = {}) {
  const { status = 200, type = "basic", redirected = false } = about;
  return { status, type, redirected, headers: new Headers(headers) } as Response;
}

describe("isStorable", () => {
  it("takes a whole public page of this build", () => {
    expect(isStorable(response(WHOLE), "b1")).toBe(true);
  });

  it.each([
    ["of another build", response({ ...WHOLE, "vitrine-build": "b2" })],
    ["that names no build", response({ "cache-control": PUBLIC })],
    ["that is an error", response(WHOLE, { status: 404 })],
    ["that is a part", response(WHOLE, { status: 206 })],
    ["of another host", response(WHOLE, { type: "cors" })],
    ["that nobody may read", response({}, { type: "opaque", status: 0 })],
    ["that is a redirect", response(WHOLE, { type: "opaqueredirect", status: 0 })],
    ["that came by a redirect", response(WHOLE, { redirected: true })],
    ["that is not to be stored", response({ ...WHOLE, "cache-control": "no-store" })],
    ["that is not to be stored, whatever else", response({ ...WHOLE, "cache-control": `${PUBLIC}, no-store` })],
    ["for one visitor", response({ ...WHOLE, "cache-control": "private, stale-if-error=600" })],
    ["that depends on the visitor", response({ ...WHOLE, vary: "accept-encoding, cookie" })],
    ["that may never be stale", response({ ...WHOLE, "cache-control": "public, max-age=0, stale-if-error=0" })],
  ])("refuses an answer %s", (_, refused) => {
    expect(isStorable(refused, "b1")).toBe(false);
  });
});

it("reads for how long a page may be shown when the shop fails", () => {
  expect(staleIfError(new Headers({ "cache-control": PUBLIC }))).toBe(600_000);
  expect(staleIfError(new Headers())).toBe(0);
});

it("knows a file of the bundle from a portal's page", () => {
  expect(isImmutable(response({ "cache-control": "public, max-age=31536000, immutable" }))).toBe(true);
  expect(isImmutable(response({ "cache-control": "no-cache" }))).toBe(false);
});

it("keeps the headers that are not about the bytes", () => {
  const kept = withoutEncoding(new Headers({ ...WHOLE, "content-encoding": "br", "content-length": "9" }));
  expect([...kept.keys()].sort()).toEqual(["cache-control", "vitrine-build"]);
});
