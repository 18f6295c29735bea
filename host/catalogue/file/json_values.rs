//! Values in JSON as the programs of shops write them: a text may be a number, a name an object, and an empty list anything.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::row::{FIELDS, Field, Position, Row};

/// A text. That of an object is its `src` or, without one, its `name`; that of a list has commas between those of its values,
/// and a backslash before other commas. Empty if there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(text.to_owned().into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Text<'de>, E> {
        Ok(Text(number.to_string().into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Text<'de>, E> {
        Ok(Text(number.to_string().into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Text<'de>, E> {
        Ok(Text(number.to_string().into()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text<'de>, A::Error> {
        let mut all = String::new();
        while let Some(Text(text)) = list.next_element()? {
            if !all.is_empty() {
                all.push(',');
            }
            all += &text.replace(',', "\\,");
        }
        Ok(Text(all.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Text<'de>, A::Error> {
        let [mut address, mut name] = [Text::default(), Text::default()];
        while let Some(Text(key)) = object.next_key()? {
            match &*key {
                "src" => address = object.next_value()?,
                "name" => name = object.next_value()?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(if address.0.is_empty() { name } else { address })
    }
}

/// The values of a list; none if it is another value, as PHP writes an empty one.
pub(super) fn list<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Vec<T> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// A row with these values.
pub(super) fn row<'a>(position: Position, values: &[(Field, &'a str)]) -> Row<'a> {
    let mut fields = [None; FIELDS];
    for (field, value) in values {
        fields[*field as usize] = Some(*value);
    }
    Row::new(position, fields)
}

/// The text of a number that may have quotes; empty if there is none.
pub(super) fn number(raw: Option<&RawValue>) -> &str {
    raw.map_or("", |raw| raw.get().trim_matches('"').trim())
}

/// Addresses of pictures, as one field of a row has them.
pub(super) fn pictures(all: &[Text]) -> String {
    let mut joined = String::new();
    for address in all.iter().map(|Text(address)| address.trim()).filter(|address| !address.is_empty()) {
        if !joined.is_empty() {
            joined.push('|');
        }
        for sign in address.chars() {
            match sign {
                // It separates addresses.
                '|' => joined.push_str("%7C"),
                sign if sign.is_whitespace() => joined.push_str("%20"),
                sign => joined.push(sign),
            }
        }
    }
    joined
}

/// An amount with a point before its decimals, which can be read in one way alone.
pub(super) fn amount(digits: &str, decimals: &str) -> String {
    // Three decimals alone might be a group of a whole number.
    let zero = if decimals.len() == 3 { "0" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{digits}{point}{decimals}{zero}")
}

/// A text that is no amount, in brackets, so that nothing takes it for one.
pub(super) fn no_amount(text: &str) -> String {
    format!("({text})")
}

/// Whether a text consists of digits, at most 18.
pub(super) fn is_digits(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_be_written_in_many_ways() {
        for (json, expected) in [
            (r#""a\"b""#, "a\"b"),
            ("12", "12"),
            ("-3", "-3"),
            ("1.5", "1.5"),
            ("null", ""),
            ("false", ""),
            (r#"["a","b, c",{"name":"d"}]"#, "a,b\\, c,d"),
            (r#"{"id":1,"name":"photo.jpg","src":"https://a.example/1.webp"}"#, "https://a.example/1.webp"),
            (r#"{"slug":"a"}"#, ""),
        ] {
            assert_eq!(serde_json::from_str::<Text>(json).unwrap().0, expected, "{json}");
        }
        let deep = "[".repeat(1_000) + &"]".repeat(1_000);
        assert!(serde_json::from_str::<Text>(&deep).is_err());
    }

    #[test]
    fn a_list_may_be_something_else_if_it_is_empty() {
        for (json, expected) in [("[1,2]", 2), ("[]", 0), ("{}", 0), ("false", 0), ("null", 0), (r#""""#, 0)]
        {
            let raw: &RawValue = serde_json::from_str(json).unwrap();
            assert_eq!(list::<u8>(Some(raw)).len(), expected, "{json}");
        }
    }
}
