import type { ShopLogo } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./Logo.css";

interface LogoProps {
  name: string;
  /** The shop's own logo, instead of the drawing of a shop window. */
  logo: ShopLogo | undefined;
}

/** The logo, and the name unless the logo has it. */
export function Logo({ name, logo }: LogoProps) {
  return (
    <Link className="Logo" to={pageHref("/")} aria-label={text(Key.logoLabel, name)} data-name={name}>
      {logo === undefined ? (
        <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
          <path className="Logo-window" d="M4 12h24v15a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z" />
          <path className="Logo-glass" d="M7 15h18v8H7z" />
          <path className="Logo-stripe" d="M6 3h20l4 9a3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0 3.5 3.5 0 0 1-7 0z" />
          <path className="Logo-awning" d="M6 3h5L9 12a3.5 3.5 0 0 1-7 0zM16 3h5l2 9a3.5 3.5 0 0 1-7 0z" />
        </svg>
      ) : (
        <>
          <img src={logo.src} width={logo.width} height={logo.height} alt="" />
          {/* The styles of the shop's profile show it in the dark theme. Only there it is loaded. */}
          {logo.dark !== undefined && <img className="Logo-dark" src={logo.dark} width={logo.width} height={logo.height} alt="" loading="lazy" />}
        </>
      )}
      {logo?.hasName !== true && <span>{name}</span>}
    </Link>
  );
}
