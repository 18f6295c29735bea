import { useFailedChange } from "../navigation/useFailedChange";
import { usePageRouter } from "../navigation/usePageRouter";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ANNOUNCER_ID } from "../ui/announce";
import { Icon } from "../ui/Icon";
import "./FailedChange.css";

/**
 * Says that the last change of the page failed, and offers to try again. The page has stayed as it was. The same
 * region holds the short messages of `announce`.
 */
export function FailedChange() {
  const { retry, dismissFailure } = usePageRouter();
  const failed = useFailedChange();

  /** The pressed button disappears, and must not take the focus with it. */
  function leave(action: () => void) {
    document.getElementById("main")?.focus({ preventScroll: true });
    action();
  }

  return (
    // The region is always there, because screen readers announce what changes inside one.
    <div className="FailedChange" role="status" aria-atomic="false">
      <p className="visually-hidden" id={ANNOUNCER_ID} />
      {failed !== undefined && (
        <div className="FailedChange-notice">
          <p>{text(Key.nothingChanged)}</p>
          <button
            className="button FailedChange-retry"
            type="button"
            onClick={() => {
              leave(retry);
            }}
          >
            {text(Key.tryAgain)}
          </button>
          <button
            className="icon-button"
            type="button"
            aria-label={text(Key.closeNotice)}
            onClick={() => {
              leave(dismissFailure);
            }}
          >
            <Icon name="x" size={18} />
          </button>
        </div>
      )}
    </div>
  );
}
