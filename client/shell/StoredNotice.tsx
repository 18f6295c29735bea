import "./StoredNotice.css";

/** Says that the page comes from the service worker, and how old it is. */
export function StoredNotice({ text }: { text: string | undefined }) {
  return (
    // The region is always there, because screen readers announce what changes inside one.
    <div className="StoredNotice" role="status">
      {text !== undefined && <p className="StoredNotice-text">{text}</p>}
    </div>
  );
}
