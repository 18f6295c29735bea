import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { REPOSITORY } from "./server";

/** A shop in one language: what its file says, and its products. */
export interface Language {
  name: string;
  /** The text of the shop's file. */
  face: string;
  products: object[];
}

/** Words of a language, of which products are made. */
interface Nouns {
  titles: readonly string[];
  categories: readonly string[];
  brands: readonly string[];
  description: string;
  tag: string;
  reviewer: string;
}

/** Products in every state: sold out, few, reduced, with variants, with pictures, with reviews, and more than a page of them. */
function productsOf({ titles, categories, brands, description, tag, reviewer }: Nouns): object[] {
  const of = (words: readonly string[], number: number) => words[number % words.length] ?? "";
  return Array.from({ length: 60 }, (_, index) => {
    const number = index + 1;
    const price = `${number + 4}.50 EUR`;
    return {
      id: String(number),
      title: `${of(titles, number)} ${number}`,
      description,
      category: of(categories, number),
      brand: of(brands, number),
      price,
      ...(number % 4 === 0 && { list_price: `${number + 9}.00 EUR` }),
      stock: number === 1 ? 0 : number === 2 ? 3 : 40,
      rating: 3 + (number % 3) * 0.5,
      tags: [tag],
      images: number === 3 ? ["512.png", "192.png", "180.png"] : ["192.png"],
      reviews: Array.from({ length: number % 3 }, () => ({ name: reviewer, rating: 4, date: "2026-05-03", comment: description })),
    };
  });
}

export const GERMAN: Language = {
  name: "Lampenladen",
  face: `name = "Lampenladen"
tagline = "Licht für lange Abende"
language = "de"
currency = "EUR"
notes = ["Versand in zwei Tagen"]

[[promises]]
text = "Versand frei ab 40 €"
icon = "truck"

[banner]
title = "Lampen aus Papier"
text = "Leicht, warm und jede ein Einzelstück."
links = [{ text = "Ansehen", to = "/new-arrivals" }]
`,
  products: productsOf({
    titles: ["Tischleuchte", "Hängelampe", "Nachttischleuchte mit Stoffschirm"],
    categories: ["Leuchten", "Wohnzimmereinrichtung"],
    brands: ["Müller & Söhne", "Lichthaus"],
    description: "Warmes Licht aus einer kleinen Werkstatt.",
    tag: "Papier",
    reviewer: "Jürgen",
  }),
};

export const ARABIC: Language = {
  name: "بيت النور",
  face: `name = "بيت النور"
tagline = "ضوء للأمسيات الطويلة"
language = "ar"
currency = "EUR"
notes = ["الشحن خلال يومين"]

[[promises]]
text = "شحن مجاني فوق 40 يورو"
icon = "truck"

[banner]
title = "مصابيح من ورق"
text = "خفيفة ودافئة، وكل واحد منها قطعة فريدة."
links = [{ text = "شاهدها", to = "/new-arrivals" }]
`,
  products: productsOf({
    titles: ["مصباح طاولة", "ثريا معلّقة", "Lamp Nova"],
    categories: ["إضاءة", "أثاث غرفة المعيشة"],
    brands: ["نور", "Halm & Co."],
    description: "ضوء دافئ من ورشة صغيرة.",
    tag: "ورق",
    reviewer: "ليلى",
  }),
};

/** Every text of the interface in brackets, and everything else in Greek: a Latin letter elsewhere was never translated. */
export const BRACKETED: Language = {
  name: "Λάμπα",
  face: `name = "Λάμπα"
language = "el"
currency = "EUR"

[words]
${bracketedWords()}`,
  products: productsOf({
    titles: ["Λάμπα", "Φανός"],
    categories: ["1", "2"],
    brands: ["Ήλιος", "Άστρο"],
    description: "Φως",
    tag: "νέο",
    reviewer: "Ελένη",
  }),
};

function bracketedWords(): string {
  const file = readFileSync(resolve(REPOSITORY, "client/texts/en.json"), "utf8");
  const sections = JSON.parse(file) as Record<string, Record<string, string | Record<string, string>>>;
  const quoted = (text: string) => JSON.stringify(`⟦${text}⟧`);
  const lines = Object.values(sections).flatMap((texts) =>
    Object.entries(texts).map(([key, text]) =>
      typeof text === "string" ? `${key} = ${quoted(text)}` : `${key} = { ${Object.entries(text).map(([form, of]) => `${form} = ${quoted(of)}`).join(", ")} }`,
    ),
  );
  return lines.join("\n");
}
