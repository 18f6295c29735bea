//! Bundles the server and client applications with esbuild for embedding into the executable.
//!
//! `ssr/` becomes one script for the isolates. `client/` becomes files for the browser with hashed names, each with
//! a brotli and a gzip variant where that helps; the host includes them through the generated `client_files.rs`.
//! `client/ui/iconNames.ts` becomes the sprite of icons in every document. The components' style sheets become one
//! file, and beside it the styles that documents of each kind of page start with. The display typeface is cut down
//! to what the shop needs. `worker/` becomes the service worker, and the script that removes it. `scripts/bundles.rs`
//! makes all of these once for a state of the sources.

#[path = "scripts/bundles.rs"]
mod bundles;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bundles::{DOCUMENT, INSTALLED, SOURCES, build_of, client_files, copy_folder, kept_bundles};

/// The interface's texts, by section and key.
const TEXTS: &str = "client/texts/en.json";
/// The sections, in the order of the keys.
const SECTIONS: [&str; 3] = ["pages", "suggestions", "host"];

fn main() -> Result<()> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fold_equal_functions();
    println!("cargo::rerun-if-changed={TEXTS}");
    fs::write(out.join("text_keys.rs"), text_keys()?)?;
    // `scripts/dev/` bundles for builds for development, which embed nothing.
    if std::env::var_os("CARGO_FEATURE_DEV").is_some() {
        println!("cargo::rerun-if-changed=build.rs");
        return name_build(&out);
    }
    for source in SOURCES.iter().chain(&DOCUMENT) {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rerun-if-changed={INSTALLED}");
    copy_folder(&kept_bundles(&out)?, &out)?;
    // V8 parses the minified script sooner; see scripts/bundle-server.mjs.
    let server = if std::env::var_os("CARGO_FEATURE_V8").is_some() { "minified" } else { "readable" };
    for file in ["ssr.js", "ssr.js.map"] {
        fs::copy(out.join(server).join(file), out.join(file))?;
    }
    let names = client_files(&out)?;
    let build = build_of(&out, &names)?;
    fs::write(out.join("client_files.rs"), embed(&out, &build, &names)?)?;
    name_build(&out)
}

/// Has the linker keep one of several functions with the same machine code: 5 % of the executable, in which V8 is most. The
/// linker of Rust's toolchain can do it; that of other platforms may not.
fn fold_equal_functions() {
    let is =
        |part: &str, value| std::env::var(format!("CARGO_CFG_TARGET_{part}")).is_ok_and(|part| part == value);
    let has_engine = std::env::var_os("CARGO_FEATURE_V8").is_some();
    if has_engine && is("OS", "linux") && is("ENV", "gnu") && is("ARCH", "x86_64") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// The Rust source of the keys of the interface's texts, see `host/texts/keys.rs`.
fn text_keys() -> Result<String> {
    let mut sections: BTreeMap<String, BTreeMap<String, Value>> =
        serde_json::from_slice(&fs::read(TEXTS)?).context(TEXTS)?;
    let (mut variants, mut names, mut numbers) = (String::new(), String::new(), String::new());
    for section in SECTIONS {
        let texts = sections.remove(section).with_context(|| format!("{TEXTS} has no {section}"))?;
        writeln!(numbers, "    ({section:?}, {}),", texts.len())?;
        for (key, text) in texts {
            let mut letters = key.chars();
            let first = letters.next().context("a key is empty")?;
            let doc = text.get("other").unwrap_or(&text);
            writeln!(variants, "    /// `{doc}`\n    {}{},", first.to_ascii_uppercase(), letters.as_str())?;
            writeln!(names, "    {key:?},")?;
        }
    }
    Ok(format!(
        "/// The key of a text of the interface, with the English text.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         pub enum Key {{\n{variants}}}\n\n\
         const NAMES: &[&str] = &[\n{names}];\n\n\
         /// Each section with the number of its texts.\n\
         const SECTIONS: [(&str, usize); {}] = [\n{numbers}];\n",
        SECTIONS.len(),
    ))
}

/// Tells `host/main.rs` the profile, and the file that names the commit.
///
/// The file is git's own log of what `HEAD` was, which grows with every commit and checkout. The executable
/// includes it, so a new commit rebuilds the executable; this script does not run again, so nothing else is
/// rebuilt. `VITRINE_BUILD_COMMIT` names the commit where there is no repository.
///
/// The log says when `HEAD` became the commit. The date of the commit itself is named beside it, with the commit,
/// because the log may have grown since.
fn name_build(out: &Path) -> Result<()> {
    println!("cargo::rerun-if-env-changed=VITRINE_BUILD_COMMIT");
    let named = std::env::var("VITRINE_BUILD_COMMIT").ok();
    let (log, (date, dated_commit)) = match named {
        None => (commit_log(), build_date()?),
        Some(_) => (None, (build_date()?.0, String::new())),
    };
    let log = match log {
        Some(log) => log,
        None => {
            let file = out.join("commit");
            fs::write(&file, named.map(|commit| format!("- {commit}\n")).unwrap_or_default())?;
            file
        }
    };
    println!("cargo::rustc-env=VITRINE_BUILD_LOG={}", log.display());
    println!("cargo::rustc-env=VITRINE_BUILD_DATE={date}");
    println!("cargo::rustc-env=VITRINE_BUILD_DATED_COMMIT={dated_commit}");
    // The variable PROFILE does not tell profiles apart that inherit from `release`, but the folder does:
    // `target/PROFILE/build/vitrine-HASH/out`.
    let profile = out.ancestors().nth(3).and_then(Path::file_name).and_then(|name| name.to_str());
    println!("cargo::rustc-env=VITRINE_BUILD_PROFILE={}", profile.unwrap_or("unknown"));
    Ok(())
}

/// The log of `HEAD` of this folder's own repository, if there is one.
fn commit_log() -> Option<PathBuf> {
    let log = own_git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    let log = Path::new(&log).canonicalize().ok()?;
    log.is_file().then_some(log)
}

/// The build's date in seconds since 1970, and the commit that it belongs to; no commit if the date holds whatever
/// `HEAD` is. It is `SOURCE_DATE_EPOCH`, or else the commit's, or else the date of a source file, which archives of
/// a commit keep.
fn build_date() -> Result<(u64, String)> {
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    if let Ok(date) = std::env::var("SOURCE_DATE_EPOCH") {
        let date = date.parse().context("SOURCE_DATE_EPOCH is not a number of seconds")?;
        return Ok((date, String::new()));
    }
    let commit = own_git(&["show", "--no-patch", "--no-show-signature", "--format=%ct %H", "HEAD"]);
    let commit = commit.as_deref().and_then(|commit| commit.split_once(' '));
    if let Some((date, commit)) = commit.and_then(|(date, commit)| Some((date.parse().ok()?, commit))) {
        return Ok((date, commit.into()));
    }
    let modified = fs::metadata("Cargo.toml")?.modified()?;
    Ok((modified.duration_since(std::time::UNIX_EPOCH)?.as_secs(), String::new()))
}

/// What a git command prints, if this folder is the root of a repository.
fn own_git(arguments: &[&str]) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // The sources may have been unpacked into somebody else's repository.
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    if root == here { git(arguments) } else { None }
}

