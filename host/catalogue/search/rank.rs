//! How well a product fits a search, for the order of its results.

/// The largest number of words of a search that are looked for.
pub(crate) const MOST_WORDS: usize = 12;
/// The number of bits of [`merit`].
const MERIT_BITS: u32 = 11;
/// The numbers of values of [`Spot`] in a title, of likenesses, and of fields.
const TITLE_SPOTS: u8 = 3;
const LIKENESSES: u8 = 4;
const FIELDS: u8 = 4;
/// Words that are farther apart count as this far, in bytes.
const FARTHEST: usize = u8::MAX as usize;
/// How many values the sum of the likenesses of all words may have.
const SUMS_OF_LIKENESSES: usize = MOST_WORDS * (LIKENESSES as usize - 1) + 1;
/// The first [`Fit`] of products with all words in the title, after that of equal titles and of those that begin with
/// the search, and the first one of other products.
const IN_TITLE: usize = 2;
const BESIDE_TITLE: usize = IN_TITLE + SUMS_OF_LIKENESSES * (FARTHEST + 1);

/// Where in a product a word is, the best spot first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Spot {
    /// The word is the whole title.
    WholeTitle,
    TitleStart,
    Title,
    /// The brand or the category.
    Name,
    /// A tag, an option of a variant or an article number.
    Tag,
    Description,
}

impl Spot {
    /// Every spot, by its number.
    pub(crate) const EVERY: [Self; 6] =
        [Self::WholeTitle, Self::TitleStart, Self::Title, Self::Name, Self::Tag, Self::Description];
}

/// How a word of a search is like the word that is found, the best likeness first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Likeness {
    Whole,
    /// Another form of the word: another number, joined or split, or a synonym.
    Form,
    Beginning,
    Middle,
}

/// The spot and the likeness of a word in a product. The lower, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit(u8);

impl Hit {
    /// The hit of a word that is nowhere.
    pub(crate) const NONE: Self = Self(u8::MAX);
    /// The hit of a word that is only a part of another one, too short for that to count by itself.
    pub(crate) const UNSURE: Self = Self(u8::MAX - 1);
    /// The number of different hits of words that count.
    pub(crate) const COUNT: usize = (LIKENESSES * TITLE_SPOTS + (FIELDS - 1) * LIKENESSES) as usize;

    #[inline]
    pub(crate) fn new(spot: Spot, likeness: Likeness) -> Self {
        let (spot, likeness) = (spot as u8, likeness as u8);
        match spot.checked_sub(TITLE_SPOTS) {
            None => Self(likeness * TITLE_SPOTS + spot),
            Some(field) => Self(LIKENESSES * TITLE_SPOTS + field * LIKENESSES + likeness),
        }
    }

    /// Its number, which starts at 0 and is less than [`Self::COUNT`] if the word counts.
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }

    #[inline]
    pub(crate) fn is_in_title(self) -> bool {
        self.0 < LIKENESSES * TITLE_SPOTS
    }

    /// The number of the field, and that of the likeness.
    #[inline]
    fn parts(self) -> (usize, usize) {
        let (field, likeness) = match self.0.checked_sub(LIKENESSES * TITLE_SPOTS) {
            None => (0, self.0 / TITLE_SPOTS),
            Some(rest) => (1 + rest / LIKENESSES, rest % LIKENESSES),
        };
        (field.into(), likeness.into())
    }
}

/// How well a product fits a search of several words, the best first: an equal title, a title that begins with the
/// search, then by field, by likeness, and by nearness of the words in the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit(u16);

impl Fit {
    /// The fit of a product that lacks a word.
    pub(crate) const NONE: Self = Self(u16::MAX);
    pub(crate) const EQUAL_TITLE: Self = Self(0);
    pub(crate) const TITLE_BEGINS: Self = Self(1);
    /// The number of different fits.
    pub(crate) const COUNT: usize =
        BESIDE_TITLE + (MOST_WORDS * (FIELDS as usize - 1) + 1) * SUMS_OF_LIKENESSES;

    /// Its number, which starts at 0 and is less than [`Self::COUNT`] except for [`Self::NONE`].
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }
}

/// Sums up where a product has the words of a search.
#[derive(Default)]
pub(crate) struct Score {
    fields: usize,
    likenesses: usize,
}

