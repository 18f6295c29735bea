import { percentEncode } from "../navigation/percentEncode";
import { readAutocomplete } from "./readAutocomplete";
import type { Suggestions } from "./readAutocomplete";

/** Suggestions that take longer than this are useless to somebody who is typing, in milliseconds. */
const PATIENCE_MS = 3000;

/** Asks what is offered before anything is typed. */
export const NOTHING = " ";

/**
 * Returns a function that asks the host for the suggestions for a text. `show` gets them, or undefined when there was
 * no answer, unless another text has been asked for since; an empty text only ends the waiting.
 *
 * There is one request at a time, however fast the typing and the network are: when it has ended, the newest text
 * follows. So requests cannot pile up, and no delay is needed.
 */
export function createQuestions(show: (suggestions: Suggestions | undefined) => void): (text: string) => void {
  let wanted = "";
  let asked = "";
  let isAsking = false;

  async function ask() {
    isAsking = true;
    let answer: Suggestions | undefined;
    while (wanted !== "" && wanted !== asked) {
      const text = wanted;
      asked = text;
      answer = await request(text);
      if (text === wanted) show(answer);
    }
    if (answer === undefined) asked = "";
    isAsking = false;
  }

  return (text) => {
    wanted = text;
    // The same text may be asked for again: the browser keeps answers while they are fresh.
    if (text === "") asked = "";
    if (!isAsking) void ask();
  };
}

/** Asks the host. Failures are ignored, because the search works without suggestions. */
async function request(text: string): Promise<Suggestions | undefined> {
  try {
    const response = await fetch(`/_suggest?q=${percentEncode(text.trim())}`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.status === 200 ? readAutocomplete(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