/// The Rust source of `CLIENT`, see `host/document/client.rs`: it includes the files that were made.
fn embed(out: &Path, build: &str, names: &[String]) -> Result<String> {
    let (client, worker, first_paint) = (out.join("client"), out.join("worker"), out.join("first-paint"));
    let mut files = String::new();
    let mut entries = (None, None, None);
    for name in names {
        match name.split_once('-').map(|(stem, _)| stem) {
            Some("entry") if name.ends_with(".js") => entries.0 = Some(name),
            Some("entry") => entries.1 = Some(name),
            Some("display") if name.starts_with("display-basic-") => entries.2 = Some(name),
            _ => {}
        }
        writeln!(files, "        {},", asset(&client, name)?)?;
    }
    let script = entries.0.context("esbuild wrote no entry script")?;
    let styles = entries.1.context("esbuild wrote no style sheet")?;
    let font = entries.2.context("esbuild wrote no display typeface")?;
    let mut source = format!("pub static CLIENT: Client = Client {{\n    files: &[\n{files}    ],\n");
    for (field, name) in [("script", script), ("styles", styles), ("font", font)] {
        writeln!(source, "    {field}: \"/assets/{name}\",")?;
    }
    writeln!(source, "    build: {build:?},")?;
    writeln!(source, "    early_script: include_str!({:?}),", out.join("early.js"))?;
    writeln!(source, "    first_paint: FirstPaint {{")?;
    for kind in ["home", "own_home", "listing", "rows", "product", "overview", "message"] {
        writeln!(source, "        {kind}: FirstScreen {{")?;
        for (field, end) in [
            ("styles", ".css"),
            ("further_styles", "-further.css"),
            ("icons", ".svg"),
            ("further_icons", "-further.svg"),
        ] {
            writeln!(
                source,
                "            {field}: include_str!({:?}),",
                first_paint.join(format!("{kind}{end}"))
            )?;
        }
        writeln!(source, "        }},")?;
    }
    writeln!(source, "        plain: include_str!({:?}),", first_paint.join("plain.css"))?;
    writeln!(source, "    }},")?;
    for (field, name) in [("service_worker", "serviceWorker.js"), ("service_worker_removal", "removal.js")] {
        writeln!(source, "    {field}: {},", asset(&worker, name)?)?;
    }
    source.push_str("};\n");
    Ok(source)
}

/// The Rust expression that includes a file, with its compressed variants if it has some.
fn asset(folder: &Path, name: &str) -> Result<String> {
    let file = folder.join(name);
    let content_type = match file.extension().and_then(|extension| extension.to_str()) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("woff2") => "font/woff2",
        other => bail!("no content type is known for a bundle ending in {other:?}"),
    };
    let [brotli, gzip] = ["br", "gz"].map(|coding| file.with_added_extension(coding));
    let compressed = match brotli.exists() {
        true => format!(
            "Some(Compressed {{ brotli: include_bytes!({brotli:?}), gzip: include_bytes!({gzip:?}) }})"
        ),
        false => "None".into(),
    };
    Ok(format!(
        "Asset {{ name: {name:?}, content_type: {content_type:?}, identity: include_bytes!({file:?}), compressed: {compressed} }}"
    ))
}
