const PREFIX = "vitrine-";

/** The caches of a build are named after it, so that two builds never share an entry. */
export const cacheNames = (build: string) => ({ files: `${PREFIX}files-${build}`, pages: `${PREFIX}pages-${build}` });

/** Deletes the caches of the shop, except for those of one build. */
export async function deleteCaches(exceptBuild?: string): Promise<void> {
  const kept = exceptBuild === undefined ? [] : Object.values(cacheNames(exceptBuild));
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !kept.includes(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}
