//! Finds the encoding of a text in one pass over its bytes.

use std::collections::HashSet;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Encoding, UTF_8, WINDOWS_1250, WINDOWS_1252};
use memchr::memmem;

use super::chunks::CHUNK;
use super::error::FileError;
use super::pasted::Search;

/// How many bytes of words beyond ASCII are enough to guess an encoding.
const SAMPLE: usize = 64 << 10;
/// Fewer bytes beyond ASCII in different words than this tell no encoding from Windows-1252.
const FEWEST: usize = 8;
/// The byte order mark of UTF-8. Where files were joined, it also occurs inside.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// What a whole text shows of its encoding.
#[derive(Default)]
pub(super) struct Survey {
    pub(super) length: u64,
    /// The encoding that a byte order mark, the operator or an XML declaration names.
    named: Option<&'static Encoding>,
    /// Whether it has the byte order mark of UTF-8 after its beginning.
    pub(super) has_marks: bool,
    /// Whether files may be pasted into it.
    pub(super) has_pasted: bool,
    /// The numbers of characters beyond ASCII, and of sequences that are not valid UTF-8.
    valid: u64,
    invalid: u64,
    /// The line of the first invalid sequence.
    line: u64,
    /// Whether something is not valid in the encoding `named`, if that is not UTF-8.
    has_errors: bool,
    /// The first words with letters beyond ASCII, with spaces between them, if the text is not UTF-8.
    sample: Vec<u8>,
}

/// How a text is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoding {
    pub(super) encoding: &'static Encoding,
    /// Whether only its letters show the encoding.
    pub(super) is_guessed: bool,
    /// The first line with a sequence that is not UTF-8, if such sequences are Windows-1252 and the rest is UTF-8.
    pub(super) mixed_from: Option<u64>,
}

impl Survey {
    /// Looks at a text once. The operator may have named its `encoding`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(mut bytes: impl Read, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        let mut survey = Self { line: 1, ..Self::default() };
        let mut buffer = vec![0; CHUNK];
        // How many bytes of an incomplete character come before the next chunk.
        let mut kept = 0;
        let (mut decoder, mut pasted) = (None, Search::default());
        loop {
            let read = match bytes.read(&mut buffer[kept..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let chunk = &buffer[..kept + read];
            if survey.length == 0 {
                let mark = Encoding::for_bom(chunk).map(|(encoding, _)| encoding);
                survey.named = mark.or(encoding).or_else(|| declared(chunk));
                decoder = survey.named.filter(|named| *named != UTF_8).map(Encoding::new_decoder);
            }
            if let Some(decoder) = &mut decoder {
                survey.has_errors |= has_errors(decoder, &chunk[kept..], read == 0);
            }
            survey.has_marks |= memmem::find_iter(chunk, MARK).any(|at| survey.length > 0 || at > 0);
            survey.has_pasted |= pasted.finds(chunk);
            survey.length += read as u64;
            let rest = survey.count(chunk, read == 0);
            let begin = kept + read - rest;
            survey.keep_words(&chunk[..begin]);
            if read == 0 {
                return Ok(survey);
            }
            buffer.copy_within(begin..kept + read, 0);
            kept = rest;
        }
    }

    /// Counts characters. Returns how many bytes at the end belong to a character that continues in the next chunk.
    fn count(&mut self, chunk: &[u8], is_last: bool) -> usize {
        if self.invalid == 0 && chunk.is_ascii() {
            self.line += memchr::memchr_iter(b'\n', chunk).count() as u64;
            return 0;
        }
        let mut chunks = chunk.utf8_chunks().peekable();
        while let Some(part) = chunks.next() {
            let valid = part.valid();
            if !valid.is_ascii() {
                self.valid += valid.chars().filter(|character| !character.is_ascii()).count() as u64;
            }
            if self.invalid == 0 {
                self.line += memchr::memchr_iter(b'\n', valid.as_bytes()).count() as u64;
            }
            let invalid = part.invalid();
            let goes_on = chunks.peek().is_none() && may_continue(invalid);
            if goes_on && !is_last {
                return invalid.len();
            }
            self.invalid += u64::from(!invalid.is_empty());
        }
        0
    }

    /// Keeps the words by which encodings differ. In Windows-1252 almost all letters beyond ASCII are from 0xC0 on; words
    /// without one, such as `£5` or `12½`, look like letters of other encodings.
    fn keep_words(&mut self, chunk: &[u8]) {
        if self.named.is_some() || self.invalid == 0 {
            return;
        }
        let is_letter = |byte: &u8| *byte >= 0xc0 && !matches!(byte, 0xd7 | 0xf7);
        let has_letter = |word: &[u8]| word.iter().any(is_letter) || has_polish_l(word);
        // In no encoding are these bytes a part of a letter.
        for word in chunk.split(|byte| *byte < b'0').filter(|word| has_letter(word)) {
            if self.sample.len() >= SAMPLE {
                return;
            }
            self.sample.extend_from_slice(word);
            self.sample.push(b' ');
        }
    }

    /// How the text is decoded. If nothing names its encoding, it is UTF-8 or else the one that its letters show.
    ///
    /// # Errors
    /// When it is not valid in the encoding that is named.
    pub(super) fn decoding(&self, wanted: Option<&'static Encoding>) -> Result<Decoding, FileError> {
        let whole = |encoding| Decoding { encoding, is_guessed: false, mixed_from: None };
        let undecodable = |encoding: &'static Encoding| FileError::Undecodable { encoding: encoding.name() };
        match self.named {
            Some(named) if named != UTF_8 && !self.has_errors => return Ok(whole(named)),
            Some(named) if named != UTF_8 => return Err(undecodable(named)),
            _ if self.invalid == 0 => return Ok(whole(UTF_8)),
            _ => {}
        }
        // In another encoding few characters look like UTF-8 by chance. A file with many of them has two encodings.
        match self.named {
            _ if wanted.is_none() && self.valid > self.invalid => {
                Ok(Decoding { mixed_from: Some(self.line), ..whole(UTF_8) })
            }
            Some(named) => Err(undecodable(named)),
            None => Ok(Decoding { is_guessed: true, ..whole(guess(&self.sample)) }),
        }
    }
}

/// Whether the bytes after a valid part of UTF-8 are the beginning of a character.
pub(super) fn may_continue(invalid: &[u8]) -> bool {
    std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none())
}

