//! The forms in which shops write products: which column or element says what.

mod etsy;
mod languages;
mod magento;
mod prestashop;
mod sheet;
mod wix;

use csv::StringRecord;

use self::languages::Language;
pub(super) use self::magento::{Child, children, iso_date};
pub(super) use self::wix::own_value;
use super::amounts::Decimal;
use super::row::{FIELDS, Field, OPTION_NAMES, OPTION_VALUES, OPTIONS};

/// A form in which shops write products.
pub(super) struct Dialect {
    /// The name that operators see.
    pub(super) name: &'static str,
    /// The names of columns or elements as [`normal`] gives them. A field may have several names.
    names: &'static [(&'static str, Field)],
    required: &'static [Field],
    /// The names of options whose columns hold only values.
    pub(super) option_names: [&'static str; OPTIONS],
    /// The usual decimal separator of prices, unless the prices show another one.
    pub(super) decimal: Option<Decimal>,
    pub(super) ways: Ways,
}

/// How the rows of a form are read, beside the names of its columns.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    /// Names of columns that only this form has, as [`normal`] gives them. All must be there.
    marks: &'static [&'static str],
    /// Names of columns that it does not have. None may be there.
    foreign: &'static [&'static str],
    /// Fields whose columns must have a name of this form, or one that the operator has given.
    own: &'static [Field],
    /// Whether columns may have names in one of [`languages::LANGUAGES`].
    has_languages: bool,
    /// Whether it only reads what is of no other form: nothing may show that it is of one.
    is_last_resort: bool,
    /// Whether names are followed by hints, such as ` *` or ` (0/1)`.
    has_hints: bool,
    /// Whether columns may have the names of other forms. Their units may differ from those of this form.
    takes_other_names: bool,
    /// Whether the pictures of all columns of further ones count, and not only those of the first that is not blank.
    pub(super) joins_images: bool,
    /// Whether a title names its product where nothing else does.
    pub(super) has_title_keys: bool,
    /// Fields that a column of another field has too, if they have no column of their own.
    instead: &'static [(Field, Field)],
    pub(super) family: Family,
    /// Words with a meaning of their own in this form, and the usual words for it.
    words: &'static [(Field, &'static str, &'static str)],
    /// The first category in a cell with several, as [`Field::Categories`] has it.
    category: fn(&str) -> &str,
    /// Whether `/` stands between the names of a category's path.
    pub(super) has_slashes: bool,
    /// Stands before pictures without a host.
    pub(super) image_base: &'static str,
}

/// How the rows of one product belong together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// They have the same group, or name their parent.
    Usual,
    /// A product lists the SKUs of its variants.
    Children,
    /// The first row is the product. It is sold itself if no variant follows.
    Surcharges,
}

/// What Magento says of a product that is only sold as a variant of another one.
pub(super) const NOT_ALONE: &str = "not visible individually";

/// The usual ways.
const USUAL: Ways = Ways {
    marks: &[],
    foreign: &[],
    own: &[],
    has_languages: false,
    is_last_resort: false,
    has_hints: false,
    takes_other_names: true,
    joins_images: false,
    has_title_keys: false,
    instead: &[],
    family: Family::Usual,
    words: &[],
    category: whole,
    has_slashes: false,
    image_base: "",
};

fn whole(cell: &str) -> &str {
    cell
}

impl Ways {
    /// A cell in the words that all forms share.
    pub(super) fn usual<'a>(&self, field: Field, cell: &'a str) -> &'a str {
        if field == Field::Categories {
            return (self.category)(cell);
        }
        let is =
            |(of, word, _): &&(Field, &str, &str)| *of == field && cell.trim().eq_ignore_ascii_case(word);
        self.words.iter().find(is).map_or(cell, |(_, _, usual)| *usual)
    }
}

