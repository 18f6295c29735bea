//! The availability of products.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The availability of a product, as far as its source states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Availability {
    /// With the number of units, if it is known. A stock of 0 is [`Self::SoldOut`].
    InStock(Option<NonZeroU32>),
    /// It can be ordered before it is first sold.
    PreOrder,
    /// It can be ordered and is sent when it is in stock again.
    BackOrder,
    SoldOut,
    #[default]
    Unknown,
}

const IN_STOCK: Availability = Availability::InStock(None);

/// The words that shops use, in lower case and with `_` for spaces and hyphens.
const WORDS: [(&[&str], Availability); 24] = [
    (
        &[
            "in_stock",
            "instock",
            "available",
            "yes",
            "true",
            "1",
            "limited_availability",
            "limitedavailability",
            "low_stock",
            "limited_stock",
        ],
        IN_STOCK,
    ),
    (
        &[
            "out_of_stock",
            "outofstock",
            "sold_out",
            "soldout",
            "unavailable",
            "not_available",
            "not_in_stock",
            "no_stock",
            "discontinued",
            "no",
            "false",
            "0",
        ],
        Availability::SoldOut,
    ),
    (&["preorder", "pre_order", "presale"], Availability::PreOrder),
    (&["backorder", "back_order", "onbackorder", "available_for_order"], Availability::BackOrder),
    // German
    (
        &[
            "auf_lager",
            "am_lager",
            "an_lager",
            "lagernd",
            "vorrätig",
            "lieferbar",
            "sofort_lieferbar",
            "verfügbar",
            "sofort_verfügbar",
        ],
        IN_STOCK,
    ),
    (
        &[
            "ausverkauft",
            "vergriffen",
            "nicht_auf_lager",
            "nicht_am_lager",
            "nicht_lagernd",
            "nicht_vorrätig",
            "nicht_lieferbar",
            "nicht_verfügbar",
            "nicht_mehr_lieferbar",
            "nicht_mehr_verfügbar",
        ],
        Availability::SoldOut,
    ),
    // French
    (&["en_stock", "disponible", "disponibles"], IN_STOCK),
    (
        &[
            "épuisé",
            "épuisée",
            "épuisés",
            "épuisées",
            "epuise",
            "rupture",
            "rupture_de_stock",
            "en_rupture",
            "en_rupture_de_stock",
            "hors_stock",
            "indisponible",
            "non_disponible",
        ],
        Availability::SoldOut,
    ),
    // Spanish
    (&["en_existencia", "en_existencias", "hay_existencias", "con_stock"], IN_STOCK),
    (
        &[
            "agotado",
            "agotada",
            "agotados",
            "agotadas",
            "sin_stock",
            "sin_existencias",
            "no_disponible",
            "fuera_de_stock",
        ],
        Availability::SoldOut,
    ),
    // Italian
    (&["disponibile", "disponibili", "in_magazzino", "a_magazzino"], IN_STOCK),
    (
        &[
            "esaurito",
            "esaurita",
            "esauriti",
            "esaurite",
            "non_disponibile",
            "non_in_magazzino",
            "non_in_stock",
        ],
        Availability::SoldOut,
    ),
    // Portuguese
    (&["disponível", "em_estoque", "em_stock"], IN_STOCK),
    (
        &[
            "esgotado",
            "esgotada",
            "esgotados",
            "indisponível",
            "não_disponível",
            "sem_estoque",
            "sem_stock",
            "fora_de_estoque",
        ],
        Availability::SoldOut,
    ),
    // Dutch
    (&["op_voorraad", "voorradig", "beschikbaar", "leverbaar"], IN_STOCK),
    (
        &["uitverkocht", "niet_op_voorraad", "niet_voorradig", "niet_beschikbaar", "niet_leverbaar"],
        Availability::SoldOut,
    ),
    // Polish
    (&["dostępny", "dostępna", "dostępne", "w_magazynie", "na_stanie"], IN_STOCK),
    (
        &[
            "brak",
            "brak_w_magazynie",
            "brak_na_stanie",
            "niedostępny",
            "niedostępna",
            "niedostępne",
            "wyprzedany",
            "wyprzedana",
            "wyprzedane",
        ],
        Availability::SoldOut,
    ),
    // Czech
    (&["skladem", "na_skladě", "dostupný", "dostupné"], IN_STOCK),
    (&["vyprodáno", "vyprodaný", "není_skladem", "nedostupný", "nedostupné"], Availability::SoldOut),
    // Swedish, Danish and Norwegian
    (&["i_lager", "på_lager", "finns_i_lager", "tillgänglig", "tilgængelig", "tilgjengelig"], IN_STOCK),
    (
        &[
            "slutsåld",
            "slutsålt",
            "slut_i_lager",
            "ej_i_lager",
            "inte_i_lager",
            "udsolgt",
            "utsolgt",
            "ikke_på_lager",
        ],
        Availability::SoldOut,
    ),
    // Japanese
    (&["在庫あり", "在庫有り", "在庫有", "販売中"], IN_STOCK),
    (
        &["在庫なし", "在庫無し", "在庫無", "在庫切れ", "品切れ", "売り切れ", "売切れ", "完売"],
        Availability::SoldOut,
    ),
];

