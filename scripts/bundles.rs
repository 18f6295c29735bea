//! Makes the bundles, and keeps them in the target folder under a hash of what they are made of. Every build of the same
//! sources takes them from there, whatever its profile and features.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

const ESBUILD: &str = "node_modules/.bin/esbuild";
const SUBSET_FONT: &str = "scripts/subset-font.mjs";
const BUNDLE_SERVER: &str = "scripts/bundle-server.mjs";
const ICON_SPRITE: &str = "scripts/icon-sprite.mjs";
const BUNDLE_CLIENT: &str = "scripts/bundle-client.mjs";
const FIRST_PAINT_STYLES: &str = "scripts/first-paint-styles.mjs";
const COMPRESS: &str = "scripts/compress.mjs";
const UTF_8: &str = "the output directory is UTF-8";
/// What bundles are made of.
pub(crate) const SOURCES: [&str; 17] = [
    "client",
    "ssr",
    "worker",
    "package-lock.json",
    "tsconfig.json",
    "build.rs",
    "scripts/bundles.rs",
    BUNDLE_SERVER,
    "scripts/server-bundle-options.mjs",
    SUBSET_FONT,
    ICON_SPRITE,
    BUNDLE_CLIENT,
    "scripts/style-text.mjs",
    FIRST_PAINT_STYLES,
    "scripts/first-paint-rules.mjs",
    "scripts/first-screen.mjs",
    COMPRESS,
];
/// Newer when packages were installed.
pub(crate) const INSTALLED: &str = "node_modules/.package-lock.json";
/// How many bundles are kept: those of the sources, of a branch, and of what was tried in between.
const KEPT: usize = 4;
/// The document around a page's markup.
pub(crate) const DOCUMENT: [&str; 2] = ["host/document/templates/document.html", "host/document/html.rs"];

/// The folder with the bundles of the present sources, which are made if no build has made them.
pub(crate) fn kept_bundles(out: &Path) -> Result<PathBuf> {
    // `target/PROFILE/build/vitrine-HASH/out`
    let target = out.ancestors().nth(4).context("OUT_DIR is not in a target folder")?;
    let bundles = target.join("bundles");
    let kept = bundles.join(hash_of_sources()?);
    if !kept.exists() {
        ensure!(Path::new(ESBUILD).exists(), "node_modules is missing or incomplete; run `npm ci`");
        println!("bundling into {}", kept.display());
        // Made beside and renamed, so that a build that was interrupted, or runs at the same time, does no harm.
        let unfinished = bundles.join(format!("unfinished-{}", std::process::id()));
        fs::create_dir_all(&unfinished)?;
        bundle(&unfinished)?;
        if fs::rename(&unfinished, &kept).is_err() {
            ensure!(kept.exists(), "{} cannot be renamed to {}", unfinished.display(), kept.display());
            fs::remove_dir_all(&unfinished)?;
        }
        remove_old(&bundles)?;
    }
    Ok(kept)
}

/// Makes all bundles.
fn bundle(out: &Path) -> Result<()> {
    node_with(BUNDLE_SERVER, &out.join("minified/ssr.js"), &["minified"])?;
    node(BUNDLE_SERVER, &out.join("readable/ssr.js"))?;
    bundle_client(out)?;
    node(FIRST_PAINT_STYLES, out)?;
    node(ICON_SPRITE, &out.join("first-paint"))?;
    let names = client_files(out)?;
    bundle_early_script(out, &names)?;
    bundle_worker(out, &build_of(out, &names)?, &names)?;
    let worker = out.join("worker");
    node_with(COMPRESS, &out.join("client"), &[worker.to_str().context(UTF_8)?])
}

/// Hashes everything that determines the bundles: the sources, the list of packages and the version of Node.
fn hash_of_sources() -> Result<String> {
    let version =
        Command::new("node").arg("--version").output().context("cannot run node; Node 20 is needed")?;
    let mut hasher = DefaultHasher::new();
    version.stdout.hash(&mut hasher);
    let mut left: Vec<PathBuf> = SOURCES.iter().chain(&DOCUMENT).map(PathBuf::from).collect();
    let mut files = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    for file in files {
        fs::read(&file).with_context(|| file.display().to_string())?.hash(&mut hasher);
        file.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Leaves the newest bundles.
fn remove_old(bundles: &Path) -> Result<()> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(bundles)? {
        let entry = entry?;
        folders.push((entry.metadata()?.modified()?, entry.path()));
    }
    folders.sort();
    for (_, old) in folders.iter().rev().skip(KEPT) {
        fs::remove_dir_all(old)?;
    }
    Ok(())
}

/// Copies a folder's files and folders.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            // Files whose names have hashes are not left beside their successors.
            let _ = fs::remove_dir_all(&copy);
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy)?;
        }
    }
    Ok(())
}

