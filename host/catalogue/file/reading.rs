//! Reads a file as a whole: its text, in the form that its content shows, becomes products and a report.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use super::amounts::PricesIn;
use super::error::FileError;
use super::pictures::{PictureIndex, Pictures};
use super::report::Report;
use super::table::Table;
use super::{json, rows, text};
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::{Category, Product};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::slug::Slug;
use crate::observe::Bounded;
use crate::profile::Currency;

/// Most categories of a shop. Each takes memory for every brand and category.
const MOST_CATEGORIES: usize = 2_000;

/// What a file has.
#[derive(Debug)]
pub(crate) struct Reading {
    products: Vec<Product>,
    /// The currency of the prices, if the file or the settings name one.
    currency: Option<Currency>,
    /// That of the file before it was read.
    pub(super) stamp: Option<Stamp>,
    /// The pictures in the operator's folder.
    pub(super) index: Arc<PictureIndex>,
    pub report: Report,
}

/// What tells whether a file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    inode: u64,
    length: u64,
    modified: (i64, i64),
    /// Also another owner or right may let the file be read.
    changed: (i64, i64),
}

/// Reads a file whose products have these `pictures`. Takes long, see `process/compute.rs`.
///
/// # Errors
/// When it cannot be read, its form is not known or broken, or it has nothing to sell.
pub(crate) fn read(path: &Path, prices: PricesIn, pictures: Pictures) -> Result<Reading, FileError> {
    let stamp = Stamp::of(path).ok();
    Ok(Reading { stamp, ..parse(&text::read(path)?, prices, pictures)? })
}

/// Reads a text as [`read`] does.
fn parse(text: &str, prices: PricesIn, pictures: Pictures) -> Result<Reading, FileError> {
    let mut report = Report::default();
    let (mut products, currency) = if text.trim_start().starts_with(['{', '[']) {
        let currency = match prices {
            PricesIn::Only(currency) => Some(currency),
            PricesIn::OwnOr(currency) => currency,
        };
        (json::products(text, currency.unwrap_or_default(), &pictures, &mut report)?, currency)
    } else {
        let table = Table::read(text)?;
        report.dialect = table.dialect.name;
        rows::products(&table, prices, &pictures, &mut report)
    };
    bound_categories(&mut products);
    let (index, missing) = pictures.finish();
    report.missing_pictures = missing;
    report.products = products.len() as u64;
    report.variants = products.iter().map(|product| product.variants.len() as u64).sum();
    if products.is_empty() {
        let reasons: Vec<String> = report.reasons().map(|(_, text)| text).collect();
        let reasons = if reasons.is_empty() { "nothing".into() } else { reasons.join(", ") };
        return Err(FileError::Nothing { reasons });
    }
    Ok(Reading { products, currency, stamp: None, index: Arc::new(index), report })
}

/// Takes the categories behind the first [`MOST_CATEGORIES`] away.
fn bound_categories(products: &mut [Product]) {
    let mut known = HashSet::new();
    for category in products.iter_mut().map(|product| &mut product.summary.category) {
        let mut is_kept = |slug: &Slug| {
            known.contains(slug) || (known.len() < MOST_CATEGORIES && known.insert(slug.clone()))
        };
        *category = category.take().filter(|slug| is_kept(slug));
    }
}

impl Reading {
    /// The currency of the prices; the default one if nothing names another.
    pub(crate) fn currency(&self) -> Option<Currency> {
        self.currency
    }

    /// The addresses of all pictures.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &str> {
        let pictures = self.products.iter().flat_map(|product| {
            let own = product.images.iter().chain(&product.summary.thumbnail);
            own.chain(product.variants.iter().filter_map(|variant| variant.picture.as_ref()))
        });
        pictures.map(String::as_str)
    }

    /// Everything that pages ask for. Takes long, see `process/compute.rs`.
    pub(super) fn mirror(&self, currency: Currency) -> Mirror {
        let products = ProductSet::of(self.products.iter(), currency);
        let mut seen = HashSet::new();
        let categories = self.products.iter().filter_map(|product| product.summary.category.clone());
        let category = |slug: Slug| Category { name: slug.title(), slug };
        let categories = categories.filter(|slug| seen.insert(slug.as_str().to_owned())).map(category);
        Mirror::new(products, categories.collect())
    }

    /// Says in the log what was read.
    pub(super) fn log(&self, path: &Path) {
        let Report { dialect, rows, products, variants, .. } = self.report;
        tracing::info!(file = %Bounded(path.display()), form = dialect, rows, products, variants, "products were read");
        if !self.report.unused.is_empty() {
            let columns = self.report.unused.join(", ");
            tracing::warn!(
                file = %Bounded(path.display()), columns = %Bounded(&columns),
                "columns of the file are not read"
            );
        }
        if let Some(pictures) = self.report.missing_pictures.line() {
            tracing::warn!(
                file = %Bounded(path.display()), pictures = %Bounded(&pictures),
                "pictures of products are missing"
            );
        }
        for (reason, text) in self.report.reasons() {
            match reason.is_fault() {
                true => tracing::warn!(file = %Bounded(path.display()), rows = text, "rows are left out"),
                false => tracing::info!(file = %Bounded(path.display()), rows = text, "rows are left out"),
            }
        }
    }
}

impl Stamp {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        Ok(Self { inode: metadata.ino(), length: metadata.len(), modified, changed })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::variant::Variant;
    use crate::catalogue::{Summary, check_product};

