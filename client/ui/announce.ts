/** The page has one region for short messages; screen readers keep track of few. */
export const ANNOUNCER_ID = "announcer";

let clearLatest: (() => void) | undefined;

/** Lets screen readers say what has no region of its own. Returns what removes the text, unless another has come since. */
export function announce(text: string): () => void {
  const say = (words: string) => {
    const region = document.getElementById(ANNOUNCER_ID);
    if (region !== null) region.textContent = words;
  };
  const clear = () => {
    // The text itself may have been translated.
    if (clearLatest === clear) say("");
  };
  clearLatest = clear;
  say(text);
  return clear;
}
