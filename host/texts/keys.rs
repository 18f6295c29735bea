//! The keys of the interface's texts, which `build.rs` writes from `client/texts/en.json`.

include!(concat!(env!("OUT_DIR"), "/text_keys.rs"));

/// The bundle or program that shows a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Pages: the client and the isolates. The host may use these texts, too.
    Pages,
    /// The script of suggestions.
    Suggestions,
    /// The host alone.
    Host,
}

impl Section {
    pub(crate) const EVERY: [Self; 3] = [Self::Pages, Self::Suggestions, Self::Host];

    /// The keys of this section, with their numbers.
    pub(crate) fn keys(self) -> impl Iterator<Item = (usize, &'static str)> {
        let before = SECTIONS[..self as usize].iter().map(|(_, texts)| texts).sum();
        NAMES.iter().copied().enumerate().skip(before).take(SECTIONS[self as usize].1)
    }
}

impl Key {
    /// The key in the files of texts.
    #[cfg(test)]
    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}