impl Score {
    /// Adds the hit of a word.
    #[inline]
    pub(crate) fn add(&mut self, hit: Hit) {
        let (field, likeness) = hit.parts();
        self.fields += field;
        self.likenesses += likeness;
    }

    /// Whether all words are in the title.
    #[inline]
    pub(crate) fn is_in_title(&self) -> bool {
        self.fields == 0
    }

    /// How well a product fits that does not have all words in its title.
    #[inline]
    pub(crate) fn fit(&self) -> Fit {
        Fit((BESIDE_TITLE + self.fields * SUMS_OF_LIKENESSES + self.likenesses) as u16)
    }

    /// How well a product fits that has all words in its title, with this many bytes between them.
    pub(crate) fn fit_in_title(&self, apart: usize) -> Fit {
        Fit((IN_TITLE + self.likenesses * (FARTHEST + 1) + apart.min(FARTHEST)) as u16)
    }
}

/// A product's rank among the results, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

impl Rank {
    /// A rank that compares the number of a [`Fit`] or a [`Hit`] first, then [`merit`].
    pub(crate) fn new(fit: usize, merit: u32) -> Self {
        Self((fit as u32) << MERIT_BITS | merit)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The rank of a product among those that fit a search equally well: those in stock come first, then the better rated
/// ones (unknown comes last). The lowest number is the best. It has [`MERIT_BITS`] bits.
pub(crate) fn merit(rating: f64, is_sold_out: bool) -> u32 {
    // Ratings are at most 5, and -1 if they are not known.
    let missing = ((5.0 - rating).clamp(0.0, 6.0) * 100.0) as u32;
    u32::from(is_sold_out) << (MERIT_BITS - 1) | missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_compares_title_likeness_and_then_field_and_likeness() {
        use Likeness::{Beginning, Form, Middle, Whole};
        use Spot::{Description, Name, Tag, Title, TitleStart, WholeTitle};
        let ordered = [
            (WholeTitle, Whole),
            (TitleStart, Whole),
            (Title, Whole),
            (WholeTitle, Form),
            (WholeTitle, Beginning),
            (Title, Middle),
            (Name, Whole),
            (Name, Middle),
            (Tag, Whole),
            (Description, Form),
            (Description, Middle),
        ];
        let hits = ordered.map(|(spot, likeness)| Hit::new(spot, likeness));
        assert!(hits.is_sorted() && hits.iter().all(|hit| hit.number() < Hit::COUNT));
        assert!(hits[10] < Hit::UNSURE && Hit::UNSURE < Hit::NONE);
        assert!(
            ordered.iter().all(|&(spot, likeness)| Hit::new(spot, likeness).is_in_title() == (spot <= Title))
        );
        assert!(Spot::EVERY.iter().enumerate().all(|(number, spot)| *spot as usize == number));
    }

    #[test]
    fn what_is_in_stock_is_before_what_is_rated_better_and_an_unknown_rating_is_last() {
        assert!(merit(1.0, false) < merit(5.0, true));
        assert!(merit(5.0, false) < merit(1.0, false) && merit(0.0, false) < merit(-1.0, false));
        assert!(merit(-1.0, true) < 1 << MERIT_BITS);
    }

    #[test]
    fn the_longest_search_has_a_fit_of_its_own() {
        let mut worst = Score::default();
        (0..MOST_WORDS).for_each(|_| worst.add(Hit::new(Spot::Description, Likeness::Middle)));
        let mut better = Score::default();
        (1..MOST_WORDS).for_each(|_| better.add(Hit::new(Spot::Description, Likeness::Middle)));
        better.add(Hit::new(Spot::Tag, Likeness::Middle));
        assert!(better.fit() < worst.fit() && worst.fit() < Fit::NONE);
        assert!(worst.fit().number() < Fit::COUNT);
        let mut title = Score::default();
        (0..MOST_WORDS).for_each(|_| title.add(Hit::new(Spot::Title, Likeness::Middle)));
        assert!(title.is_in_title() && Fit::TITLE_BEGINS < title.fit_in_title(0));
        assert!(title.fit_in_title(usize::MAX) < Score::default().fit());
        assert!(
            Rank::new(better.fit().number(), merit(-1.0, true))
                < Rank::new(worst.fit().number(), merit(5.0, false))
        );
    }
}
