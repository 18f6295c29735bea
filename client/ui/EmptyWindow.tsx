import "./EmptyWindow.css";

/** A drawing of an empty shop window with a sign in it. */
export function EmptyWindow({ sign }: { sign: string }) {
  return (
    <svg className="EmptyWindow" viewBox="0 0 240 170" aria-hidden="true">
      <path className="EmptyWindow-frame" d="M30 40h180v116H30z" />
      <path className="EmptyWindow-glass" d="M40 50h160v96H40z" />
      <path className="EmptyWindow-shine" d="M40 120 110 50h26L40 146z" />
      <path className="EmptyWindow-string" d="M96 66 120 50l24 16" />
      <path className="EmptyWindow-sign" d="M78 66h84a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H78a6 6 0 0 1-6-6V72a6 6 0 0 1 6-6z" />
      <text className="EmptyWindow-words" x="120" y="99" textAnchor="middle">
        {sign}
      </text>
      <path
        className="EmptyWindow-awning"
        d="M24 16h192v28a16 16 0 0 1-32 0 16 16 0 0 1-32 0 16 16 0 0 1-32 0 16 16 0 0 1-32 0 16 16 0 0 1-32 0 16 16 0 0 1-32 0z"
      />
      <path className="EmptyWindow-frame" d="M20 150h200v10H20z" />
    </svg>
  );
}
