//! The number in a product's barcode.

use serde::{Deserialize, Deserializer, Serialize};

/// A Global Trade Item Number of 8, 12, 13 or 14 digits with a correct check digit (GS1 General Specifications,
/// section 7.9: check digit calculation). It keeps its length: leading zeros are part of what the source said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gtin(Box<str>);

impl Gtin {
    /// The number that is written as `text`, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        // Some sources fill an unknown number with zeros.
        let is_gtin = matches!(text.len(), 8 | 12 | 13 | 14)
            && is_checked(text)?
            && text.bytes().any(|digit| digit != b'0');
        is_gtin.then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the sum of the digits, weighted alternately 1 and 3 from the last digit, is a multiple of ten; `None` if
/// there is anything but digits.
fn is_checked(digits: &str) -> Option<bool> {
    let weighted = digits.chars().rev().zip([1, 3].into_iter().cycle());
    let sum: Option<u32> = weighted.map(|(digit, weight)| Some(digit.to_digit(10)? * weight)).sum();
    Some(sum?.is_multiple_of(10))
}

/// Reads a saved number. An invalid one counts as missing.
pub(super) fn valid<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Gtin>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.and_then(|text| Gtin::parse(&text)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_length_has_its_check_digit() {
        for gtin in ["96385074", "036000291452", "4006381333931", "10012345678902"] {
            assert_eq!(Gtin::parse(gtin).unwrap().as_str(), gtin);
        }
        for wrong in [
            "",
            "4006381333932",
            "5784719087687",
            "400638133393",
            "40063813339310",
            "400638133393x",
            "40063813339 1",
            "\u{661}2345678",
            "00000000",
            "0000000000000",
            "0000000",
            "000000000000000",
        ] {
            assert_eq!(Gtin::parse(wrong), None, "{wrong}");
        }
    }

    /// A number of any of the lengths, with the check digit that makes it valid.
    fn gtin() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["[0-9]{7}", "[0-9]{11}", "[0-9]{12}", "[0-9]{13}"])
            .prop_flat_map(|digits| digits)
            .prop_map(|digits| {
                let mut numbers = (0..10).map(|check| format!("{digits}{check}"));
                numbers.find(|number| Gtin::parse(number).is_some()).unwrap_or_default()
            })
            .prop_filter("all zeros", |number| !number.is_empty())
    }

    proptest! {
        #[test]
        fn any_other_digit_anywhere_is_refused(gtin in gtin(), place in any::<prop::sample::Index>(), more in 1_u8..10) {
            let mut digits = gtin.into_bytes();
            let place = place.index(digits.len());
            digits[place] = b'0' + (digits[place] - b'0' + more) % 10;
            prop_assert_eq!(Gtin::parse(std::str::from_utf8(&digits).unwrap()), None);
        }
    }
}
