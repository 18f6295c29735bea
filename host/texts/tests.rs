//! Tests of the files of texts, and of what shops make of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;

/// The forms that a text has to have, and the names of its values.
fn shape(written: &Written, tag: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let values = written.placeholders().into_iter().map(str::to_owned).collect();
    let forms = match written {
        Written::Plain(_) => BTreeSet::new(),
        Written::Forms(forms) => {
            let needed: BTreeSet<String> = Language::of(tag).forms().map(str::to_owned).collect();
            assert!(needed.iter().all(|form| forms.contains_key(form)), "{tag}: {forms:?} needs {needed:?}");
            ["forms".to_owned()].into()
        }
    };
    (forms, values)
}

#[test]
fn every_language_has_every_text_with_its_values() {
    let english = table_of(FILES[0].1);
    let keys: BTreeSet<&str> =
        Section::EVERY.into_iter().flat_map(Section::keys).map(|(_, key)| key).collect();
    for (tag, file) in FILES {
        let table = table_of(file);
        assert_eq!(table.keys().map(String::as_str).collect::<BTreeSet<_>>(), keys, "{tag}");
        for (key, written) in &table {
            assert_eq!(shape(written, tag), shape(&english[key], "en"), "{tag}: {key}");
            let words = Words::from([(key.clone(), written.clone())]);
            assert_eq!(words.check(tag), Ok(()), "{tag}: {key}");
        }
    }
}

/// All sources that may ask for a text.
fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            sources(&path, found);
        } else if [".rs", ".ts", ".tsx", ".html", ".xml"].iter().any(|end| name.ends_with(end))
            && !name.ends_with("texts.gen.ts")
        {
            found.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_text_is_asked_for() {
    let mut found = String::new();
    for folder in ["client", "host", "ssr"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    let words: BTreeSet<&str> =
        found.split(|letter: char| !(letter.is_alphanumeric() || ".:\"".contains(letter))).collect();
    let is_used = |key: &str| {
        let variant = key[..1].to_uppercase() + &key[1..];
        [
            format!("Key.{key}"),
            format!("Key::{variant}"),
            format!("\"{key}\""),
            format!("texts::Key::{variant}"),
        ]
        .iter()
        .any(|word| words.contains(word.as_str()))
    };
    for (_, key) in Section::EVERY.into_iter().flat_map(Section::keys) {
        assert!(is_used(key), "no source asks for {key}");
    }
}

fn words(text: &str) -> Words {
    toml::from_str(text).unwrap()
}

#[test]
fn an_operator_s_words_take_the_place_of_the_program_s() {
    let own = words("inStock = \"Da\"\nleftInStock = { one = \"Nur {count}\", other = \"Noch {count}\" }");
    assert_eq!(own.check("de"), Ok(()));
    let texts = Texts::new("de-AT", &own);
    assert_eq!((texts.text(Key::InStock), texts.text(Key::Shipping)), ("Da", "Versand"));
    assert_eq!(texts.count(Key::LeftInStock, 1, &[]), "Nur 1");
    assert_eq!(texts.count(Key::LeftInStock, 3, &[]), "Noch 3");
    assert_eq!(texts.with(Key::FeedTitle, &[&"{0} & {1}"]), "{0} & {1}: Neuheiten", "values have no values");
    assert_eq!(texts.count(Key::AboutBrands, 2, &[&"A, B"]), "Alle 2 Marken des Shops: A, B.");
}

#[test]
fn a_language_without_texts_is_english_until_its_operator_writes_some() {
    let sami = Texts::new("se", &Words::default());
    assert_eq!((sami.language(), sami.text(Key::InStock)), ("en", "In Stock"));
    assert!(sami.script().unwrap().contains(",\"en\"];"), "they say what they are");
    assert_eq!(Texts::new("en-GB", &Words::default()).script(), None, "the client has them");
    let hebrew = Texts::new("he", &Words::default());
    assert_eq!(hebrew.direction(), None, "English stays English");
    let own = words("inStock = \"במלאי\"");
    let hebrew = Texts::new("he", &own);
    assert_eq!((hebrew.language(), hebrew.direction()), ("he", Some("rtl")));
    assert_eq!(hebrew.count(Key::LeftInStock, 2, &[]), "2 left", "in the form that English has");
    assert!(own.missing_in("he").len() > 200);
    assert_eq!(Words::default().missing_in("de-CH"), [""; 0]);
}

#[test]
fn words_that_cannot_be_shown_are_refused() {
    for (text, error) in [
        ("nothing = \"a\"", "words: there is no text `nothing`"),
        ("inStock = \"\"", "words: `inStock` has to be of one line, with 1 to 300 characters"),
        ("inStock = \"a\\nb\"", "words: `inStock` has to be of one line, with 1 to 300 characters"),
        ("inStock = { other = \"a\" }", "words: `inStock` has one form: write a text"),
        ("upTo = \"Bis {amount}\"", "words: `upTo` has {amount}, which is none of its values: price"),
        (
            "leftInStock = \"{count}\"",
            "words: `leftInStock` depends on a number: write { one = \"…\", few = \"…\", many = \"…\" }",
        ),
        (
            "leftInStock = { one = \"a\", other = \"b\" }",
            "words: `leftInStock` depends on a number: write { one = \"…\", few = \"…\", many = \"…\" }",
        ),
    ] {
        assert_eq!(words(text).check("pl").unwrap_err().to_string(), error);
    }
}

/// What another language costs, in bytes of brotli, beside the English script.
#[test]
fn the_script_of_texts_is_small() {
    for (tag, _) in FILES {
        let Some(script) = Texts::new(tag, &Words::default()).script() else { continue };
        let mut compressed = Vec::new();
        let parameters = brotli::enc::BrotliEncoderParams::default();
        brotli::BrotliCompress(&mut script.as_bytes(), &mut compressed, &parameters).unwrap();
        assert!(compressed.len() <= 3_000, "{tag}: {} bytes", compressed.len());
    }
}
