//! Reads a file as a whole: its text, in the form that its content shows, becomes products and a report.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io::{BufRead, Cursor, Read};
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;

use bytes::Bytes;

use super::amounts::PricesIn;
use super::error::FileError;
use super::options::FileOptions;
use super::pictures::{PictureIndex, Pictures};
use super::report::Report;
use super::rows::{Gathered, Made};
use super::text::Text;
use super::{json, table, xml};
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
    /// When a sale begins or ends next, in seconds since 1970.
    pub(super) changes_at: Option<i64>,
    /// That of the file before it was read.
    pub(super) stamp: Option<Stamp>,
    /// The pictures in the operator's folder.
    pub(super) index: Arc<PictureIndex>,
    pub report: Report,
}

/// What tells whether the files of a catalogue have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// `None` for a feed.
    pub(super) catalogue: Option<Mark>,
    /// That of the options, if there are some.
    pub(super) options: Option<Mark>,
}

/// What tells whether a file has changed. Also another owner or right may let it be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    inode: u64,
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Mark {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Reads a text as a catalogue at this moment, in seconds since 1970. Takes long, see `process/compute.rs`.
///
/// # Errors
/// When it cannot be read, its form is not known or broken, or it has nothing to sell.
pub(super) fn parse(
    mut text: Text,
    options: &FileOptions,
    pictures: Pictures,
    prices: PricesIn,
    now: i64,
) -> Result<Reading, FileError> {
    let mut report = Report::default();
    let Made { mut products, currency, changes_at } =
        parse_from(text.reader()?, (options, &pictures), prices, now, &mut report)?;
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
    Ok(Reading { products, currency, changes_at, stamp: None, index: Arc::new(index), report })
}

/// The products in the bytes of a file, with the prices of the moment `now`, in seconds since 1970. Takes long.
///
/// # Errors
/// When it has nothing to sell, and why.
pub fn products_of(bytes: Bytes, now: i64) -> Result<Vec<Product>, FileError> {
    let text = Text::of_bytes(bytes, None)?;
    parse(text, &FileOptions::default(), Pictures::new(None), PricesIn::OwnOr(None), now)
        .map(|reading| reading.products)
}

/// The products of a text in the form that its first bytes show.
fn parse_from(
    mut text: impl BufRead,
    (options, pictures): (&FileOptions, &Pictures),
    prices: PricesIn,
    now: i64,
    report: &mut Report,
) -> Result<Made, FileError> {
    /// Spaces at the beginning that are looked over.
    const HEAD: u64 = 4 << 10;
    let mut head = Vec::new();
    text.by_ref().take(HEAD).read_to_end(&mut head)?;
    let first = head.trim_ascii_start().first().copied();
    let text = Cursor::new(head).chain(text);
    if let Some(b'{' | b'[') = first {
        let currency = match prices {
            PricesIn::Only(currency) => Some(currency),
            PricesIn::OwnOr(currency) => options.currency.or(currency),
        };
        let picture = |written: &str| pictures.address(&options.picture(written));
        let products = json::products(text, currency.unwrap_or_default(), &picture, report)?;
        return Ok(Made { products, currency, changes_at: None });
    }
    let mut gathered = Gathered::new(options, pictures, report);
    if first == Some(b'<') {
        xml::read(text, &mut gathered)?;
    } else {
        table::read(text, options.of_table(), &mut gathered)?;
    }
    Ok(gathered.finish(prices, now))
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

    /// Checks that it has more than half of the `old` number of products, if there is one.
    ///
    /// # Errors
    /// When it does not: that is more often a mistake than a decision.
    pub(crate) fn check_loss(&self, old: Option<u64>) -> Result<(), FileError> {
        let new = self.report.products;
        match old {
            Some(old) if new <= old / 2 => Err(FileError::Loss { old, new }),
            _ => Ok(()),
        }
    }

    /// Its products.
    pub(crate) fn products(&self) -> &[Product] {
        &self.products
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
    pub(super) fn log(&self, name: &str) {
        let Report { dialect, rows, products, variants, .. } = self.report;
        tracing::info!(file = %Bounded(name), form = dialect, rows, products, variants, "products were read");
        if !self.report.unused.is_empty() {
            let columns = self.report.unused.join(", ");
            tracing::warn!(
                file = %Bounded(name), columns = %Bounded(&columns),
                "columns of the file are not read"
            );
        }
        if let Some(pictures) = self.report.missing_pictures.line() {
            tracing::warn!(
                file = %Bounded(name), pictures = %Bounded(&pictures),
                "pictures of products are missing"
            );
        }
        for (reason, text) in self.report.reasons() {
            match reason.is_fault() {
                true => tracing::warn!(file = %Bounded(name), rows = text, "rows are left out"),
                false => tracing::info!(file = %Bounded(name), rows = text, "rows are left out"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::file::report::Reason;
    use crate::catalogue::variant::Variant;
    use crate::catalogue::{Summary, check_product};

    fn parse_with(text: &str, options: &FileOptions, now: i64) -> Result<Reading, FileError> {
        let text = Text::of_bytes(text.to_owned().into(), options.encoding)?;
        parse(text, options, Pictures::new(None), PricesIn::OwnOr(None), now)
    }

    fn parse_text(text: &str) -> Result<Reading, FileError> {
        parse_with(text, &FileOptions::default(), 0)
    }

    /// What a shop shows of the products of a text: a line for each product and each variant.
    fn shown(text: &str) -> Result<Vec<String>, String> {
        let Reading { products, currency, .. } = parse_text(text).map_err(|error| error.to_string())?;
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

    const WOOCOMMERCE: &str = "ID,Type,SKU,\"GTIN, UPC, EAN, or ISBN\",Name,Published,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)\n\
        31,variation,HOOD-B,,Hoodie - Blue,1,visible,,,,,1,,0,,45,,https://a.example/b.webp,HOOD,Color,Blue,,\n\
        30,variable,HOOD,,Hoodie,1,visible,Warm.,<p>Long</p>,,,1,,0,,,\"Clothing > Hoodies, Sale\",\"https://a.example/h1.webp, https://a.example/h2.webp\",,Color,\"Blue, Red\",,\n\
        32,variation,HOOD-R,,Hoodie - Red,1,visible,,,,,0,0,1,40,45,,,HOOD,Color,Red,,\n\
        33,variation,HOOD-G,,Hoodie - Green,0,visible,,,,,1,,0,,45,,,HOOD,Color,Green,,\n\
        40,\"simple, virtual\",,4006381333931,Voucher,1,visible,Short.,,,,1,7,0,,10,,,,Use,Once,,\n\
        41,simple,OLD,,Old,-1,visible,,,,,1,,0,,10,,,,,,,\n\
        42,simple,HID,,Hidden,1,hidden,,,,,1,,0,,10,,,,,,,\n\
        43,grouped,SET,,Set,1,visible,,,,,1,,0,,,,,,,,,\n\
        50,variable,,,Cap,1,visible,,,,,1,,0,,,,,,Size,\"S, M\",,\n\
        51,variation,,,Cap - S,1,visible,,,,,backorder,,0,,5,,,id:50,Size,S,,\n\
        52,variation,,,Cap - M,1,visible,,,,,1,,0,,6,,,id:50,Size,M,,\n";

    #[test]
    fn what_woocommerce_exports_becomes_products() {
        assert_eq!(
            shown(WOOCOMMERCE).unwrap(),
            [
                "HOOD Hoodie 45.00 USD InStock(None) 2",
                "  Color=Blue 45.00 InStock(None) HOOD-B",
                "  Color=Red 40.00 SoldOut HOOD-R",
                "40 Voucher 10.00 USD InStock(Some(7)) 0",
                "50 Cap 5.00 USD BackOrder 0",
                "  Size=S 5.00 BackOrder ",
                "  Size=M 6.00 InStock(None) ",
            ]
        );
        let Reading { products, report, .. } = parse_text(WOOCOMMERCE).unwrap();
        let reasons: Vec<String> = report.reasons().map(|(_, text)| text).collect();
        assert_eq!(
            reasons,
            ["2 not for sale (lines 7, 8)", "1 of products that only join others (line 9)"],
            "a variant that is hidden is nothing to name"
        );
        let [hoodie, voucher, _] = &*products else { panic!("{products:?}") };
        assert_eq!((&*hoodie.summary.description, &*voucher.summary.description), ("Long", "Short."));
        assert_eq!(hoodie.summary.category, Slug::of("Hoodies"));
        assert_eq!(hoodie.variants[0].picture.as_deref(), Some("https://a.example/b.webp"));
        assert!(voucher.gtin.is_some());
    }

    #[test]
    fn google_merchant_data_become_products_in_every_form() {
        let table = "id\ttitle\tdescription\tlink\timage_link\tadditional_image_link\tavailability\tprice\tsale_price\tbrand\tgtin\tproduct_type\titem_group_id\tcolor\tsize\tshipping_weight\n\
            s1\tShirt Red S\tSoft & cool\thttps://s.example/s1\thttps://a.example/1.webp\thttps://a.example/2.webp,https://a.example/3.webp\tin_stock\t30.00 EUR\t25.00 EUR\tHall\t4006381333931\tHome > Shirts\tshirt\tRed\tS\t200 g\n\
            c1\tCup\t\thttps://s.example/c1\thttps://a.example/c.webp\t\tout of stock\t5.00 EUR\t\t\t4.00638E+12\tHome > Cups\t\tRed\t\t\n\
            s2\tShirt Red M\tSoft & cool\t\t\t\tpreorder\t30.00 EUR\t\t\t\t\tshirt\tRed\tM\t\n\
            d1\tDollar\t\t\t\t\tin stock\t5.00 USD\t\t\t\t\t\t\t\t\n";
        let rss = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel><title>Shop</title><link>https://s.example</link>\n\
            <item><title>No</title><g:title>Shirt Red S</g:title><description><![CDATA[Soft & cool]]></description><g:id>s1</g:id><g:image_link>https://a.example/1.webp</g:image_link><g:additional_image_link>https://a.example/2.webp</g:additional_image_link><g:additional_image_link>https://a.example/3.webp</g:additional_image_link><g:availability>in_stock</g:availability><g:price>30.00 EUR</g:price><g:sale_price>25.00 EUR</g:sale_price><g:brand>Hall</g:brand><g:gtin>4006381333931</g:gtin><g:product_type>Home &gt; Shirts</g:product_type><g:item_group_id>shirt</g:item_group_id><g:color>Red</g:color><g:size>S</g:size><g:shipping><g:price>4.99 USD</g:price></g:shipping></item>\n\
            <item><g:id>c1</g:id><title>Cup</title><g:image_link>https://a.example/c.webp</g:image_link><g:availability>out of stock</g:availability><g:price>5.00 EUR</g:price><g:gtin>4.00638E+12</g:gtin><g:product_type>Home &gt; Cups</g:product_type><g:color>Red</g:color></item>\n\
            <item><g:id>s2</g:id><title>Shirt Red M</title><description>Soft & cool</description><g:availability>preorder</g:availability><g:price>30.00 EUR</g:price><g:item_group_id>shirt</g:item_group_id><g:color>Red</g:color><g:size>M</g:size><g:sale_price/></item>\n\
            <item><g:id>d1</g:id><title>Dollar</title><g:price>5.00 USD</g:price></item>\n\
            </channel></rss>";
        let atom = rss
            .replace("<rss version=\"2.0\"", "<feed xmlns=\"http://www.w3.org/2005/Atom\"")
            .replace("<channel>", "")
            .replace("</channel></rss>", "</feed>")
            .replace("item>", "entry>")
            .replace("<description>", "<summary>")
            .replace("</description>", "</summary>")
            .replace("<entry><title>No", "<entry><id>tag:no</id><link href=\"https://s.example\"/><title>No");
        let csv = table.replace(',', "\u{1}").replace('\t', ",").replace('\u{1}', " ");
        for (text, line) in [(table.to_owned(), 3), (csv, 3), (rss.to_owned(), 4), (atom, 4)] {
            assert_eq!(
                shown(&text).unwrap(),
                [
                    "shirt Shirt Red 25.00 EUR InStock(None) 3",
                    "  Size=S 25.00 InStock(None) ",
                    "  Size=M 30.00 PreOrder ",
                    "c1 Cup 5.00 EUR SoldOut 1",
                ],
                "{text}"
            );
            let Reading { products, report, .. } = parse_text(&text).unwrap();
            assert_eq!(products[0].summary.description, "Soft & cool", "{text}");
            assert_eq!(products[0].summary.category, Slug::of("Shirts"), "{text}");
            assert!(products[0].variants[0].list_price.is_some(), "{text}");
            assert_eq!(report.left_out[&Reason::RoundedBarcode].lines, [line], "{text}");
            assert_eq!(report.left_out[&Reason::OtherCurrency].count, 1, "{text}");
        }
    }

    #[test]
    fn a_sale_holds_between_its_dates() {
        let text = "id,title,price,sale_price,sale_starts,sale_ends\n\
            1,Cup,10.00,8.00,1970-01-02,1970-01-03\n\
            2,Bowl,10.00,12.00,,\n\
            3,Tray,10.00,8.00,,1970-01-02T12:00Z\n\
            4,Mug,10.00,8.00,tomorrow,\n";
        const DAY: i64 = 86_400;
        for (now, prices, changes_at) in [
            (0, "10 10 8 10", Some(DAY)),
            (DAY, "8 10 8 10", Some(DAY + DAY / 2 + 1)),
            (2 * DAY, "8 10 10 10", Some(3 * DAY)),
            (3 * DAY, "10 10 10 10", None),
        ] {
            let reading = parse_with(text, &FileOptions::default(), now).unwrap();
            let price =
                |product: &Product| Currency::default().plain(product.summary.price).replace(".00", "");
            let found: Vec<String> = reading.products.iter().map(price).collect();
            assert_eq!((&*found.join(" "), reading.changes_at), (prices, changes_at), "{now}");
            assert_eq!(reading.report.left_out[&Reason::UnclearDates].lines, [5]);
            let discounts =
                reading.products.iter().filter(|product| product.summary.list_price.is_some()).count();
            assert_eq!(discounts, prices.split(' ').filter(|price| *price == "8").count(), "{now}");
        }
    }

    #[test]
    fn options_say_how_a_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("options.toml");
        std::fs::write(
            &path,
            "currency = \"CZK\"\ndecimal = \",\"\ncategory = \"Things\"\nimage_base = \"https://a.example/\"\n[columns]\nid = \"Kod\"\ntitle = \"Název\"\nprice = \"Cena\"\nimages = \"Obrázek\"\n",
        )
        .unwrap();
        let options = FileOptions::of(Some(&path), None).unwrap();
        let text = "Kod;Název;Cena;Obrázek\n1;Hrnek;1.299;1.webp\n";
        let Reading { products, currency, .. } = parse_with(text, &options, 0).unwrap();
        let product = &products[0];
        assert_eq!(product.summary.price, currency.unwrap().whole(1299));
        assert_eq!(product.summary.category, Slug::of("Things"));
        assert_eq!(product.images, ["https://a.example/1.webp"]);
    }

    #[test]
    fn broken_xml_is_refused() {
        let item = "<item><id>1</id><title>Cup</title><price>5</price></item>";
        let error = |text: &str| parse_text(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error(&format!("<rss>{item}</rss>")), "");
        for (text, named) in [
            (format!("<rss>{item}"), "line 1 is not complete"),
            (format!("<rss>\n{item}</feed>"), "not well-formed in line 2"),
            (format!("<rss>{item}<item><title>Cup</item></rss>"), "not well-formed"),
            (format!("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss>{item}</rss>"), "document type"),
            (format!("<html>{item}</html>"), "`html`"),
            (format!("<rss>{}", "<a>".repeat(40)), "depth of more than 32"),
            (format!("<rss><item><title>{}</title></item></rss>", "a".repeat(5 << 20)), "4 MiB"),
            (format!("<rss><channel><{}", "a".repeat(5 << 20)), "4 MiB"),
            ("<rss/>".to_owned(), "empty"),
        ] {
            assert!(error(&text).contains(named), "{} instead of {named}", error(&text));
        }
        let entity = format!(
            "<rss>{}</rss>",
            item.replace("Cup", "Cup &amp; caf&eacute; &#233; &lt;b&gt; A & B &nope;")
        );
        assert_eq!(parse_text(&entity).unwrap().products[0].summary.title, "Cup & café é A & B &nope;");
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
            (header, last) in prop::sample::select(vec![
                ("id,title,price,group,list_price,stock,images,options,status,category,weight,gtin", "1000,Last,5"),
                ("id,title,price,sale_price,sale_starts,item_group_id,color,size,image_link,additional_image_link,availability,gtin", "1000,Last,5"),
                ("ID,Type,Name,Regular price,Sale price,Parent,SKU,Images,Attribute 1 name,Attribute 1 value(s),Stock,Published", "1000,simple,Last,5"),
                ("Handle,Title,Variant Price,Option1 Name,Option1 Value,Body (HTML),Variant Inventory Qty,Image Src,Status,Type", "1000,Last,5"),
            ]),
        ) {
            let rows: Vec<String> = rows.iter().map(|cells| cells.join(",")).collect();
            // One product at least, so that the table is read.
            let table = format!("{header}\n{}\n{last}\n", rows.join("\n"));
            let Reading { products, .. } = parse_text(&table).unwrap();
            products.iter().for_each(check);
        }

        #[test]
        fn a_file_with_damage_is_read_or_refused(
            seed in prop::sample::select(vec!["own", "shopify", "woocommerce", "rss", "atom", "json", "json_lines", "gzip"]),
            damage in prop::collection::vec((0_usize..800, any::<u8>(), 0_usize..3), 1..9),
        ) {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus-seeds/catalogue_file");
            let mut bytes = std::fs::read(folder.join(seed)).unwrap();
            for (at, byte, how) in damage {
                let at = at % bytes.len().max(1);
                match how {
                    _ if bytes.is_empty() => {}
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            crate::fuzzing::check_file(&bytes);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "([\\[\\]{}\":,;a-e0-9\n \\\\]|\"id\":1|\"title\":\"A\"|\"price\":5|id,title,price\n|1,A,5\n|\\{\"id\":1,\"title\":\"A\",\"price\":5\\}\n){0,20}") {
            if let Ok(Reading { products, .. }) = parse_text(&text) {
                products.iter().for_each(check);
            }
        }
    }
}
