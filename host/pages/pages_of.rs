//! Divides a long list into pages.

use crate::contract::Pages;

/// The page of `list` with this number, or the last one if there are fewer.
pub(super) fn page_of<T>(list: &[T], size: usize, page: u32) -> (&[T], Pages) {
    let page_count = list.len().div_ceil(size).max(1);
    let page = (page as usize).clamp(1, page_count);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let shown = list.chunks(size).nth(page - 1).unwrap_or_default();
    (shown, Pages { total: number(list.len()), page: number(page), page_count: number(page_count) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_at_least_one_page_and_no_page_beyond_the_last() {
        let list: Vec<u32> = (0..250).collect();
        for (length, page, shown, number, page_count) in [
            (0, 1, 0..0, 1, 1),
            (100, 2, 0..100, 1, 1),
            (250, 0, 0..100, 1, 3),
            (250, u32::MAX, 200..250, 3, 3),
        ] {
            let pages = Pages { total: u32::try_from(length).unwrap(), page: number, page_count };
            assert_eq!(page_of(&list[..length], 100, page), (&list[shown], pages), "{length} {page}");
        }
    }
}
