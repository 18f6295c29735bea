//! The natural order of the values of an option: sizes in letters from small to large, then numbers, then measures, and
//! everything else as it stands. The page of a product and the filters of listings have it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::model::Measure;
use super::option_kind::OptionKind;
use crate::search_text::fold;

/// Brings values into their natural order. Those without one keep theirs, behind all others.
pub(crate) fn sort_naturally<'a, T>(values: &mut [T], text: impl Fn(&T) -> &'a str) {
    values.sort_by_cached_key(|value| Rank::of(text(value)));
}

/// The place of a value among others.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// In tenths of the distance between two sizes, from M.
    Letters(i32),
    /// Its system, such as `EU`; its numbers in thousandths; what stands around them.
    Numbers(String, Vec<i64>, String),
    /// The kind of unit, and the amount in the smallest unit of the kind.
    Measure(u8, u128),
    Other,
}

impl Rank {
    fn of(value: &str) -> Self {
        let text = fold(&FRACTIONS.iter().fold(value.trim().to_owned(), |text, (sign, plain)| {
            if text.contains(*sign) { text.replace(*sign, plain) } else { text }
        }));
        let letters = || letters_or_range(&text).map(Self::Letters);
        let measure = || measure(&text).map(|(kind, amount)| Self::Measure(kind, amount));
        letters().or_else(measure).or_else(|| numbers(&text, is_negative(value))).unwrap_or(Self::Other)
    }
}

/// Fractions that sizes of shoes have, as they are typed without these signs.
const FRACTIONS: [(char, &str); 5] =
    [('\u{bc}', " 1/4"), ('\u{bd}', " 1/2"), ('\u{be}', " 3/4"), ('\u{2153}', " 1/3"), ('\u{2154}', " 2/3")];

/// Whether a value begins with a minus sign, which folding removes.
pub(super) fn is_negative(value: &str) -> bool {
    let rest = value.trim_start().strip_prefix(['-', '\u{2212}', '\u{2013}']);
    rest.is_some_and(|rest| rest.trim_start().starts_with(|sign: char| sign.is_numeric()))
}

/// Words for S, M and L in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Arabic and Japanese.
const WORDS: [(&str, &str); 3] = [
    ("s", "small klein petit petite pequeño pequeña piccolo piccola pequeno pequena mały mała صغير صغيرة 小"),
    (
        "m",
        "medium mittel moyen moyenne mediano mediana medio media middel gemiddeld médio média średni średnia متوسط متوسطة 中",
    ),
    ("l", "large groß grand grande groot duży duża كبير كبيرة 大"),
];

static LETTER_OF: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let words = WORDS.iter().flat_map(|(letter, words)| words.split(' ').map(|word| (fold(word), *letter)));
    words.collect()
});

/// The place of a size in letters or words, or of a range such as `S/M`, which lies between both.
fn letters_or_range(text: &str) -> Option<i32> {
    // A hint may follow, as in `M (38)`.
    let bare = text.split(['(', '[']).next().unwrap_or_default().trim();
    letters(bare).or_else(|| {
        let (one, other) = bare.split_once(['/', ' '])?;
        Some((letters(one)? + letters(other)?) / 2)
    })
}

/// The place of a size such as `XS`, `2XL`, `XXXL` or `extra large`.
fn letters(text: &str) -> Option<i32> {
    let text = text.trim();
    let spoken = text.rsplit(' ').next().and_then(|word| {
        let before = text.strip_suffix(word)?;
        // `xlarge` is written as well.
        let bare = word.trim_start_matches('x');
        let letter = LETTER_OF.get(bare)?;
        Some(format!("{before}{}{letter}", &word[..word.len() - bare.len()]))
    });
    let text = spoken.as_deref().unwrap_or(text).replace("extra", "x").replace([' ', '.'], "");
    if text == "m" {
        return Some(0);
    }
    let sides = [('s', -10), ('l', 10)].into_iter();
    let (before, way) = sides.filter_map(|(letter, way)| Some((text.strip_suffix(letter)?, way))).next()?;
    let digits = before.trim_end_matches('x');
    let count = match (digits, before.len() - digits.len()) {
        ("", count) => i32::try_from(count).ok().filter(|count| *count < 10)?,
        (digits, 1) => digits.parse::<u8>().ok()?.into(),
        _ => return None,
    };
    Some(way * (1 + count))
}

/// The kind and amount of a measure such as `500 ml` or `1 TB`.
fn measure(text: &str) -> Option<(u8, u128)> {
    /// Units of memory, in megabytes.
    const MEMORY: [(&str, u128); 3] = [("mb", 1), ("gb", 1_024), ("tb", 1_048_576)];
    if let Some(measure) = Measure::parse(text) {
        return Some(measure.order());
    }
    MEMORY.iter().find_map(|(unit, size)| {
        let (number, rest) = number(text.strip_suffix(unit)?.trim())?;
        rest.is_empty().then(|| (u8::MAX, u128::from(number.unsigned_abs()) * size))
    })
}