/// The encoding of words that are not UTF-8: Windows-1252, that of most spreadsheets in western Europe and America, unless
/// enough letters show another one.
fn guess(sample: &[u8]) -> &'static Encoding {
    if !is_enough(sample) {
        return if is_polish(sample) { WINDOWS_1250 } else { WINDOWS_1252 };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    match detector.guess(None, Utf8Detection::Deny) {
        // The detector is seldom sure of Hungarian, and of short texts in Polish or Spanish.
        encoding if encoding == WINDOWS_1252 && (is_hungarian(sample) || is_polish(sample)) => WINDOWS_1250,
        encoding if encoding == WINDOWS_1250 && is_spanish(sample) => WINDOWS_1252,
        encoding => encoding,
    }
}

/// Whether different words have enough bytes beyond ASCII. One word may be repeated in every row.
fn is_enough(sample: &[u8]) -> bool {
    let mut seen = HashSet::new();
    let words = sample.split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
    let new = words.filter(|word| !word.is_ascii() && seen.insert(*word));
    new.flatten().filter(|byte| !byte.is_ascii()).take(FEWEST).count() == FEWEST
}

/// Whether a word has the byte of a Polish `ł` between two letters. In Windows-1252 it is `³`, which has none after it.
fn has_polish_l(word: &[u8]) -> bool {
    memchr::memchr_iter(0xb3, word).any(|at| {
        let is_letter =
            |at: Option<usize>| at.and_then(|at| word.get(at)).is_some_and(u8::is_ascii_alphabetic);
        is_letter(at.checked_sub(1)) && is_letter(at.checked_add(1))
    })
}