/// Vitrine's own form.
const OWN: Dialect = Dialect {
    name: "a table of products",
    names: &[
        ("id", Field::Key),
        ("group", Field::Group),
        ("title", Field::Title),
        ("description", Field::Description),
        ("category", Field::Category),
        ("brand", Field::Brand),
        ("price", Field::Price),
        ("list price", Field::ListPrice),
        ("sale price", Field::SalePrice),
        ("sale starts", Field::SaleStarts),
        ("sale ends", Field::SaleEnds),
        ("stock", Field::Stock),
        ("availability", Field::Availability),
        ("images", Field::Images),
        ("image", Field::VariantImage),
        ("tags", Field::Tags),
        ("sku", Field::Sku),
        ("gtin", Field::Gtin),
        ("mpn", Field::Mpn),
        ("link", Field::Link),
        ("weight", Field::Kilograms),
        ("status", Field::Status),
        ("visibility", Field::Visibility),
        ("published", Field::Published),
        ("active", Field::Active),
        ("enabled", Field::Active),
        ("product online", Field::Active),
        ("currency", Field::Currency),
        ("condition", Field::Condition),
        ("unit pricing measure", Field::UnitMeasure),
        ("unit pricing base measure", Field::UnitBase),
        ("energy efficiency class", Field::EnergyClass),
        ("min energy efficiency class", Field::EnergyBest),
        ("max energy efficiency class", Field::EnergyWorst),
        ("lowest price", Field::LowestPrice),
        ("minimum age", Field::MinimumAge),
        ("delivery time", Field::DeliveryTime),
        ("options", Field::Options),
    ],
    required: &[Field::Key, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
    // Without its column of types, variations of WooCommerce would be products.
    ways: Ways { foreign: &["attribute 1 name"], ..USUAL },
};

/// What Shopify exports, with the names of columns before and since 2024.
const SHOPIFY: Dialect = Dialect {
    name: "Shopify's products",
    names: &[
        ("handle", Field::Group),
        ("url handle", Field::Group),
        ("title", Field::Title),
        ("body (html)", Field::Description),
        ("description", Field::Description),
        ("vendor", Field::Brand),
        ("type", Field::Category),
        ("product category", Field::OtherCategory),
        ("tags", Field::Tags),
        ("published", Field::Published),
        ("published on online store", Field::Published),
        ("status", Field::Status),
        ("option1 name", Field::OptionName1),
        ("option1 value", Field::OptionValue1),
        ("option2 name", Field::OptionName2),
        ("option2 value", Field::OptionValue2),
        ("option3 name", Field::OptionName3),
        ("option3 value", Field::OptionValue3),
        ("variant sku", Field::Sku),
        ("sku", Field::Sku),
        ("variant grams", Field::Grams),
        ("weight value (grams)", Field::Grams),
        ("variant inventory tracker", Field::Tracker),
        ("inventory tracker", Field::Tracker),
        ("variant inventory qty", Field::Stock),
        ("inventory quantity", Field::Stock),
        ("variant inventory policy", Field::Policy),
        ("continue selling when out of stock", Field::Policy),
        ("variant price", Field::Price),
        ("price", Field::Price),
        ("variant compare at price", Field::ListPrice),
        ("compare-at price", Field::ListPrice),
        ("variant barcode", Field::Gtin),
        ("barcode", Field::Gtin),
        ("image src", Field::Images),
        ("product image url", Field::Images),
        ("variant image", Field::VariantImage),
        ("variant image url", Field::VariantImage),
    ],
    required: &[Field::Group, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
    ways: Ways { own: &[Field::Title], ..USUAL },
};

/// What shops send to Google Merchant Center and to Meta's catalogues, as a table or as XML.
/// <https://support.google.com/merchants/answer/7052112>
pub(super) const GOOGLE: Dialect = Dialect {
    name: "Google merchant data",
    names: &[
        ("id", Field::Key),
        ("item group id", Field::Group),
        ("item group title", Field::GroupTitle),
        ("title", Field::Title),
        ("description", Field::Description),
        ("link", Field::Link),
        ("summary", Field::OtherDescription),
        ("content", Field::OtherDescription),
        ("image link", Field::Images),
        ("additional image link", Field::MoreImages),
        ("availability", Field::Availability),
        ("quantity", Field::Stock),
        ("inventory", Field::Stock),
        ("quantity to sell on facebook", Field::Stock),
        ("price", Field::Price),
        ("sale price", Field::SalePrice),
        ("sale price effective date", Field::SaleDates),
        ("brand", Field::Brand),
        ("gtin", Field::Gtin),
        ("mpn", Field::Mpn),
        ("product type", Field::Category),
        ("google product category", Field::OtherCategory),
        ("product weight", Field::Weight),
        ("shipping weight", Field::ShippingWeight),
        ("color", Field::OptionValue1),
        ("size", Field::OptionValue2),
        ("material", Field::OptionValue3),
        ("pattern", Field::OptionValue4),
        ("condition", Field::Condition),
        ("unit pricing measure", Field::UnitMeasure),
        ("unit pricing base measure", Field::UnitBase),
        ("energy efficiency class", Field::EnergyClass),
        ("min energy efficiency class", Field::EnergyBest),
        ("max energy efficiency class", Field::EnergyWorst),
        ("status", Field::Status),
        ("visibility", Field::Visibility),
    ],
    required: &[Field::Key, Field::Title, Field::Price],
    option_names: ["Color", "Size", "Material", "Pattern", "", ""],
    decimal: Some(Decimal::Point),
    ways: USUAL,
};

/// What WooCommerce exports, with English names of columns or those of one of [`languages::LANGUAGES`].
/// <https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema>
const WOOCOMMERCE: Dialect = Dialect {
    name: "WooCommerce's products",
    names: &[
        ("id", Field::Key),
        ("type", Field::Kind),
        ("sku", Field::Sku),
        ("gtin, upc, ean, or isbn", Field::Gtin),
        ("name", Field::Title),
        ("published", Field::Published),
        ("visibility in catalog", Field::Visibility),
        ("short description", Field::OtherDescription),
        ("description", Field::Description),
        ("date sale price starts", Field::SaleStarts),
        ("date sale price ends", Field::SaleEnds),
        ("in stock?", Field::Availability),
        ("stock", Field::Stock),
        ("backorders allowed?", Field::Policy),
        ("weight (kg)", Field::Kilograms),
        ("weight (g)", Field::Grams),
        ("sale price", Field::SalePrice),
        ("regular price", Field::Price),
        ("categories", Field::Categories),
        ("tags", Field::Tags),
        ("images", Field::Images),
        ("parent", Field::Parent),
        ("external url", Field::Link),
        ("brands", Field::Brand),
        ("attribute 1 name", Field::OptionName1),
        ("attribute 1 value(s)", Field::OptionValue1),
        ("attribute 2 name", Field::OptionName2),
        ("attribute 2 value(s)", Field::OptionValue2),
        ("attribute 3 name", Field::OptionName3),
        ("attribute 3 value(s)", Field::OptionValue3),
        ("attribute 4 name", Field::OptionName4),
        ("attribute 4 value(s)", Field::OptionValue4),
        ("attribute 5 name", Field::OptionName5),
        ("attribute 5 value(s)", Field::OptionValue5),
        ("attribute 6 name", Field::OptionName6),
        ("attribute 6 value(s)", Field::OptionValue6),
    ],
    required: &[Field::Kind, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
    ways: Ways { own: &[Field::Title, Field::Price], has_languages: true, ..USUAL },
};

/// What Shopify and WooCommerce show of their products as JSON, of which rows have the same fields.
pub(super) const SHOPIFY_JSON: Dialect =
    Dialect { name: "Shopify's products as JSON", decimal: Some(Decimal::Point), ..SHOPIFY };
pub(super) const WOOCOMMERCE_JSON: Dialect =
    Dialect { name: "WooCommerce's products as JSON", decimal: Some(Decimal::Point), ..WOOCOMMERCE };

/// Names of columns that say in every form whether a product is for sale, or whether its sale price counts. `product`, `item` or
/// `is` may stand before them, and `?` after them.
const OF_SALE: [(&str, Field); 20] = [
    ("visible", Field::Visibility),
    ("published", Field::Published),
    ("allow purchases", Field::Published),
    ("available for sale", Field::Published),
    ("can be sold", Field::Published),
    ("for sale", Field::Published),
    ("sellable", Field::Published),
    ("active", Field::Active),
    ("enabled", Field::Active),
    ("online", Field::Active),
    ("archived", Field::Withdrawn),
    ("hidden", Field::Withdrawn),
    ("discontinued", Field::Withdrawn),
    ("deleted", Field::Withdrawn),
    ("disabled", Field::Withdrawn),
    ("inactive", Field::Withdrawn),
    ("unpublished", Field::Withdrawn),
    ("withdrawn", Field::Withdrawn),
    ("not for sale", Field::Withdrawn),
    ("on sale", Field::OnSale),
];

/// Names of columns that say in every form since when the shop has a product, as [`normal`] gives them: in English, German,
/// French, Spanish, Italian, Dutch, Polish, Portuguese, Swedish, Czech, Arabic and Japanese.
const OF_ADDED: [&str; 49] = [
    "added",
    "added on",
    "added at",
    "date added",
    "created",
    "created on",
    "created at",
    "date created",
    "creation date",
    "product creation date",
    "new since",
    "hinzugefügt",
    "hinzugefügt am",
    "aufgenommen am",
    "angelegt am",
    "anlagedatum",
    "erstellt am",
    "erstellungsdatum",
    "neu seit",
    "ajouté le",
    "date d'ajout",
    "créé le",
    "date de création",
    "añadido",
    "añadido el",
    "fecha de alta",
    "fecha de creación",
    "aggiunto il",
    "data di inserimento",
    "creato il",
    "data di creazione",
    "toegevoegd",
    "toegevoegd op",
    "aangemaakt op",
    "dodano",
    "data dodania",
    "data utworzenia",
    "adicionado em",
    "criado em",
    "data de criação",
    "tillagd",
    "skapad",
    "přidáno",
    "datum přidání",
    "vytvořeno",
    "تاريخ الإضافة",
    "登録日",
    "追加日",
    "掲載日",
];

/// With what words of names begin whose columns decide what is sold at which price, such as `Variant ID`.
const DECIDING: [&str; 6] = ["option", "variant", "variation", "attribute", "parent", "group"];
/// Names with such a word that decide nothing.
const DECIDING_NOTHING: [&str; 2] = ["age group", "optional"];

/// The forms of tables. Those of a later list are only tried if no earlier one fits. If two of one list fit equally well, the
/// last one is taken.
pub(super) const TABLES: [&[&Dialect]; 3] = [
    &[&GOOGLE, &WOOCOMMERCE, &SHOPIFY, &OWN],
    &[&magento::MAGENTO, &prestashop::PRESTASHOP, &wix::WIX, &etsy::ETSY],
    &[&sheet::SHEET],
];

/// The fields of a table's columns, each with the number of its column. A column may have several fields.
pub(super) type Columns = Vec<(usize, Field)>;

/// Whether a field means something only beside others of the same form.
fn is_of_one_form(field: Field) -> bool {
    let is_alone = [Field::Key, Field::Group, Field::Parent, Field::Kind, Field::Tracker, Field::Policy]
        .contains(&field);
    is_alone || OPTION_NAMES.contains(&field) || OPTION_VALUES.contains(&field)
}

impl Dialect {
    /// What a column or element of this name says in this form.
    pub(super) fn own_field(&self, name: &str) -> Option<Field> {
        let name = name.trim();
        let name = name.strip_prefix("g:").unwrap_or(name);
        self.names.iter().find(|(known, _)| is_named(known, name)).map(|(_, field)| *field)
    }

    /// All fields, each with its first name.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, Field)> {
        let is_first = |(at, (_, field)): &(usize, &(&str, Field))| {
            self.names[..*at].iter().all(|(_, earlier)| earlier != field)
        };
        self.names.iter().enumerate().filter(is_first).map(|(_, named)| *named)
    }

    /// What a column of this name says in this form, in a table with columns in this language.
    fn column(&self, name: &str, language: Option<&Language>) -> Option<Field> {
        let hinted = || self.own_field(without_hint(name)).filter(|_| self.ways.has_hints);
        self.own_field(name).or_else(hinted).or_else(|| language.and_then(|language| language.field(name)))
    }

    /// The fields of this header's columns, if it has all required ones. `own` has the names that the operator has given
    /// to columns; they take precedence. Also returns how many columns have names of this form.
    pub(super) fn columns(&self, header: &StringRecord, own: &[(String, Field)]) -> Option<(Columns, usize)> {
        let named =
            |name: &str| own.iter().find(|(known, _)| *known == normal(name)).map(|(_, field)| *field);
        let is_own = |field| own.iter().any(|(_, known)| *known == field);
        let language = if self.ways.has_languages { Language::of(header) } else { None };
        let of_form: Vec<_> = header.iter().map(|name| (named(name), self.column(name, language))).collect();
        // A column with a name of this form counts more than one with a name of another.
        let mut is_given = [false; FIELDS];
        for field in of_form.iter().filter_map(|(named, field)| named.or(*field)) {
            is_given[field as usize] = true;
        }
        let field = |(name, of_form): (&str, &(Option<Field>, Option<Field>))| match *of_form {
            (Some(field), _) => Some(field),
            (None, Some(field)) => Some(field).filter(|field| !is_own(*field)),
            (None, None) => {
                let known = if self.ways.takes_other_names { of_any_form(name) } else { of_every_form(name) };
                known.filter(|field| !is_given[*field as usize])
            }
        };
        let fields = header.iter().zip(&of_form).map(field).enumerate();
        let mut columns: Columns =
            fields.filter_map(|(place, field)| field.map(|field| (place, field))).collect();
        if self.ways.is_last_resort {
            sheet::keep_best(&mut columns, header);
        }
        let place = |columns: &Columns, of: Field| {
            columns.iter().find(|(_, field)| *field == of).map(|(place, _)| *place)
        };
        for &(missing, instead) in self.ways.instead {
            if let (None, Some(instead)) = (place(&columns, missing), place(&columns, instead)) {
                columns.push((instead, missing));
            }
        }
        let has_sale = place(&columns, Field::SalePrice).is_some();
        columns.retain(|(_, field)| has_sale || *field != Field::OnSale);
        let is_whole = self.required.iter().all(|field| place(&columns, *field).is_some());
        let has_own = self.ways.own.iter().all(|field| is_given[*field as usize]);
        if !is_whole || !has_own || !self.may_be(header) {
            return None;
        }
        // Known by names of others, or of any sheet, it may have no unread column that decides what is sold.
        let is_named = self.required.iter().any(|field| is_own(*field));
        let is_certain = is_named || self.required.iter().all(|field| is_given[*field as usize]);
        let is_open = self.ways.takes_other_names && (!is_certain || (self.ways.is_last_resort && !is_named));
        let decides = |(name, (named, known)): (&str, &(Option<Field>, Option<Field>))| {
            named.or(*known).is_none()
                && (is_deciding(name) || (of_sale(name) == Some(Field::OnSale) && !has_sale))
        };
        if is_open && header.iter().zip(&of_form).any(decides) {
            return None;
        }
        let fitting = of_form.iter().filter(|(named, field)| named.or(*field).is_some()).count();
        Some((columns, fitting))
    }

    /// Whether a header has the columns that only this form has, and none of others.
    fn may_be(&self, header: &StringRecord) -> bool {
        let Ways { marks, foreign, is_last_resort, .. } = self.ways;
        let has = |known: &&str| header.iter().any(|name| normal(name) == **known);
        let is_of_another = is_last_resort && header.iter().any(is_of_other_form);
        marks.iter().all(has) && !foreign.iter().any(has) && !is_of_another
    }

    /// Corrects what columns seem to say, if the rows after their header show something else. `own` has the names that the
    /// operator has given to columns.
    pub(super) fn correct(
        &self,
        columns: &mut Columns,
        header: &StringRecord,
        rows: &[StringRecord],
        own: &[(String, Field)],
    ) {
        if self.ways.is_last_resort && !own.iter().any(|(_, field)| self.required.contains(field)) {
            sheet::name_by_descriptions(columns, header, rows);
        }
    }
}

/// A name without what PrestaShop adds to it: ` *` if it is required, and what may stand in the column.
fn without_hint(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or_default().trim();
    name.strip_suffix(['*', '#']).unwrap_or(name).trim_end()
}

/// Whether a column means something only in a form whose required columns are not all there.
fn is_of_other_form(name: &str) -> bool {
    let means = |form: &Dialect| {
        form.own_field(name).filter(|field| {
            (is_of_one_form(*field) && *field != Field::Key)
                || matches!(field, Field::Options | Field::Children | Field::Surcharge)
        })
    };
    let is_type = name.trim().eq_ignore_ascii_case("type");
    let is_of_google = means(&GOOGLE) == Some(Field::Group);
    let is_of_magento = means(&magento::MAGENTO) == Some(Field::Children);
    let is_of_others =
        [&OWN, &SHOPIFY, &WOOCOMMERCE, &wix::WIX].into_iter().any(|form| means(form).is_some());
    !is_type && (is_of_google || is_of_magento || is_of_others)
}

/// What a name says in the first form that knows it, if it means something by itself.
pub(super) fn of_any_form(name: &str) -> Option<Field> {
    // Other systems than Shopify call something else so.
    if name.trim().eq_ignore_ascii_case("type") {
        return None;
    }
    let mut fields =
        [&OWN, &GOOGLE, &SHOPIFY, &WOOCOMMERCE].into_iter().filter_map(|form| form.own_field(name));
    fields.find(|field| !is_of_one_form(*field)).or_else(|| of_every_form(name))
}

/// What a name says that means the same in every form.
fn of_every_form(name: &str) -> Option<Field> {
    let is_added = || OF_ADDED.contains(&normal(without_hint(name)).as_str());
    of_sale(name).or_else(|| is_added().then_some(Field::Added))
}

/// What a name of [`OF_SALE`] says.
fn of_sale(name: &str) -> Option<Field> {
    let name = name.trim().trim_end_matches('?').trim_end();
    let without = |name, prefix: &&str| match str::split_at_checked(name, prefix.len()) {
        Some((begin, rest)) if is_named(prefix, begin) => rest,
        _ => name,
    };
    let name = ["product ", "item ", "is "].iter().fold(name, without);
    OF_SALE.iter().find(|(known, _)| is_named(known, name)).map(|(_, field)| *field)
}

/// Whether `known`, as [`normal`] gives it, is this name.
fn is_named(known: &str, name: &str) -> bool {
    let same = |(known, own): (u8, u8)| known == if own == b'_' { b' ' } else { own.to_ascii_lowercase() };
    known.len() == name.len() && known.bytes().zip(name.bytes()).all(same)
}

/// Whether a column of this name decides what is sold.
fn is_deciding(name: &str) -> bool {
    has_word(name, &DECIDING) && !DECIDING_NOTHING.iter().any(|known| is_named(known, name.trim()))
}

/// Whether a word of a name begins with one of these.
pub(super) fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    let mut own = name.split(|sign: char| !sign.is_alphabetic());
    own.any(|own| words.iter().any(|word| own.starts_with(word)))
}

/// A name in lower case, with spaces for underscores and without the prefix of Google's namespace.
pub(super) fn normal(name: &str) -> String {
    let name = name.trim().to_lowercase().replace('_', " ");
    name.strip_prefix("g:").map(str::to_owned).unwrap_or(name)
}
