// Decides where each rule of a kind's styles stands: in the head, before the markup below the first screen, or only in
// the whole style sheet. Used by first-paint-styles.mjs.
import postcss from "postcss";

/** What only an action of the visitor shows. Focus is not among it: a keyboard may be faster than the whole style sheet. */
const ANSWERS = /:(?:hover|active)\b|::backdrop|::view-transition|\[aria-expanded="?true|\[aria-busy|\[data-modal\]|dialog\[open\]/;
/** Properties that say how something changes. */
const CHANGES = /^(?:transition|view-transition-|cursor$)/;
/** Has the functions in which a selector does not say what its element is. */
const CONDITIONS = /:(?:not|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;
const CLASS = /\.([A-Za-z][\w-]*)/g;
const VARIABLE = /var\(\s*(--[\w-]+)/g;

/** Whether a class is one of these: exactly, or as a part of a component that is named with an asterisk. */
function isOneOf(name, classes) {
  return classes.some((known) => (known.endsWith("*") ? name === known.slice(0, -1) || name.startsWith(`${known.slice(0, -1)}-`) : name === known));
}

/**
 * The styles for the head and those for what follows the first screen. `later` and `below` name classes whose rules are
 * left to the whole style sheet and follow the first screen; `read` are variables that something else than styles reads.
 */
export function splitStyles(css, { later, below, read }) {
  const first = postcss.parse(css);
  const further = first.clone();
  keep(first, "first");
  keep(further, "further");
  dropUnused([first, further], read);
  return { first: first.toString(), further: further.toString() };

  function keep(root, place) {
    root.walkRules((rule) => {
      if (rule.parent.type === "atrule" && rule.parent.name.endsWith("keyframes")) return;
      const selectors = rule.selectors.filter((selector) => placeOf(selector) === place);
      if (selectors.length === 0) rule.remove();
      else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
    });
    root.walkDecls(CHANGES, (declaration) => declaration.remove());
  }

  function placeOf(selector) {
    const subject = selector.replace(CONDITIONS, "");
    if (ANSWERS.test(subject)) return "later";
    const classes = Array.from(subject.matchAll(CLASS), ([, name]) => name);
    if (classes.some((name) => isOneOf(name, later))) return "later";
    return classes.some((name) => isOneOf(name, below)) ? "further" : "first";
  }
}

/** Removes animations and variables that no rule reads, and what is empty then. */
function dropUnused(roots, read) {
  for (let removed = true; removed; ) {
    removed = false;
    const values = roots.map((root) => {
      const texts = [];
      root.walkDecls(({ prop, value }) => texts.push(`${prop}:${value}`));
      return texts.join(";");
    });
    const all = new Set([...read, ...values.flatMap((text) => Array.from(text.matchAll(VARIABLE), ([, name]) => name))]);
    roots.forEach((root, index) => {
      root.walkDecls(/^--/, (declaration) => {
        if (all.has(declaration.prop)) return;
        declaration.remove();
        removed = true;
      });
      root.walkAtRules(/keyframes$/, (rule) => {
        if (!new RegExp(`animation[^;]*:[^;]*\\b${rule.params}\\b`).test(values[index])) rule.remove();
      });
      root.walk((node) => {
        if (node.type !== "decl" && node.nodes?.length === 0) node.remove();
      });
    });
  }
  for (const root of roots) {
    // What is empty inside was removed above, from the inside out.
    root.walkAtRules((rule) => {
      if (rule.nodes?.length === 0) rule.remove();
    });
  }
}
