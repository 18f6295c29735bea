//! The architecture of the host: which folder may name which, that no files import each other in a
//! circle, and that only two files name the engine.
//!
//! Every file below `host/` is parsed, and each path in it is followed to the file that defines what
//! it names (`names.rs`). A re-export counts as the file that it leads to; `mod` lines and re-exports
//! are no uses of their own.

mod circles;
mod names;
mod sources;
mod uses;

use std::collections::BTreeMap;

use self::circles::circles;
use self::sources::Sources;
use self::uses::{Use, uses};

/// A part names only parts in lines below its own.
const LAYERS: [&[&str]; 15] = [
    &["main"],
    &["commands"],
    &["serve"],
    &["settings"],
    &["server", "admin", "fuzzing"],
    &["shop"],
    &["exports"],
    &["document"],
    &["pages"],
    &["facets"],
    &["catalogue", "render"],
    &["contract"],
    &["cache", "http", "process", "share"],
    &["profile"],
    &["observe", "dev", "bounded_file", "pacing"],
];

/// Beyond its own files only these parts name the supervisor, which needs no engine and no shop.
const SUPERVISOR: &str = "process/supervise/";
const NAME_THE_SUPERVISOR: [&str; 2] = ["main", "serve"];

/// The only files that name the engine's crate.
const ENGINE: &str = "deno_core";
const NAME_THE_ENGINE: [&str; 2] = ["render/isolate.rs", "render/engine.rs"];

/// Ways into the parsers for `fuzz/`, and tests in a file of their own: no part of the program.
const LEFT_OUT: [&str; 22] = [
    "catalogue/file/tests.rs",
    "exports/tests/generated.rs",
    "exports/tests/google.rs",
    "exports/tests/mod.rs",
    "fuzzing.rs",
    "shop/fuzzing.rs",
    "shop/tests.rs",
    "catalogue/service/pages/cases.rs",
    "catalogue/service/pages/simulated.rs",
    "catalogue/service/pages/tests.rs",
    "catalogue/service/wire/fuzzing.rs",
    "catalogue/product_set/search/tests.rs",
    "catalogue/product_set/tests.rs",
    "catalogue/service/wire/tests.rs",
    "catalogue/store/saved/tests.rs",
    "catalogue/store/tests.rs",
    "cache/tests.rs",
    "facets/tests.rs",
    "facets/typescript.rs",
    "http/connections/activity/tests.rs",
    "render/pool/tests.rs",
    "serve/own_sandbox/tests.rs",
];

/// The part that a file below `host/` belongs to: its folder, or its own name.
fn part(file: &str) -> &str {
    let name = file.split('/').next().unwrap_or_default();
    name.strip_suffix(".rs").unwrap_or(name)
}

fn line(part: &str) -> Option<usize> {
    LAYERS.iter().position(|parts| parts.contains(&part))
}

/// Everything that is wrong with these sources.
fn violations(sources: &Sources) -> Vec<String> {
    let uses = uses(sources, &LEFT_OUT);
    let mut wrong: Vec<String> = uses.iter().filter_map(misplaced).collect();
    for circle in circles(&uses) {
        let steps = circle.iter().map(|step| format!("host/{}:{} names {}", step.file, step.line, step.name));
        wrong.push(format!("a circle: {}", steps.collect::<Vec<_>>().join(", ")));
    }
    wrong
}

/// What is wrong with a single use.
fn misplaced(step: &Use) -> Option<String> {
    let Use { file, line: at, name, target } = step;
    let place = format!("host/{file}:{at} names {name}");
    let Some(target) = target else {
        let is_engine = name.split("::").next() == Some(ENGINE);
        return (is_engine && !NAME_THE_ENGINE.contains(&file.as_str()))
            .then(|| format!("{place}, which only {} may name", NAME_THE_ENGINE.join(" and ")));
    };
    let (from, to) = (part(file), part(target));
    if from != to {
        // The crate's root only lists the parts.
        let (Some(upper), Some(lower)) = (line(from), line(to)) else {
            let is_root = from == "lib" || to == "lib";
            return (!is_root).then(|| format!("{place}, and the table of layers lacks {from} or {to}"));
        };
        if upper > lower {
            return Some(format!("{place}, which stands above it (host/{target})"));
        }
        if upper == lower {
            return Some(format!("{place}, which stands beside it (host/{target})"));
        }
    }
    let names_supervisor = target.starts_with(SUPERVISOR) && !file.starts_with(SUPERVISOR);
    (names_supervisor && !NAME_THE_SUPERVISOR.contains(&from))
        .then(|| format!("{place}, which only main and serve may name (host/{target})"))
}

