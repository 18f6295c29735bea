/** A map with a size limit. When it is full, the entry that was set longest ago is dropped. */
export function createBoundedMap<Value>(limit: number) {
  const entries = new Map<string, Value>();

  return {
    get: (key: string) => entries.get(key),

    set(key: string, value: Value) {
      // A map iterates in insertion order, so an entry that is set again moves to the end.
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > limit && oldest.done !== true) entries.delete(oldest.value);
    },

    entries: () => [...entries],
  };
}
