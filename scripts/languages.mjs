// Writes how languages write amounts and dates, from the CLDR that Node.js has (48 when this was last used):
// node scripts/languages.mjs > host/profile/languages.tsv
import process from "node:process";

// The languages of which the CLDR has all that is needed, and regions that write differently from their language.
const TAGS = `af am ar ar-MA az be bg bn bs ca cs cy da de de-AT de-CH de-LI el en en-150 en-AU en-CA en-CH en-DE en-GB en-HK en-IE en-IN en-NL en-NZ en-SG en-ZA es es-419 es-AR
es-CL es-CO es-CR es-EC es-MX es-PA es-PE es-US es-UY es-VE et eu fa fi fil fr fr-BE fr-CA fr-CH fr-LU fr-MA ga gl gu he hi hr hu hy id is it it-CH ja ka kk km kn ko
ky lo lt lv mk ml mn mr ms my nb ne nl nl-BE nn no or pa pl ps pt pt-AO pt-PT ro ru si sk sl so sq sr sr-Latn sv sw ta te th tk tr uk ur
uz uz-Cyrl vi zh zh-Hant zh-HK zh-TW zu`.split(/\s+/);

/** The shop's texts have European digits and the Gregorian calendar in every language. */
const PLAIN = "-u-nu-latn-ca-gregory";

const CODES = Intl.supportedValuesOf("currency");

function signs(tag) {
  return Object.fromEntries(CODES.map((code) => [code, sign(tag, code)]).filter(([code, text]) => text !== code));
}

/** The sign of a currency, followed by the mark of its direction if it has one. */
function sign(tag, currency) {
  const parts = new Intl.NumberFormat(tag + PLAIN, { style: "currency", currency }).formatToParts(1);
  const at = parts.findIndex(({ type }) => type === "currency");
  const mark = /^\u200f/.exec(parts[at + 1]?.value ?? "")?.[0] ?? "";
  return parts[at].value + mark;
}

/** An amount with `¤` for the currency and `N` for the number, such as `N ¤`. */
function amount(tag) {
  // A code of letters would add a space that signs do not have.
  const parts = new Intl.NumberFormat(tag + PLAIN, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
  const pattern = parts.formatToParts(1).map(({ type, value }) => {
    if (type === "currency") return "¤";
    return type === "literal" ? value : "N";
  });
  return pattern.join("").replace(/N+/, "N");
}

function number(tag) {
  const parts = (value) => new Intl.NumberFormat(tag + PLAIN, { style: "currency", currency: "EUR" }).formatToParts(value);
  const large = parts(123456789);
  const integers = large.filter(({ type }) => type === "integer").map(({ value }) => value.length);
  return {
    group: large.find(({ type }) => type === "group").value,
    decimal: large.find(({ type }) => type === "decimal").value,
    // Digits of each group but the last one.
    groups: integers.at(-2),
    isGrouped: parts(1234).some(({ type }) => type === "group"),
  };
}

function dates(tag) {
  const parts = (month) =>
    new Intl.DateTimeFormat(tag + PLAIN, { dateStyle: "long", timeZone: "UTC" }).formatToParts(Date.UTC(2024, month, 9));
  const months = Array.from({ length: 12 }, (_, month) => parts(month).find(({ type }) => type === "month").value);
  const letters = { day: "D", month: "M", year: "Y" };
  const date = parts(0).map(({ type, value }) => {
    if (type === "literal" && /[DMY]/.test(value)) throw new Error(`${tag} writes ${value} in dates`);
    return type === "literal" ? value : letters[type] ?? "";
  });
  return { months, date: date.join("") };
}

const english = signs("en");
const list = (signs) => Object.entries(signs).map((pair) => pair.join(" ")).join("|");
/** The signs that differ from the English ones. */
const own = (tag) =>
  Object.fromEntries(CODES.map((code) => [code, sign(tag, code)]).filter(([code, sign]) => sign !== (english[code] ?? code)));

for (const tag of TAGS) {
  const { group, decimal, groups, isGrouped } = number(tag);
  const { months, date } = dates(tag);
  const row = [tag, group, decimal, groups, isGrouped, amount(tag), date, months.join("|"), list(tag === "en" ? english : own(tag))];
  if (row.some((value) => /[\t\n]/.test(value)) || months.length !== 12) throw new Error(`${tag} does not fit into a row`);
  process.stdout.write(`${row.join("\t")}\n`);
}
