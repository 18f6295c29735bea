// Writes which direction languages have and which plural form a number takes, from the CLDR that Node.js has:
// node scripts/plural-rules.mjs > host/texts/languages.tsv
//
// Up to 100,000, every language looks at a whole number itself below 100, and otherwise at its last two digits.
import process from "node:process";

// The languages of `languages.mjs`. Portugal is the only region with rules of its own.
const TAGS = `af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv
mk ml mn mr ms my nb ne nl nn no or pa pl ps pt pt-PT ro ru si sk sl so sq sr sv sw ta te th tk tr uk ur uz vi zh zu`.split(/\s+/);
const FORMS = ["zero", "one", "two", "few", "many", "other"];

for (const tag of TAGS) {
  const rules = new Intl.PluralRules(tag);
  const used = Array.from({ length: 200 }, (_, number) => rules.select(number));
  for (let number = 200; number < 100_000; number += 1) {
    if (rules.select(number) !== used[100 + (number % 100)]) throw new Error(`${tag}: ${number} does not follow its last two digits`);
  }
  const forms = FORMS.filter((form) => used.includes(form));
  // The end, which repeats, is cut: what is beyond it has the last form.
  const rule = used.map((form) => forms.indexOf(form)).join("").replace(/(.)\1*$/, "$1");
  const { direction } = new Intl.Locale(tag).textInfo;
  process.stdout.write(`${tag}\t${direction}\t${forms.join(" ")}\t${rule}\n`);
}
