//! Choosing some of many positions.

/// The positions for which `is_kept` returns true, in their order. There is no branch for each position: where about
/// half are kept, the processor would often predict it wrongly.
pub(super) fn kept(
    positions: impl ExactSizeIterator<Item = u32>,
    mut is_kept: impl FnMut(u32) -> bool,
) -> Vec<u32> {
    let mut kept = vec![0; positions.len()];
    let mut count = 0;
    for position in positions {
        kept[count] = position;
        count += usize::from(is_kept(position));
    }
    kept.truncate(count);
    kept
}

/// The positions that are also in `among`, in their order. All positions are less than `count`.
pub(crate) fn chosen(positions: impl ExactSizeIterator<Item = u32>, among: &[u32], count: usize) -> Vec<u32> {
    let mut is_chosen = vec![false; count];
    among.iter().for_each(|&position| is_chosen[position as usize] = true);
    kept(positions, |position| is_chosen[position as usize])
}

#[cfg(test)]
mod tests {
    use super::{chosen, kept};

    #[test]
    fn some_positions_are_kept_in_their_order() {
        let even = |position| position % 2 == 0;
        assert_eq!(kept([7, 4, 2, 9].into_iter(), even), [4, 2]);
        assert_eq!(kept([4, 7].into_iter(), even), [4]);
        assert_eq!(kept([].into_iter(), even), [0_u32; 0]);
        assert_eq!(chosen([7, 4, 2, 9].into_iter(), &[9, 4, 1], 10), [4, 9]);
    }
}
