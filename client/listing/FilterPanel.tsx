import { useEffect, useEffectEvent, useState } from "react";
import { SlidersHorizontal, X } from "lucide-react";
import type { Filters, Listing } from "../contract.gen";
import { ButtonLink } from "../ui/ButtonLink";
import { useModalDialog } from "../ui/useModalDialog";
import { activeFilterCount } from "./activeFilters";
import { FilterForm } from "./FilterForm";
import { ResultCount } from "./ResultCount";
import type { ChangeFilters } from "./useListingFilters";
import "./FilterPanel.css";

interface FilterPanelProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** The width at which the style sheet shows the sidebar instead of the dialog (`styles/tokens.css`). */
const SIDEBAR_FITS = "(min-width: 56rem)";

/**
 * The filters: a sidebar on wide screens, a dialog on small ones. The form is rendered in one of
 * the two only. Without JavaScript the button is a link to the form, which `:target` then shows.
 */
export function FilterPanel({ listing, filters, onChange }: FilterPanelProps) {
  const [open, setOpen] = useState(false);
  const dialog = useModalDialog(open, () => {
    setOpen(false);
  });
  const closeDialog = useEffectEvent(() => {
    setOpen(false);
  });
  useEffect(() => {
    const query = matchMedia(SIDEBAR_FITS);
    const listeners = new AbortController();
    query.addEventListener(
      "change",
      () => {
        if (query.matches) closeDialog();
      },
      listeners,
    );
    return () => {
      listeners.abort();
    };
  }, []);

  const active = activeFilterCount(filters);
  const form = <FilterForm listing={listing} filters={filters} onChange={onChange} />;
  return (
    <>
      <ButtonLink
        className="button button--quiet FilterPanel-button"
        href="#filters"
        aria-haspopup="dialog"
        onPress={() => {
          setOpen(true);
        }}
      >
        <SlidersHorizontal aria-hidden="true" size={18} />
        Filters
        {active > 0 && (
          <span className="FilterPanel-active">
            {active}
            <span className="visually-hidden"> active</span>
          </span>
        )}
      </ButtonLink>
      <section className="FilterPanel" id="filters" aria-labelledby="filters-title">
        <h2 className="FilterPanel-title" id="filters-title">
          Filters
        </h2>
        {!open && form}
      </section>
      <dialog ref={dialog} className="FilterPanel-dialog" aria-labelledby="filters-dialog-title">
        {open && (
          <div className="FilterPanel-sheet">
            <div className="FilterPanel-head">
              <h2 className="FilterPanel-title" id="filters-dialog-title">
                Filters
              </h2>
              <button className="icon-button" type="button" aria-label="Close filters" onClick={() => dialog.current?.close()}>
                <X aria-hidden="true" />
              </button>
            </div>
            <div className="FilterPanel-body">{form}</div>
            <div className="FilterPanel-foot">
              <ResultCount total={listing.total} />
              <button className="button button--primary" type="button" onClick={() => dialog.current?.close()}>
                Show results
              </button>
            </div>
          </div>
        )}
      </dialog>
    </>
  );
}
