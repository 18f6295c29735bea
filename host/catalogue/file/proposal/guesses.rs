//! Guesses which column says what, by the names of columns and by their values.

use super::super::dialects::normal;
use super::super::for_sale;
use super::super::row::Field;
use super::columns::{Column, Kind};
use super::words::{Meaning, Tax, is_price, says_what_is_not_sold};

/// The fields that are guessed, with their keys in the file with options.
pub(super) const FIELDS: [(Field, &str); 31] = [
    (Field::Key, "id"),
    (Field::Title, "title"),
    (Field::Price, "price"),
    (Field::ListPrice, "list_price"),
    (Field::SalePrice, "sale_price"),
    (Field::SaleStarts, "sale_starts"),
    (Field::SaleEnds, "sale_ends"),
    (Field::Currency, "currency"),
    (Field::Category, "category"),
    (Field::Brand, "brand"),
    (Field::Description, "description"),
    (Field::OtherDescription, "short_description"),
    (Field::Stock, "stock"),
    (Field::Availability, "availability"),
    (Field::Images, "images"),
    (Field::MoreImages, "more_images"),
    (Field::Gtin, "gtin"),
    (Field::Sku, "sku"),
    (Field::Mpn, "mpn"),
    (Field::Link, "link"),
    (Field::Weight, "weight"),
    (Field::Kilograms, "kilograms"),
    (Field::Grams, "grams"),
    (Field::Tags, "tags"),
    (Field::Status, "status"),
    (Field::Visibility, "visibility"),
    (Field::Published, "published"),
    (Field::Active, "active"),
    (Field::Withdrawn, "withdrawn"),
    (Field::OptionValue1, "option_1_value"),
    (Field::OptionValue2, "option_2_value"),
];

/// A field, and the column that seems to say it.
pub(super) struct Guess<'a> {
    pub(super) field: Field,
    pub(super) column: &'a Column<'a>,
    pub(super) why: &'static str,
    pub(super) is_certain: bool,
}

/// What the columns seem to say, in the order of [`FIELDS`].
pub(super) fn guesses<'a>(columns: &'a [Column<'a>]) -> Vec<Guess<'a>> {
    let has_handle = columns.iter().any(|column| matches!(&*normal(column.name), "handle" | "url handle"));
    // Shopify's name of a product is known.
    let fields = FIELDS.iter().map(|(field, _)| *field).filter(|field| !(has_handle && *field == Field::Key));
    let mut guesses: Vec<Guess> = fields.filter_map(|field| guess(columns, field)).collect();
    // A table may have only one number of an article, or call the title its description.
    for (needed, other) in [
        (Field::Key, Field::Sku),
        (Field::Title, Field::Description),
        (Field::Title, Field::OtherDescription),
    ] {
        let is_known = guesses.iter().any(|guess| guess.field == needed && guess.is_certain);
        let fits = |column: &Column| match needed {
            Field::Key => column.is_unique,
            _ => column.kind == Kind::Texts,
        };
        let is_other = |guess: &Guess| guess.field == other && fits(guess.column);
        if is_known || (needed == Field::Key && has_handle) || !guesses.iter().any(is_other) {
            continue;
        }
        guesses.retain(|guess| guess.field != needed);
        for guess in guesses.iter_mut().filter(|guess| guess.field == other) {
            guess.field = needed;
            guess.why = "no other column says it";
            guess.is_certain = true;
        }
    }
    check_sales(&mut guesses, columns);
    guesses.sort_by_key(|guess| FIELDS.iter().position(|(field, _)| *field == guess.field));
    guesses
}

/// Makes a sale uncertain that may be over or yet to come. Dates without a sale say nothing.
fn check_sales(guesses: &mut Vec<Guess>, columns: &[Column]) {
    let is_date = |guess: &&Guess| matches!(guess.field, Field::SaleStarts | Field::SaleEnds);
    let has_dates = guesses.iter().any(|guess| is_date(&guess));
    let are_certain = guesses.iter().filter(is_date).all(|guess| guess.is_certain);
    let is_open = !are_certain || (!has_dates && columns.iter().any(Column::has_dates));
    let mut has_sale = false;
    for guess in guesses.iter_mut().filter(|guess| guess.field == Field::SalePrice) {
        has_sale = true;
        if is_open && guess.is_certain {
            guess.why = "it is not certain when the sale begins and ends";
            guess.is_certain = false;
        }
    }
    guesses.retain(|guess| has_sale || !is_date(&guess));
}

/// The column that seems to have this field: by its name, if the values fit, else by its values.
fn guess<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let named = match field {
        Field::Withdrawn => return withdrawn(columns),
        Field::MoreImages => more_images(columns),
        Field::Weight | Field::Kilograms | Field::Grams => weight(columns, field),
        _ => by_name(columns, field),
    };
    match named {
        Some(named) if named.is_certain => Some(named),
        named => by_value(columns, field).or(named),
    }
}

