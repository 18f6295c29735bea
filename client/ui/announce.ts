/** The page has one region for short messages; screen readers keep track of few. */
export const ANNOUNCER_ID = "announcer";

/** Lets screen readers say what has no region of its own. */
export function announce(text: string): void {
  const region = document.getElementById(ANNOUNCER_ID);
  if (region !== null) region.textContent = text;
}
