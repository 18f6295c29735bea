import type { Page } from "@playwright/test";

// What needs no more than a look at an open page.

/** The names of controls that another control of their form has, too. */
export async function repeatedNames(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.forms].flatMap((form) => {
      const controls = [...form.elements].filter((element) => element.matches("input:not([type=hidden]), select, button"));
      const names = controls.map((element) => {
        const { ariaLabel, labels, textContent } = element as HTMLInputElement;
        return (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim();
      });
      return names.filter((name, index) => names.indexOf(name) !== index);
    }),
  );
}

/** How high the awning is, and how far it is away from the lower edge of the header. */
export async function awning(page: Page): Promise<{ away: number; size: number }> {
  return page.getByRole("banner").evaluate((header) => {
    // The element that the awning is placed against, as the browser resolves it.
    const { insetBlockStart, blockSize } = getComputedStyle(header, "::after");
    const isPlacedHere = getComputedStyle(header).position !== "static";
    const top = isPlacedHere ? Number.parseFloat(insetBlockStart) : NaN;
    return { away: Math.abs(top - header.clientHeight), size: Number.parseFloat(blockSize) };
  });
}

/** Requests of a visit: their methods, and the hosts that they go to. */
export function recordRequests(page: Page, shopName: string): { methods: Set<string>; hosts: Set<string> } {
  const recorded = { methods: new Set<string>(), hosts: new Set<string>() };
  page.on("request", (request) => {
    recorded.methods.add(request.method());
    // The pictures of a real catalogue lie on its own host.
    if (request.resourceType() !== "image" || !["real", "service"].includes(shopName)) recorded.hosts.add(new URL(request.url()).host);
  });
  return recorded;
}

/** The addresses that a page asks for, but for pictures, which may come into sight, and the dictionary, which comes in idle time. */
export function recordAddresses(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() !== "image" && !pathname.startsWith("/dictionary")) addresses.push(request.url());
  });
  return addresses;
}
