//! The names of WooCommerce's columns in other languages, as its exports in these languages have them.

use csv::StringRecord;

use super::{Field, OPTION_NAMES, OPTION_VALUES, normal};

/// What the columns of [`Language::columns`] say.
const COLUMNS: [Field; 20] = [
    Field::Kind,
    Field::Sku,
    Field::Title,
    Field::Published,
    Field::Visibility,
    Field::OtherDescription,
    Field::Description,
    Field::SaleStarts,
    Field::SaleEnds,
    Field::Availability,
    Field::Stock,
    Field::Policy,
    Field::SalePrice,
    Field::Price,
    Field::Categories,
    Field::Tags,
    Field::Images,
    Field::Parent,
    Field::Link,
    Field::Brand,
];

/// The names of columns in one language, as [`folded`] gives them, with `|` between several for the same.
pub(super) struct Language {
    columns: [&'static str; COLUMNS.len()],
    /// Stands before ` (kg)` or ` (g)`.
    weight: &'static str,
    /// The names of the columns of options, and those of their values, with `#` for the number.
    options: [&'static str; 2],
}

/// German, French, Spanish, Italian, Dutch, Polish, Portuguese and Swedish.
const LANGUAGES: [Language; 8] = [
    Language {
        columns: [
            "typ",
            "artikelnummer|sku",
            "name",
            "veröffentlicht",
            "sichtbarkeit im katalog",
            "kurzbeschreibung",
            "beschreibung",
            "datum, an dem angebotspreis beginnt",
            "datum, an dem angebotspreis endet",
            "vorrätig?",
            "bestand|lager",
            "lieferrückstande erlaubt?|lieferrückstände erlaubt?|rückstände erlaubt?",
            "angebotspreis",
            "regulärer preis",
            "kategorien",
            "schlagwörter",
            "bilder",
            "übergeordnetes produkt",
            "externe url",
            "marken|marke",
        ],
        weight: "gewicht",
        options: ["attribut # name", "attribut # wert(e)"],
    },
    Language {
        columns: [
            "type",
            "ugs",
            "nom",
            "publié",
            "visibilité dans le catalogue",
            "description courte",
            "description",
            "date de début de promo",
            "date de fin de promo",
            "en stock ?|en stock?|en inventaire ?|en inventaire?",
            "stock|inventaire",
            "autoriser les commandes de produits en rupture ?",
            "tarif promo|prix de vente",
            "tarif régulier|prix de base",
            "catégories",
            "tags|étiquettes",
            "images",
            "parent",
            "url externe",
            "marques|brands",
        ],
        weight: "poids",
        options: ["nom de l'attribut #", "valeur(s) de l'attribut #"],
    },
    Language {
        columns: [
            "tipo",
            "sku",
            "nombre",
            "publicado",
            "visibilidad en el catálogo",
            "descripción corta",
            "descripción",
            "día en que empieza el precio rebajado",
            "día en que termina el precio rebajado",
            "¿en inventario?|¿existencias?",
            "inventario",
            "¿permitir reservas de productos agotados?",
            "precio rebajado",
            "precio normal",
            "categorías",
            "etiquetas",
            "imágenes",
            "superior",
            "url externa",
            "marcas",
        ],
        weight: "peso",
        options: ["nombre del atributo #", "valor(es) del atributo #"],
    },
    Language {
        columns: [
            "tipo",
            "sku",
            "nome",
            "pubblicato",
            "visibilità nel catalogo",
            "breve descrizione",
            "descrizione",
            "data di partenza del prezzo in saldo",
            "data in cui termina l'offerta",
            "in stock?",
            "magazzino",
            "abilita gli ordini arretrati?",
            "prezzo in offerta",
            "prezzo di listino",
            "categorie",
            "tag",
            "immagine|immagini",
            "genitore",
            "url esterno",
            "marchi",
        ],
        weight: "peso",
        options: ["nome dell'attributo #|attributo # nome", "valore dell'attributo #|attributo # valuta(e)"],
    },
    Language {
        columns: [
            "type",
            "artikelnummer|sku",
            "naam",
            "gepubliceerd",
            "zichtbaarheid in catalogus",
            "korte omschrijving|korte beschrijving",
            "beschrijving",
            "startdatum actieprijs",
            "einddatum actieprijs",
            "op voorraad?",
            "voorraad",
            "nabestellingen toestaan?",
            "actieprijs",
            "reguliere prijs",
            "categorieën",
            "tags",
            "afbeeldingen",
            "hoofd",
            "externe url",
            "merken",
        ],
        weight: "gewicht",
        options: ["naam eigenschap #", "waarde eigenschap #|waarde(n) eigenschap #"],
    },
    Language {
        columns: [
            "typ",
            "sku",
            "nazwa",
            "opublikowano",
            "widoczność w katalogu",
            "krótki opis",
            "opis",
            "data rozpoczęcia promocji",
            "data zakończenia promocji",
            "w magazynie?",
            "stan magazynowy",
            "pozwalać na zamówienia oczekujące (na dostawę do magazynu)?",
            "cena promocyjna",
            "cena",
            "kategorie",
            "tagi",
            "obrazki",
            "element nadrzędny",
            "zewnętrzny adres url",
            "marki",
        ],
        weight: "waga",
        options: ["nazwa atrybutu #", "wartości atrybutu #"],
    },
    Language {
        columns: [
            "tipo",
            "sku|ref",
            "nome",
            "publicado",
            "visibilidade no catálogo",
            "descrição curta|descrição breve",
            "descrição",
            "data de preço promocional começa em|data de início do preço promocional",
            "data de preço promocional termina em|data de término do preço promocional",
            "em estoque?|em stock?",
            "estoque|stock",
            "são permitidas encomendas?|permitir encomendas pendentes?",
            "preço promocional",
            "preço|preço normal",
            "categorias",
            "tags|etiquetas",
            "imagens",
            "ascendente|pai",
            "url externa|url externo",
            "marcas",
        ],
        weight: "peso",
        options: ["nome do atributo #|atributo # nome", "valores do atributo #|atributo # valor(es)"],
    },
    Language {
        columns: [
            "typ",
            "artikelnummer|artikelnr",
            "namn",
            "publicerad",
            "synlighet i katalog",
            "kort beskrivning",
            "beskrivning",
            "datum när reapriset börjar",
            "datum när reapriset upphör",
            "i lager?",
            "lager|lagersaldo",
            "tillåt restnoteringar?",
            "reapris",
            "ordinarie pris",
            "kategorier",
            "taggar",
            "bilder",
            "förälder",
            "extern url",
            "varumärken",
        ],
        weight: "vikt",
        options: ["attribut # namn", "attribut # värde(n)"],
    },
];

impl Language {
    /// The language of a header with a type, a title, a price, and a column as only WooCommerce calls it.
    pub(super) fn of(header: &StringRecord) -> Option<&'static Self> {
        let names: Vec<String> = header.iter().map(folded).collect();
        let has = |language: &Self, field: Field| {
            names.iter().any(|name| language.columns().any(|(known, of)| of == field && is(known, name)))
        };
        LANGUAGES.iter().find(|language| {
            let marks = [Field::Published, Field::Visibility, Field::Availability];
            [Field::Kind, Field::Title, Field::Price].iter().all(|&field| has(language, field))
                && marks.iter().any(|&field| has(language, field))
        })
    }

    /// What a column of this name says.
    pub(super) fn field(&self, name: &str) -> Option<Field> {
        let name = folded(name);
        if name.starts_with("gtin, upc, ean") {
            return Some(Field::Gtin);
        }
        let weight = name.strip_prefix(self.weight).and_then(|unit| match unit {
            " (kg)" => Some(Field::Kilograms),
            " (g)" => Some(Field::Grams),
            _ => None,
        });
        let column = || self.columns().find(|(known, _)| is(known, &name)).map(|(_, field)| field);
        weight.or_else(column).or_else(|| self.option(&name))
    }

    fn columns(&self) -> impl Iterator<Item = (&'static str, Field)> {
        self.columns.iter().copied().zip(COLUMNS)
    }

    /// The name or the value of an option.
    fn option(&self, name: &str) -> Option<Field> {
        let at = name.find(|sign: char| sign.is_ascii_digit())?;
        let digit = name.get(at..=at)?;
        let number = digit.parse::<usize>().ok()?.checked_sub(1)?;
        let is_of = |known: &str| known.split('|').any(|known| known.replace('#', digit) == name);
        let fields = [OPTION_NAMES, OPTION_VALUES];
        let fields =
            self.options.iter().zip(fields).find(|(known, _)| is_of(known)).map(|(_, fields)| fields)?;
        fields.get(number).copied()
    }
}

/// Whether a name is one of those between bars.
fn is(known: &str, name: &str) -> bool {
    known.split('|').any(|known| known == name)
}

/// A name as [`normal`] gives it, with plain spaces and apostrophes.
fn folded(name: &str) -> String {
    normal(name).replace(['\u{a0}', '\u{202f}'], " ").replace('\u{2019}', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_names() {
        let title = |header: &[&str]| {
            let header = StringRecord::from(header.to_vec());
            Language::of(&header).and_then(|language| language.columns.get(2).copied())
        };
        for (header, expected) in [
            (&["ID", "Typ", "Veröffentlicht", "Name", "Regulärer Preis"][..], Some("name")),
            (&["ID", "Type", "Publié", "Nom", "Tarif régulier"], Some("nom")),
            (&["ID", "Tipo", "Publicado", "Nombre", "Precio normal"], Some("nombre")),
            (&["ID", "Tipo", "Pubblicato", "Nome", "Prezzo di listino"], Some("nome")),
            (&["ID", "Tipo", "Em estoque?", "Nome", "Preço"], Some("nome")),
            (&["ID", "Type", "Gepubliceerd", "Naam", "Reguliere prijs"], Some("naam")),
            (&["ID", "Typ", "Widoczność w katalogu", "Nazwa", "Cena"], Some("nazwa")),
            (&["ID", "Typ", "Publicerad", "Namn", "Ordinarie pris"], Some("namn")),
            (&["ID", "Type", "Published", "Name", "Regular price"], None),
            // Other programs use these words too.
            (&["Kod", "Nazwa", "Typ", "Cena"], None),
            (&["ID", "Tipo", "Nome", "Prezzo di listino", "Prezzo"], None),
            (&["ID", "Typ", "Name", "Regulärer Preis"], None),
            (&["ID", "Type", "Nom", "Tarif régulier", "Stock"], None),
            (&["ID", "Tipo", "Nome", "Preço", "Imagens"], None),
            // A word of a language is not enough.
            (&["id", "typ", "name", "price"], None),
            (&["id", "tipo", "nome", "price"], None),
        ] {
            assert_eq!(title(header), expected, "{header:?}");
        }
    }

    #[test]
    fn apostrophes_spaces_and_numbers_are_read_as_shops_write_them() {
        let header = StringRecord::from(vec!["Type", "Nom", "Tarif régulier", "Publié"]);
        let french = Language::of(&header).unwrap();
        for (name, field) in [
            ("En stock\u{a0}?", Some(Field::Availability)),
            ("Nom de l\u{2019}attribut 1", Some(Field::OptionName1)),
            ("Valeur(s) de l'attribut 6 ", Some(Field::OptionValue6)),
            ("Valeur(s) de l'attribut 7", None),
            ("Nom de l'attribut 0", None),
            ("Nom de l'attribut 11", None),
            ("Poids (kg)", Some(Field::Kilograms)),
            ("Poids (g)", Some(Field::Grams)),
            ("Poids (lbs)", None),
            ("GTIN, UPC, EAN ou ISBN", Some(Field::Gtin)),
            ("Classe de livraison", None),
        ] {
            assert_eq!(french.field(name), field, "{name}");
        }
    }
}
