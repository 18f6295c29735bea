import type { Facets, Filters } from "../contract.gen";
import { FACETS } from "../facets.gen";

/** The filters that the browser would submit. The sort order is not part of the form data. */
export function readFilterForm(form: FormData, facets: Facets): Filters {
  const filters: Filters = { facets: form.has("facets") ? "all" : undefined };
  for (const { kind, parameter } of FACETS) {
    const values = form.getAll(parameter).filter((value) => typeof value === "string");
    const [text = ""] = values;
    const number = Number(text);
    switch (kind) {
      case "text":
      case "tag":
        filters[parameter] = text;
        break;
      case "from":
        filters[parameter] = text !== "" && number > 0 ? Math.floor(number) : undefined;
        break;
      case "highest":
        filters[parameter] = text !== "" && number >= 0 && number < (facets[parameter]?.ceiling ?? 0) ? Math.floor(number) : undefined;
        break;
      case "lowest":
        filters[parameter] = number >= 1 && number <= 5 ? number : undefined;
        break;
      case "choice":
        filters[parameter] = values;
        break;
      case "flag":
        filters[parameter] = form.has(parameter) || undefined;
    }
  }
  return filters;
}
