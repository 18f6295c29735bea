//! What an operator says of a file because the file itself does not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use serde::Deserialize;

use super::amounts::Decimal;
use super::cells::TableOptions;
use super::dialects::normal;
use super::error::{FileError, OptionsError};
use super::row::Field;
use crate::bounded_file::{BoundedFileError, read_regular};
use crate::profile::Currency;

/// Largest file with options, in bytes.
const LARGEST: u64 = 64 << 10;

/// The options for a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileOptions {
    /// The names of columns, as `normal` gives them, with their fields.
    columns: Vec<(String, Field)>,
    delimiter: Option<u8>,
    pub(super) decimal: Option<Decimal>,
    pub(super) encoding: Option<&'static Encoding>,
    pub(super) currency: Option<Currency>,
    /// Put before those addresses of pictures that have no host.
    image_base: Option<String>,
    /// The category of products without one.
    pub(super) category: Option<String>,
    /// Whether prices are reduced from the lowest ones of the last 30 days, and not from list prices.
    pub(super) reduces_from_lowest: bool,
}

/// The options as they are written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    columns: toml::Table,
    delimiter: Option<String>,
    decimal: Option<Decimal>,
    encoding: Option<String>,
    currency: Option<String>,
    image_base: Option<String>,
    category: Option<String>,
    reference_price: ReferencePrice,
}

/// Which price is struck beside a lower one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReferencePrice {
    #[default]
    List,
    /// The lowest one of the last 30 days.
    Lowest,
}

impl FileOptions {
    /// The options in the file `named`, or else in the one beside the catalogue's file: `products.csv.toml` beside
    /// `products.csv`. Without such a file there are none.
    ///
    /// # Errors
    /// When there is a file that cannot be used.
    pub(super) fn of(named: Option<&Path>, catalogue: Option<&Path>) -> Result<Self, FileError> {
        let path = match (named, catalogue) {
            (Some(named), _) => named.to_owned(),
            (None, Some(catalogue)) => beside(catalogue),
            (None, None) => return Ok(Self::default()),
        };
        Self::read(&path, named.is_some()).map_err(|source| FileError::Options { path, source })
    }

    fn read(path: &Path, is_needed: bool) -> Result<Self, OptionsError> {
        let bytes = match read_regular(path, LARGEST) {
            Err(BoundedFileError::Io(error))
                if error.kind() == std::io::ErrorKind::NotFound && !is_needed =>
            {
                return Ok(Self::default());
            }
            bytes => bytes?,
        };
        Self::parse(&String::from_utf8(bytes).map_err(|_| OptionsError::NotText)?)
    }

    pub(super) fn parse(text: &str) -> Result<Self, OptionsError> {
        let Written {
            columns,
            delimiter,
            decimal,
            encoding,
            currency,
            image_base,
            category,
            reference_price,
        } = toml::from_str(text)?;
        let wrong = |key: &str, value: &str, expected: &str| {
            OptionsError::Value(format!("{key} = \"{value}\": expected {expected}"))
        };
        let delimiter = delimiter.map(|sign| match sign.as_bytes() {
            [byte] if *byte != b'"' && !byte.is_ascii_alphanumeric() => Ok(*byte),
            _ => Err(wrong("delimiter", &sign, "one sign, such as ; or \\t")),
        });
        let encoding = encoding.map(|label| {
            let expected = "the name of an encoding, such as windows-1250";
            Encoding::for_label(label.as_bytes()).ok_or_else(|| wrong("encoding", &label, expected))
        });
        let currency = currency.map(|code| {
            Currency::parse(&code).ok_or_else(|| wrong("currency", &code, "three letters, such as EUR"))
        });
        let image_base = image_base.map(|base| match url::Url::parse(&base) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(base),
            _ => Err(wrong("image_base", &base, "an address such as https://cdn.example/pictures/")),
        });
        let column = |(field, name): (String, toml::Value)| {
            let known = Field::deserialize(toml::Value::from(&*field)).map_err(|_| {
                OptionsError::Value(format!("columns: `{field}` is nothing that a column can say"))
            });
            match name {
                toml::Value::String(name) => Ok((normal(&name), known?)),
                _ => Err(OptionsError::Value(format!("columns: {field} is not the name of a column"))),
            }
        };
        Ok(Self {
            columns: columns.into_iter().map(column).collect::<Result<_, _>>()?,
            delimiter: delimiter.transpose()?,
            decimal,
            encoding: encoding.transpose()?,
            currency: currency.transpose()?,
            image_base: image_base.transpose()?,
            category,
            reduces_from_lowest: reference_price == ReferencePrice::Lowest,
        })
    }

    pub(super) fn of_table(&self) -> TableOptions<'_> {
        TableOptions { columns: &self.columns, delimiter: self.delimiter }
    }

    /// The address of a picture as `written` in the catalogue's file, after `image_base` if it has no host.
    pub(super) fn picture(&self, written: &str) -> String {
        if let Some(address) = written.strip_prefix("//") {
            return format!("https://{address}");
        }
        match &self.image_base {
            Some(base) if !written.contains("://") && !written.starts_with("data:") => {
                match written.strip_prefix('/') {
                    Some(path) => format!("{}/{path}", base.trim_end_matches('/')),
                    None => format!("{base}{written}"),
                }
            }
            _ => written.to_owned(),
        }
    }
}

/// The file with options that belongs to a catalogue's file.
pub(super) fn beside(catalogue: &Path) -> PathBuf {
    let mut path = OsString::from(catalogue);
    path.push(".toml");
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options = FileOptions::parse(
            "delimiter = \"\\t\"\ndecimal = \",\"\nencoding = \"windows-1250\"\ncurrency = \"EUR\"\ncategory = \"Lamps\"\n\
             image_base = \"https://cdn.example/\"\n[columns]\nprice = \"Preis_brutto\"\noption_1_value = \"Farbe\"\n",
        )
        .unwrap();
        let TableOptions { columns, delimiter } = options.of_table();
        assert_eq!(columns[0], ("farbe".into(), Field::OptionValue1));
        assert_eq!(columns[1], ("preis brutto".into(), Field::Price));
        assert_eq!((delimiter, options.decimal), (Some(b'\t'), Some(Decimal::Comma)));
        assert_eq!(options.picture("a.webp"), "https://cdn.example/a.webp");
        assert_eq!(options.picture("/a.webp"), "https://cdn.example/a.webp");
        assert_eq!(options.picture("//b.example/a.webp"), "https://b.example/a.webp");
        assert_eq!(options.picture("https://b.example/a.webp"), "https://b.example/a.webp");
    }

    #[test]
    fn options_that_mean_nothing_are_named() {
        for (text, named) in [
            ("delimeter = \",\"", "delimeter"),
            ("delimiter = \"ab\"", "delimiter"),
            ("decimal = \";\"", "decimal"),
            ("encoding = \"klingon\"", "klingon"),
            ("currency = \"euro\"", "euro"),
            ("image_base = \"pictures\"", "image_base"),
            ("[columns]\ncolour = \"Farbe\"", "colour"),
            ("[columns]\nprice = 3", "price"),
            ("columns", "line 1"),
        ] {
            let error = FileOptions::parse(text).err().unwrap().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
