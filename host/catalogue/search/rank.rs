//! How well a product's texts fit a search, for the order of its results.

use std::ops::Range;

use memchr::memmem::Finder;

/// The largest number of words in a search that are looked for one by one.
pub(crate) const MOST_WORDS: usize = 12;
/// The number of bits of [`merit`].
const MERIT_BITS: u32 = 11;
/// The numbers of values of [`Field`] and of [`Place`].
const FIELDS: usize = 4;
const PLACES: usize = 3;
/// Terms that are farther apart count as this far, in bytes.
const FARTHEST: usize = u8::MAX as usize;
/// How many values the sum of the places of all terms may have.
const SUMS_OF_PLACES: usize = MOST_WORDS * (PLACES - 1) + 1;
/// How many values [`Fit`] has for products with all terms in the title.
const IN_TITLE: usize = SUMS_OF_PLACES * (FARTHEST + 1);

/// The field in which a term was found, the best field first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Title,
    Brand,
    /// The category or a tag.
    Group,
    Description,
}

/// How an occurrence lies among the words of a text, the best place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    WholeWord,
    WordStart,
    Inside,
}

impl Place {
    /// Whether the occurrence is at the start of a word.
    pub(crate) fn is_at_start(self) -> bool {
        self <= Self::WordStart
    }
}

/// The field and the place of the best occurrence of a term in a product. The lower, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit(u8);

/// A text that is looked for: a whole search, one of its words, or the beginning of a word.
pub(crate) struct Term {
    finder: Finder<'static>,
    /// The worst place at which an occurrence counts.
    worst: Place,
}

/// The best occurrence of a term in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    place: Place,
    /// The start, in bytes from the beginning of the text.
    at: usize,
    end: usize,
}

/// How well a product's texts fit a search, the best first: by field, then by place, then by nearness of the terms in
/// the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit(u16);

/// A product's rank among the results, the lowest first. The default is lower than every other rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

/// Sums up where a product has the terms of a search.
#[derive(Default)]
pub(crate) struct Score {
    fields: usize,
    places: usize,
    /// From where to where the terms reach in the title; used only if all terms are in the title.
    span: Option<(usize, usize)>,
    length: usize,
    is_beside_title: bool,
}

impl Term {
    /// A whole folded search, which counts at every place.
    pub(crate) fn whole(text: &str) -> Self {
        Self { finder: Finder::new(text).into_owned(), worst: Place::Inside }
    }

    /// A word of a folded search. A short ASCII word is part of too many others, so it must be whole or begin a word.
    pub(crate) fn word(word: &str) -> Self {
        let worst = match word.len() {
            _ if !word.is_ascii() => Place::Inside,
            ..=2 => Place::WholeWord,
            3 => Place::WordStart,
            _ => Place::Inside,
        };
        Self { worst, ..Self::whole(word) }
    }

    /// The beginning of a word in a name, as far as it is typed. A term that is not ASCII may be anywhere in a name.
    pub(crate) fn beginning(text: &str) -> Self {
        Self { worst: if text.is_ascii() { Place::WordStart } else { Place::Inside }, ..Self::whole(text) }
    }

