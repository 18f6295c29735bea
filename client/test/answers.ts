import { vi } from "vitest";

/** Replaces `fetch` by a mock that gives these answers, one after the other. */
export function answerWith(...answers: Response[]) {
  const asked = vi.fn<(path: string) => Promise<Response>>();
  for (const answer of answers) asked.mockResolvedValueOnce(answer);
  vi.stubGlobal("fetch", asked);
  return asked;
}

export function json(body: unknown, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