fn host() -> Sources {
    Sources::below(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("host"))
}

fn report(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_host_keeps_to_its_layers() {
    report(&violations(&host()));
}

#[test]
fn every_file_of_the_host_is_read_and_has_a_layer() {
    let sources = host();
    assert!(sources.files().count() > 100);
    let lost: Vec<&str> = sources
        .files()
        .filter(|file| !LEFT_OUT.contains(file))
        .filter(|file| !sources.is_module(file))
        .collect();
    assert!(lost.is_empty(), "no module declares {lost:?}");
    let without: Vec<&str> =
        sources.files().filter(|file| *file != "lib.rs" && line(part(file)).is_none()).collect();
    assert!(without.is_empty(), "the table of layers lacks {without:?}");
    // The paths of every part are understood, or nothing would be found wrong.
    let uses = uses(&sources, &LEFT_OUT);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in uses.iter().filter(|step| step.target.is_some()) {
        *counts.entry(part(&step.file)).or_default() += 1;
    }
    for file in NAME_THE_ENGINE {
        assert!(uses.iter().any(|step| step.file == file && step.target.is_none()), "{file}");
    }
    for part in [
        "main",
        "serve",
        "server",
        "shop",
        "document",
        "pages",
        "catalogue",
        "render",
        "cache",
        "http",
        "process",
    ] {
        assert!(counts.get(part).is_some_and(|count| *count > 0), "no use was found in {part}: {counts:?}");
    }
}

/// The smallest host in order: a document shows pages, and the renderer is the only one with an engine.
const IN_ORDER: [(&str, &str); 7] = [
    ("lib.rs", "pub mod document;\npub mod observe;\npub mod pages;\npub mod process;\npub mod render;\n"),
    ("document/mod.rs", "mod site;\npub use site::Site;\n"),
    ("document/site.rs", "use crate::pages::Page;\npub struct Site(Page);\n"),
    ("pages.rs", "pub struct Page;\npub fn page() -> Page {\n    Page\n}\n"),
    ("process.rs", "pub mod supervise {\n    pub struct Plan;\n}\n"),
    ("render/mod.rs", "mod isolate;\npub use isolate::Isolate;\n"),
    ("render/isolate.rs", "use deno_core::JsRuntime;\npub struct Isolate(JsRuntime);\n"),
];

/// What is found in the small host with one file added or changed.
fn planted(changes: &[(&str, &str)]) -> Vec<String> {
    let mut files: BTreeMap<&str, &str> = IN_ORDER.into_iter().collect();
    files.extend(changes.iter().copied());
    violations(&Sources::new(files))
}

#[test]
fn sources_in_order_are_left_alone() {
    assert_eq!(planted(&[]), Vec::<String>::new());
    // Tests may name what they like, and so may what is left out.
    let tested = "pub struct Page;\n#[cfg(test)]\nmod tests {\n    use crate::document::Site;\n}\n";
    assert_eq!(planted(&[("pages.rs", tested)]), Vec::<String>::new());
}

#[test]
fn a_wrong_arrow_is_found_however_it_is_written() {
    let named = |source: &str| planted(&[("observe.rs", source)]);
    let expected = |line: usize, name: &str, file: &str| {
        vec![format!("host/observe.rs:{line} names {name}, which stands above it (host/{file})")]
    };
    for (line, name, source) in [
        (1, "crate::document::Site", "use crate::document::Site;\n"),
        (2, "crate::document::Site", "\nuse crate::{document::{Site}, pages as _};\n"),
        (1, "crate::document::Site", "use crate::document::Site as Other;\n"),
        (1, "crate::document::Site", "fn one(_: crate::document::Site) {}\n"),
        (1, "super::document::Site", "fn one(_: super::document::Site) {}\n"),
        (
            2,
            "crate::document::Site",
            "fn one() {\n    println!(\"{}\", size_of::<crate::document::Site>());\n}\n",
        ),
        (2, "crate::document::Site", "fn one() {\n    use crate::document::Site;\n}\n"),
        (2, "inner::Site", "use crate::document as inner;\nfn one(_: inner::Site) {}\n"),
    ] {
        let mut wrong = named(source);
        // The `use` of a module names its own file as well.
        wrong.retain(|text| text.contains("Site"));
        assert_eq!(wrong, expected(line, name, "document/site.rs"), "{source}");
    }
    // A function may have a module's name.
    let both = "mod part;\npub fn part() {}\n";
    let part = ("observe/part.rs", "use crate::document::Site;\n");
    let wrong = planted(&[("observe.rs", both), part]);
    assert_eq!(
        wrong,
        ["host/observe/part.rs:1 names crate::document::Site, which stands above it (host/document/site.rs)"]
    );
    let glob = named("use crate::document::*;\nfn one(_: Site) {}\n");
    assert!(glob.contains(&expected(2, "Site", "document/site.rs")[0]), "{glob:?}");
}

#[test]
fn a_wrong_arrow_through_re_exports_is_found() {
    let changes = [
        ("observe.rs", "pub use crate::pages::Page;\nmod part {\n    use super::Page;\n}\n"),
        ("document/mod.rs", "mod site;\npub use self::site::*;\npub use crate::pages::Page as Shown;\n"),
        ("process.rs", "use crate::document::Shown;\npub mod supervise {}\n"),
    ];
    assert_eq!(
        planted(&changes),
        [
            "host/observe.rs:3 names super::Page, which stands above it (host/pages.rs)",
            "host/process.rs:1 names crate::document::Shown, which stands above it (host/pages.rs)",
        ]
    );
}

#[test]
fn neighbours_and_the_supervisor_are_not_named() {
    let changes = [
        ("lib.rs", "pub mod cache;\npub mod process;\npub mod settings;\n"),
        ("cache.rs", "use crate::process::open;\n"),
        ("settings.rs", "use crate::process::supervise::Plan;\n"),
        ("process/mod.rs", "pub mod supervise;\npub fn open() {}\n"),
        ("process/supervise/mod.rs", "pub struct Plan;\n"),
    ];
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    files.extend(changes);
    assert_eq!(
        violations(&Sources::new(files)),
        [
            "host/cache.rs:1 names crate::process::open, which stands beside it (host/process/mod.rs)",
            "host/settings.rs:1 names crate::process::supervise::Plan, which only main and serve may name \
             (host/process/supervise/mod.rs)",
        ]
    );
}

#[test]
fn a_circle_is_found() {
    let child_and_parent = [
        ("pages.rs", "mod list;\npub struct Page(list::List);\n"),
        ("pages/list.rs", "use super::Page;\npub struct List(Option<Box<Page>>);\n"),
    ];
    assert_eq!(
        planted(&child_and_parent),
        ["a circle: host/pages.rs:2 names list::List, host/pages/list.rs:1 names super::Page"]
    );
    let siblings = [
        ("pages.rs", "mod a;\nmod b;\nmod c;\npub struct Page;\n"),
        ("pages/a.rs", "pub struct A(super::b::B);\n"),
        ("pages/b.rs", "\npub struct B(super::c::C);\n"),
        ("pages/c.rs", "\n\npub struct C(Box<super::a::A>);\n"),
    ];
    assert_eq!(
        planted(&siblings),
        ["a circle: host/pages/a.rs:1 names super::b::B, host/pages/b.rs:2 names super::c::C, \
          host/pages/c.rs:3 names super::a::A"]
    );
    // Declaring a child is no use of it.
    assert_eq!(
        planted(&[("pages.rs", "mod list;\npub use list::List;\npub struct Page;\n"), child_and_parent[1]]),
        Vec::<String>::new()
    );
}

#[test]
fn the_engine_is_named_in_two_files() {
    for (line, name, source) in [
        (1, "deno_core::v8", "use deno_core::v8;\n"),
        (2, "deno_core::JsRuntime", "\nfn one(_: deno_core::JsRuntime) {}\n"),
        (1, "deno_core::op2", "#[deno_core::op2]\nfn one() {}\n"),
        (1, "deno_core::extension", "deno_core::extension!(one);\n"),
        (1, "deno_core::v8::Local", "thing!(deno_core::v8::Local);\n"),
    ] {
        let wrong = planted(&[("render/pool.rs", source), ("render/mod.rs", "mod isolate;\nmod pool;\n")]);
        let expected = format!(
            "host/render/pool.rs:{line} names {name}, which only render/isolate.rs and render/engine.rs may name"
        );
        assert_eq!(wrong, [expected], "{source}");
    }
}
