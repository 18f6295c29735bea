//! The values of filtered options, such as sizes and colours, that the products are for sale with.
//!
//! What a variant for sale has of the filtered options is a combination, such as M and red. A product has a set of
//! combinations. Equal sets are kept once, and a product has the number of its set: four bytes. A store without such
//! options keeps nothing.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::lookup::hash;
use super::names::NONE;
use crate::catalogue::natural_order::{is_negative, sort_naturally};
use crate::catalogue::option_kind::OptionKind;
use crate::catalogue::search::fold;
use crate::catalogue::variant::Variant;

/// How many options are filtered.
pub(crate) const FILTERED: usize = OptionKind::FILTERED.len();

/// For each filtered option the number of a value, or [`NONE`].
pub(crate) type Combination = [u32; FILTERED];

/// The combinations that products are for sale in, by the products' positions.
#[derive(Debug, Default)]
pub(crate) struct ForSale {
    values: [Values; FILTERED],
    combinations: Vec<Combination>,
    /// The numbers of the combinations of each set, one set after the other.
    joined: Vec<u32>,
    /// Where each set ends in `joined`.
    ends: Vec<u32>,
    /// The number of each product's set, or [`NONE`]; empty if no product has one.
    set_of: Vec<u32>,
}

/// The distinct values of an option. Values that differ only in spelling count as one.
#[derive(Debug, Default)]
struct Values {
    /// The number of each folded value.
    numbers: HashMap<Box<str>, u32>,
    /// The first spelling of each value, by its number: in their natural order, and else by the number of products.
    spellings: Vec<String>,
}

/// The parts of [`ForSale`] that are saved.
pub(super) struct Parts<'a> {
    pub(super) spellings: [&'a [String]; FILTERED],
    pub(super) combinations: &'a [Combination],
    pub(super) joined: &'a [u32],
    pub(super) ends: &'a [u32],
    pub(super) set_of: &'a [u32],
}

impl Values {
    /// The number of a value: a new number, unless the value is known in some spelling. `None` if nothing is left of it.
    fn add(&mut self, value: &str) -> Option<u32> {
        let folded = Some(folded(value)).filter(|folded| !folded.is_empty())?;
        let next = u32::try_from(self.spellings.len()).ok().filter(|next| *next < NONE)?;
        let number = self.numbers.entry(folded.into()).or_insert_with(|| {
            self.spellings.push(value.into());
            next
        });
        Some(*number)
    }

    /// Brings the values into their order. Returns the new number of each, by its former one.
    fn sort(&mut self, uses: &[u32]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(self.spellings.len()).collect();
        order.sort_by_cached_key(|&number| {
            let spelling = &self.spellings[number as usize];
            (Reverse(uses[number as usize]), fold(spelling))
        });
        sort_naturally(&mut order, |&number| &self.spellings[number as usize]);
        let mut numbers = vec![0; order.len()];
        for (number, &former) in (0..).zip(&order) {
            numbers[former as usize] = number;
        }
        self.spellings =
            order.iter().map(|&former| std::mem::take(&mut self.spellings[former as usize])).collect();
        self.numbers.values_mut().for_each(|number| *number = numbers[*number as usize]);
        numbers
    }
}

/// The form in which values are compared: folding makes a minus sign a space, which would make two lenses one.
fn folded(value: &str) -> String {
    if is_negative(value) { format!("-{}", fold(value)) } else { fold(value) }
}

/// How many of some products have each set.
#[derive(Debug)]
pub(crate) enum SetCounts {
    /// The set of each product: of fewer products than there are sets.
    Few(Vec<u32>),
    /// By the numbers of the sets.
    Many(Box<[u32]>),
}

impl SetCounts {
    /// Counts up to `most` products.
    pub(crate) fn of(for_sale: &ForSale, most: usize) -> Self {
        let sets = for_sale.number_of_sets();
        if most < sets { Self::Few(Vec::new()) } else { Self::Many(vec![0; sets].into()) }
    }

    /// Counts a product with this set, if it has one.
    #[inline]
    pub(crate) fn add(&mut self, set: u32) {
        match self {
            Self::Few(sets) => sets.extend(Some(set).filter(|set| *set != NONE)),
            Self::Many(counts) => {
                if let Some(count) = counts.get_mut(set as usize) {
                    *count += 1;
                }
            }
        }
    }

