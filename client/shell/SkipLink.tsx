import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./SkipLink.css";

export function SkipLink() {
  return (
    <a className="SkipLink" href="#main">
      {text(Key.skipToContent)}
    </a>
  );
}
