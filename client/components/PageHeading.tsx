import "./PageHeading.css";

interface PageHeadingProps {
  title: string;
  text: string;
}

/** The heading takes the focus after a navigation in the browser. */
export function PageHeading({ title, text }: PageHeadingProps) {
  return (
    <div className="PageHeading">
      <h1 tabIndex={-1}>{title}</h1>
      <p className="PageHeading-text">{text}</p>
    </div>
  );
}