    /// Sets with the numbers of their products. A set may come more than once.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u32)> {
        let (few, many): (&[u32], &[u32]) = match self {
            Self::Few(sets) => (sets, &[]),
            Self::Many(counts) => (&[], counts),
        };
        few.iter().map(|&set| (set, 1)).chain((0..).zip(many.iter().copied()))
    }
}

/// Collects what products are for sale with, product by product.
#[derive(Debug, Default)]
pub(super) struct ForSaleBuilder {
    index: ForSale,
    /// The number of each spelling: most values occur again in the same spelling.
    spelled: [HashMap<Box<str>, Option<u32>>; FILTERED],
    combinations: HashMap<Combination, u32>,
    /// A set with each hash.
    sets: HashMap<u64, u32>,
    products: usize,
}

impl ForSaleBuilder {
    /// Adds the variants of the next product. Hashes have this seed.
    pub(super) fn push(&mut self, variants: &[Variant], seed: u64) {
        let for_sale = variants.iter().filter(|variant| !variant.availability.is_sold_out());
        let mut set: Vec<u32> = for_sale.filter_map(|variant| self.combination(variant)).collect();
        set.sort_unstable();
        set.dedup();
        let number = if set.is_empty() { NONE } else { self.set(&set, seed) };
        if number != NONE || !self.index.set_of.is_empty() {
            self.index.set_of.resize(self.products, NONE);
            self.index.set_of.push(number);
        }
        self.products += 1;
    }

    /// The number of a variant's combination; `None` if the variant has no filtered option.
    fn combination(&mut self, variant: &Variant) -> Option<u32> {
        let mut combination = [NONE; FILTERED];
        for option in &variant.options {
            let kind = OptionKind::of(&option.name);
            let place = OptionKind::FILTERED.iter().position(|filtered| Some(*filtered) == kind);
            // The first of two sizes counts.
            let Some(place) = place.filter(|place| combination[*place] == NONE) else { continue };
            let (spelled, values) = (&mut self.spelled[place], &mut self.index.values[place]);
            let number = match spelled.get(option.value.as_str()) {
                Some(number) => *number,
                None => {
                    *spelled.entry(option.value.as_str().into()).insert_entry(values.add(&option.value)).get()
                }
            };
            combination[place] = number.unwrap_or(NONE);
        }
        if combination == [NONE; FILTERED] {
            return None;
        }
        let known = &mut self.index.combinations;
        let next = u32::try_from(known.len()).ok().filter(|next| *next < NONE)?;
        let number = *self.combinations.entry(combination).or_insert_with(|| {
            known.push(combination);
            next
        });
        Some(number)
    }

    /// The number of a set: that of an equal one, if there is one.
    fn set(&mut self, set: &[u32], seed: u64) -> u32 {
        let bytes: Vec<u8> = set.iter().flat_map(|number| number.to_le_bytes()).collect();
        let index = &mut self.index;
        // There are at most as many sets as products, whose number fits 32 bits.
        let next = index.ends.len() as u32;
        let number = *self.sets.entry(hash(seed, &bytes)).or_insert(next);
        if number != next && index.set(number) == set {
            return number;
        }
        index.joined.extend(set);
        match u32::try_from(index.joined.len()) {
            Ok(end) => index.ends.push(end),
            // Sets beyond what 32 bits can count are not found.
            Err(_) => {
                index.joined.truncate(index.joined.len() - set.len());
                index.ends.push(index.joined.len() as u32);
            }
        }
        next
    }

    pub(super) fn finish(self) -> ForSale {
        let mut index = self.index;
        let mut counts = SetCounts::of(&index, index.set_of.len());
        index.set_of.iter().for_each(|&set| counts.add(set));
        let uses = index.tally(counts.counts(), |_, _| true);
        for (place, uses) in uses.iter().enumerate() {
            let numbers = index.values[place].sort(uses);
            for combination in &mut index.combinations {
                combination[place] = numbers.get(combination[place] as usize).copied().unwrap_or(NONE);
            }
        }
        index.combinations.shrink_to_fit();
        index.joined.shrink_to_fit();
        index.ends.shrink_to_fit();
        index.set_of.shrink_to_fit();
        index
    }
}

