import "./PageHeading.css";

interface PageHeadingProps {
  title: string;
  text: string;
}

/** The title of a page. It is focusable, because it gets the focus after a navigation. */
export function PageHeading({ title, text }: PageHeadingProps) {
  return (
    <div className="PageHeading">
      <h1 tabIndex={-1}>{title}</h1>
      <p className="PageHeading-text">{text}</p>
    </div>
  );
}
