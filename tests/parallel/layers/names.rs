//! What a path leads to.

use super::sources::{MAIN, Meaning, Module, ModulePath, Sources};

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A definition in this file.
    File(String),
    Module(ModulePath),
    /// Another crate, by its full path.
    Outside(Vec<String>),
    /// A name that nothing here explains, such as one of the prelude or of a local variable.
    Unknown,
}

/// The library as `main.rs` names it.
const LIBRARY: &str = "vitrine";
/// Longer chains of re-exports are circles.
const MOST_STEPS: usize = 16;

/// Follows a path from inside a module.
pub(crate) fn resolve(sources: &Sources, from: &ModulePath, path: &[String]) -> Target {
    follow(sources, from, path, MOST_STEPS)
}

fn follow(sources: &Sources, from: &ModulePath, path: &[String], steps: usize) -> Target {
    let (Some(first), Some(steps)) = (path.first(), steps.checked_sub(1)) else { return Target::Unknown };
    let is_main = from.first().is_some_and(|name| name == MAIN);
    let root = if is_main { vec![MAIN.to_owned()] } else { Vec::new() };
    match first.as_str() {
        "crate" => descend(sources, root, &path[1..], steps),
        "self" => descend(sources, from.clone(), &path[1..], steps),
        "super" => {
            let parent = from[..from.len().saturating_sub(1)].to_vec();
            match path.get(1).map(String::as_str) {
                Some("super") => follow(sources, &parent, &path[1..], steps),
                _ => descend(sources, parent, &path[1..], steps),
            }
        }
        LIBRARY if is_main => descend(sources, Vec::new(), &path[1..], steps),
        _ => match look_up(sources, from, first, path.len() > 1, steps) {
            Target::Module(module) => descend(sources, module, &path[1..], steps),
            Target::Outside(crate_path) => {
                Target::Outside(crate_path.into_iter().chain(path[1..].iter().cloned()).collect())
            }
            // A crate's name starts a path of at least two names.
            Target::Unknown if path.len() > 1 => Target::Outside(path.to_vec()),
            found => found,
        },
    }
}

/// Follows the rest of a path, which starts in a module.
fn descend(sources: &Sources, module: ModulePath, rest: &[String], steps: usize) -> Target {
    let Some((first, rest)) = rest.split_first() else { return Target::Module(module) };
    match look_up(sources, &module, first, !rest.is_empty(), steps) {
        Target::Module(child) => descend(sources, child, rest, steps),
        Target::Outside(path) => Target::Outside(path.into_iter().chain(rest.iter().cloned()).collect()),
        found => found,
    }
}

/// What a name means in a module, in the middle of a path or at its end.
fn look_up(sources: &Sources, at: &ModulePath, name: &str, is_prefix: bool, steps: usize) -> Target {
    let Some(steps) = steps.checked_sub(1) else { return Target::Unknown };
    let Some(module) = sources.modules.get(at) else { return Target::Unknown };
    let child = || Target::Module([at.as_slice(), &[name.to_owned()]].concat());
    let is_child = module.children.contains(name);
    match module.names.get(name) {
        _ if is_child && is_prefix => child(),
        Some(Meaning::Defined) => Target::File(module.file.clone()),
        // A `use` of a crate under its own name, or of an item's own name, means what is outside.
        Some(Meaning::Bound(path)) if path.first().is_some_and(|first| first == name) => {
            Target::Outside(path.clone())
        }
        Some(Meaning::Bound(path)) => follow(sources, at, path, steps),
        None if is_child => child(),
        None => through_globs(sources, at, module, name, is_prefix, steps),
    }
}

fn through_globs(
    sources: &Sources,
    at: &ModulePath,
    module: &Module,
    name: &str,
    is_prefix: bool,
    steps: usize,
) -> Target {
    for glob in &module.globs {
        if let Target::Module(from) = follow(sources, at, glob, steps)
            && from != *at
        {
            match look_up(sources, &from, name, is_prefix, steps) {
                Target::Unknown => {}
                found => return found,
            }
        }
    }
    Target::Unknown
}

/// The file that a module is in.
pub(crate) fn file_of<'a>(sources: &'a Sources, module: &ModulePath) -> Option<&'a str> {
    sources.modules.get(module).map(|module| module.file.as_str())
}