    /// Whether a folded text contains the term, at any place.
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        self.finder.find(text).is_some()
    }

    /// The term's best occurrence in a folded text, if that counts.
    pub(crate) fn best_in(&self, text: &[u8]) -> Option<Occurrence> {
        let term = self.finder.needle();
        let length = term.len();
        // Whether a word ends between two bytes. Many scripts put no space between their letters and ASCII.
        let divides = |inside: Option<&u8>, outside: Option<&u8>| match (inside, outside) {
            (Some(inside), Some(outside)) => !is_of_word(*outside) || inside.is_ascii() != outside.is_ascii(),
            _ => true,
        };
        let occurrence = |at: usize| {
            let begins = divides(term.first(), at.checked_sub(1).map(|before| &text[before]));
            let ends = divides(term.last(), text.get(at + length));
            let place = match (begins, ends) {
                (true, true) => Place::WholeWord,
                (true, false) => Place::WordStart,
                (false, _) => Place::Inside,
            };
            Occurrence { place, at, end: at + length }
        };
        let mut best = None::<Occurrence>;
        for found in self.finder.find_iter(text).map(occurrence) {
            let best = best.insert(best.map_or(found, |best| best.min(found)));
            if best.place == Place::WholeWord {
                break;
            }
        }
        best.filter(|best| best.place <= self.worst)
    }

    /// The folded text of the term.
    pub(crate) fn text(&self) -> &[u8] {
        self.finder.needle()
    }

    /// Whether an occurrence at this place counts.
    pub(crate) fn counts_at(&self, place: Place) -> bool {
        place <= self.worst
    }

    /// Whether one of these lines equals the term.
    pub(crate) fn is_line_of(&self, lines: &[u8]) -> bool {
        let term = self.finder.needle();
        lines.len() >= term.len() && lines.split(|&byte| byte == b'\n').any(|line| line == term)
    }
}

/// The ranges of a folded text's fragments: the longest parts that lie within words and have only ASCII or no ASCII.
/// Where a word begins or ends, a fragment does too. See [`Term::best_in`].
pub(crate) fn fragments(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let goes_on =
        |one: &u8, next: &u8| is_of_word(*one) && is_of_word(*next) && one.is_ascii() == next.is_ascii();
    let mut end = 0;
    text.chunk_by(goes_on).filter_map(move |part| {
        let start = end;
        end += part.len();
        part.first().is_some_and(|first| is_of_word(*first)).then_some(start..end)
    })
}

/// Whether a byte of a folded text may belong to a word.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

impl Fit {
    /// The fit of a product that lacks a term.
    pub(crate) const NONE: Self = Self(u16::MAX);
    /// The number of different fits.
    pub(crate) const COUNT: usize = IN_TITLE + (MOST_WORDS * (FIELDS - 1) + 1) * SUMS_OF_PLACES;

    /// Its number, which starts at 0 and is less than [`Self::COUNT`] except for [`Self::NONE`].
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }
}

impl Rank {
    /// A rank that compares the number of a [`Fit`] or a [`Hit`] first, then [`merit`].
    pub(crate) fn new(fit: usize, merit: u32) -> Self {
        Self(((fit as u32) << MERIT_BITS | merit) + 1)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

impl Occurrence {
    pub(crate) fn place(self) -> Place {
        self.place
    }
}

impl Hit {
    /// The hit of a term that does not occur.
    pub(crate) const NONE: Self = Self(u8::MAX);
    /// The number of different hits.
    pub(crate) const COUNT: usize = FIELDS * PLACES;

    #[inline]
    pub(crate) fn new(field: Field, place: Place) -> Self {
        Self(field as u8 * PLACES as u8 + place as u8)
    }

    /// Its number, which starts at 0 and is less than [`Self::COUNT`] except for [`Self::NONE`].
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }

    #[inline]
    pub(crate) fn is_in(self, field: Field) -> bool {
        self.number() / PLACES == field as usize
    }
}

impl Score {
    /// Adds the hit of a term, whose exact position is not known: a term in the title counts as the only one there.
    #[inline]
    pub(crate) fn add_hit(&mut self, hit: Hit) {
        let (field, place) = (hit.number() / PLACES, hit.number() % PLACES);
        self.fields += field;
        self.places += place;
        if field == Field::Title as usize {
            self.span = Some((0, 0));
        } else {
            self.is_beside_title = true;
        }
    }

    /// Adds the best occurrence of a term.
    pub(crate) fn add(&mut self, field: Field, Occurrence { place, at, end }: Occurrence) {
        self.fields += field as usize;
        self.places += place as usize;
        self.length += end - at;
        if field == Field::Title {
            let (first, last) = self.span.unwrap_or((at, end));
            self.span = Some((first.min(at), last.max(end)));
        } else {
            self.is_beside_title = true;
        }
    }

