/** Encodes one path segment or query value. */
export function percentEncode(value: string | number): string {
  // Typing can leave half of a surrogate pair. It has no UTF-8 form, and encodeURIComponent would throw.
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, "\uFFFD"));
}