/// The numbers of a value such as `42`, `EU 42 1/2`, `W32 L34` or `75B`.
fn numbers(text: &str, is_negative: bool) -> Option<Rank> {
    const MOST: usize = 4;
    let start = text.find(|sign: char| sign.is_ascii_digit())?;
    let system = text[..start].trim_end_matches(['.', ':', '+', ' ']);
    let is_system = system.chars().count() <= 3 && system.chars().all(char::is_alphabetic);
    if !is_system && OptionKind::of(system) != Some(OptionKind::Size) {
        return None;
    }
    let (mut numbers, mut others, mut rest) = (Vec::new(), String::new(), &text[start..]);
    while let Some(at) = rest.find(|sign: char| sign.is_ascii_digit()).filter(|_| numbers.len() < MOST) {
        others += rest[..at].trim();
        let Some((number, after)) = number(&rest[at..]) else { break };
        numbers.push(number);
        rest = after;
    }
    others += rest.trim();
    if let Some(first) = numbers.first_mut().filter(|_| is_negative) {
        *first = -*first;
    }
    Some(Rank::Numbers(system.into(), numbers, others))
}

/// The number at the beginning of a text, in thousandths, and the rest. A fraction may follow, as in `42 1/2`.
fn number(text: &str) -> Option<(i64, &str)> {
    /// More digits belong to no size.
    const MOST_DIGITS: usize = 12;
    let (whole, rest) = digits(text);
    if whole.is_empty() || whole.len() > MOST_DIGITS {
        return None;
    }
    let whole = whole.parse::<i64>().ok()? * 1_000;
    if let Some(after) = rest.strip_prefix(['.', ',']) {
        let (decimals, after) = digits(after);
        if (1..=3).contains(&decimals.len()) {
            return Some((whole + format!("{decimals:0<3}").parse::<i64>().ok()?, after));
        }
    }
    let fraction = rest.strip_prefix(' ').and_then(|rest| {
        let (above, rest) = digits(rest);
        let (below, rest) = digits(rest.strip_prefix('/')?);
        let (above, below) = (above.parse::<u8>().ok()?, below.parse::<u8>().ok()?);
        (above < below).then(|| (i64::from(above) * 1_000 / i64::from(below), rest))
    });
    Some(fraction.map_or((whole, rest), |(part, rest)| (whole + part, rest)))
}

/// The digits at the beginning of a text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted<'a>(values: &[&'a str]) -> Vec<&'a str> {
        let mut values = values.to_vec();
        sort_naturally(&mut values, |value| value);
        values
    }

    /// Sorts the values from behind, so that no order is kept by chance.
    fn assert_order(expected: &[&str]) {
        let reversed: Vec<&str> = expected.iter().rev().copied().collect();
        assert_eq!(sorted(&reversed), expected);
    }

    #[test]
    fn sizes_in_letters_go_from_small_to_large() {
        assert_order(&[
            "3XS", "XXS", "xs", "XS/S", "S", "S/M", "M", "M-L", "L", "XL", "XXL", "3XL", "XXXXL", "5XL",
        ]);
        assert_order(&["X-Small", "Small (52 cm)", "Medium", "Large (68 cm)", "Extra Large", "2X Large"]);
        assert_order(&["klein", "Mittel", "groß"]);
        assert_order(&["petite", "moyenne", "grande"]);
        assert_order(&["mały", "średni", "duży"]);
        assert_order(&["صغير", "متوسط", "كبير"]);
        assert_order(&["小", "中", "大"]);
        assert_order(&["Ｓ", "Ｍ", "Ｌ"]);
    }

    #[test]
    fn numbers_are_in_their_order() {
        assert_order(&["5", "36", "37.5", "38", "38 1/2", "38⅔", "39", "40,5", "41", "46", "104-110", "116"]);
        assert_order(&["W28 L32", "W30/L30", "W30 L32", "W32 L30"]);
        assert_order(&["70B", "70C", "75A", "80A", "100A"]);
        assert_order(&["EU 36", "EU 42", "UK 3", "UK 10", "US 9"]);
        assert_order(&["Größe 36", "Größe 104"]);
        assert_order(&["-2.50", "\u{2212}0,5", "0", "+1.25", "+10"]);
        assert_order(&["٣٦", "٤٠", "١٠٤"]);
    }

    #[test]
    fn measures_are_compared_by_what_they_measure() {
        assert_order(&["50 ml", "100 ml", "0,5 l", "75cl", "1 l"]);
        assert_order(&["100 g", "0.25 kg", "1 kg"]);
        assert_order(&["512 MB", "64 GB", "128GB", "1 TB"]);
    }

    #[test]
    fn what_has_no_order_stays_as_it_is_behind_the_rest() {
        assert_eq!(
            sorted(&["Red", "One size", "L", "#123456", "8", "M", "Blue"]),
            ["M", "L", "8", "Red", "One size", "#123456", "Blue"]
        );
        assert_eq!(sorted(&["Sunset 2", "Ash", "Sunset 1", ""]), ["Sunset 2", "Ash", "Sunset 1", ""]);
    }

    proptest! {
        #[test]
        fn any_values_can_be_sorted(values in prop::collection::vec("[0-9xslm/., ½-]{0,8}|.{0,12}|[0-9]{0,40}(mb|tb| g)?", 0..9)) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let once = sorted(&values);
            prop_assert_eq!(sorted(&once), once);
        }
    }
}