/// Whether words have an `ł` in them beside other Polish letters, and no others beyond ASCII, in Windows-1250.
fn is_polish(sample: &[u8]) -> bool {
    const LETTERS: &[u8] = b"\xb9\xa5\xe6\xc6\xea\xca\xb3\xa3\xf1\xd1\xf3\xd3\x9c\x8c\x9f\x8f\xbf\xaf";
    has_polish_l(sample)
        && sample.iter().any(|byte| *byte >= 0xc0)
        && sample.iter().all(|byte| LETTERS.contains(byte) || is_no_letter(*byte))
}

/// Whether words have no other letters beyond ASCII than Spanish in Windows-1252. In Windows-1250 all of these but `Ñ` are the
/// same, and it is the Polish `Ń`.
fn is_spanish(sample: &[u8]) -> bool {
    const LETTERS: &[u8] = b"\xc1\xc9\xcd\xd3\xda\xdc\xd1\xe1\xe9\xed\xf3\xfa\xfc\xf1";
    sample.iter().all(|byte| LETTERS.contains(byte) || is_no_letter(*byte))
}

/// Whether it is a letter in neither Windows-1250 nor Windows-1252: ASCII, quotes, dashes and other signs.
fn is_no_letter(byte: u8) -> bool {
    byte.is_ascii()
        || matches!(byte, 0x80 | 0x82 | 0x84 | 0x85 | 0x91..=0x97 | 0x99 | 0xa0 | 0xab | 0xae | 0xb0 | 0xbb)
}

/// Whether words have no other letters beyond ASCII than Hungarian, and of these `ő` or `ű` beside `ö` or `ü`. In Windows-1252
/// the former are `õ` and `û`, of languages that have neither `ö` nor `ü`, or also other letters.
fn is_hungarian(sample: &[u8]) -> bool {
    const LONG: &[u8] = b"\xd5\xdb\xf5\xfb";
    const SHORT: &[u8] = b"\xd6\xdc\xf6\xfc";
    const OTHERS: &[u8] = b"\xc1\xc9\xcd\xd3\xda\xe1\xe9\xed\xf3\xfa";
    let has = |letters: &[u8]| sample.iter().any(|byte| letters.contains(byte));
    let is_known = |byte: &u8| *byte < 0xc0 || [LONG, SHORT, OTHERS].iter().any(|known| known.contains(byte));
    has(LONG) && has(SHORT) && sample.iter().all(is_known)
}

