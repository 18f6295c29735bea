// Suggestions while typing, in a bundle of its own that the first focus of the search field loads. It is plain DOM and
// not React, because the components belong to the bundle that every first visit loads, which must not grow for this.
import { createQuestions, NOTHING } from "./askHost";
import styles from "./autocomplete.css";
import { answerKey } from "./keyboard";
import { createPopup } from "./popup";
import { loadTexts } from "./texts";

/** The least and the most characters to ask for: fewer match too much, and nobody types more. */
const LEAST = 2;
const MOST = 200;
/** In scripts without spaces, one character says as much as a word. */
const WITHOUT_SPACES = /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmr}|\p{sc=Mymr}/u;

const attached = new WeakSet<HTMLInputElement>();

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** Gives a search field suggestions; `early/main.ts` calls it at every focus, because React may replace the field. */
export function attach(input: HTMLInputElement): void {
  if (attached.has(input)) return;
  attached.add(input);
  whenReady(() => {
    void loadTexts().then(() => {
      if (input.form !== null) suggestFor(input, input.form);
    }, () => undefined);
  });
}

/**
 * Calls back when the client has taken over. Before that, React would meet elements that it does not know; without the
 * client, the form works as it is.
 */
function whenReady(callBack: () => void): void {
  const root = document.documentElement;
  const isReady = () => root.dataset.client === "ready";
  if (isReady()) {
    callBack();
    return;
  }
  const observer = new MutationObserver(() => {
    if (!isReady()) return;
    observer.disconnect();
    callBack();
  });
  observer.observe(root, { attributeFilter: ["data-client"] });
}

function suggestFor(input: HTMLInputElement, form: HTMLFormElement): void {
  const popup = createPopup(input, form);
  const typed = () => input.value.trim();
  const ask = createQuestions((suggestions) => {
    // A list with an active option stays as it is until more is typed: Enter chooses that option.
    if (popup.active === undefined) popup.show(suggestions, typed());
  });
  const close = () => {
    // A late answer does not open the list again.
    ask("");
    popup.close();
  };
  const open = () => {
    const count = Array.from(typed()).length;
    if (count === 0) ask(NOTHING);
    else if ((count >= LEAST || WITHOUT_SPACES.test(typed())) && count <= MOST) ask(typed());
    else close();
  };
  const choose = (option: HTMLElement) => {
    const isSearch = popup.isSearch(option);
    close();
    follow(option, form);
    if (!isSearch) input.value = input.defaultValue;
  };

  input.addEventListener("input", () => {
    popup.retype(typed());
    if (typed() === "") close();
    else open();
  });
  input.addEventListener("click", () => {
    if (typed() === "" && !popup.isOpen) open();
  });
  input.addEventListener("blur", close);
  form.addEventListener("submit", close);
  input.addEventListener("keydown", (event) => {
    answerKey(event, popup, { open, close, choose });
  });
  form.addEventListener("click", (event) => {
    const option = optionOf(event);
    if (option === null || !isPlain(event)) return;
    event.preventDefault();
    choose(option);
  });
  if (document.activeElement === input && input.value !== input.defaultValue) open();
}

/**
 * Goes where a link leads. `SearchBox` answers a submission by a link with a navigation in the client; if it does not
 * answer, the browser loads the page.
 */
function follow(link: HTMLElement, form: HTMLFormElement): void {
  const submission = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: link });
  if (form.dispatchEvent(submission)) location.assign(link.getAttribute("href") ?? "");
}

function optionOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".Autocomplete-option") : null;
}

/** Whether a click opens the link in this tab: it is a plain left click. */
function isPlain({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}
