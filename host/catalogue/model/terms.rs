//! What must stand beside a price: the condition of goods, what a unit costs, and the lowest price of the last 30 days.

use serde::{Deserialize, Serialize};

use crate::profile::Money;

/// What is said of an offer beside its price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    pub condition: Option<Condition>,
    /// How much it is, and for how much of it a price is shown.
    pub content: Option<Content>,
    /// The lowest price of the last 30 days.
    pub lowest: Option<Money>,
}

impl Terms {
    /// The terms beside a price, without amounts that no price has. What is free had no lower price.
    pub(in crate::catalogue) fn cleaned(self, price: Money) -> Self {
        let is_price = |lowest: &Money| *lowest > Money::default() && *lowest <= Money::MAX_PRICE;
        Self { lowest: self.lowest.filter(is_price).filter(|_| is_price(&price)), ..self }
    }

    /// The terms of a variant: what it does not say itself is as the product says. Another price has other lowest ones.
    pub(crate) fn of_variant(self, product: Self) -> Self {
        Self {
            condition: self.condition.or(product.condition),
            content: self.content.or(product.content),
            lowest: self.lowest,
        }
    }
}

/// Whether goods are new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    New,
    Refurbished,
    Used,
}

impl Condition {
    pub(crate) const EVERY: [Self; 3] = [Self::New, Self::Refurbished, Self::Used];

    /// Google's word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Refurbished => "refurbished",
            Self::Used => "used",
        }
    }

    /// The condition that a word means, in English, German, French, Spanish, Italian or Dutch.
    pub(crate) fn named(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        let word = word.rsplit('/').next().unwrap_or_default();
        match word {
            "new" | "newcondition" | "neu" | "neuf" | "nuevo" | "nuovo" | "nieuw" => Some(Self::New),
            "refurbished"
            | "refurbishedcondition"
            | "renewed"
            | "generalüberholt"
            | "reconditionné"
            | "reacondicionado"
            | "ricondizionato" => Some(Self::Refurbished),
            "used" | "usedcondition" | "second hand" | "second-hand" | "pre-owned" | "gebraucht"
            | "occasion" | "usado" | "usato" | "gebruikt" | "tweedehands" => Some(Self::Used),
            _ => None,
        }
    }
}

/// What a unit measures, and its size in the smallest one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In micrograms.
    Mass,
    /// In nanolitres.
    Volume,
    /// In micrometres.
    Length,
    /// In hundredths of a square millimetre.
    Area,
    Pieces,
}

/// Google's units: how they are written there, their codes in structured data (UN/CEFACT), kinds and sizes.
const UNITS: [(&str, &str, Kind, u64); 21] = [
    ("mg", "MGM", Kind::Mass, 1_000),
    ("g", "GRM", Kind::Mass, 1_000_000),
    ("kg", "KGM", Kind::Mass, 1_000_000_000),
    ("oz", "ONZ", Kind::Mass, 28_349_523),
    ("lb", "LBR", Kind::Mass, 453_592_370),
    ("ml", "MLT", Kind::Volume, 1_000_000),
    ("cl", "CLT", Kind::Volume, 10_000_000),
    ("l", "LTR", Kind::Volume, 1_000_000_000),
    ("cbm", "MTQ", Kind::Volume, 1_000_000_000_000),
    ("floz", "OZA", Kind::Volume, 29_573_530),
    ("pt", "PTL", Kind::Volume, 473_176_473),
    ("qt", "QTL", Kind::Volume, 946_352_946),
    ("gal", "GLL", Kind::Volume, 3_785_411_784),
    ("cm", "CMT", Kind::Length, 10_000),
    ("m", "MTR", Kind::Length, 1_000_000),
    ("in", "INH", Kind::Length, 25_400),
    ("ft", "FOT", Kind::Length, 304_800),
    ("yd", "YRD", Kind::Length, 914_400),
    ("sqm", "MTK", Kind::Area, 100_000_000),
    ("sqft", "FTK", Kind::Area, 9_290_304),
    ("ct", "C62", Kind::Pieces, 1_000),
];

/// An amount of a unit, such as `1.5 l`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Measure {
    thousandths: u64,
    /// A row of [`UNITS`].
    unit: u8,
}

impl Measure {
    /// Most thousandths of a unit.
    const MOST: u64 = 1_000_000_000;

