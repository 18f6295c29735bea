import "./Awning.css";

/** The striped awning of a shop window, with a scalloped edge. */
export function Awning() {
  return <div className="Awning" aria-hidden="true" />;
}
