import { text, textLanguage } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./SkipLink.css";

export function SkipLink() {
  return (
    <a className="SkipLink" lang={textLanguage()} href="#main">
      {text(Key.skipToContent)}
    </a>
  );
}
