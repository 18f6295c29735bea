/** The page has one region for short messages; screen readers keep track of few. */
export const ANNOUNCER_ID = "announcer";

let clearLatest: (() => void) | undefined;

/** Lets screen readers say a text without a region of its own. Returns a function that removes it if it is the latest. */
export function announce(text: string): () => void {
  const say = (words: string) => {
    const region = document.getElementById(ANNOUNCER_ID);
    if (region !== null) region.textContent = words;
  };
  const clear = () => {
    // Not compared with the region's text, which may have been translated.
    if (clearLatest === clear) say("");
  };
  clearLatest = clear;
  say(text);
  return clear;
}
