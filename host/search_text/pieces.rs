//! Where words may end in texts of Japanese and Chinese, which have no spaces.

/// The kind of a letter by which words are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    Ideographs,
    Hiragana,
    Katakana,
    Others,
}

/// How many ideographs a piece of several words has; the last piece of an odd number has one more.
const PIECE: usize = 2;

/// Cuts a text that was not folded, because folding makes one of both kinds of kana: where the kind of letters changes
/// between ideographs and kana, and within four ideographs or more after each second one, as most words have two.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = first_end(rest)?;
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// The length of the first piece of a text; `None` if the text is empty.
fn first_end(text: &str) -> Option<usize> {
    let mut before = letters(text.chars().next()?, Letters::Others);
    let mut number = 0;
    for (at, letter) in text.char_indices() {
        let kind = letters(letter, before);
        let is_cut = kind != before && kind != Letters::Others && before != Letters::Others;
        let is_full = number == PIECE && ideographs(&text[at..]) == PIECE;
        if is_cut || is_full {
            return Some(at);
        }
        before = kind;
        number = if kind == Letters::Ideographs { number + 1 } else { 0 };
    }
    Some(text.len())
}

/// How many ideographs a text begins with, at most as many as a piece has.
fn ideographs(text: &str) -> usize {
    let are_ideographs = |letter: &char| letters(*letter, Letters::Others) == Letters::Ideographs;
    text.chars().take(PIECE).take_while(are_ideographs).count()
}

/// The kind of a letter behind one of the kind `before`, which marks and signs of length continue.
fn letters(letter: char, before: Letters) -> Letters {
    match letter {
        '\u{3099}' | '\u{309a}' | '\u{30fc}' | '\u{ff70}' | '\u{ff9e}' | '\u{ff9f}' => before,
        '\u{3005}'
        | '\u{3007}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Letters::Ideographs,
        '\u{3041}'..='\u{309f}' => Letters::Hiragana,
        '\u{30a1}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9d}' => Letters::Katakana,
        _ => Letters::Others,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_cut_where_words_may_end() {
        for (text, expected) in [
            ("赤いランプ", &["赤", "い", "ランプ"][..]),
            ("ガラスのコーヒーカップ 大", &["ガラス", "の", "コーヒーカップ 大"]),
            ("電気自動車", &["電気", "自動車"]),
            ("红色台灯", &["红色", "台灯"]),
            ("自転車", &["自転車"]),
            ("木製ﾃｰﾌﾞﾙ", &["木製", "ﾃｰﾌﾞﾙ"]),
            ("らーめん", &["らーめん"]),
            ("USB充電器", &["USB充電器"]),
            ("電 電話機", &["電 電話機"]),
            ("red lamp", &["red lamp"]),
            ("", &[]),
        ] {
            assert_eq!(pieces(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn pieces_are_the_whole_text(text in "[赤い灯ラー a\u{3099}]{0,20}") {
            prop_assert_eq!(pieces(&text).collect::<String>(), text);
        }
    }
}
