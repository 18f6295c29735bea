//! The categories of a file, which may have paths of names such as `Men > Shoes`. The last name of a path counts, unless
//! several paths end with it: then each of these is named after what is above it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::catalogue::model::{Product, clean_tag};
use crate::catalogue::slug::Slug;

/// Maximum number of categories in a shop. Each takes memory for every brand and category.
const MOST_CATEGORIES: usize = 2_000;
/// How many names of a path are kept, from its end.
const MOST_NAMES: usize = 4;
/// Stands between the names of a path until it is named. No name has control characters.
const SEPARATOR: &str = "\u{1f}";

/// Categories that are not called by the last names of their paths alone, by the slugs of these names. Each of those
/// leads to the largest of the categories that share it.
pub(super) type Renamed = HashMap<Slug, Slug>;

/// A category as products name it.
struct Path {
    /// The slug of its last name.
    name: Slug,
    /// What is above it, from the top.
    above: Vec<String>,
    products: usize,
}

impl Path {
    /// The path with which [`category`] has named a slug.
    fn of(slug: &Slug) -> Option<Self> {
        let Some((above, name)) = slug.name().and_then(|path| path.rsplit_once(SEPARATOR)) else {
            return Some(Self { name: slug.clone(), above: Vec::new(), products: 0 });
        };
        let above = above.split(SEPARATOR).map(Into::into).collect();
        Some(Self { name: Slug::of(name)?, above, products: 0 })
    }

    /// The last `count` names of what is above it.
    fn above(&self, count: usize) -> &[String] {
        &self.above[self.above.len().saturating_sub(count)..]
    }

    /// What tells it from others.
    fn key(&self) -> String {
        let above = self.above.iter().flat_map(|name| [SEPARATOR, name]);
        [self.name.as_str()].into_iter().chain(above).collect::<String>().to_lowercase()
    }
}

/// The slug of a path as a file writes it, before [`name_categories`] names it; `None` for a blank one.
pub(super) fn category(path: &str) -> Option<Slug> {
    let mut names: Vec<String> = path.rsplit('>').filter_map(clean_tag).take(MOST_NAMES).collect();
    names.reverse();
    match &*names {
        [name] => Slug::of(name),
        names => Slug::named(names.last()?, &names.join(SEPARATOR)),
    }
}

/// Names the categories of the products, and leaves out those after the first [`MOST_CATEGORIES`].
pub(super) fn name_categories(products: &mut [Box<Product>]) -> Renamed {
    let mut paths = Vec::<Path>::new();
    // The places in `paths` of categories as they are written, and of what tells them apart.
    let (mut by_text, mut by_key) =
        (HashMap::<String, Option<usize>>::new(), HashMap::<String, usize>::new());
    let mut place_of = |slug: &Slug| {
        let text = slug.name().unwrap_or(slug.as_str());
        let known = by_text.get(text).copied();
        let place = known.unwrap_or_else(|| {
            let path = Path::of(slug)?;
            let key = path.key();
            let place = by_key.get(&key).copied().or_else(|| {
                let place = Some(paths.len()).filter(|place| *place < MOST_CATEGORIES)?;
                paths.push(path);
                by_key.insert(key, place);
                Some(place)
            });
            by_text.insert(text.to_owned(), place);
            place
        })?;
        paths.get_mut(place)?.products += 1;
        Some(place)
    };
    let places: Vec<Option<usize>> =
        products.iter().map(|product| place_of(product.summary.category.as_ref()?)).collect();
    let (named, renamed) = named(&paths);
    for (product, place) in products.iter_mut().zip(places) {
        product.summary.category = place.and_then(|place| named.get(place).cloned());
    }
    renamed
}

/// What each path is called, and where the addresses of last names lead that no category has.
fn named(paths: &[Path]) -> (Vec<Slug>, Renamed) {
    let mut namesakes = BTreeMap::<&Slug, Vec<(usize, &Path)>>::new();
    for (place, path) in paths.iter().enumerate() {
        namesakes.entry(&path.name).or_default().push((place, path));
    }
    let mut taken: HashSet<Slug> = namesakes.keys().map(|name| (*name).clone()).collect();
    let (mut named, mut renamed) =
        (paths.iter().map(|path| path.name.clone()).collect::<Vec<_>>(), Renamed::new());
    for (name, mut paths) in namesakes.into_iter().filter(|(_, paths)| paths.len() > 1) {
        // The largest first, and of equal ones the first of the file.
        paths.sort_by_key(|(place, path)| (Reverse(path.products), *place));
        let length = shortest_distinct(&paths);
        for (place, path) in &paths {
            if let Some(qualified) = qualified(path.above(length), &path.name.title(), &taken) {
                taken.insert(qualified.clone());
                named[*place] = qualified;
            }
        }
        if let Some(largest) = paths.first().map(|(place, _)| named[*place].clone())
            && paths.iter().all(|(place, _)| named[*place] != *name)
        {
            renamed.insert(name.clone(), largest);
        }
    }
    (named, renamed)
}

