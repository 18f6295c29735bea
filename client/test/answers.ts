import { vi } from "vitest";

/**
 * Replaces the global `fetch` by a mock that resolves to these responses in order, and returns the mock. The test file
 * must call `vi.unstubAllGlobals()` afterwards.
 */
export function answerWith(...answers: Response[]) {
  const asked = vi.fn<(path: string) => Promise<Response>>();
  for (const answer of answers) asked.mockResolvedValueOnce(answer);
  vi.stubGlobal("fetch", asked);
  return asked;
}

/** A response with a JSON body. */
export function json(body: unknown, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