    /// What a shop shows of the products of a text: a line for each product and each variant.
    fn shown(text: &str) -> Result<Vec<String>, String> {
        let Reading { products, currency, .. } =
            parse(text, PricesIn::OwnOr(None), Pictures::new(None)).map_err(|error| error.to_string())?;
        let currency = currency.unwrap_or_default();
        let variant = |Variant { options, price, availability, sku, .. }: &Variant| {
            let options: Vec<String> =
                options.iter().map(|option| format!("{}={}", option.name, option.value)).collect();
            format!("  {} {} {availability:?} {sku}", options.join(" "), currency.plain(*price))
        };
        let product = |product: &Product| {
            let Product { summary, variants, images, .. } = product;
            let price = currency.plain(summary.price);
            let (id, title) = (&summary.id, &summary.title);
            let line = format!(
                "{id} {title} {price} {} {:?} {}",
                currency.code(),
                summary.availability,
                images.len()
            );
            std::iter::once(line).chain(variants.iter().map(variant)).collect::<Vec<_>>()
        };
        Ok(products.iter().flat_map(product).collect())
    }

    #[test]
    fn tables_are_read_as_shops_write_them() {
        for (table, expected) in [
            // One rule for all prices of a file.
            (
                "id,title,price\n1,A,\"1,299\"\n2,B,12.50",
                vec!["1 A 1299.00 USD Unknown 0", "2 B 12.50 USD Unknown 0"],
            ),
            (
                "id;title;price\n1;A;1.299\n2;B;12,50",
                vec!["1 A 1299.00 USD Unknown 0", "2 B 12.50 USD Unknown 0"],
            ),
            ("id;title;price\n1;A;1 299 JPY", vec!["1 A 1299 JPY Unknown 0"]),
            // What is nothing to sell, and what nobody says.
            (
                "id,title,price,stock\n1,A,0,5\n2,B,-1,5\n3,C,free,5\n4,D,5,-2\n5,E,5,0",
                vec!["4 D 5.00 USD SoldOut 0", "5 E 5.00 USD SoldOut 0"],
            ),
            (
                "id,title,price,availability,stock\n1,A,5,In Stock,0\n2,B,5,preorder,\n3,C,5,,7",
                vec![
                    "1 A 5.00 USD InStock(None) 0",
                    "2 B 5.00 USD PreOrder 0",
                    "3 C 5.00 USD InStock(Some(7)) 0",
                ],
            ),
            // Rows of one product, apart from each other.
            (
                "id,group,title,price,options,sku\n1,g,Cup S,5,Size: S,a\n2,,Bowl,7,,\n3,g,Cup M,6,Size: M; Colour: Red,b\n4,g,Cup S,9,Size: S,c",
                vec![
                    "g Cup 5.00 USD Unknown 0",
                    "  Size=S 5.00 Unknown a",
                    "  Size=M Colour=Red 6.00 Unknown b",
                    "2 Bowl 7.00 USD Unknown 0",
                ],
            ),
            (
                "id,title,price,images\na b,A,5,https://a.example/1.webp|/2.webp javascript:x",
                vec!["a-b-mclqfs A 5.00 USD Unknown 2"],
            ),
        ] {
            assert_eq!(shown(table).unwrap(), expected, "{table}");
        }
    }

    /// Checks a product by the rules for all others, whose keys are numbers.
    fn check(product: &Product) {
        let summary = Summary { id: 1.into(), ..product.summary.clone() };
        check_product(&Product { summary, ..product.clone() });
    }

    /// A cell, mostly of a sensible value for some column.
    fn cell() -> impl Strategy<Value = String> {
        let cells = [
            "",
            "1",
            "2",
            "a b",
            "Cup",
            "5",
            "12.50",
            "9.99 EUR",
            "-1",
            "free",
            "draft",
            "active",
            "https://a.example/b.webp",
            "javascript:x",
            "Size: S",
            "Size: S; Size: M",
            "Size",
            "S",
            "<b>x",
            "&lt;",
            "\"a \"\"b\"\"\"",
            "A > B",
            "\u{1}",
            "1e9",
            "4006381333931",
            "éa\u{200b}",
        ];
        prop_oneof![9 => prop::sample::select(cells.to_vec()).prop_map(String::from), 1 => "[a-z0-9 .;<>&€-]{0,400}"]
    }

    proptest! {
        #[test]
        fn any_table_gives_products_within_the_bounds_of_all_others(
            rows in prop::collection::vec(prop::collection::vec(cell(), 0..13), 1..20),
            header in prop::sample::select(vec![
                "id,title,price,group,list_price,stock,images,options,status,category,weight,gtin",
                "Handle,Title,Variant Price,Option1 Name,Option1 Value,Body (HTML),Variant Inventory Qty,Image Src,Status,Type",
            ]),
        ) {
            let rows: Vec<String> = rows.iter().map(|cells| cells.join(",")).collect();
            // One product at least, so that the table is read.
            let table = format!("{header}\n{}\n1000,Last,5\n", rows.join("\n"));
            let Reading { products, .. } = parse(&table, PricesIn::OwnOr(None), Pictures::new(None)).unwrap();
            products.iter().for_each(check);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "([\\[\\]{}\":,;a-e0-9\n \\\\]|\"id\":1|\"title\":\"A\"|\"price\":5|id,title,price\n|1,A,5\n|\\{\"id\":1,\"title\":\"A\",\"price\":5\\}\n){0,20}") {
            if let Ok(Reading { products, .. }) = parse(&text, PricesIn::OwnOr(None), Pictures::new(None)) {
                products.iter().for_each(check);
            }
        }
    }
}
