//! `vitrine init`: writes the files of a small shop to begin with.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use resvg::tiny_skia::Pixmap;
use thiserror::Error;

use crate::catalogue::sample::artwork;
use crate::profile::{Logo, LogoError, is_language_tag};
use crate::settings::{ExitCode, InitSettings, print};
use crate::texts::form_to_fill_in;

const SHOP: &str = include_str!("shop.toml");
const PRODUCTS: &str = include_str!("products.csv");
const TERMS: &str = include_str!("terms.md");
/// A line for each English text of these files, with its translations; the first line has the languages.
const TRANSLATIONS: &str = include_str!("translations.tsv");

/// The folder of the pictures.
const PICTURES: &str = "pictures";
/// Each picture's file, and the drawing of the sample catalogue that it shows.
const DRAWINGS: [(&str, &str); 6] = [
    ("coffee-cup.png", "coffee-cup-rose-1.svg"),
    ("cooking-pot.png", "cooking-pot-sky-1.svg"),
    ("table-lamp.png", "table-lamp-amber-1.svg"),
    ("house-plant.png", "house-plant-forest-1.svg"),
    ("bag-tote.png", "bag-tote-navy-1.svg"),
    ("candle-jar.png", "candle-jar-ivory-1.svg"),
];
/// Width and height of a picture, in pixels.
const SIDE: u32 = 600;

/// Why the files were not written.
#[derive(Debug, Error)]
enum InitError {
    #[error("{} is not empty: name a folder that is empty, or that does not exist", .0.display())]
    NotEmpty(PathBuf),
    #[error("`{0}` is not the tag of a language, such as de or pt-BR")]
    Language(String),
    #[error("cannot write {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the drawing {0} cannot be drawn")]
    Drawing(&'static str, #[source] Option<LogoError>),
}

/// Writes the files, and prints the command that opens the shop.
pub(super) fn init(settings: &InitSettings) -> ExitCode {
    match write_all(&settings.directory, &settings.language) {
        Ok(()) => print(&next_steps(&settings.directory)),
        Err(error) => {
            eprintln!("error: {}", crate::observe::ErrorChain(&error));
            ExitCode::Failed
        }
    }
}

fn write_all(directory: &Path, language: &str) -> Result<(), InitError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| InitError::Io { path, source }
    };
    let folder = directory.join(PICTURES);
    fs::create_dir_all(directory).map_err(failed(directory))?;
    if fs::read_dir(directory).map_err(failed(directory))?.next().is_some() {
        return Err(InitError::NotEmpty(directory.to_owned()));
    }
    // Drawn before anything is written, so that a failure leaves no part of a shop.
    let pictures = DRAWINGS.map(|(file, drawing)| Ok((file, drawn(drawing)?)));
    let pictures = pictures.into_iter().collect::<Result<Vec<_>, InitError>>()?;
    fs::create_dir(&folder).map_err(failed(&folder))?;
    let texts = [
        ("shop.toml", shop_in(language)?),
        ("products.csv", translated(PRODUCTS, language)),
        ("terms.md", translated(TERMS, language)),
    ];
    let texts = texts.map(|(name, text)| (directory.join(name), text.into_bytes()));
    let pictures = pictures.into_iter().map(|(name, bytes)| (folder.join(name), bytes));
    for (path, bytes) in texts.into_iter().chain(pictures) {
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(&bytes)).map_err(failed(&path))?;
    }
    Ok(())
}

/// The shop's file in this language, with the interface's texts to translate where the program lacks them.
fn shop_in(language: &str) -> Result<String, InitError> {
    const LANGUAGE: &str = "language = \"en\"";
    if !is_language_tag(language) {
        return Err(InitError::Language(language.into()));
    }
    let shop = translated(SHOP, language).replace(LANGUAGE, &format!("language = \"{language}\""));
    Ok(match form_to_fill_in(language) {
        Some(form) => format!(
            "{shop}\n# What the program itself says. Translate a line and remove its #; what stays out is English.\n\
             # Names in braces stand for values.\n[words]\n{form}"
        ),
        None => shop,
    })
}

/// A file's text in this language, or in English where there are no translations.
fn translated(text: &str, language: &str) -> String {
    let mut lines = TRANSLATIONS.lines().map(|line| line.split('\t'));
    let own = language.split('-').next().unwrap_or_default();
    let column = lines.next().and_then(|mut languages| languages.position(|known| known == own)).unwrap_or(0);
    let mut pairs: Vec<(&str, &str)> =
        lines.filter_map(|mut line| Some((line.clone().next()?, line.nth(column)?))).collect();
    // The longest of the texts that begin at one place is meant.
    pairs.sort_by_key(|(english, _)| std::cmp::Reverse(english.len()));
    let (mut translated, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let (taken, written) = pairs
            .iter()
            .find_map(|(english, own)| Some((english.len(), *own)).filter(|_| rest.starts_with(english)))
            .unwrap_or((first.len_utf8(), &rest[..first.len_utf8()]));
        translated.push_str(written);
        rest = &rest[taken..];
    }
    translated
}