/// The columns whose names say this.
fn named<'a>(
    columns: &'a [Column<'a>],
    field: Field,
) -> impl DoubleEndedIterator<Item = (&'a Column<'a>, Meaning)> {
    let meaning = |column: &'a Column<'a>| Some((column, column.meaning?));
    columns.iter().filter_map(meaning).filter(move |(_, meaning)| meaning.field == Some(field))
}

fn by_name<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let rank = |(column, meaning): &(&Column, Meaning)| (column.fits(field), meaning.is_whole, meaning.tax);
    // If several fit equally well, the first column counts: `max_by_key` takes the last.
    let (column, meaning) = named(columns, field).rev().max_by_key(rank)?;
    let fits = column.fits(field);
    let is_net = is_price(field) && meaning.tax == Tax::Without;
    // What is read wrongly from such a column is sold wrongly.
    let is_weak = !meaning.is_whole && (is_price(field) || for_sale::COLUMNS.contains(&field));
    let why = match field {
        Field::OptionValue1 | Field::OptionValue2 => {
            "needs a column with the name of the option as option_1_name or option_2_name"
        }
        _ if !fits => "its name says so, but not its values",
        _ if is_net => "a price without taxes",
        _ if is_weak => "a part of its name",
        _ => "its name",
    };
    Some(Guess { field, column, why, is_certain: fits && !is_net && !is_weak })
}

/// The second column of pictures.
fn more_images<'a>(columns: &'a [Column<'a>]) -> Option<Guess<'a>> {
    let first = by_name(columns, Field::Images)?.column.name;
    let mut others = named(columns, Field::Images).map(|(column, _)| column);
    let column = others.find(|column| column.name != first && column.fits(Field::Images))?;
    Some(Guess { field: Field::MoreImages, column, why: "its name", is_certain: true })
}

/// The column of weights, if its unit is the one of `field`.
fn weight<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let guess = by_name(columns, Field::Weight)?;
    let column = guess.column;
    let name = column.name.to_lowercase();
    let has =
        |units: &[&str]| name.split(|sign: char| !sign.is_alphabetic()).any(|word| units.contains(&word));
    let (own, is_said) = if !column.values.is_empty() && column.fits(Field::Weight) {
        (Field::Weight, true)
    } else if has(&["g", "gr", "gram", "grams", "gramm"]) {
        (Field::Grams, true)
    } else {
        (Field::Kilograms, has(&["kg", "kilo", "kilogram", "kilograms", "kilogramm"]))
    };
    let is_certain = is_said && column.fits(own);
    let why = if is_certain { "its name" } else { "nothing says whether it is in kilograms or in grams" };
    (own == field).then_some(Guess { field, column, why, is_certain })
}

/// The column without a known name whose values look like this field.
fn by_value<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let (kind, why) = match field {
        Field::Key => (Kind::Codes, "each row has another value"),
        Field::Title => (Kind::Texts, "its values are short texts, the longest of this kind"),
        Field::Price => (Kind::Amounts, "its values are amounts"),
        Field::Images => (Kind::Pictures, "its values are names or addresses of pictures"),
        Field::Gtin => (Kind::Barcodes, "its values are barcodes with a correct check digit"),
        Field::Link => (Kind::Addresses, "its values are addresses"),
        Field::Description => (Kind::LongTexts, "its values are long texts, or HTML"),
        Field::Category => (Kind::Groups, "its values are few and short texts"),
        _ => return None,
    };
    // Amounts beside a price are something else, such as a size or a cost.
    if field == Field::Price && named(columns, field).next().is_some() {
        return None;
    }
    // Texts that rows have in common are rather groups than titles where another column has a description.
    let has_description = field == Field::Title
        && [Field::Description, Field::OtherDescription]
            .into_iter()
            .any(|other| by_name(columns, other).is_some_and(|guess| guess.column.kind == Kind::Texts));
    let fits = |column: &&Column| {
        column.meaning.is_none() && column.kind == kind && (column.is_unique || !has_description)
    };
    let fitting = || columns.iter().filter(fits);
    let is_open = matches!(field, Field::Price | Field::Category) && fitting().count() > 1;
    let column = match field {
        Field::Title | Field::Description => fitting().rev().max_by_key(|column| column.length())?,
        _ => fitting().next()?,
    };
    let why = if is_open { "as other columns too, it looks like this" } else { why };
    // Amounts alone may be a size, a weight or a cost.
    let is_weak = field == Field::Price && !column.has_currencies();
    Some(Guess { field, column, why, is_certain: column.values.len() > 1 && !is_open && !is_weak })
}

/// The first column that says what is not sold, in words that are understood.
fn withdrawn<'a>(columns: &'a [Column<'a>]) -> Option<Guess<'a>> {
    let field = Field::Withdrawn;
    let column = columns.iter().find(|column| says_what_is_not_sold(column.name) && column.fits(field))?;
    Some(Guess { field, column, why: "its name says what is not sold", is_certain: true })
}