    /// How well the product fits, given the terms that were added.
    #[inline]
    pub(crate) fn fit(&self) -> Fit {
        let number = match self.span {
            Some((first, last)) if !self.is_beside_title => {
                let apart = (last - first).saturating_sub(self.length).min(FARTHEST);
                self.places * (FARTHEST + 1) + apart
            }
            _ => IN_TITLE + self.fields * SUMS_OF_PLACES + self.places,
        };
        // There are at most 12 terms.
        Fit(u16::try_from(number).unwrap_or(u16::MAX))
    }
}

/// The rank of a product among those that fit a search equally well: by its rating (unknown comes last), then by its
/// availability. The lowest number is the best. It has [`MERIT_BITS`] bits.
pub(crate) fn merit(rating: f64, is_sold_out: bool) -> u32 {
    // Ratings are at most 5, and -1 if they are not known.
    let missing = ((5.0 - rating).clamp(0.0, 6.0) * 100.0) as u32;
    missing << 1 | u32::from(is_sold_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(terms: &[&str], title: &str, rating: f64) -> Option<Rank> {
        let mut score = Score::default();
        for term in terms {
            score.add(Field::Title, Term::whole(term).best_in(title.as_bytes())?);
        }
        Some(Rank::new(score.fit().number(), merit(rating, false)))
    }

    #[test]
    fn whole_words_are_before_beginnings_and_parts_of_words() {
        let place = |text: &str| Term::whole("lamp").best_in(text.as_bytes()).map(|found| found.place);
        for (text, expected) in [
            ("lamp", Some(Place::WholeWord)),
            ("clamps, a lamp", Some(Place::WholeWord)),
            ("lamps", Some(Place::WordStart)),
            ("clamp", Some(Place::Inside)),
            ("\u{767d}\u{8272}lamp\u{7167}\u{660e}", Some(Place::WholeWord)),
            ("lame", None),
        ] {
            assert_eq!(place(text), expected, "{text}");
        }
    }

    #[test]
    fn a_short_word_is_no_part_of_another_one() {
        for (word, text, is_found) in [
            ("no", "no nose", true),
            ("no", "nose", false),
            ("s10", "galaxy s10+", true),
            ("cap", "capsule", true),
            ("cap", "landscape", false),
            ("lamp", "clamps", true),
            ("in", &format!("{}in", "ring ".repeat(40)), true),
            ("\u{8336}", "\u{7da0}\u{8336}\u{676f}", true),
        ] {
            assert_eq!(Term::word(word).best_in(text.as_bytes()).is_some(), is_found, "{word} in {text}");
        }
    }

    #[test]
    fn words_that_are_near_each_other_are_before_those_apart() {
        let terms = ["red", "cup"];
        let near = rank(&terms, "a red cup", 1.0).unwrap();
        assert!(near < rank(&terms, "a red and white cup", 5.0).unwrap());
        assert!(rank(&terms, "cup, red", 1.0).unwrap() < rank(&terms, "redder cup", 5.0).unwrap());
        assert!(rank(&terms, "a red cup", 4.0).unwrap() < near, "the better rating is first");
        assert_eq!(rank(&terms, "a cup", 5.0), None);
    }

    #[test]
    fn an_unknown_rating_is_behind_every_other_one() {
        assert!(merit(0.0, true) < merit(-1.0, false));
        assert!(merit(0.0, false) < merit(0.0, true));
        assert!(merit(-1.0, true) < 1 << MERIT_BITS);
    }

    #[test]
    fn the_longest_search_has_a_fit_of_its_own() {
        let mut worst = Score::default();
        let far = Occurrence { place: Place::Inside, at: 0, end: 1 };
        (0..MOST_WORDS).for_each(|_| worst.add(Field::Description, far));
        let mut better = Score::default();
        (1..MOST_WORDS).for_each(|_| better.add(Field::Description, far));
        better.add(Field::Group, far);
        assert!(better.fit() < worst.fit() && worst.fit() < Fit::NONE);
        assert!(worst.fit().number() < Fit::COUNT);
        assert!(
            Rank::new(better.fit().number(), merit(-1.0, true))
                < Rank::new(worst.fit().number(), merit(5.0, false))
        );
    }
}
