import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { ReactElement } from "react";
import type { Filters, Listing } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ButtonLink } from "../ui/ButtonLink";
import { Icon } from "../ui/Icon";
import { useModalDialog } from "../ui/useModalDialog";
import { activeFilterCount } from "./activeFilters";
import { FILTERS_TITLE_ID } from "./ClearFilters";
import { FilterForm } from "./FilterForm";
import { ResultCount } from "./ResultCount";
import type { ChangeFilters } from "./useListingFilters";
import "./FilterPanel.css";

interface FilterPanelProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
  /** What stands beside the button. */
  children: readonly ReactElement[];
}

/** The width at which the style sheet shows the sidebar instead of the dialog (`styles/tokens.css`). */
const SIDEBAR_FITS = "(min-width: 56rem)";

/**
 * The filters: a sidebar on wide screens, a dialog on small ones. Without JavaScript the button is a
 * link to the form, which `:target` then shows.
 *
 * There is one form. It is mounted in the sidebar, and its element moves into the dialog while that is
 * open: rendering it again would take longer than a shopper should wait for a panel.
 */
export function FilterPanel({ listing, filters, onChange, children }: FilterPanelProps) {
  const [open, setOpen] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const slot = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const dialog = useModalDialog(open, () => {
    setOpen(false);
  });
  const closeDialog = useEffectEvent(() => {
    setOpen(false);
  });

  // React removes this element only together with its section or its dialog, so moving it is safe.
  useLayoutEffect(() => {
    const place = (open ? slot : sidebar).current;
    if (form.current !== null && form.current.parentElement !== place) place?.append(form.current);
  }, [open]);

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

  const close = () => dialog.current?.close();
  const active = activeFilterCount(filters);
  return (
    <>
      <section ref={sidebar} className="FilterPanel" id="filters" aria-labelledby={FILTERS_TITLE_ID}>
        <div ref={form} className="FilterPanel-body">
          <FilterForm listing={listing} filters={filters} onChange={onChange} />
        </div>
      </section>
      <dialog ref={dialog} className="FilterPanel-dialog" aria-labelledby={FILTERS_TITLE_ID}>
        <div className="FilterPanel-sheet">
          {open && (
            <button className="icon-button FilterPanel-close" type="button" aria-label={text(Key.closeFilters)} onClick={close}>
              <Icon name="x" />
            </button>
          )}
          <div ref={slot} className="FilterPanel-slot" />
          {open && (
            <div className="FilterPanel-foot">
              <ResultCount className="FilterPanel-count" total={listing.total} />
              <button className="button button--primary" type="button" onClick={close}>
                {text(Key.showResults)}
              </button>
            </div>
          )}
        </div>
      </dialog>
      <div className="ListingPage-tools">
        <ButtonLink
          className="button button--quiet FilterPanel-button"
          href="#filters"
          aria-haspopup="dialog"
          onPress={() => {
            setOpen(true);
          }}
        >
          <Icon name="sliders-horizontal" size={18} />
          <span>{text(Key.filters)}</span>
          {active > 0 && (
            <span className="FilterPanel-active">
              <span>{active}</span>
              <span className="visually-hidden">{` ${text(Key.activeAfter)}`}</span>
            </span>
          )}
        </ButtonLink>
        {children}
      </div>
    </>
  );
}
