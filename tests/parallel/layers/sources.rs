//! The files of a crate and the modules that they make up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A module's path from the crate's root.
pub(crate) type ModulePath = Vec<String>;

/// What a name means in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It is defined here.
    Defined,
    /// It stands for this path, as written in a `use` here.
    Bound(Vec<String>),
}

/// A module: a file, or a block inside one.
pub(crate) struct Module {
    pub(crate) file: String,
    pub(crate) names: BTreeMap<String, Meaning>,
    /// The modules in it. A function may have the same name as one of them.
    pub(crate) children: BTreeSet<String>,
    /// The paths of its `use …::*`.
    pub(crate) globs: Vec<Vec<String>>,
    pub(crate) items: Vec<Item>,
}

/// Every file, by its path below the root, and the modules.
pub(crate) struct Sources {
    files: BTreeMap<String, syn::File>,
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Sources {
    /// Reads every source below a folder.
    pub(crate) fn below(folder: &Path) -> Self {
        let mut texts = BTreeMap::new();
        read(folder, "", &mut texts);
        Self::new(texts.iter().map(|(file, text)| (file.as_str(), text.as_str())))
    }

    /// Understands these files, of which `lib.rs` and `main.rs` are roots.
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let parse = |(file, text): (&str, &str)| {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("host/{file}: {error}"));
            (file.to_owned(), parsed)
        };
        let mut sources = Self { files: texts.into_iter().map(parse).collect(), modules: BTreeMap::new() };
        sources.add_file(Vec::new(), "lib.rs");
        // A crate of its own, which has the library by its name.
        sources.add_file(vec![MAIN.into()], "main.rs");
        sources
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether a file is a module, or a root.
    pub(crate) fn is_module(&self, file: &str) -> bool {
        self.modules.values().any(|module| module.file == file)
    }

    fn add_file(&mut self, path: ModulePath, file: &str) {
        if let Some(parsed) = self.files.get(file) {
            let items = parsed.items.clone();
            self.add(path, file, items);
        }
    }

    fn add(&mut self, path: ModulePath, file: &str, items: Vec<Item>) {
        let mut module = Module {
            file: file.into(),
            names: BTreeMap::new(),
            children: BTreeSet::new(),
            globs: Vec::new(),
            items: Vec::new(),
        };
        for item in items {
            let Item::Mod(declared) = item else {
                if let Some(name) = defined_name(&item) {
                    module.names.insert(name, Meaning::Defined);
                }
                let mut bindings = Bindings(&mut module);
                bindings.visit_item(&item);
                module.items.push(item);
                continue;
            };
            if is_test(&declared.attrs) {
                continue;
            }
            let name = declared.ident.to_string();
            module.children.insert(name.clone());
            let child = [path.as_slice(), std::slice::from_ref(&name)].concat();
            match declared.content {
                Some((_, items)) => self.add(child, file, items),
                None => {
                    let folder = file.strip_suffix("mod.rs").map(str::to_owned).unwrap_or_else(|| {
                        let is_root = matches!(file, "lib.rs" | "main.rs");
                        if is_root { String::new() } else { file.replace(".rs", "/") }
                    });
                    for candidate in [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")] {
                        self.add_file(child.clone(), &candidate);
                    }
                }
            }
        }
        self.modules.insert(path, module);
    }
}

/// Stands for the program's own crate among the modules.
pub(crate) const MAIN: &str = "main.rs";

fn read(folder: &Path, prefix: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            read(&path, &format!("{name}/"), texts);
        } else if name.ends_with(".rs") {
            texts.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Collects what `use` binds, also inside functions.
struct Bindings<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Bindings<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for leaf in leaves(&item.tree) {
            match leaf.binds {
                None => self.0.globs.push(leaf.path()),
                Some(ref name) => {
                    let path = leaf.path();
                    self.0.names.entry(name.clone()).or_insert(Meaning::Bound(path));
                }
            }
        }
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}

/// One of the paths of a `use`.
pub(crate) struct Leaf {
    pub(crate) segments: Vec<proc_macro2::Ident>,
    /// The name that it is bound to; none for all names of a module.
    pub(crate) binds: Option<String>,
}

impl Leaf {
    pub(crate) fn path(&self) -> Vec<String> {
        self.segments.iter().map(ToString::to_string).collect()
    }
}

/// The paths of a `use`.
pub(crate) fn leaves(tree: &UseTree) -> Vec<Leaf> {
    fn add(tree: &UseTree, before: &[proc_macro2::Ident], leaves: &mut Vec<Leaf>) {
        let with = |ident: &proc_macro2::Ident| [before, std::slice::from_ref(ident)].concat();
        match tree {
            UseTree::Path(path) => add(&path.tree, &with(&path.ident), leaves),
            UseTree::Group(group) => group.items.iter().for_each(|tree| add(tree, before, leaves)),
            UseTree::Glob(_) => leaves.push(Leaf { segments: before.to_vec(), binds: None }),
            // `{self}` stands for the path before it.
            UseTree::Name(name) if name.ident == "self" => {
                let binds = before.last().map(ToString::to_string);
                leaves.push(Leaf { segments: before.to_vec(), binds });
            }
            UseTree::Name(name) => {
                leaves.push(Leaf { segments: with(&name.ident), binds: Some(name.ident.to_string()) });
            }
            UseTree::Rename(rename) => {
                let segments = if rename.ident == "self" { before.to_vec() } else { with(&rename.ident) };
                leaves.push(Leaf { segments, binds: Some(rename.rename.to_string()) });
            }
        }
    }
    let mut found = Vec::new();
    add(tree, &[], &mut found);
    found
}

/// Whether a `use` gives its names on to others.
pub(crate) fn is_re_export(item: &ItemUse) -> bool {
    !matches!(item.vis, Visibility::Inherited)
}

/// Visits everything in a module's items.
pub(crate) fn visit_all<'ast>(module: &'ast Module, visitor: &mut impl Visit<'ast>) {
    for item in &module.items {
        visit::visit_item(visitor, item);
    }
}
