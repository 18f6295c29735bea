const ADDRESS = "/service-worker.js";

/** The part of the Trusted Types API that is used; TypeScript does not know it. */
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => string };
}

/** Installs the service worker, if the host offers one, once the page has loaded and the browser is idle. */
export function installServiceWorker(): void {
  if (document.querySelector('meta[name="service-worker"]') === null) return;
  const install = () => void register().catch(() => undefined);
  const later = () => {
    // Safari has no `requestIdleCallback`.
    if ("requestIdleCallback" in window) window.requestIdleCallback(install);
    else setTimeout(install);
  };
  if (document.readyState === "complete") later();
  else window.addEventListener("load", later, { once: true });
}

/** Rejects where browsers refuse: in private windows, without https, or when the connection is lost meanwhile. */
async function register(): Promise<void> {
  // Undefined without https.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  await container?.register(trustedAddress(), { updateViaCache: "none" });
}

/** Under the content security policy, only this Trusted Types policy can make script addresses: this one alone. */
function trustedAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypesFactory };
  const policy = trustedTypes?.createPolicy("service-worker", { createScriptURL: () => ADDRESS });
  return policy?.createScriptURL(ADDRESS) ?? ADDRESS;
}
