const STORAGE_KEY = "vitrine-theme";

/** Switches between light and dark. The document's inline script applies the stored theme before the first paint. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  const theme = isDark ? "light" : "dark";
  dataset.theme = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the theme lasts until the next document.
  }
}
