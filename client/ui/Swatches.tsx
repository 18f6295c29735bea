import "./Swatches.css";

interface SwatchesProps {
  /** As `#rrggbb`. */
  colours: readonly string[];
}

/** Colours as discs. An attribute of SVG, because the policy of documents allows no styles of elements. */
export function Swatches({ colours }: SwatchesProps) {
  return (
    <svg className="Swatches" viewBox={`0 0 ${colours.length * 18 - 2} 16`} width={colours.length * 18 - 2} aria-hidden="true">
      {colours.map((colour, index) => (
        <circle key={colour} cx={index * 18 + 8} cy="8" r="7.5" fill={colour} />
      ))}
    </svg>
  );
}
