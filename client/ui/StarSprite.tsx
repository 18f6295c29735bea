import "./StarSprite.css";

const STARS =
  "M10 1.7L12.4 7.4L18.6 7.9L13.9 12L15.3 18L10 14.8L4.7 18L6.1 12L1.4 7.9L7.6 7.4zM30 1.7L32.4 7.4L38.6 7.9L33.9 12L35.3 18L30 14.8L24.7 18L26.1 12L21.4 7.9L27.6 7.4zM50 1.7L52.4 7.4L58.6 7.9L53.9 12L55.3 18L50 14.8L44.7 18L46.1 12L41.4 7.9L47.6 7.4zM70 1.7L72.4 7.4L78.6 7.9L73.9 12L75.3 18L70 14.8L64.7 18L66.1 12L61.4 7.9L67.6 7.4zM90 1.7L92.4 7.4L98.6 7.9L93.9 12L95.3 18L90 14.8L84.7 18L86.1 12L81.4 7.9L87.6 7.4z";

/** The path of five stars. It is in the document once, and every rating refers to it. */
export function StarSprite() {
  return (
    <svg className="StarSprite" width="0" height="0" aria-hidden="true">
      <defs>
        <path id="StarRow" d={STARS} />
      </defs>
    </svg>
  );
}
