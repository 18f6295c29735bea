const STORAGE_KEY = "vitrine-theme";

/** Switches between light and dark. The document's inline script applies the stored theme before the first paint. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  const theme = isDark ? "light" : "dark";
  dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-for]")) {
    meta.media = meta.dataset.for === theme ? "all" : "not all";
  }
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the theme lasts until the next document.
  }
}