/// How many names above are needed to tell these paths apart.
fn shortest_distinct(paths: &[(usize, &Path)]) -> usize {
    let are_distinct = |length: &usize| {
        let mut seen = HashSet::new();
        paths.iter().all(|(_, path)| seen.insert(path.above(*length).join(" ").to_lowercase()))
    };
    (1..MOST_NAMES).find(are_distinct).unwrap_or(MOST_NAMES)
}

/// The category `name` below `above`, such as `Shoes (Men)` at `men-shoes`; `None` if there is nothing above it.
fn qualified(above: &[String], name: &str, taken: &HashSet<Slug>) -> Option<Slug> {
    let shown = format!("{name} ({})", above.join(", "));
    let address = Slug::named(&format!("{} {name}", above.join(" ")), &shown);
    let free = address.filter(|slug| !taken.contains(slug)).or_else(|| Slug::of(&shown));
    free.filter(|_| !above.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address and name of each category, and where other addresses lead.
    fn categories(written: &[&str]) -> (Vec<String>, Vec<String>) {
        let product = |path: &&str| {
            let mut product = Product::default();
            product.summary.category = category(path);
            Box::new(product)
        };
        let mut products: Vec<_> = written.iter().map(product).collect();
        let renamed = name_categories(&mut products);
        let shown = |product: Box<Product>| {
            product.summary.category.map(|slug| format!("{slug} {}", slug.title())).unwrap_or_default()
        };
        let mut renamed: Vec<String> = renamed.into_iter().map(|(old, new)| format!("{old} {new}")).collect();
        renamed.sort_unstable();
        (products.into_iter().map(shown).collect(), renamed)
    }

    #[test]
    fn a_path_is_called_by_its_last_name_unless_others_are_called_so_too() {
        for (written, named, renamed) in [
            (&["Home > Lamps", "Home > Lamps"][..], &["lamps Lamps"; 2][..], &[][..]),
            (
                &["Men > Shoes", "Women > Shoes", "women>shoes"],
                &["men-shoes Shoes (Men)", "women-shoes Shoes (Women)", "women-shoes Shoes (Women)"],
                &["shoes women-shoes"],
            ),
            // A path without anything above it keeps its name and address.
            (&["Sale > Shoes", "Shoes"], &["sale-shoes Shoes (Sale)", "shoes Shoes"], &[]),
            (
                &["Men > Sale > Shoes", "Women > Sale > Shoes"],
                &["men-sale-shoes Shoes (Men, Sale)", "women-sale-shoes Shoes (Women, Sale)"],
                &["shoes men-sale-shoes"],
            ),
            // An address that is another category's is not taken.
            (
                &["Men > Shoes", "Shoes", "Men Shoes"],
                &["shoes-men-i4fl6k Shoes (Men)", "shoes Shoes", "men-shoes Men Shoes"],
                &[],
            ),
            (
                &["", " > ", "Lamps >", "desk--lamps"],
                &["", "", "lamps Lamps", "desk--lamps Desk  Lamps"],
                &[],
            ),
            // Both want one address: the first name in order has it.
            (
                &["A > B C", "X > B C", "A B > C", "Y > C"],
                &["a-b-c B C (A)", "x-b-c B C (X)", "c-a-b-e4clkm C (A B)", "y-c C (Y)"],
                &["b-c a-b-c", "c c-a-b-e4clkm"],
            ),
        ] {
            let (found, leads) = categories(written);
            assert_eq!((&*found, &*leads), (&*strings(named), &*strings(renamed)), "{written:?}");
        }
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn there_are_only_so_many_categories() {
        let written: Vec<String> = (0..MOST_CATEGORIES + 5).map(|number| format!("{number} > A")).collect();
        let (named, _) = categories(&written.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(named.iter().filter(|name| !name.is_empty()).count(), MOST_CATEGORIES);
        assert_eq!(named[7], "7-a A (7)");
    }

    #[test]
    fn a_category_is_written_as_the_path_that_gives_it_again() {
        let named = |above: &[&str], name| {
            let above: Vec<String> = above.iter().map(|name| (*name).to_owned()).collect();
            qualified(&above, name, &HashSet::new()).and_then(|slug| slug.path())
        };
        assert_eq!(named(&["Men"], "Shoes").as_deref(), Some("Men > Shoes"));
        assert_eq!(named(&["Men", "Sale"], "Shoes").as_deref(), Some("Men > Sale > Shoes"));
        assert_eq!(Slug::of("Lamps (LED)").and_then(|slug| slug.path()), None);
    }
}
