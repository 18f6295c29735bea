/** Address of the results for a search text, or undefined for a blank one. */
export function searchHref(text: string): string | undefined {
  // Half of a surrogate pair has no percent-encoding; it becomes the replacement character.
  const wanted = text.trim().replace(/\p{Surrogate}/gu, "\uFFFD");
  if (wanted === "") return undefined;
  // A path segment of one or two dots is resolved away by every browser; the form's address keeps it.
  if (wanted === "." || wanted === "..") return `/search?q=${wanted}`;
  return `/search/${encodeURIComponent(wanted)}`;
}
