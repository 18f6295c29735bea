import { Plate } from "./Plate";
import type { Pictured } from "./Plate";
import "./Sill.css";

interface SillProps {
  /** Products have titles, categories have names. */
  cards: readonly (Pictured & ({ title: string } | { name: string }))[];
}

/** The most pictures that stand on a sill. */
const MOST = 3;

/** Pictures on a window sill: a decoration, which loads after everything else. */
export function Sill({ cards }: SillProps) {
  const sources = cards.map(({ thumbnail }) => thumbnail);
  // Each picture once.
  const shown = cards.filter(({ thumbnail }, at) => thumbnail !== null && sources.indexOf(thumbnail) === at).slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <div className={`Sill ${shown.length === MOST ? "Sill--full" : ""}`.trimEnd()} aria-hidden="true">
      {shown.map((card) => (
        <Plate key={card.thumbnail} name={"title" in card ? card.title : card.name} card={card} />
      ))}
    </div>
  );
}
