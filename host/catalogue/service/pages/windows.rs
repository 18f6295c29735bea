//! Which parts of a list to read again for products that are missing.

use std::collections::VecDeque;

use super::list::Range;

/// Few parts of at most `limit` entries that have these positions, which are in order. Each begins and ends `overlap`
/// entries farther out where it can, because the list may move meanwhile.
pub(super) fn windows(missing: &[u64], limit: u64, overlap: u64) -> VecDeque<Range> {
    let overlap = overlap.min(limit / 4);
    let mut windows: VecDeque<Range> = VecDeque::new();
    for &position in missing {
        match windows.back_mut() {
            Some(Range { skip, limit: own }) if position + overlap < *skip + limit => {
                *own = position + overlap + 1 - *skip;
            }
            _ => {
                let skip = position.saturating_sub(overlap);
                windows.push_back(Range { skip, limit: position + overlap + 1 - skip });
            }
        }
    }
    windows
}

/// The halves of a part; `None` if they would be smaller than `smallest`.
pub(super) fn halves(range: Range, smallest: u64) -> Option<[Range; 2]> {
    let Range { skip, limit } = range;
    let half = limit / 2;
    let halves = [Range { skip, limit: half }, Range { skip: skip + half, limit: limit - half }];
    (half >= smallest).then_some(halves)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_is_halved_down_to_the_smallest() {
        let range = |skip, limit| Range { skip, limit };
        assert_eq!(halves(range(7, 9), 4), Some([range(7, 4), range(11, 5)]));
        assert_eq!(halves(range(7, 9), 5), None);
    }

    proptest! {
        #[test]
        fn windows_have_every_missing_position_and_are_few(
            missing in prop::collection::btree_set(0_u64..3_000, 0..200), limit in 8_u64..300, overlap in 0_u64..9,
        ) {
            let missing: Vec<u64> = missing.into_iter().collect();
            let windows = windows(&missing, limit, overlap);
            for position in &missing {
                prop_assert!(windows.iter().any(|range| (range.skip..range.skip + range.limit).contains(position)));
            }
            prop_assert!(windows.iter().all(|range| range.limit <= limit));
            prop_assert!(windows.len() as u64 <= 1 + 3_000 / (limit - 2 * overlap.min(limit / 4)));
        }
    }
}
