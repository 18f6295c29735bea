//! Colours that the values of options name.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::search_text::fold;

/// A colour, from red over green to blue in a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Colour(u32);

/// Colours with their names in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Arabic and Japanese.
const NAMES: [(u32, &str); 24] = [
    (
        0x00_1a1a1a,
        "black|schwarz|noir|noire|negro|negra|nero|nera|zwart|preto|preta|czarny|czarna|أسود|黒|ブラック",
    ),
    (
        0x00_ffffff,
        "white|weiß|blanc|blanche|blanco|blanca|bianco|bianca|wit|branco|branca|biały|biała|أبيض|白|ホワイト",
    ),
    (0x00_8c8c8c, "grey|gray|grau|gris|grigio|grigia|grijs|cinza|szary|szara|رمادي|灰色|グレー"),
    (
        0x00_454545,
        "anthracite|charcoal|anthrazit|antracita|antracite|antraciet|grafite|grafitowy|graphite|graphit|チャコール",
    ),
    (0x00_c0c0c0, "silver|silber|argent|argenté|plata|plateado|argento|zilver|prata|srebrny|فضي|銀|シルバー"),
    (0x00_c9a227, "gold|golden|or|doré|oro|dorado|goud|dourado|ouro|złoty|ذهبي|金|ゴールド"),
    (0x00_e3b7a0, "rose gold|roségold|or rose|oro rosa|roségoud|ローズゴールド"),
    (
        0x00_c62828,
        "red|rot|rouge|rojo|roja|rosso|rossa|rood|vermelho|vermelha|czerwony|czerwona|أحمر|赤|レッド",
    ),
    (0x00_7b1f34, "burgundy|wine red|bordeaux|weinrot|burdeos|bordeauxrood|bordô|bordowy|خمري|ワインレッド"),
    (0x00_ef7d1a, "orange|naranja|arancione|oranje|laranja|pomarańczowy|برتقالي|オレンジ"),
    (
        0x00_f2c811,
        "yellow|gelb|jaune|amarillo|amarilla|giallo|gialla|geel|amarelo|amarela|żółty|żółta|أصفر|黄色|イエロー",
    ),
    (0x00_c9962b, "mustard|senf|senfgelb|moutarde|mostaza|senape|mosterd|mostarda|musztardowy|マスタード"),
    (0x00_2e7d32, "green|grün|vert|verte|verde|groen|zielony|zielona|أخضر|緑|グリーン"),
    (
        0x00_6b6b33,
        "olive|khaki|oliv|olivgrün|kaki|oliva|olijfgroen|verde oliva|oliwkowy|زيتوني|オリーブ|カーキ",
    ),
    (0x00_a8d5ba, "mint|menthe|menta|mintgroen|miętowy|ミント"),
    (0x00_1f9e9a, "turquoise|teal|türkis|petrol|turquesa|turchese|turkoois|turkusowy|تركواز|ターコイズ"),
    (
        0x00_8ec5ea,
        "light blue|sky blue|hellblau|himmelblau|bleu clair|bleu ciel|azul claro|celeste|azzurro|lichtblauw|błękitny|水色",
    ),
    (0x00_1e5fbf, "blue|blau|bleu|bleue|azul|blu|blauw|niebieski|niebieska|أزرق|青|ブルー"),
    (
        0x00_1c2a4a,
        "navy|navy blue|dark blue|dunkelblau|marine|marineblau|bleu marine|azul marino|blu scuro|blu navy|donkerblauw|marineblauw|azul marinho|granatowy|كحلي|紺|ネイビー",
    ),
    (
        0x00_6a3fa0,
        "purple|violet|lila|violett|violette|morado|morada|púrpura|viola|paars|roxo|fioletowy|بنفسجي|紫|パープル",
    ),
    (0x00_e887ad, "pink|rosa|rose|roze|różowy|różowa|وردي|ピンク|桃色"),
    (0x00_7a4a28, "brown|braun|brun|brune|marron|marrone|bruin|marrom|castanho|brązowy|بني|茶色|ブラウン"),
    (0x00_d9c5a0, "beige|sand|sable|arena|sabbia|zand|areia|beżowy|بيج|ベージュ"),
    (
        0x00_f5efdf,
        "cream|ivory|off-white|creme|elfenbein|ivoire|crema|marfil|avorio|ivoor|gebroken wit|écru|kremowy|アイボリー|クリーム",
    ),
];

static BY_NAME: LazyLock<HashMap<String, Colour>> = LazyLock::new(|| {
    let names =
        NAMES.iter().flat_map(|(number, names)| names.split('|').map(|name| (fold(name), Colour(*number))));
    names.collect()
});

impl Colour {
    /// The colour that a text names, in words or as `#rrggbb`.
    pub(crate) fn named(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#').filter(|digits| digits.len() == 6);
        match digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            Some(digits) => u32::from_str_radix(digits, 16).ok().map(Self),
            None => BY_NAME.get(&fold(text)).copied(),
        }
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The colour of this number; `None` if there is none.
    pub(super) fn of_number(number: u32) -> Option<Self> {
        (number <= 0xff_ffff).then_some(Self(number))
    }
}

/// As `#rrggbb`.
impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{:06x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_named_in_words_or_numbers() {
        for (text, colour) in [
            ("Red", "#c62828"),
            (" WEISS ", "#ffffff"),
            ("Bleu Marine", "#1c2a4a"),
            ("黒", "#1a1a1a"),
            ("#A1b2C3", "#a1b2c3"),
        ] {
            assert_eq!(
                Colour::named(text).map(|colour| colour.to_string()).as_deref(),
                Some(colour),
                "{text}"
            );
        }
        for text in ["", "#12345", "#12345g", "red-ish", "Sunset", "#1234567"] {
            assert_eq!(Colour::named(text), None, "{text}");
        }
    }

    #[test]
    fn no_name_means_two_colours() {
        assert_eq!(BY_NAME.len(), NAMES.iter().map(|(_, names)| names.split('|').count()).sum::<usize>());
    }
}
