import { X } from "lucide-react";
import type { Listing } from "../../contract.gen";
import { Link } from "../../router";
import { filterChips } from "./activeFilters";
import { focusResultCount } from "./ResultCount";
import "./FilterChips.css";

interface FilterChipsProps {
  listing: Listing;
}

/** The active filters; each is a link to the listing without it. */
export function FilterChips({ listing }: FilterChipsProps) {
  const chips = filterChips(listing);
  if (chips.length === 0) return null;
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets.
    <ul className="FilterChips" role="list" aria-label="Active filters">
      {chips.map(({ key, label, href }) => (
        <li key={key} className="FilterChips-item">
          <Link className="FilterChips-chip" to={href} preventScrollReset onClick={focusResultCount}>
            <span className="visually-hidden">Remove filter </span>
            <bdi className="FilterChips-label">{label}</bdi>
            <X className="FilterChips-cross" aria-hidden="true" size={16} />
          </Link>
        </li>
      ))}
      <li className="FilterChips-item">
        <Link className="FilterChips-clear" to={listing.basePath} preventScrollReset onClick={focusResultCount}>
          Clear all<span className="visually-hidden"> filters</span>
        </Link>
      </li>
    </ul>
  );
}
