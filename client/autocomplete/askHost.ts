import { createBoundedMap } from "../navigation/createBoundedMap";
import { percentEncode } from "../navigation/percentEncode";
import { readAutocomplete } from "./readAutocomplete";
import type { Suggestions } from "./readAutocomplete";

/** Suggestions that come later than this are of no use to somebody who is typing, in milliseconds. */
const PATIENCE_MS = 3000;

/** Enough for taking letters back. */
const REMEMBERED = 20;

/**
 * Returns what asks the host for the suggestions for a text. `show` gets them, or undefined when there was no answer,
 * unless another text has been wanted since; an empty text only ends the waiting.
 *
 * There is one request at a time, whatever the speed of the typing and of the network: when it has ended, the newest
 * text follows. So no delay is needed that would keep requests from piling up.
 */
export function createQuestions(show: (suggestions: Suggestions | undefined) => void): (text: string) => void {
  const answers = createBoundedMap<Suggestions>(REMEMBERED);
  let wanted = "";
  let asked = "";
  let isAsking = false;

  async function ask() {
    isAsking = true;
    while (wanted !== "" && wanted !== asked && answers.get(wanted) === undefined) {
      asked = wanted;
      const answer = await request(asked);
      if (answer !== undefined) answers.set(asked, answer);
      if (asked === wanted) show(answer);
    }
    isAsking = false;
  }

  return (text) => {
    wanted = text;
    const known = answers.get(text);
    if (known !== undefined) show(known);
    else if (!isAsking) void ask();
  };
}

/** Failures say nothing: the search works without suggestions. */
async function request(text: string): Promise<Suggestions | undefined> {
  try {
    const response = await fetch(`/_suggest?q=${percentEncode(text)}`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.status === 200 ? readAutocomplete(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