    /// Reads an amount with up to three decimals and its unit, such as `500 g` or `0,75l`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.' || sign == ','))?;
        let (number, unit) = text.split_at(end);
        let unit = match unit.trim().trim_end_matches('.') {
            "gr" | "gram" | "grams" => "g",
            "litre" | "liter" | "litres" => "l",
            "m²" | "m2" | "qm" => "sqm",
            "m³" | "m3" => "cbm",
            "fl oz" | "fl. oz" => "floz",
            "pc" | "pcs" | "piece" | "pieces" | "stk" | "stück" | "st" => "ct",
            unit => unit,
        };
        let unit = UNITS.iter().position(|(name, ..)| *name == unit)?;
        let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, ""));
        if decimals.len() > 3 || decimals.contains(['.', ',']) || whole.is_empty() {
            return None;
        }
        let decimals: u64 = format!("{decimals:0<3}").parse().ok()?;
        let thousandths = whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(decimals)?;
        (1..=Self::MOST).contains(&thousandths).then_some(Self { thousandths, unit: unit as u8 })
    }

    fn row(self) -> (&'static str, &'static str, Kind, u64) {
        // Every measure has a row.
        UNITS.get(usize::from(self.unit)).copied().unwrap_or(UNITS[0])
    }

    /// The unit as Google writes it.
    pub(crate) fn unit(self) -> &'static str {
        self.row().0
    }

    /// The unit's code in structured data.
    pub(crate) fn code(self) -> &'static str {
        self.row().1
    }

    /// The amount as a decimal with a point.
    pub(crate) fn amount(self) -> String {
        let (whole, rest) = (self.thousandths / 1_000, self.thousandths % 1_000);
        let text = format!("{whole}.{rest:03}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    }

    /// Whether it is one of its unit.
    pub(crate) fn is_one(self) -> bool {
        self.thousandths == 1_000
    }

    /// The kind of its unit, and how much it is in the smallest unit of that kind: what measures are in order of.
    pub(in crate::catalogue) fn order(self) -> (u8, u128) {
        (self.row().2 as u8, self.size())
    }

    fn size(self) -> u128 {
        u128::from(self.thousandths) * u128::from(self.row().3)
    }
}

/// As Google writes it: `500 g`.
impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        format!("{} {}", measure.amount(), measure.unit())
    }
}

impl TryFrom<String> for Measure {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no measure")
    }
}

/// How much an offer is, and for how much of it a price is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    measure: Measure,
    base: Measure,
}

impl Content {
    /// An amount with the one that a price is shown for: a kilogram, litre, metre, square metre or piece if there is none, and
    /// one of the unit where that is not metric. `None` if they do not measure the same.
    pub(crate) fn new(measure: Measure, base: Option<Measure>) -> Option<Self> {
        let usual = || {
            let unit = match measure.unit() {
                "mg" | "g" => "kg",
                "ml" | "cl" => "l",
                "cm" => "m",
                unit => unit,
            };
            Measure::parse(&format!("1 {unit}"))
        };
        let base = base.or_else(usual)?;
        (measure.row().2 == base.row().2).then_some(Self { measure, base })
    }

    /// Reads what two columns say.
    pub(crate) fn parse(measure: &str, base: &str) -> Option<Self> {
        let base = if base.trim().is_empty() { None } else { Some(Measure::parse(base)?) };
        Self::new(Measure::parse(measure)?, base)
    }

    pub(crate) fn measure(self) -> Measure {
        self.measure
    }

    pub(crate) fn base(self) -> Measure {
        self.base
    }

    /// What the base costs at this price, rounded half up; `None` if that is more than can be counted.
    pub(crate) fn price(self, price: Money) -> Option<Money> {
        let (base, measure) = (self.base.size(), self.measure.size());
        let total = u128::from(price.minor()).checked_mul(base)?;
        let rounded = total.checked_mul(2)?.checked_add(measure)? / measure.checked_mul(2)?;
        u64::try_from(rounded).ok().map(Money::from_minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From Google's help for `unit_pricing_measure` and `unit_pricing_base_measure`, and what they leave open.
    #[test]
    fn unit_prices_are_computed_in_minor_units_and_rounded_half_up() {
        for (price, measure, base, expected) in [
            (3_98, "100 g", "100 g", Some(3_98)),
            (9_95, "250g", "100g", Some(3_98)),
            (1_25, "1 kg", "100 g", Some(13)),
            (1_24, "1 kg", "100 g", Some(12)),
            (2_99, "750 ml", "100ml", Some(40)),
            (2_99, "750ml", "", Some(3_99)),
            (5_00, "0,75 l", "1 l", Some(6_67)),
            (10_00, "1.5kg", "", Some(6_67)),
            (6_00, "24ct", "1ct", Some(25)),
            (30_00, "2.5 sqm", "", Some(12_00)),
            (4_00, "50 cm", "", Some(8_00)),
            (4_00, "8 oz", "", Some(50)),
            (4_00, "16 oz", "1 lb", Some(4_00)),
            (4_00, "1 kg", "1 l", None),
            (4_00, "1 stone", "", None),
            (4_00, "0 g", "", None),
            (4_00, "1.2345 kg", "", None),
            (4_00, "kg", "", None),
        ] {
            let content = Content::parse(measure, base);
            let unit = content.and_then(|content| content.price(Money::from_minor(price)));
            assert_eq!(unit.map(Money::minor), expected, "{price} for {measure}, of {base}");
        }
        let most = Content::parse("0.001 mg", "1000000 kg").unwrap();
        assert_eq!(most.price(Money::MAX_PRICE), None);
    }

    #[test]
    fn a_measure_is_written_as_it_is_read() {
        for text in ["500 g", "1.5 l", "0.001 kg", "12 ct", "1000000 floz"] {
            assert_eq!(Measure::parse(text).map(String::from).as_deref(), Some(text));
        }
        assert_eq!(Measure::parse("2 Stück").map(String::from).as_deref(), Some("2 ct"));
    }

    #[test]
    fn conditions_are_read_in_the_words_of_shops() {
        for condition in Condition::EVERY {
            assert_eq!(Condition::named(condition.word()), Some(condition));
        }
        assert_eq!(Condition::named(" Gebraucht "), Some(Condition::Used));
        assert_eq!(Condition::named("https://schema.org/RefurbishedCondition"), Some(Condition::Refurbished));
        assert_eq!(Condition::named("good"), None);
    }
}
