//! Searches the sources, the templates and the client.

use std::path::{Path, PathBuf};

use vitrine::profile::Profile;

use super::texts;

/// The folders that are searched.
const SEARCHED: [&str; 4] = ["host", "client", "ssr", "worker"];
const EXTENSIONS: [&str; 8] = ["rs", "ts", "tsx", "css", "html", "xml", "webmanifest", "svg"];

/// Where the texts belong, the sample's products, which are data, and tests.
const LEFT_OUT: [&str; 9] = [
    "host/profile/",
    "host/catalogue/sample/data/",
    "host/catalogue/file/tests.rs",
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

/// The lines of a file that are neither comments nor in its tests, with their numbers.
fn lines<'a>(path: &str, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    let is_code =
        |line: &str| !["//", "/*", "* "].iter().any(|comment| line.trim_start().starts_with(comment));
    let is_own = move |line: &&str| !(is_rust && line.trim() == "mod tests {");
    text.lines()
        .take_while(is_own)
        .enumerate()
        .map(|(at, line)| (at + 1, line))
        .filter(move |(_, line)| is_code(line))
}

/// Where the words stand in a file, as `file:line has word`.
fn found(path: &str, text: &str, words: &[String]) -> Vec<String> {
    let is_excepted = |line: &str| {
        EXCEPTIONS.iter().any(|(file, excepted, _reason)| path.starts_with(file) && line.contains(excepted))
    };
    let lines = lines(path, text).filter(|(_, line)| !is_excepted(line));
    lines
        .flat_map(|(number, line)| {
            let words = words.iter().filter(|word| line.contains(*word));
            words.map(|word| format!("{path}:{number} has {word:?}")).collect::<Vec<_>>()
        })
        .collect()
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn the_profile_s_texts_stand_in_the_profile_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    SEARCHED.iter().for_each(|folder| files_below(&root.join(folder), &mut files));
    let words = words();
    let mut wrong = Vec::new();
    let mut searched = 0;
    for file in files {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap();
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_test = path.contains(".test.") || LEFT_OUT.iter().any(|part| path.starts_with(part));
        if is_test || !EXTENSIONS.contains(&extension) {
            continue;
        }
        searched += 1;
        wrong.extend(found(path, &std::fs::read_to_string(&file).unwrap(), &words));
    }
    assert!(searched > 500, "{searched} files");
    assert!(wrong.is_empty(), "{} found:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_text_of_the_profile_is_found_in_code_and_not_in_comments_and_tests() {
    let words = words();
    let source = "// Vitrine\nlet name = \"Vitrine\";\n#[cfg(test)]\nmod tests {\n    \"Vitrine\"\n}\n";
    assert_eq!(found("host/x.rs", source, &words), ["host/x.rs:2 has \"Vitrine\""]);
    let template = "<html lang=\"en\">\n<p>24/7 support</p>";
    let expected =
        ["x.html:1 has \"lang=\\\"en\\\"\"", "x.html:2 has \"24/7\"", "x.html:2 has \"24/7 support\""];
    assert_eq!(found("x.html", template, &words), expected);
    assert!(found("client/styles/a.css", "font-family: \"Vitrine Display\";", &words).is_empty());
}
