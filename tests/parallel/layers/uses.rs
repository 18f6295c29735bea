//! Every path in the sources, and what it leads to.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, Meta, Path, Visibility};

use super::names::{Target, file_of, resolve};
use super::sources::{ModulePath, Sources, is_re_export, leaves, visit_all};

/// A file names something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    /// Below `host/`, like the target.
    pub(crate) file: String,
    pub(crate) line: usize,
    /// As it is written.
    pub(crate) name: String,
    /// The file that defines it; none for another crate.
    pub(crate) target: Option<String>,
}

/// Every use of something that another file or crate defines, but those in files that are left out.
pub(crate) fn uses(sources: &Sources, left_out: &[&str]) -> Vec<Use> {
    let mut found = BTreeSet::new();
    for (path, module) in &sources.modules {
        if !left_out.contains(&module.file.as_str()) {
            visit_all(module, &mut Finder { sources, module: path, file: &module.file, found: &mut found });
        }
    }
    let mut found: Vec<Use> = found.into_iter().collect();
    found.retain(|step| step.target.as_ref() != Some(&step.file));
    found
}

struct Finder<'a> {
    sources: &'a Sources,
    module: &'a ModulePath,
    file: &'a str,
    found: &'a mut BTreeSet<Use>,
}

impl Finder<'_> {
    fn note(&mut self, segments: &[Ident]) {
        let Some(first) = segments.first() else { return };
        let path: Vec<String> = segments.iter().map(ToString::to_string).collect();
        let (name, target) = match resolve(self.sources, self.module, &path) {
            Target::File(file) => (path.join("::"), Some(file)),
            Target::Module(module) if path.len() > 1 => match file_of(self.sources, &module) {
                Some(file) => (path.join("::"), Some(file.to_owned())),
                None => return,
            },
            Target::Outside(full) => (full.join("::"), None),
            // A module alone stands in no expression; it is a variable of that name.
            Target::Module(_) | Target::Unknown => return,
        };
        self.found.insert(Use { file: self.file.into(), line: first.span().start().line, name, target });
    }

    /// Paths in a macro's tokens, which are no syntax of their own.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<Ident> = Vec::new();
        // How many colons stand after the path.
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.note(&std::mem::take(&mut path));
                    }
                    path.push(ident);
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() && colons < 2 => {
                    colons += 1
                }
                other => {
                    self.note(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.note_tokens(group.stream());
                    }
                }
            }
        }
        self.note(&path);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_re_export(item) {
            for leaf in leaves(&item.tree) {
                self.note(&leaf.segments);
            }
        }
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.note_tokens(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        self.note_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let segments: Vec<Ident> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
        self.note(&segments);
        // Arguments between angle brackets hold paths of their own.
        visit::visit_path(self, path);
    }
}
