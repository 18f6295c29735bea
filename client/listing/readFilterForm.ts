import type { Filters } from "../contract.gen";

/** The filters that the browser would submit. The sort order is not part of the form data. */
export function readFilterForm(form: FormData, priceCeiling: number): Omit<Filters, "sort"> {
  const max = Number(text(form, "max"));
  const rating = Number(text(form, "rating"));
  return {
    query: text(form, "q"),
    maxPrice: text(form, "max") === "" || !(max >= 0 && max < priceCeiling) ? null : Math.floor(max),
    minRating: rating >= 1 && rating <= 5 ? rating : null,
    categories: texts(form, "category"),
    brands: texts(form, "brand"),
    inStock: form.has("stock"),
    ...(form.has("tag") && { tag: text(form, "tag") }),
    ...(form.has("facets") && { allFacets: true }),
  };
}

function text(form: FormData, name: string): string {
  return texts(form, name)[0] ?? "";
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}
