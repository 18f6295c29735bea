//! What the options of variants are about, whatever a source calls them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::search_text::fold;

/// An option that shops have in common, as schema.org and Google's product data name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionKind {
    Size,
    Colour,
    Material,
    Pattern,
}

/// The names of options in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Arabic and Japanese, folded.
const NAMES: [(OptionKind, &[&str]); 4] = [
    (
        OptionKind::Size,
        &[
            "size",
            "sizes",
            "grosse",
            "taille",
            "pointure",
            "talla",
            "tamano",
            "taglia",
            "misura",
            "maat",
            "tamanho",
            "rozmiar",
            "المقاس",
            "مقاس",
            "الحجم",
            "サイズ",
            "大きさ",
        ],
    ),
    (
        OptionKind::Colour,
        &[
            "color",
            "colour",
            "colors",
            "colours",
            "farbe",
            "couleur",
            "coloris",
            "colore",
            "kleur",
            "cor",
            "kolor",
            "اللون",
            "لون",
            "色",
            "カラー",
        ],
    ),
    (
        OptionKind::Material,
        &["material", "materials", "matiere", "materiau", "materiale", "materiaal", "المادة", "素材", "材質"],
    ),
    (
        OptionKind::Pattern,
        &["pattern", "muster", "motif", "estampado", "fantasia", "patroon", "padrao", "wzor", "النقش", "柄"],
    ),
];

static BY_NAME: LazyLock<HashMap<String, OptionKind>> = LazyLock::new(|| {
    NAMES.iter().flat_map(|(kind, names)| names.iter().map(|name| (fold(name), *kind))).collect()
});

impl OptionKind {
    /// The options that listings are filtered by.
    pub(crate) const FILTERED: [Self; 2] = [Self::Size, Self::Colour];

    /// What an option with this name is about, if it is one of these.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let name = fold(name);
        // A hint may follow, as in `Size (EU)`.
        let bare = name.split(['(', '[', ':']).next().unwrap_or_default().trim();
        BY_NAME.get(bare).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_recognised_in_ten_languages() {
        for name in [
            "Size",
            "GRÖSSE",
            "Größe (EU)",
            "Taille",
            "Pointure",
            "Talla",
            "Tamaño",
            "Taglia",
            "Misura",
            "maat",
            "Tamanho",
            "Rozmiar",
            "المقاس",
            "مقاس",
            "サイズ",
        ] {
            assert_eq!(OptionKind::of(name), Some(OptionKind::Size), "{name}");
        }
        for name in [
            "colour",
            "Color",
            "Farbe",
            "Couleur : ",
            "Coloris",
            "COLOR",
            "Colore",
            "Kleur",
            "Cor",
            "Kolor",
            "اللون",
            "色",
            "カラー",
        ] {
            assert_eq!(OptionKind::of(name), Some(OptionKind::Colour), "{name}");
        }
        assert_eq!(OptionKind::of("Matière"), Some(OptionKind::Material));
        assert_eq!(OptionKind::of("柄"), Some(OptionKind::Pattern));
        for name in ["", "Corner", "Sized", "Storage"] {
            assert_eq!(OptionKind::of(name), None, "{name}");
        }
    }
}