/// What each of [`WORDS`] says.
static BY_WORD: LazyLock<HashMap<&str, Availability>> = LazyLock::new(|| {
    let words = WORDS.iter().flat_map(|(words, said)| words.iter().map(|word| (*word, *said)));
    words.collect()
});

impl Availability {
    /// The availability of a product with this many units in stock.
    pub fn of_stock(units: u32) -> Self {
        NonZeroU32::new(units).map_or(Self::SoldOut, |units| Self::InStock(Some(units)))
    }

    /// The availability that a word such as `in stock` names, for a product with this many units; `None` if it is not
    /// one of the words that shops use.
    pub(crate) fn named(word: &str, units: Option<u32>) -> Option<Self> {
        let word = word.trim().to_lowercase().replace([' ', '-', '\u{a0}'], "_");
        let word = word.rsplit('/').next().unwrap_or_default();
        Some(match *BY_WORD.get(word)? {
            Self::InStock(_) => units.filter(|units| *units > 0).map_or(Self::InStock(None), Self::of_stock),
            other => other,
        })
    }

    /// Its word in Google's product data, which [`Self::named`] reads; `None` if the availability is unknown.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Self::InStock(_) => Some("in_stock"),
            Self::PreOrder => Some("preorder"),
            Self::BackOrder => Some("backorder"),
            Self::SoldOut => Some("out_of_stock"),
            Self::Unknown => None,
        }
    }

    /// The number of units, if it is known.
    pub(crate) fn units(self) -> Option<u32> {
        match self {
            Self::InStock(units) => units.map(NonZeroU32::get),
            Self::SoldOut => Some(0),
            Self::PreOrder | Self::BackOrder | Self::Unknown => None,
        }
    }

    /// An unknown availability does not count as sold out.
    pub fn is_sold_out(self) -> bool {
        self == Self::SoldOut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: [(Availability, &str); 6] = [
        (Availability::InStock(NonZeroU32::new(12)), r#"{"InStock":12}"#),
        (Availability::InStock(None), r#"{"InStock":null}"#),
        (Availability::PreOrder, r#""PreOrder""#),
        (Availability::BackOrder, r#""BackOrder""#),
        (Availability::SoldOut, r#""SoldOut""#),
        (Availability::Unknown, r#""Unknown""#),
    ];

    #[test]
    fn its_word_and_its_units_say_it_again() {
        for (availability, _) in EACH {
            let word = availability.word().unwrap_or_default();
            let read = Availability::named(word, availability.units());
            assert_eq!(read.unwrap_or_default(), availability);
        }
        assert_eq!(Availability::named("In Stock", Some(0)), Some(Availability::InStock(None)));
        assert_eq!(
            Availability::named("https://schema.org/OutOfStock", Some(3)),
            Some(Availability::SoldOut)
        );
        assert_eq!(Availability::named("Nicht lieferbar", Some(3)), Some(Availability::SoldOut));
        assert_eq!(Availability::named("perhaps", Some(3)), None);
    }

    #[test]
    fn words_of_many_languages_are_known() {
        let in_stock = [
            "dostępny",
            "skladem",
            "på lager",
            "disponible",
            "in magazzino",
            "op voorraad",
            "在庫あり",
            "Vorrätig",
            "EN STOCK",
            "disponível",
            "I lager",
            "Dostupné",
            "en\u{a0}stock",
        ];
        for word in in_stock {
            assert_eq!(Availability::named(word, None), Some(Availability::InStock(None)), "{word}");
        }
        let sold_out = [
            "brak",
            "niedostępny",
            "wyprzedane",
            "vyprodáno",
            "esgotado",
            "slutsåld",
            "nicht vorrätig",
            "non disponibile",
            "épuisé",
            "agotado",
            "uitverkocht",
            "在庫なし",
            "ÉPUISÉE",
            "Sin existencias",
            "udsolgt",
            "Není skladem",
            "品切れ",
        ];
        for word in sold_out {
            assert_eq!(Availability::named(word, Some(3)), Some(Availability::SoldOut), "{word}");
        }
        for word in ["lager", "14 Tage", "na zapytanie", "少量"] {
            assert_eq!(Availability::named(word, None), None, "{word}");
        }
        let mut seen = std::collections::HashSet::new();
        assert!(WORDS.iter().flat_map(|(words, _)| *words).all(|word| seen.insert(*word)));
    }

    #[test]
    fn saved_state_keeps_each() {
        for (availability, saved) in EACH {
            assert_eq!(serde_json::to_string(&availability).unwrap(), saved);
            assert_eq!(serde_json::from_str::<Availability>(saved).unwrap(), availability);
        }
        for units in ["-1", "0", "1.5", "4294967296", "{}", "true"] {
            let bad = format!(r#"{{"InStock":{units}}}"#);
            assert!(serde_json::from_str::<Availability>(&bad).is_err(), "{bad}");
        }
        for bad in ["12", "null", r#""Gone""#, r#""InStock""#, "{}", "true"] {
            assert!(serde_json::from_str::<Availability>(bad).is_err(), "{bad}");
        }
    }
}
