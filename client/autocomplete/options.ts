import type { Named } from "../contract.gen";
import { productHref } from "../navigation/addresses";
import { searchHref } from "../navigation/searchUrl";
import { initial } from "../ui/initial";
import { pictureAt } from "../ui/picture";
import { element } from "./element";
import { markedParts } from "./markedParts";
import type { SuggestedProduct, Suggestions } from "./readAutocomplete";
import { text } from "./texts";

/** The link that searches for the typed text, as the form does. */
export function searchOption(typed: string): HTMLElement {
  const [before = "", after = ""] = text("suggestSearch", "\n").split("\n");
  return option(searchHref(typed) ?? "", element("span", {}, before, element("bdi", {}, typed), after));
}

/** The suggestions in groups; groups without any are left out. Names come from the catalogue, so they are never markup. */
export function optionGroups({ products, categories, brands }: Suggestions, typed: string): HTMLElement[] {
  const groups: [Named[], HTMLElement | undefined][] = [
    [[], group(text("suggestProducts"), products.map((product) => productOption(product, typed)))],
    [categories, group(text("suggestCategories"), categories.map((category) => namedOption(category, typed)))],
    [brands, group(text("suggestBrands"), brands.map((brand) => namedOption(brand, typed)))],
  ];
  // What has the typed text as its name is meant by it.
  const isNamed = (names: Named[]) => names.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  groups.sort(([one], [other]) => Number(isNamed(other)) - Number(isNamed(one)));
  return groups.flatMap(([, made]) => (made === undefined ? [] : [made]));
}

function group(name: string, options: HTMLElement[]): HTMLElement | undefined {
  if (options.length === 0) return undefined;
  // `aria-label` names the group already.
  const heading = element("div", { class: "Autocomplete-heading", "aria-hidden": "true" }, name);
  return element("div", { role: "group", "aria-label": name }, heading, ...options);
}

function productOption({ id, title, thumbnail, tint, price }: SuggestedProduct, typed: string): HTMLElement {
  const plate = element("span", { class: `Autocomplete-plate ProductImage tint-${tint}` }, picture(thumbnail, title));
  const paid = price.from === true ? text("suggestFrom", price.current) : price.current;
  const line = element("span", { class: "Autocomplete-more" }, paid, ...formerPrice(price.original));
  return option(productHref(id), plate, element("span", { class: "Autocomplete-text" }, markedName(title, typed), " ", line));
}

function formerPrice(original: string | null): (Node | string)[] {
  if (original === null) return [];
  return [" ", element("s", {}, element("span", { class: "visually-hidden" }, `${text("suggestOriginalPriceBefore")} `), original)];
}

function namedOption({ name, count, href }: Named, typed: string): HTMLElement {
  return option(href, markedName(name, typed), " ", element("span", { class: "Autocomplete-more" }, text("suggestProductsOf", count)));
}

/** A link, so that it can be opened in another tab. The focus stays in the field. */
function option(href: string, ...content: (Node | string)[]): HTMLElement {
  return element("a", { class: "Autocomplete-option", role: "option", href, tabindex: "-1", "aria-selected": "false" }, ...content);
}

/** The picture, or a plate with the initial when there is none or it does not load; both look as on cards. */
function picture(thumbnail: string | null, title: string): HTMLElement {
  const placeholder = element("span", { class: "ProductImage-placeholder", "data-initial": initial(title) });
  if (thumbnail === null) return placeholder;
  const size = { width: "44", height: "44" };
  const src = pictureAt(thumbnail)[1].srcSet?.split(" ")[0] ?? thumbnail;
  const image = element("img", { class: "ProductImage-picture", alt: "", decoding: "async", ...size, src });
  image.addEventListener("error", () => {
    image.replaceWith(placeholder);
  });
  return image;
}

function markedName(name: string, typed: string): HTMLElement {
  const parts = markedParts(name, typed).map(({ text, isMarked }) => (isMarked ? element("mark", {}, text) : text));
  return element("bdi", { class: "Autocomplete-name" }, ...parts);
}