impl ForSale {
    /// What was saved; `None` if it does not fit together, or does not fit this many products.
    pub(super) fn of(
        spellings: [Vec<String>; FILTERED],
        combinations: Vec<Combination>,
        joined: Vec<u32>,
        ends: Vec<u32>,
        set_of: Vec<u32>,
    ) -> Option<Self> {
        let mut values: [Values; FILTERED] = Default::default();
        for (values, spellings) in values.iter_mut().zip(&spellings) {
            for (expected, spelling) in (0..).zip(spellings) {
                if values.add(spelling) != Some(expected) {
                    return None;
                }
            }
        }
        let is_below = |number: u32, count: usize| (number as usize) < count;
        let is_value =
            |(number, values): (&u32, &Values)| *number == NONE || is_below(*number, values.spellings.len());
        let fit = combinations.iter().all(|combination| combination.iter().zip(&values).all(is_value))
            && joined.iter().all(|&number| is_below(number, combinations.len()))
            && ends.is_sorted()
            && ends.last().map_or(0, |&end| end as usize) == joined.len()
            && set_of.iter().all(|&set| set == NONE || is_below(set, ends.len()));
        fit.then_some(Self { values, combinations, joined, ends, set_of })
    }

    pub(super) fn parts(&self) -> Parts<'_> {
        let Self { values, combinations, joined, ends, set_of } = self;
        Parts {
            spellings: values.each_ref().map(|values| &*values.spellings),
            combinations,
            joined,
            ends,
            set_of,
        }
    }

    /// How many values a filtered option has.
    pub(crate) fn number_of_values(&self, place: usize) -> usize {
        self.values[place].spellings.len()
    }

    /// The number of a value of a filtered option, given in any spelling, if a product is for sale with it.
    pub(crate) fn number(&self, place: usize, value: &str) -> Option<u32> {
        self.values[place].numbers.get(&*folded(value)).copied()
    }

    /// The catalogue's spelling of the value with this number.
    pub(crate) fn spelling(&self, place: usize, number: u32) -> &str {
        &self.values[place].spellings[number as usize]
    }

    pub(crate) fn combinations(&self) -> &[Combination] {
        &self.combinations
    }

    /// How many sets there are.
    pub(crate) fn number_of_sets(&self) -> usize {
        self.ends.len()
    }

    /// The number of a product's set; [`NONE`] if it has none.
    #[inline]
    pub(crate) fn set_of(&self, position: u32) -> u32 {
        self.set_of.get(position as usize).copied().unwrap_or(NONE)
    }

    /// The numbers of the combinations of a set.
    pub(crate) fn set(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(0);
        self.joined.get(start as usize..end as usize).unwrap_or_default()
    }

    /// For each value of each option the number of products that have it in a combination which `admits` accepts for that
    /// option. `counts` has sets, each with the number of its products; a set may come more than once.
    pub(crate) fn tally(
        &self,
        counts: impl Iterator<Item = (u32, u32)>,
        admits: impl Fn(usize, &Combination) -> bool,
    ) -> [Vec<u32>; FILTERED] {
        let admitted = |own: &Combination| -> Combination {
            std::array::from_fn(|place| if admits(place, own) { own[place] } else { NONE })
        };
        let admitted: Vec<Combination> = self.combinations.iter().map(admitted).collect();
        // The number of products with each value, and the last of `counts` for which it was counted: a product with two
        // red variants is one product.
        let mut tallies: [Vec<(u32, u32)>; FILTERED] =
            std::array::from_fn(|place| vec![(0, 0); self.number_of_values(place)]);
        for ((set, count), turn) in counts.zip(1_u32..).filter(|((_, count), _)| *count > 0) {
            for &combination in self.set(set) {
                for (tallies, value) in tallies.iter_mut().zip(admitted[combination as usize]) {
                    if let Some((tally, last)) = tallies.get_mut(value as usize).filter(|own| own.1 != turn) {
                        *last = turn;
                        *tally += count;
                    }
                }
            }
        }
        tallies.map(|tallies| tallies.into_iter().map(|(tally, _)| tally).collect())
    }

    /// The numbers of the values that occur among these products, in ascending order.
    pub(super) fn occurring(&self, positions: &[u32]) -> [Box<[u32]>; FILTERED] {
        if self.set_of.is_empty() {
            return Default::default();
        }
        let mut counts = SetCounts::of(self, positions.len());
        positions.iter().for_each(|&position| counts.add(self.set_of(position)));
        let tallies = self.tally(counts.counts(), |_, _| true);
        tallies.map(|tallies| {
            (0..).zip(tallies).filter(|(_, tally)| *tally > 0).map(|(number, _)| number).collect()
        })
    }

    /// Approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let spellings = self.values.iter().flat_map(|values| &values.spellings);
        let texts: usize = spellings.map(|spelling| 2 * (spelling.len() + size_of::<String>())).sum();
        texts
            + size_of_val(&*self.combinations)
            + size_of_val(&*self.joined)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.set_of)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sold_as, store};
    use super::*;
    use crate::catalogue::Availability;
    use crate::catalogue::model::{Product, Summary, Terms};
    use crate::catalogue::variant::VariantOption;
    use crate::profile::Money;

    fn variant(options: &[(&str, &str)], stock: u32) -> Variant {
        let option = |&(name, value): &(&str, &str)| VariantOption { name: name.into(), value: value.into() };
        Variant {
            options: options.iter().map(option).collect(),
            price: Money::from_minor(100),
            list_price: None,
            availability: Availability::of_stock(stock),
            sku: String::new(),
            gtin: None,
            picture: None,
            link: None,
            terms: Terms::default(),
        }
    }

    fn products(variants: Vec<Vec<Variant>>) -> Vec<Product> {
        let product = |(number, variants): (u64, _)| Product {
            summary: Summary { id: number.into(), ..Summary::default() },
            variants,
            ..Product::default()
        };
        (1..).zip(variants).map(product).collect()
    }

    fn values(for_sale: &ForSale, place: usize) -> Vec<&str> {
        let numbers = (0..).take(for_sale.number_of_values(place));
        numbers.map(|number| for_sale.spelling(place, number)).collect()
    }

    #[test]
    fn products_are_sold_as_what_is_for_sale_and_equal_sets_are_kept_once() {
        let store = store(&products(vec![
            vec![],
            vec![
                variant(&[("Size", "L"), ("Colour", "Red")], 1),
                variant(&[("Size", "S"), ("Colour", "Red")], 0),
                variant(&[("Size", "S"), ("Colour", "Blue")], 1),
            ],
            vec![variant(&[("Material", "Wool")], 1)],
            vec![
                variant(&[("Farbe", "BLUE"), ("Größe", "s")], 3),
                variant(&[("Farbe", "red"), ("Größe", "l"), ("Size", "7")], 3),
            ],
            vec![variant(&[("Size", "XL")], 0)],
            vec![variant(&[("Colour", "Blue"), ("Fit", "Slim")], 1)],
        ]));
        let for_sale = store.for_sale();
        let owned = |size: Option<&str>, colour: &str| [size.map(str::to_owned), Some(colour.to_owned())];
        let sets: Vec<_> = (0..6).map(|position| sold_as(&store, position)).collect();
        let both = vec![owned(Some("L"), "Red"), owned(Some("S"), "Blue")];
        assert_eq!(sets, [vec![], both.clone(), vec![], both, vec![], vec![owned(None, "Blue")]]);
        assert_eq!(for_sale.number_of_sets(), 2);
        assert_eq!(values(for_sale, 0), ["S", "L"], "neither what is sold out nor a second size");
        // Three products are blue, and two are red.
        assert_eq!(values(for_sale, 1), ["Blue", "Red"]);
        assert_eq!((for_sale.number(0, "l"), for_sale.number(0, "XL")), (Some(1), None));
        assert_eq!(for_sale.occurring(&[0, 2, 4]), <[Box<[u32]>; 2]>::default());
        assert_eq!(for_sale.occurring(&[5]), [[].into(), [0].into()]);
        assert_eq!(for_sale.occurring(&[0, 1, 2, 3, 4, 5]), [[0, 1].into(), [0, 1].into()]);
    }

    #[test]
    fn values_that_differ_in_a_sign_are_two() {
        let sizes =
            ["+2.5", "-2.5", "2.5", "\u{2212}2.5", "0"].map(|size| vec![variant(&[("Size", size)], 1)]);
        let store = store(&products(sizes.into()));
        assert_eq!(values(store.for_sale(), 0), ["-2.5", "0", "+2.5", "2.5"]);
    }

    #[test]
    fn a_store_without_options_keeps_nothing() {
        let store = store(&products(vec![vec![variant(&[("Material", "Wool")], 1)], vec![]]));
        assert_eq!((store.for_sale().size(), store.for_sale().set_of(0)), (0, NONE));
    }
}
