//! The order of search results.

use crate::catalogue::search::Rank;
use crate::catalogue::store::Store;

/// A product that was found, as its rank and its position in one number, which is sorted faster than two. The lowest
/// is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(u64);

impl Ranked {
    fn new(fit: usize, store: &Store, position: u32) -> Self {
        let rank = Rank::new(fit, store.merit(position));
        Self(u64::from(rank.number()) << 32 | u64::from(position))
    }

    fn position(self) -> u32 {
        self.0 as u32
    }
}

/// The positions of the `most` best products, the best first.
fn sorted(mut found: Vec<Ranked>, most: usize) -> Vec<u32> {
    if found.len() > most {
        found.select_nth_unstable(most);
        found.truncate(most);
    }
    found.sort_unstable();
    found.into_iter().map(Ranked::position).collect()
}

/// The positions of the `most` best products of a store that fit, the best first. `fits` has the
/// [`Fit`](crate::catalogue::search::Fit) or [`Hit`](crate::catalogue::search::Hit) of each product, and `number` gives
/// its number. A product whose number is `count` or more does not fit.
pub(super) fn by_fit<T: Copy>(
    fits: &[T],
    number: impl Fn(T) -> usize,
    count: usize,
    store: &Store,
    most: usize,
) -> Vec<u32> {
    /// Up to this fraction of all products, sorting is faster than going through all products in the order of merit.
    const FEW: usize = 16;
    let mut counts = vec![0; count];
    for &fit in fits {
        if let Some(count) = counts.get_mut(number(fit)) {
            *count += 1;
        }
    }
    // Where the products of each fit begin and end in the result: the best first, until there are enough.
    let mut total = 0;
    let mut places = Vec::with_capacity(count);
    for count in &counts {
        let start = total;
        total += count.min(&(most - total));
        places.push((start, total));
    }
    let Some(worst) = places.iter().rposition(|(start, end)| start < end) else { return Vec::new() };
    if counts[..=worst].iter().sum::<usize>() <= store.len() / FEW {
        let found = (0..).zip(fits).map(|(position, &fit)| (position, number(fit)));
        let found = found.filter(|(_, fit)| *fit <= worst);
        return sorted(found.map(|(position, fit)| Ranked::new(fit, store, position)).collect(), most);
    }
    let mut found = vec![0; total];
    let mut missing = total;
    for &position in store.word_index().by_merit() {
        if let Some((next, end)) = places.get_mut(number(fits[position as usize]))
            && next < end
        {
            found[*next] = position;
            *next += 1;
            missing -= 1;
            if missing == 0 {
                break;
            }
        }
    }
    found
}
