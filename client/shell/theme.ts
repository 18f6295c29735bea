const STORAGE_KEY = "vitrine-theme";

type Theme = "light" | "dark";

/** Switches between light and dark, and stores the choice. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  const theme = isDark ? "light" : "dark";
  show(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the theme lasts until the next document.
  }
}

/** Shows the stored theme; `early/main.ts` calls it before the first paint. */
export function showStoredTheme(): void {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    if (theme === "light" || theme === "dark") show(theme);
  } catch {
    // Without storage the visitor's system decides.
  }
}

/** Shows a theme, also in the colour of the browser's own bars. */
function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-for]")) {
    meta.media = meta.dataset.for === theme ? "all" : "not all";
  }
}
