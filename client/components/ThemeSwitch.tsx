import { Moon, Sun } from "lucide-react";
import "./ThemeSwitch.css";

const STORAGE_KEY = "vitrine-theme";

/**
 * Both labels are always in the document and the style sheet shows the one that applies: the
 * server cannot know the theme, and hydration must not change what it sent.
 */
export function ThemeSwitch() {
  return (
    <button type="button" className="ThemeSwitch icon-button" onClick={switchTheme}>
      <span className="ThemeSwitch-toDark">
        <Moon aria-hidden="true" size={22} />
        <span className="visually-hidden">Switch to dark theme</span>
      </span>
      <span className="ThemeSwitch-toLight">
        <Sun aria-hidden="true" size={22} />
        <span className="visually-hidden">Switch to light theme</span>
      </span>
    </button>
  );
}

function switchTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  const chosen = dark ? "light" : "dark";
  dataset.theme = chosen;
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // A browser that refuses storage still switches, for this page view.
  }
}
