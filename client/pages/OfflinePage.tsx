import type { Offline } from "../contract.gen";
import { Link } from "../navigation/Link";
import { createPath, useLocation } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { EmptyWindow } from "../ui/EmptyWindow";
import { List } from "../ui/List";
import { withKeys } from "../ui/withKeys";
import "./OfflinePage.css";

/** Shown by the service worker when the shop cannot be reached and it has no copy of the page. */
export function OfflinePage({ stored }: Offline) {
  const location = useLocation();
  return (
    <div className="OfflinePage container">
      <EmptyWindow sign={text(Key.offlineSign)} />
      <h1 tabIndex={-1}>{text(Key.noConnection)}</h1>
      <p>{text(Key.notStored)}</p>
      {/* Loads the document again; an ordinary link, so that it works before hydration. */}
      <a className="button button--primary" href={createPath(location)}>
        {text(Key.tryAgain)}
      </a>
      {stored.length > 0 && (
        <>
          <h2 className="OfflinePage-heading">{text(Key.storedPages)}</h2>
          <List className="OfflinePage-stored">
            {withKeys(stored, ({ href }) => href).map(([key, { href, title }]) => (
              <li key={key}>
                <Link className="button" to={href} dir="auto">
                  {title}
                </Link>
              </li>
            ))}
          </List>
        </>
      )}
    </div>
  );
}
