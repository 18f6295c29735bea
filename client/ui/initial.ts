/** The first letter or digit; empty for a name without any. */
export function initial(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0] ?? "";
}
