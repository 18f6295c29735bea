//! The architecture of the host: which part may name which, that the files of a folder form no circle, and that only two
//! files name the engine.
//!
//! The sources are read as text: a part is named by a path that begins with `crate::`, or `vitrine::` in `main.rs`.
//! Tests at the end of a file, and comments, may name what they like.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A part names only parts in lines below its own.
const LAYERS: [&[&str]; 16] = [
    &["main"],
    &["commands"],
    &["serve"],
    &["settings"],
    &["server", "admin", "fuzzing"],
    &["shop", "agents"],
    &["exports"],
    &["document"],
    &["pages"],
    &["facets"],
    &["catalogue", "render"],
    &["contract"],
    &["pictures"],
    &["cache", "http", "process", "share"],
    &["profile"],
    &["observe", "dev", "bounded_file", "public_network", "pacing", "search_text", "texts"],
];

/// Beyond its own files only these parts name the supervisor, which needs no engine and no shop.
const SUPERVISOR: &str = "supervise::";
const NAME_THE_SUPERVISOR: [&str; 3] = ["main.rs", "serve/", "process/supervise/"];

/// The only files that name the engine's crate.
const ENGINE: &str = "deno_core";
const NAME_THE_ENGINE: [&str; 2] = ["render/isolate.rs", "render/engine.rs"];

/// Ways into the parsers for `fuzz/`, and tests in a file of their own: no part of the program.
fn is_left_out(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    file.contains("/tests/")
        || ["tests.rs", "fuzzing.rs", "cases.rs", "simulated.rs", "typescript.rs"].contains(&name)
}

/// The part that a file below `host/` belongs to: its folder, or its own name.
fn part(file: &str) -> &str {
    let name = file.split('/').next().unwrap_or_default();
    name.strip_suffix(".rs").unwrap_or(name)
}

fn layer(part: &str) -> Option<usize> {
    LAYERS.iter().position(|parts| parts.contains(&part))
}

/// How many modules a file is below the crate's root.
fn depth(file: &str) -> usize {
    file.strip_suffix("/mod.rs").unwrap_or(file).split('/').count()
}

/// The lines of a source that are neither comments nor tests, with their numbers from 1.
pub(crate) fn code(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = source.find("\n#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let lines = source[..end].lines().enumerate().map(|(index, line)| (index + 1, line));
    let is_comment = |line: &str| ["//", "/*", "* "].iter().any(|sign| line.trim_start().starts_with(sign));
    lines.filter(move |(_, line)| !is_comment(line))
}

/// The names that follow this prefix of a path in a line; empty where a group follows.
fn named<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(prefix).filter_map(move |(at, _)| {
        let is_within_a_word = line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let rest = &line[at + prefix.len()..];
        let end = rest.find(|after: char| !after.is_alphanumeric() && after != '_').unwrap_or(rest.len());
        (!is_within_a_word).then_some(&rest[..end])
    })
}

/// What is wrong with a line of a file.
fn wrong_with(file: &str, line: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let from = part(file);
    let prefix = if from == "main" { "vitrine::" } else { "crate::" };
    for to in named(line, prefix).filter(|to| *to != from) {
        match (layer(from), layer(to)) {
            // The crate's root only lists the parts.
            _ if from == "lib" => {}
            (Some(upper), Some(lower)) if upper < lower => {}
            (Some(upper), Some(lower)) => {
                let place = if upper == lower { "beside" } else { "above" };
                wrong.push(format!("names {to}, which stands {place} it"));
            }
            _ => wrong.push(format!("names {to}, and the table of layers lacks {from} or {to}")),
        }
    }
    if line.contains(&"super::".repeat(depth(file))) {
        wrong.push("climbs to the crate's root: write `crate::`".into());
    }
    if line.contains(SUPERVISOR) && !NAME_THE_SUPERVISOR.iter().any(|place| file.starts_with(place)) {
        wrong.push("names the supervisor, which only main and serve may".into());
    }
    if named(line, ENGINE).any(str::is_empty) && !NAME_THE_ENGINE.contains(&file) {
        wrong.push(format!("names {ENGINE}, which only {} may", NAME_THE_ENGINE.join(" and ")));
    }
    wrong
}

/// Everything that is wrong with a file.
fn violations(file: &str, source: &str) -> Vec<String> {
    let lines = code(source);
    let wrong = lines.flat_map(|(at, line)| wrong_with(file, line).into_iter().map(move |wrong| (at, wrong)));
    wrong.map(|(at, wrong)| format!("host/{file}:{at} {wrong}")).collect()
}

/// The modules beside a file that it names: `beside` are the other files of its folder.
fn neighbours(file: &str, source: &str, beside: &BTreeSet<&str>) -> BTreeSet<String> {
    let text: String = code(source).flat_map(|(_, line)| [line, "\n"]).collect();
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = format!("crate::{}::", folder.replace('/', "::"));
    let mut found = BTreeSet::new();
    for prefix in ["super::", absolute.as_str()] {
        for (at, _) in text.match_indices(prefix) {
            // A further `super` leads out of the folder.
            if text[..at].ends_with("super::") {
                continue;
            }
            let rest = &text[at + prefix.len()..];
            let group = rest.strip_prefix('{').and_then(|group| group.split(';').next());
            let names = group.map_or_else(|| vec![rest], |group| group.split(&[',', '{'][..]).collect());
            for name in names {
                let name = name.trim_start().split("::").next().unwrap_or_default();
                found.extend(beside.get(name).map(|name| (*name).to_owned()));
            }
        }
    }
    found
}

