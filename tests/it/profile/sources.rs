//! Searches the sources, the templates and the client.

use vitrine::profile::Profile;

use super::texts;
use crate::layers::{code, texts_below};

/// The folders that are searched.
const SEARCHED: [&str; 4] = ["host", "client", "ssr", "worker"];
const EXTENSIONS: [&str; 8] = ["rs", "ts", "tsx", "css", "html", "xml", "webmanifest", "svg"];

/// Where the texts belong, the sample's products, which are data, and tests.
const LEFT_OUT: [&str; 9] = [
    "host/profile/",
    "host/catalogue/sample/data/",
    "host/catalogue/file/tests",
    "host/exports/tests/",
    "host/catalogue/service/wire/tests.rs",
    "host/fuzzing.rs",
    "host/shop/tests.rs",
    "client/test/",
    "ssr/test/",
];

/// The file, a text in the line, and why it may stand there.
const EXCEPTIONS: [(&str, &str, &str); 4] = [
    ("client/styles/", "Vitrine Display", "the typeface's name in style sheets"),
    ("host/observe/software.rs", "SOFTWARE", "the name of the program, which operators see"),
    ("host/admin/templates/status.html", "lang=\"en\"", "the operators' page is in English"),
    ("host/share/resp.rs", "\"$\"", "a sign of the Redis protocol"),
];

/// What stands in the profile alone: today's texts, and the ways to write a language and a currency.
fn words() -> Vec<String> {
    // A long text may be broken into lines.
    let start = |text: String| text.chars().take(40).collect::<String>();
    let texts = texts(&Profile::default()).into_iter().map(start);
    let amounts = (0..10).map(|digit| format!("${digit}"));
    texts.chain(["lang=\"en\"", "USD", "\"$\""].map(Into::into)).chain(amounts).collect()
}

/// Where the words stand in a file, as `file:line has word`.
fn found(path: &str, text: &str, words: &[String]) -> Vec<String> {
    let is_excepted = |line: &str| {
        EXCEPTIONS.iter().any(|(file, excepted, _reason)| path.starts_with(file) && line.contains(excepted))
    };
    code(text)
        .filter(|(_, line)| !is_excepted(line))
        .flat_map(|(number, line)| {
            let words = words.iter().filter(|word| line.contains(*word));
            words.map(|word| format!("{path}:{number} has {word:?}")).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_profile_s_texts_stand_in_the_profile_alone() {
    let words = words();
    let mut wrong = Vec::new();
    let mut searched = 0;
    for (path, text) in SEARCHED.into_iter().flat_map(texts_below) {
        let is_test = path.contains(".test.") || LEFT_OUT.iter().any(|part| path.starts_with(part));
        let extension = path.rsplit('.').next().unwrap_or_default();
        if !is_test && EXTENSIONS.contains(&extension) {
            searched += 1;
            wrong.extend(found(&path, &text, &words));
        }
    }
    assert!(searched > 500, "{searched} files");
    assert!(wrong.is_empty(), "{} found:\n{}", wrong.len(), wrong.join("\n"));
    // They are found where they stand, or nothing would be wrong.
    let source = "// Vitrine\nlet name = \"Vitrine\";\n<html lang=\"en\">";
    assert_eq!(found("x", source, &words), ["x:2 has \"Vitrine\"", "x:3 has \"lang=\\\"en\\\"\""]);
}
