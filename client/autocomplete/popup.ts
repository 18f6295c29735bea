import { element } from "./element";
import { fitToWindow } from "./fitToWindow";
import { optionGroups, searchOption } from "./options";
import type { Suggestions } from "./readAutocomplete";
import { text } from "./texts";

const LIST_ID = "autocomplete-list";

/** The list of suggestions below a search field, with one active option or none. */
export interface Popup {
  readonly isOpen: boolean;
  readonly active: HTMLElement | undefined;
  /** Shows the suggestions for a text below a line that searches for it. Without an answer, the list closes. */
  show: (suggestions: Suggestions | undefined, text: string) => void;
  /** Lets the open list search for another text, before the suggestions for it are there. */
  retype: (text: string) => void;
  close: () => void;
  /** Makes the next or previous option active; beyond the first and the last option, none is active. */
  move: (by: 1 | -1) => void;
  /** Whether this option searches for the text, as the form does. */
  isSearch: (option: HTMLElement) => boolean;
}

/**
 * Adds an empty list to the search form, and tells assistive technology that the field has one: "Editable Combobox With
 * List Autocomplete" of the ARIA Authoring Practices. The active option is announced while the focus stays in the field.
 */
export function createPopup(input: HTMLInputElement, form: HTMLFormElement): Popup {
  const list = element("div", { class: "Autocomplete", id: LIST_ID, role: "listbox", "aria-label": text("suggestLabel") });
  const status = element("div", { class: "visually-hidden", role: "status" });
  let options: HTMLElement[] = [];
  /** How many of the options, the first ones, search for the text. */
  let searches = 0;
  let active: HTMLElement | undefined;
  let stopFitting: (() => void) | undefined;
  list.hidden = true;
  form.append(status, list);
  const states = { role: "combobox", "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-controls": LIST_ID, "aria-expanded": "false" };
  for (const [name, value] of Object.entries(states)) input.setAttribute(name, value);
  // Otherwise a press, or a drag of the scroll bar, would take the focus out of the field and close the list.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
  });

  function activate(option: HTMLElement | undefined) {
    active?.setAttribute("aria-selected", "false");
    active = option;
    option?.setAttribute("aria-selected", "true");
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", option.id);
      scrollTo(list, option);
    }
  }

  function close() {
    activate(undefined);
    list.hidden = true;
    list.replaceChildren();
    options = [];
    input.setAttribute("aria-expanded", "false");
    status.textContent = "";
    stopFitting?.();
    stopFitting = undefined;
  }

  function show(suggestions: Suggestions | undefined, typed: string) {
    const shown = typed === "" ? [] : [searchOption(typed)];
    const groups = suggestions === undefined ? [] : optionGroups(suggestions, typed);
    if (suggestions === undefined || shown.length + groups.length === 0) {
      close();
      return;
    }
    activate(undefined);
    list.replaceChildren(...shown, ...groups);
    searches = shown.length;
    options = [...list.querySelectorAll<HTMLElement>("[role=option]")];
    options.forEach((option, index) => {
      option.id = `${LIST_ID}-${index}`;
    });
    list.hidden = false;
    list.scrollTop = 0;
    input.setAttribute("aria-expanded", "true");
    const count = options.length - searches;
    status.textContent = count === 0 ? text("suggestNothing") : text("suggestNumber", count);
    stopFitting ??= fitToWindow(list, close);
  }

  function retype(typed: string) {
    activate(undefined);
    const [row] = options;
    if (row === undefined || typed === "" || searches === 0) return;
    const next = searchOption(typed);
    next.id = row.id;
    row.replaceWith(next);
    options[0] = next;
  }

  return {
    get isOpen() {
      return !list.hidden;
    },
    get active() {
      return active;
    },
    show,
    retype,
    close,
    move: (by) => {
      // One place more than options: there, none is active.
      const places = options.length + 1;
      const place = active === undefined ? options.length : options.indexOf(active);
      activate(options[(place + by + places) % places]);
    },
    isSearch: (option) => options.indexOf(option) < searches,
  };
}

/** Scrolls the list alone: `scrollIntoView` would move the page, too. */
function scrollTo(list: HTMLElement, option: HTMLElement): void {
  const [room, place] = [list.getBoundingClientRect(), option.getBoundingClientRect()];
  list.scrollTop += Math.min(0, place.top - room.top) + Math.max(0, place.bottom - room.bottom);
}
