import "./EmptyWindow.css";

/** A drawing of a shop window with its blind down and a sign on it. */
export function EmptyWindow({ sign }: { sign: string }) {
  return (
    <svg className="EmptyWindow" viewBox="0 12 240 160" aria-hidden="true">
      <path className="EmptyWindow-frame" d="M30 30h180v126H30z" />
      <path className="EmptyWindow-glass" d="M40 40h160v108H40z" />
      <path className="EmptyWindow-blind" d="M40 40h160v80H40z" />
      <g className="EmptyWindow-hanging">
        <path className="EmptyWindow-string" d="m90 82 30-22 30 22" />
        <rect className="EmptyWindow-sign" x="66" y="80" width="108" height="46" rx="6" />
        <text className="EmptyWindow-words" x="120" y="113" textAnchor="middle">
          {sign}
        </text>
      </g>
      <path className="EmptyWindow-frame" d="M18 154h204v10H18zM18 22h204v10H18z" />
    </svg>
  );
}
