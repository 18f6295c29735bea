//! The categories of a file, which may have paths of names such as `Men > Shoes`. The last name of a path counts, unless
//! several paths end with it: then each of these is named after what is above it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::catalogue::letters::Spelling;
use crate::catalogue::model::{Product, clean_tag};
use crate::catalogue::slug::Slug;

/// Maximum number of categories in a shop. Each takes memory for every brand and category.
const MOST_CATEGORIES: usize = 2_000;
/// How many names of a path are kept, from its end.
const MOST_NAMES: usize = 4;
/// Stands between the names of a path until it is named. No name has control characters.
const SEPARATOR: &str = "\u{1f}";

/// Where addresses lead that categories do not have: the slug of a name that several share to the largest of these, and a
/// slug with a hash to the one without.
pub(super) type Renamed = HashMap<Slug, Slug>;

/// A category as products name it.
struct Path {
    /// The slug of its last name.
    name: Slug,
    /// What is above it, from the top.
    above: Vec<String>,
    products: usize,
}

/// A category with its address.
struct Named {
    slug: Slug,
    /// The text that its address is made from.
    address: String,
}

impl Named {
    /// The category that is called `name`.
    fn of(name: &Slug) -> Self {
        Self { slug: name.clone(), address: name.name().unwrap_or(name.as_str()).to_owned() }
    }
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
pub(super) fn name_categories(products: &mut [Box<Product>], spelling: Spelling) -> Renamed {
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
    let (mut named, mut renamed) = named(&paths);
    remove_codes(&mut named, &mut renamed, spelling);
    for (product, place) in products.iter_mut().zip(places) {
        product.summary.category = place.and_then(|place| named.get(place)).map(|named| named.slug.clone());
    }
    renamed
}

/// What each path is called, and where the addresses of last names lead that no category has.
fn named(paths: &[Path]) -> (Vec<Named>, Renamed) {
    let mut namesakes = BTreeMap::<&Slug, Vec<(usize, &Path)>>::new();
    for (place, path) in paths.iter().enumerate() {
        namesakes.entry(&path.name).or_default().push((place, path));
    }
    let mut taken: HashSet<Slug> = namesakes.keys().map(|name| (*name).clone()).collect();
    let (mut named, mut renamed) =
        (paths.iter().map(|path| Named::of(&path.name)).collect::<Vec<_>>(), Renamed::new());
    for (name, mut paths) in namesakes.into_iter().filter(|(_, paths)| paths.len() > 1) {
        // The largest first, and of equal ones the first of the file.
        paths.sort_by_key(|(place, path)| (Reverse(path.products), *place));
        let length = shortest_distinct(&paths);
        for (place, path) in &paths {
            if let Some(qualified) = qualified(path.above(length), &path.name.title(), &taken) {
                taken.insert(qualified.slug.clone());
                named[*place] = qualified;
            }
        }
        if let Some(largest) = paths.first().map(|(place, _)| named[*place].slug.clone())
            && paths.iter().all(|(place, _)| named[*place].slug != *name)
        {
            renamed.insert(name.clone(), largest);
        }
    }
    (named, renamed)
}

/// Gives categories addresses without a hash. Of those that would have the same address, the first by name gets it. An
/// address with a hash leads to the one without.
fn remove_codes(named: &mut [Named], renamed: &mut Renamed, spelling: Spelling) {
    let mut taken: HashSet<Slug> = named.iter().map(|named| named.slug.clone()).collect();
    let shared: Vec<Slug> = renamed.keys().cloned().collect();
    taken.extend(shared.iter().cloned());
    let mut order: Vec<usize> = (0..named.len()).collect();
    order.sort_by_cached_key(|place| (named[*place].slug.title(), *place));
    for place in order {
        let Named { slug, address } = &mut named[place];
        let without = Slug::without_code(address, &slug.title(), spelling);
        let Some(without) = without.filter(|without| taken.insert(without.clone())) else { continue };
        renamed.values_mut().filter(|to| *to == slug).for_each(|to| to.clone_from(&without));
        renamed.insert(std::mem::replace(slug, without.clone()), without);
    }
    for name in shared {
        let text = name.name().unwrap_or(name.as_str());
        if let (Some(without), Some(to)) =
            (Slug::without_code(text, text, spelling), renamed.get(&name).cloned())
            && taken.insert(without.clone())
        {
            renamed.insert(without, to);
        }
    }
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
fn qualified(above: &[String], name: &str, taken: &HashSet<Slug>) -> Option<Named> {
    if above.is_empty() {
        return None;
    }
    let shown = format!("{name} ({})", above.join(", "));
    let address = format!("{} {name}", above.join(" "));
    match Slug::named(&address, &shown).filter(|slug| !taken.contains(slug)) {
        Some(slug) => Some(Named { slug, address }),
        None => Slug::of(&shown).map(|slug| Named { slug, address: shown }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address and name of each category, and where other addresses lead.
    fn categories(written: &[&str], spelling: Spelling) -> (Vec<String>, Vec<String>) {
        let product = |path: &&str| {
            let mut product = Product::default();
            product.summary.category = category(path);
            Box::new(product)
        };
        let mut products: Vec<_> = written.iter().map(product).collect();
        let renamed = name_categories(&mut products, spelling);
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
                &["shoes-men Shoes (Men)", "shoes Shoes", "men-shoes Men Shoes"],
                &["shoes-men-i4fl6k shoes-men"],
            ),
            (
                &["", " > ", "Lamps >", "desk--lamps"],
                &["", "", "lamps Lamps", "desk-lamps Desk  Lamps"],
                &["desk--lamps desk-lamps"],
            ),
            // Both want one address: the first name in order has it.
            (
                &["A > B C", "X > B C", "A B > C", "Y > C"],
                &["a-b-c B C (A)", "x-b-c B C (X)", "c-a-b C (A B)", "y-c C (Y)"],
                &["b-c a-b-c", "c c-a-b", "c-a-b-e4clkm c-a-b"],
            ),
        ] {
            let (found, leads) = categories(written, Spelling::Usual);
            assert_eq!((&*found, &*leads), (&*strings(named), &*strings(renamed)), "{written:?}");
        }
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn an_address_has_no_code_unless_another_category_has_it() {
        let (straeusse, cafe, tea) = (Slug::of("Sträuße"), Slug::of("Café & Tee"), Slug::of("Café + Tee"));
        let [straeusse, cafe, tea] = [straeusse, cafe, tea].map(|slug| slug.unwrap().to_string());
        for (written, spelling, named, renamed) in [
            (
                &["Sträuße"][..],
                Spelling::German,
                &["straeusse Sträuße"][..],
                vec![format!("{straeusse} straeusse")],
            ),
            // As two characters the letter is the same.
            (
                &["Stra\u{308}uße"],
                Spelling::German,
                &["straeusse Stra\u{308}uße"],
                vec![format!("{straeusse} straeusse")],
            ),
            (&["Sträuße"], Spelling::Usual, &["strausse Sträuße"], vec![format!("{straeusse} strausse")]),
            (
                &["Straeusse", "Sträuße"],
                Spelling::German,
                &["straeusse Straeusse", &format!("{straeusse} Sträuße")],
                vec![],
            ),
            // The first by name, whatever the order of the file.
            (
                &["Café + Tee", "Café & Tee"],
                Spelling::Usual,
                &[&format!("{tea} Café + Tee"), "cafe-tee Café & Tee"],
                vec![format!("{cafe} cafe-tee")],
            ),
            (
                &["Damen > Sträuße", "Herren > Sträuße"],
                Spelling::German,
                &["damen-straeusse Sträuße (Damen)", "herren-straeusse Sträuße (Herren)"],
                vec![
                    format!("{} damen-straeusse", Slug::of("Damen Sträuße").unwrap()),
                    format!("{} herren-straeusse", Slug::of("Herren Sträuße").unwrap()),
                    format!("{straeusse} damen-straeusse"),
                    "straeusse damen-straeusse".into(),
                ],
            ),
        ] {
            let (found, leads) = categories(written, spelling);
            let mut renamed = renamed;
            renamed.sort_unstable();
            assert_eq!((&*found, leads), (&*strings(named), renamed), "{written:?}");
        }
    }

    #[test]
    fn there_are_only_so_many_categories() {
        let written: Vec<String> = (0..MOST_CATEGORIES + 5).map(|number| format!("{number} > A")).collect();
        let (named, _) = categories(&written.iter().map(String::as_str).collect::<Vec<_>>(), Spelling::Usual);
        assert_eq!(named.iter().filter(|name| !name.is_empty()).count(), MOST_CATEGORIES);
        assert_eq!(named[7], "7-a A (7)");
    }

    #[test]
    fn a_category_is_written_as_the_path_that_gives_it_again() {
        let named = |above: &[&str], name| {
            let above: Vec<String> = above.iter().map(|name| (*name).to_owned()).collect();
            qualified(&above, name, &HashSet::new()).and_then(|named| named.slug.path())
        };
        assert_eq!(named(&["Men"], "Shoes").as_deref(), Some("Men > Shoes"));
        assert_eq!(named(&["Men", "Sale"], "Shoes").as_deref(), Some("Men > Sale > Shoes"));
        assert_eq!(Slug::of("Lamps (LED)").and_then(|slug| slug.path()), None);
    }
}
