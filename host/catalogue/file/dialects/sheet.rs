//! Small sheets, as shops write them by hand: an SKU or nothing at all names a product.

use csv::StringRecord;

use super::{Columns, Dialect, FIELDS, Field, OPTIONS, USUAL, Ways, normal};

/// Longest code of an article, in bytes.
const LONGEST_CODE: usize = 40;

/// A table whose columns are of no other form. Of several names for the same the first one counts.
pub(super) const SHEET: Dialect = Dialect {
    name: "a sheet of products",
    names: &[
        ("id", Field::Key),
        ("product id", Field::Key),
        ("item id", Field::Key),
        ("article id", Field::Key),
        ("sku", Field::Sku),
        ("product sku", Field::Sku),
        ("item sku", Field::Sku),
        ("product code", Field::Sku),
        ("product number", Field::Sku),
        ("item code", Field::Sku),
        ("item number", Field::Sku),
        ("item no", Field::Sku),
        ("item no.", Field::Sku),
        ("item #", Field::Sku),
        ("article number", Field::Sku),
        ("article no", Field::Sku),
        ("article no.", Field::Sku),
        ("part number", Field::Sku),
        ("code", Field::Sku),
        ("title", Field::Title),
        ("name", Field::Title),
        ("product name", Field::Title),
        ("product title", Field::Title),
        ("item name", Field::Title),
        ("item title", Field::Title),
        ("article name", Field::Title),
        ("product", Field::Title),
        ("item", Field::Title),
        ("article", Field::Title),
        ("price", Field::Price),
        ("unit price", Field::Price),
        ("retail price", Field::Price),
        ("selling price", Field::Price),
        ("regular price", Field::Price),
        ("list price", Field::ListPrice),
        ("msrp", Field::ListPrice),
        ("rrp", Field::ListPrice),
        ("stock", Field::Stock),
        ("quantity", Field::Stock),
        ("qty", Field::Stock),
        ("inventory", Field::Stock),
        ("in stock", Field::Stock),
        ("on hand", Field::Stock),
        ("stock quantity", Field::Stock),
        ("quantity in stock", Field::Stock),
        ("quantity on hand", Field::Stock),
        ("images", Field::Images),
        ("image", Field::Images),
        ("image url", Field::Images),
        ("image urls", Field::Images),
        ("image link", Field::Images),
        ("image 1", Field::Images),
        ("picture", Field::Images),
        ("pictures", Field::Images),
        ("picture url", Field::Images),
        ("photo", Field::Images),
        ("photos", Field::Images),
        ("photo url", Field::Images),
        ("photo link", Field::Images),
        ("image 2", Field::MoreImages),
        ("image 3", Field::MoreImages),
        ("image 4", Field::MoreImages),
        ("image 5", Field::MoreImages),
        ("description", Field::Description),
        ("product description", Field::Description),
        ("item description", Field::Description),
        ("details", Field::Description),
        ("category", Field::Category),
        ("product category", Field::Category),
        ("brand", Field::Brand),
        ("manufacturer", Field::Brand),
        ("gtin", Field::Gtin),
        ("barcode", Field::Gtin),
        ("ean", Field::Gtin),
        ("upc", Field::Gtin),
        ("link", Field::Link),
        ("url", Field::Link),
        ("product url", Field::Link),
    ],
    required: &[Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
    ways: Ways {
        is_last_resort: true,
        has_title_keys: true,
        joins_images: true,
        instead: &[(Field::Key, Field::Sku), (Field::Availability, Field::Stock)],
        ..USUAL
    },
};

/// Keeps the columns with the best name for what they say.
pub(super) fn keep_best(columns: &mut Columns, header: &StringRecord) {
    let rank = |place: usize| {
        let name = normal(header.get(place)?);
        SHEET.names.iter().position(|(known, _)| *known == name)
    };
    let mut best = [None::<usize>; FIELDS];
    for &(place, field) in columns.iter() {
        let known = best[field as usize];
        best[field as usize] = known.into_iter().chain(rank(place)).min();
    }
    columns.retain(|&(place, field)| {
        field == Field::MoreImages || rank(place).is_none_or(|rank| best[field as usize] == Some(rank))
    });
}

/// Reads a column such as `Item` as the SKU, and the description as the title, if the first rows have codes such as `A-1001` in
/// it.
pub(super) fn name_by_descriptions(columns: &mut Columns, header: &StringRecord, rows: &[StringRecord]) {
    let place = |of| columns.iter().find(|(_, field)| *field == of).map(|(place, _)| *place);
    let (Some(title), Some(description)) = (place(Field::Title), place(Field::Description)) else { return };
    let name = header.get(title).map(normal).unwrap_or_default();
    let has_key = place(Field::Key).is_some() || place(Field::Sku).is_some();
    if has_key || !["item", "article", "product"].contains(&&*name) {
        return;
    }
    let cells = |place: usize| {
        let cells = rows.iter().filter_map(move |row| row.get(place));
        cells.map(str::trim).filter(|cell| !cell.is_empty())
    };
    let is_code = |cell: &str| {
        let has_digit = cell.contains(|sign: char| sign.is_ascii_digit());
        has_digit && cell.len() <= LONGEST_CODE && !cell.contains(char::is_whitespace)
    };
    if cells(title).next().is_none() || !cells(title).all(is_code) || cells(description).all(is_code) {
        return;
    }
    for (place, field) in columns.iter_mut() {
        if *place == title && *field == Field::Title {
            *field = Field::Sku;
        } else if *place == description && *field == Field::Description {
            *field = Field::Title;
        }
    }
    columns.push((title, Field::Key));
}
