import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "./Icon";
import "./SectionHeading.css";

interface SectionHeadingProps {
  id: string;
  title: string;
  href: string;
}

/** The heading of a section, with a link to the page that shows all of it. */
export function SectionHeading({ id, title, href }: SectionHeadingProps) {
  return (
    <div className="SectionHeading">
      <h2 id={id}>{title}</h2>
      <Link className="SectionHeading-link" to={href}>
        {text(Key.viewAll)}
        <span className="visually-hidden">{` ${title}`}</span>
        <Icon name="arrow-right" size={18} />
      </Link>
    </div>
  );
}
