/** A map that forgets its oldest entry when it is full; what is set anew becomes the newest. */
export function createRecentMap<Value>(limit: number) {
  const entries = new Map<string, Value>();
  return {
    get: (key: string) => entries.get(key),
    set(key: string, value: Value) {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > limit && oldest.done !== true) entries.delete(oldest.value);
    },
    entries: () => [...entries],
  };
}
