import { useFailedChange } from "../navigation/useFailedChange";
import { usePageRouter } from "../navigation/usePageRouter";
import "./FailedChange.css";

/** Says that the last change of the page failed, and offers to try again. The page has stayed as it was. */
export function FailedChange() {
  const { retry } = usePageRouter();
  const failed = useFailedChange();
  return (
    // The region is always there, because screen readers announce what changes inside one.
    <div className="FailedChange" role="status">
      {failed !== undefined && (
        <div className="FailedChange-notice">
          <p>The shop did not answer, so nothing has changed.</p>
          <button className="button FailedChange-retry" type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
