import "./SkipLink.css";

export function SkipLink() {
  return (
    <a className="SkipLink" href="#main">
      Skip to content
    </a>
  );
}