/// A drawing of the sample catalogue as a PNG. Shops serve no drawings of their own, which could have scripts.
fn drawn(name: &'static str) -> Result<Vec<u8>, InitError> {
    let failed = |error| InitError::Drawing(name, error);
    let svg = artwork::draw_without_variables(name).ok_or_else(|| failed(None))?;
    let picture = Logo::parse(svg.into_bytes()).map_err(|error| failed(Some(error)))?;
    let mut canvas = Pixmap::new(SIDE, SIDE).ok_or_else(|| failed(None))?;
    picture.draw_on(&mut canvas, 0.0);
    canvas.encode_png().map_err(|_| failed(None))
}

fn next_steps(directory: &Path) -> String {
    let program = std::env::args_os().next().map_or_else(|| "vitrine".into(), PathBuf::from);
    let at = |name: &str| quoted(&directory.join(name));
    format!(
        "The folder {} has a shop of six products: shop.toml, products.csv, terms.md and pictures.\n\n\
         Open it:\n\n  {} --catalogue file:{} --images {} --shop {}\n\n\
         Then change the files. The shop reads them again when they change.\n",
        directory.display(),
        quoted(&program),
        at("products.csv"),
        at(PICTURES),
        at("shop.toml"),
    )
}

/// The path as one word of a shell.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if !path.is_empty() && path.bytes().all(is_plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::ShopFile;

    fn parse(text: &str) -> ShopFile {
        let beside = |name: &str, _| {
            Ok(match name {
                "terms.md" => TERMS.into(),
                _ => br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.to_vec(),
            })
        };
        ShopFile::parse(text, &beside).unwrap()
    }

    #[test]
    fn the_shop_s_file_can_be_used_with_and_without_what_else_can_be_said() {
        assert!(SHOP.matches("\n#: ").count() > 15);
        assert_ne!(parse(SHOP), parse(&SHOP.replace("\n#: ", "\n")));
    }

    /// The lines to translate, as if each were translated.
    #[test]
    fn another_language_brings_every_text_that_the_program_lacks_in_it() {
        assert_eq!(shop_in("en").unwrap(), SHOP);
        let polish = shop_in("pl").unwrap();
        assert_ne!(parse(&polish), parse(SHOP));
        let (before, words) = polish.split_once("[words]\n").unwrap();
        assert!(words.contains(
            "# numberOfProducts = { one = \"{count} product\", few = \"{count} products\", many ="
        ));
        let translated = parse(&format!("{before}[words]\n{}", words.replace("# ", "")));
        assert_eq!(translated.missing_texts(), [""; 0]);
        assert!(parse(&polish).missing_texts().len() > 200);
        assert!(shop_in("nonsense!").is_err());
    }

    #[test]
    fn the_files_are_in_every_language_of_the_program() {
        let every = || [SHOP, PRODUCTS, TERMS].join("\n");
        let mut lines = TRANSLATIONS.lines();
        let languages: Vec<&str> = lines.next().unwrap().split('\t').collect();
        assert_eq!(languages, ["en", "de", "es", "fr", "it", "nl", "ja", "ar"]);
        for line in lines {
            let texts: Vec<&str> = line.split('\t').collect();
            assert!(texts.len() == languages.len() && !texts.contains(&""), "{line}");
            assert!(every().contains(texts[0]), "{} is in no file", texts[0]);
        }
        for language in languages {
            assert_eq!(translated(&every(), language) == every(), language == "en", "{language}");
            parse(&shop_in(language).unwrap());
            // A comma in a cell would be another cell.
            let cells = |line: &str| line.split('"').step_by(2).collect::<String>().matches(',').count();
            let table = translated(PRODUCTS, language);
            assert!(table.lines().all(|line| cells(line) == 11), "{table}");
        }
        assert_eq!(translated("Kitchen: New this week", "de-AT"), "Küche: Neu in dieser Woche");
        assert_eq!(translated(SHOP, "pl"), SHOP);
    }

    #[test]
    fn a_folder_that_is_not_empty_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let error = write_all(folder.path(), "en").unwrap_err();
        assert!(error.to_string().contains("is not empty"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        assert_eq!(quoted(Path::new("my/shop-1")), "my/shop-1");
        assert_eq!(quoted(Path::new("it's mine")), r"'it'\''s mine'");
    }
}
