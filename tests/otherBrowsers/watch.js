/* global addEventListener, console, document, MutationObserver */
// The first script of each document: notes what the page complains about, and what hydration changes.
{
  const complaints = [];
  const changes = [];
  Object.assign(globalThis, { complaints, changes });

  for (const level of ["warn", "error"]) {
    const write = console[level];
    console[level] = (...parts) => {
      complaints.push(`${level}: ${parts.join(" ")}`);
      write.apply(console, parts);
    };
  }
  addEventListener("error", ({ message, target }) => {
    // Pictures are missing while a test holds the connection back.
    if (target.localName !== "img") complaints.push(`error: ${message ?? target.outerHTML}`);
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(`rejected: ${reason}`));
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    complaints.push(`forbidden: ${effectiveDirective} ${blockedURI}`);
  });

  // Scripts of the type module run after this event, when everything served is parsed.
  document.addEventListener("readystatechange", () => {
    const root = document.querySelector("#root");
    if (document.readyState !== "interactive" || root === null) return;
    new MutationObserver((records) => {
      for (const { type, target, attributeName, oldValue } of records) {
        // React writes what an input already has.
        if (type === "attributes" && oldValue === target.getAttribute(attributeName)) continue;
        changes.push(`${type} ${target.nodeName} ${attributeName ?? ""}`);
      }
    }).observe(root, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
  });
}