/// Writes the folder `client`, with the display typeface, the client's script and the one for suggestions.
fn bundle_client(out: &Path) -> Result<()> {
    let fonts = out.join("fonts");
    node(SUBSET_FONT, &fonts)?;
    node_with(BUNDLE_CLIENT, &out.join("client"), &[fonts.to_str().context(UTF_8)?])
}

/// Writes the inline script of every document, which loads the client's script, and the one for suggestions.
fn bundle_early_script(out: &Path, names: &[String]) -> Result<()> {
    let script = |stem| names.iter().find(|name| name.starts_with(stem) && name.ends_with(".js"));
    let client = script("entry-").context("esbuild wrote no entry script")?;
    let autocomplete = script("autocomplete-").context("esbuild wrote no script for suggestions")?;
    esbuild(&[
        "client/early/main.ts",
        "--format=iife",
        "--platform=browser",
        "--target=es2022,chrome120,firefox121,safari17.4",
        "--minify",
        "--legal-comments=none",
        &format!("--define:CLIENT_ADDRESS=\"/assets/{client}\""),
        &format!("--define:AUTOCOMPLETE_ADDRESS=\"/assets/{autocomplete}\""),
        &format!("--outfile={}", out.join("early.js").display()),
    ])
}

/// Writes the folder `worker`: the service worker of a build with these files, and the script that removes it.
fn bundle_worker(out: &Path, build: &str, names: &[String]) -> Result<()> {
    // No page needs the typeface's licence, and suggestions need the host.
    let needed = names.iter().filter(|name| !name.ends_with(".txt") && !name.starts_with("autocomplete-"));
    let assets: Vec<String> = needed.map(|name| format!("\"/assets/{name}\"")).collect();
    for script in ["serviceWorker", "removal"] {
        esbuild(&[
            &format!("worker/{script}.ts"),
            "--format=iife",
            "--platform=browser",
            "--target=es2022,chrome120,firefox121,safari17.4",
            "--minify",
            "--legal-comments=none",
            &format!("--define:BUILD=\"{build}\""),
            &format!("--define:ASSETS=[{}]", assets.join(",")),
            &format!("--outfile={}", out.join("worker").join(format!("{script}.js")).display()),
        ])?;
    }
    Ok(())
}

/// The names of the client's files, in order, without their compressed variants.
pub(crate) fn client_files(out: &Path) -> Result<Vec<String>> {
    let names = file_names(&out.join("client"))?;
    Ok(names.into_iter().filter(|name| !name.ends_with(".br") && !name.ends_with(".gz")).collect())
}

/// The names of a folder's files, in order.
fn file_names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().into_string().ok().context("a bundle's name is UTF-8")?);
    }
    names.sort();
    Ok(names)
}

/// Identifies what a stored page consists of: the client's files, which have the hashes of their contents in
/// their names, the document around its markup, and the worker that assembles it.
pub(crate) fn build_of(out: &Path, names: &[String]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    fs::read(out.join("early.js"))?.hash(&mut hasher);
    for name in file_names(&out.join("first-paint"))? {
        fs::read(out.join("first-paint").join(name))?.hash(&mut hasher);
    }
    for source in DOCUMENT {
        fs::read(source)?.hash(&mut hasher);
    }
    for name in file_names(Path::new("worker"))? {
        fs::read(Path::new("worker").join(name))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn esbuild(arguments: &[&str]) -> Result<()> {
    let status = Command::new(ESBUILD)
        .args(["--bundle", "--jsx=automatic", "--log-level=warning"])
        .arg("--define:process.env.NODE_ENV=\"production\"")
        .args(arguments)
        .status()
        .with_context(|| format!("cannot run {ESBUILD}; Node 20 is needed"))?;
    if !status.success() {
        bail!("esbuild failed on {}", arguments[0]);
    }
    Ok(())
}

/// Runs one of our scripts for Node, which writes to `output` or changes it.
fn node(script: &str, output: &Path) -> Result<()> {
    node_with(script, output, &[])
}

/// [`node`] with further arguments for the script.
fn node_with(script: &str, output: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("node")
        .arg(script)
        .arg(output)
        .args(arguments)
        .status()
        .context("cannot run node; Node 20 is needed")?;
    ensure!(status.success(), "{script} failed; if a package is missing, run `npm ci`");
    Ok(())
}
