import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { switchTheme } from "./theme";
import "./ThemeSwitch.css";

/**
 * Renders both labels; the style sheet hides the one that does not apply. The server does not know
 * the theme, so a single label could differ between server and browser.
 */
export function ThemeSwitch() {
  return (
    <button type="button" className="ThemeSwitch icon-button" onClick={switchTheme}>
      <span className="ThemeSwitch-toDark">
        <Icon name="moon" size={22} />
        <span className="visually-hidden">{text(Key.themeDark)}</span>
      </span>
      <span className="ThemeSwitch-toLight">
        <Icon name="sun" size={22} />
        <span className="visually-hidden">{text(Key.themeLight)}</span>
      </span>
    </button>
  );
}
