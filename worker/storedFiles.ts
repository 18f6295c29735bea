import { cacheNames } from "./cacheNames";
import { isImmutable, isStorable } from "./caching";

/** The page to show instead of one that was never stored, and the template for those that were. */
const OFFLINE = "/offline";

const open = () => caches.open(cacheNames(BUILD).files);

export async function storedFile(path: string): Promise<Response | undefined> {
  return (await open()).match(path);
}

export function offlineTemplate(): Promise<Response | undefined> {
  return storedFile(OFFLINE);
}

/** Stores the files that every stored page needs. The offline page comes last, so it is there only with all of them. */
async function storeFiles(): Promise<void> {
  const files = await open();
  const stored = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  const storeMissing = async (path: string, isExpected: (response: Response) => boolean) => {
    if (stored.has(path)) return;
    const response = await fetch(path);
    // While the shop is being updated, another build may answer, and a portal may answer anything.
    if (!isExpected(response)) throw new Error(`${path} is not the file of this build`);
    await files.put(path, response);
  };
  await Promise.all(ASSETS.map((path) => storeMissing(path, isImmutable)));
  if (stored.has(OFFLINE)) return;
  const offline = await fetch(OFFLINE);
  if (!isStorable(offline, BUILD)) throw new Error(`${OFFLINE} is not the page of this build`);
  const texts = textsOf(await offline.clone().text());
  if (texts !== undefined) await storeMissing(texts, isImmutable);
  await files.put(OFFLINE, offline);
}

/** The address of the texts that a document names instead of the English ones. */
function textsOf(document: string): string | undefined {
  return /<link id="texts" [^>]*href="([^"]*)"/.exec(document)?.[1];
}

let storing: Promise<void> | undefined;

/** Stores the files that are missing; tries only once in the life of this process. */
export function ensureFiles(): Promise<void> {
  return (storing ??= storeFiles().catch(() => undefined));
}
