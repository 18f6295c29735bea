import "./EmptyWindow.css";

/** A drawing of a shop window with its blind down and a sign on it. */
export function EmptyWindow({ sign }: { sign: string }) {
  return (
    <svg className="EmptyWindow" viewBox="0 0 240 172" aria-hidden="true">
      <path className="EmptyWindow-frame" d="M30 30h180v126H30z" />
      <path className="EmptyWindow-glass" d="M40 40h160v108H40z" />
      <path className="EmptyWindow-blind" d="M40 40h160v80H40z" />
      <path className="EmptyWindow-slats" d="M40 62h160M40 74h160M40 86h160M40 98h160M40 110h160M120 120v14" />
      <g className="EmptyWindow-hanging">
        <path className="EmptyWindow-string" d="m90 82 30-22 30 22" />
        <rect className="EmptyWindow-sign" x="66" y="80" width="108" height="46" rx="6" />
        <text className="EmptyWindow-words" x="120" y="113" textAnchor="middle">
          {sign}
        </text>
      </g>
      <path className="EmptyWindow-awning" d="M28 12H54.3L48.6 42A14.3 14.3 0 0 1 20 42zM80.6 12H106.9L105.7 42A14.3 14.3 0 0 1 77.1 42zM133.1 12H159.4L162.9 42A14.3 14.3 0 0 1 134.3 42zM185.7 12H212L220 42A14.3 14.3 0 0 1 191.4 42z" />
      <path className="EmptyWindow-pale" d="M54.3 12H80.6L77.1 42A14.3 14.3 0 0 1 48.6 42zM106.9 12H133.1L134.3 42A14.3 14.3 0 0 1 105.7 42zM159.4 12H185.7L191.4 42A14.3 14.3 0 0 1 162.9 42z" />
      <path className="EmptyWindow-frame" d="M18 154h204v10H18z" />
    </svg>
  );
}
