import { deleteCaches } from "./cacheNames";

// Served instead of the service worker when it is switched off: browsers that still have the worker
// take this for its next version. It has no `fetch` handler, so the pages use the network again at once.
const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener("install", () => {
  void worker.skipWaiting();
});

worker.addEventListener("activate", (event) => {
  const removal = deleteCaches().then(() => worker.registration.unregister());
  event.waitUntil(removal.catch(() => undefined));
});