/// The first circle of files that name each other, if there is one.
fn circle(named: &BTreeMap<String, BTreeSet<String>>) -> Option<BTreeSet<String>> {
    // What names no remaining file is in no circle.
    let mut remaining: BTreeSet<&String> = named.keys().collect();
    while let Some(end) =
        remaining.iter().copied().find(|file| named[*file].iter().all(|to| !remaining.contains(to)))
    {
        remaining.remove(end);
    }
    (!remaining.is_empty()).then(|| remaining.into_iter().cloned().collect())
}

/// Every text below a folder of the project, by its path.
pub(crate) fn texts_below(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            texts.extend(texts_below(&path));
        } else if let Ok(text) = fs::read_to_string(root.join(&path)) {
            texts.insert(path, text);
        }
    }
    texts
}

/// Every source of the host, by its path below `host/`.
fn host() -> BTreeMap<String, String> {
    let texts = texts_below("host").into_iter();
    let files = texts.map(|(path, text)| (path["host/".len()..].to_owned(), text));
    files.filter(|(file, _)| file.ends_with(".rs") && !is_left_out(file)).collect()
}

#[test]
fn the_host_keeps_to_its_layers() {
    let sources = host();
    let wrong: Vec<String> = sources.iter().flat_map(|(file, source)| violations(file, source)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let without: Vec<_> =
        sources.keys().filter(|file| *file != "lib.rs" && layer(part(file)).is_none()).collect();
    assert!(without.is_empty(), "the table of layers lacks {without:?}");
    // The paths are found, or nothing would be wrong.
    for file in NAME_THE_ENGINE {
        assert!(code(&sources[file]).any(|(_, line)| line.contains(ENGINE)), "{file}");
    }
}

/// The circles among the files of each folder. A `mod.rs` and its children may name each other.
fn circles(sources: &BTreeMap<String, String>) -> Vec<String> {
    let mut folders = BTreeMap::<&str, BTreeMap<&str, &String>>::new();
    for (path, source) in sources {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "mod" && !folder.is_empty())
        {
            folders.entry(folder).or_default().insert(module, source);
        }
    }
    let wrong = folders.iter().filter_map(|(folder, files)| {
        let names: BTreeSet<&str> = files.keys().copied().collect();
        let named = files.iter().map(|(module, source)| {
            let mut beside = names.clone();
            beside.remove(module);
            ((*module).to_owned(), neighbours(&format!("{folder}/{module}.rs"), source, &beside))
        });
        circle(&named.collect()).map(|files| format!("host/{folder}: {files:?}"))
    });
    wrong.collect()
}

#[test]
fn the_files_of_a_folder_form_no_circle() {
    let found = circles(&host());
    assert!(found.is_empty(), "files that name each other, or lead to such: {found:#?}");
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    for (one, other, is_circle) in [
        ("use super::two::A;", "use super::one::B;", true),
        ("use super::{\n    three::C,\n    two::A,\n};", "use crate::part::one::B;", true),
        ("fn a() { super::two::a() }", "use super::three::C;", true),
        ("use super::two::A;", "use super::A;", false),
        ("use super::two::A;", "use super::super::one::B;", false),
        ("use super::two::A;", "// super::one::B", false),
        ("use super::two::A;", "struct A;\n#[cfg(test)]\nmod tests {\n    use super::one::B;\n}", false),
    ] {
        let files =
            [("part/one.rs", one), ("part/two.rs", other), ("part/three.rs", "use crate::part::one::B;")];
        let files = files.map(|(file, source)| (file.to_owned(), format!("\n{source}\n")));
        assert_eq!(!circles(&files.into()).is_empty(), is_circle, "{one} and {other}");
    }
}

#[test]
fn a_wrong_arrow_is_found_however_it_is_written_and_what_is_in_order_is_left_alone() {
    for (file, source, expected) in [
        ("observe/log.rs", "use crate::document::Site;", "which stands above it"),
        ("observe/log.rs", "fn one(_: crate::document::Site) {}", "which stands above it"),
        ("observe/log.rs", "use crate::{document, pages};", "lacks observe or "),
        ("cache/mod.rs", "use crate::process::open;", "which stands beside it"),
        ("pages/home.rs", "use crate::somewhere::New;", "lacks pages or somewhere"),
        ("main.rs", "fn main() { vitrine::elsewhere::run() }", "lacks main or elsewhere"),
        ("cache/purge.rs", "use super::super::process;", "climbs to the crate's root"),
        ("cache/mod.rs", "use super::process;", "climbs to the crate's root"),
        ("settings/mod.rs", "use crate::process::supervise::Plan;", "names the supervisor"),
        ("process/mod.rs", "use supervise::Plan;", "names the supervisor"),
        ("render/pool.rs", "#[deno_core::op2]", "names deno_core"),
        ("render/pool.rs", "use deno_core as engine;", "names deno_core"),
        ("document/site.rs", "use crate::pages::Page;\nuse super::Site;\nuse crate::document::Other;", ""),
        ("render/isolate.rs", "use deno_core::JsRuntime;", ""),
        ("serve/mod.rs", "use crate::process::supervise::Plan;", ""),
        ("main.rs", "fn main() { vitrine::commands::run() }", ""),
        ("observe/log.rs", "// crate::document::Site\nlet my_crate::document;", ""),
        ("pages/mod.rs", "struct Page;\n#[cfg(test)]\nmod tests {\n    use crate::document::Site;\n}\n", ""),
    ] {
        let wrong = violations(file, &format!("\n{source}\n"));
        assert_eq!(wrong.len(), usize::from(!expected.is_empty()), "{file}: {source} is {wrong:?}");
        let place = format!("host/{file}:2 ");
        assert!(wrong.iter().all(|wrong| wrong.starts_with(&place) && wrong.contains(expected)), "{wrong:?}");
    }
}
