import { useLayoutEffect, useRef } from "react";
import type { Visit } from "../navigation/visit";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** Updates title, robots and canonical address after a navigation. */
export function useDocumentHead(visit: Visit, shopName: string): void {
  const current = useRef(visit);

  useLayoutEffect(() => {
    const previous = current.current;
    current.current = visit;
    // The head of the first page came with the document.
    if (previous === visit) return;
    const { title, robots, canonical } = headOf(visit, shopName);
    document.title = title;
    document.querySelector('meta[name="robots"]')?.setAttribute("content", robots);
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    // The host wrote the link with the shop's public origin, which may differ from the one in use.
    if (link !== null) link.href = new URL(canonical, link.href).href;
  }, [visit, shopName]);
}

function headOf({ outcome, location }: Visit, shopName: string): { title: string; robots: string; canonical: string } {
  return outcome instanceof Error
    ? { title: `${text(Key.error)} | ${shopName}`, robots: "noindex", canonical: location.pathname + location.search }
    : outcome;
}