/// The encoding that XML declares, unless it is one, such as UTF-16, in which the declaration would not be ASCII.
fn declared(chunk: &[u8]) -> Option<&'static Encoding> {
    let end = memchr::memchr(b'>', chunk)?;
    let declaration = std::str::from_utf8(&chunk[..end]).ok()?.strip_prefix("<?xml")?;
    let (_, value) = declaration.split_once("encoding")?;
    let label = value.trim_start_matches(['=', ' ', '\'', '"']).split(['\'', '"']).next()?;
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// Whether some of these bytes are not valid in the decoder's encoding.
fn has_errors(decoder: &mut encoding_rs::Decoder, mut bytes: &[u8], is_last: bool) -> bool {
    let (mut scratch, mut has_errors) = ([0; 4096], false);
    loop {
        let (result, read, _, had_errors) = decoder.decode_to_utf8(bytes, &mut scratch, is_last);
        has_errors |= had_errors;
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return has_errors;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a text is decoded that was written in the encoding with this label.
    fn found(text: &str, label: &str) -> Decoding {
        let (bytes, _, has_errors) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
        assert!(!has_errors, "{text}");
        Survey::of(&*bytes, None).unwrap().decoding(None).unwrap()
    }

    #[test]
    fn the_letters_of_a_language_show_its_encoding() {
        for (text, written, expected) in [
            (
                "Krzesło dębowe z miękkim siedziskiem. Świeże źródło światła, żółta poduszka. Zażółć gęślą jaźń.",
                "windows-1250",
                "windows-1250",
            ),
            (
                "Krzesło dębowe z miękkim siedziskiem. Świeże źródło światła, żółta poduszka. Zażółć gęślą jaźń.",
                "iso-8859-2",
                "ISO-8859-2",
            ),
            (
                "Dřevěná židle s měkkým sedákem, světle hnědá. Příliš žluťoučký kůň.",
                "windows-1250",
                "windows-1250",
            ),
            (
                "Erdei gyümölcs ízű zöld tea, kiváló minőségű, kézzel szedett levelekből. Szürke bőr cipő.",
                "windows-1250",
                "windows-1250",
            ),
            // These letters are the same in both encodings.
            ("Tölgyfa szék puha ülőkével. Gyönyörű fényű lámpa a nappaliba.", "iso-8859-2", "windows-1250"),
            (
                "Scaun din stejar cu şezut moale. Lumină caldă, fără griji, îmbrăcăminte şi încălţăminte.",
                "windows-1250",
                "windows-1250",
            ),
            ("Дубовый стул с мягким сиденьем. Тёплый свет для гостиной.", "windows-1251", "windows-1251"),
            ("Дубовый стул с мягким сиденьем. Теплый свет для гостиной.", "koi8-u", "KOI8-U"),
            ("Ξύλινη καρέκλα με μαλακό κάθισμα. Ζεστό φως για το σαλόνι.", "windows-1253", "windows-1253"),
            (
                "Yumuşak oturma yerli meşe sandalye. Işığı sıcak, çağdaş bir lamba. Güneş gözlüğü, şapka.",
                "windows-1254",
                "windows-1254",
            ),
            ("商品名,価格\nオーク材の椅子,5000\n白いカップ,1200\n", "shift_jis", "Shift_JIS"),
            (
                "Stühle aus Eiche für die Küche, Größe 40 × 60 cm, schöne Lampen. Äpfel, Öl und Süßes.",
                "windows-1252",
                "windows-1252",
            ),
            (
                "Chaise en chêne à l’assise moelleuse. Lumière chaude pour le séjour, été comme hiver.",
                "windows-1252",
                "windows-1252",
            ),
            (
                "Silla de roble con asiento cómodo para niños. Lámpara de diseño español, más información.",
                "windows-1252",
                "windows-1252",
            ),
            ("Não é só decoração. Coleção de verão, botões, balões.", "windows-1252", "windows-1252"),
        ] {
            let expected = Encoding::for_label(expected.as_bytes()).unwrap();
            assert_eq!(found(text, written).encoding, expected, "{text}");
        }
    }

    #[test]
    fn short_texts_in_spanish_and_polish_are_told_apart() {
        for (text, written, expected) in [
            (
                "Nombre del artículo;PVP;Activo\nJarrón «Ñandú»;De cerámica;Sí\nSilla;;Sí\nPaella;;Sí\n",
                "windows-1252",
                "windows-1252",
            ),
            ("Piña,Niño,Cañón,Jarrón,Café,Salón,España,Muñeca,Teléfono", "windows-1252", "windows-1252"),
            (
                "Kubek,Stół,Krzesło,Pościel,Ręcznik,Świeca,Koszyk,Nóż,Dywan,Lustro",
                "windows-1250",
                "windows-1250",
            ),
            ("Krzesło,Tablica,„Pięć”", "windows-1250", "windows-1250"),
            ("Kubek biały,Łyżka", "windows-1250", "windows-1252"),
        ] {
            let expected = Encoding::for_label(expected.as_bytes()).unwrap();
            assert_eq!(found(text, written).encoding, expected, "{text}");
        }
    }

    #[test]
    fn few_letters_and_signs_show_no_encoding() {
        for text in [
            "Café",
            "Crème brûlée, goût",
            "1,Cup,£5.00\n2,Bowl,£6.00\n3,Tray,£7.50\n4,Mug,£8\n5,Jug,£9\n6,Pan,£3\n7,Pot,£2\n8,Lid,£1\n",
            "½ inch, ¼ inch, ¾ inch, 12½ mm ±5%, 3 m², 4 m³, 90°C, 10×20, 5 €, “Best” ™ ®",
            &"1;Ø20mm;5\n".repeat(20),
            &"2;Piña;5\n".repeat(10),
            &"3;SMØRBRØD;5\n".repeat(10),
            &"4,Café m³,Rosé,Maté\n".repeat(10),
        ] {
            assert_eq!(found(text, "windows-1252").encoding, WINDOWS_1252, "{text}");
        }
    }
}
