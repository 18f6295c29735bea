//! Whole files, from their text to products.

mod forms;
mod shops;
mod values;

use std::io::{self, Read};

use proptest::prelude::*;

use super::amounts::PricesIn;
use super::error::FileError;
use super::options::FileOptions;
use super::pictures::Pictures;
use super::reading::{ReadOptions, Reading, parse};
use super::report::{Reason, Report};
use super::text::Text;
use crate::catalogue::Spelling;
use crate::catalogue::model::Product;
use crate::catalogue::slug::Slug;
use crate::catalogue::variant::Variant;
use crate::catalogue::{Summary, check_product};
use crate::profile::Currency;

/// Hands out a few bytes at a time.
pub(super) struct Slowly<'a>(pub(super) &'a [u8], pub(super) usize);

impl Read for Slowly<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(target.len());
        (&mut self.0).take(count as u64).read(target)
    }
}

pub(super) fn parse_with(text: &str, options: &FileOptions, now: i64) -> Result<Reading, FileError> {
    let text = Text::of_bytes(text, options.encoding)?;
    let read = ReadOptions {
        prices: PricesIn::OwnOr(None),
        now,
        most: 10_000,
        spelling: Spelling::Usual,
        rejected: None,
    };
    parse(&text, options, Pictures::new(None, None), read)
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
        let line =
            format!("{id} {title} {price} {} {:?} {}", currency.code(), summary.availability, images.len());
        std::iter::once(line).chain(variants.iter().map(variant)).collect::<Vec<_>>()
    };
    Ok(products.iter().flat_map(|own| product(own)).collect())
}

/// The lines of the first rows that are left out for this reason.
fn lines(report: &Report, reason: Reason) -> Vec<u32> {
    let left_out = report.left_out.get(&reason);
    left_out.into_iter().flat_map(|left_out| &left_out.first).map(|row| row.line).collect()
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
        // Products without a price, a free one, and a stock of zero or less.
        (
            "id,title,price,stock\n1,A,0,5\n2,B,-1,5\n3,C, Free ,5\n4,D,5,-2\n5,E,5,0",
            vec!["3 C 0.00 USD InStock(Some(5)) 0", "4 D 5.00 USD SoldOut 0", "5 E 5.00 USD SoldOut 0"],
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
            "id,title,price,images\na b,A,5,https://a.example/1.webp|/2.webp|javascript:x",
            vec!["a-b A 5.00 USD Unknown 2"],
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
            "HOOD Hoodie 45.00 USD InStock(None) 3",
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
        assert_eq!(lines(&report, Reason::RoundedBarcode), [line], "{text}");
        assert_eq!(report.left_out.get(&Reason::OtherCurrency).unwrap().count, 1, "{text}");
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
        let price = |product: &Product| Currency::default().plain(product.summary.price).replace(".00", "");
        let found: Vec<String> = reading.products().map(price).collect();
        assert_eq!((&*found.join(" "), reading.changes.next), (prices, changes_at), "{now}");
        assert_eq!(lines(&reading.report, Reason::UnclearDates), [5]);
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
        (format!("<html>{item}</html>"), "web page"),
        (format!("<shop>{item}</shop>"), "`shop`"),
        (format!("<rss>{}", "<a>".repeat(40)), "depth of more than 32"),
        (format!("<rss><item><title>{}</title></item></rss>", "a".repeat(33 << 20)), "32 MiB"),
        (format!("<rss><channel><{}", "a".repeat(33 << 20)), "32 MiB"),
        ("<rss/>".to_owned(), "empty"),
    ] {
        assert!(error(&text).contains(named), "{} instead of {named}", error(&text));
    }
    let entity =
        format!("<rss>{}</rss>", item.replace("Cup", "Cup &amp; caf&eacute; &#233; &lt;b&gt; A & B &nope;"));
    assert_eq!(parse_text(&entity).unwrap().products[0].summary.title, "Cup & café é A & B &nope;");
}

/// The reasons of what was left out.
fn left_out(text: &str) -> Vec<String> {
    parse_text(text).unwrap().report.reasons().map(|(_, text)| text).collect()
}

#[test]
fn what_is_left_out_is_named_and_nothing_else_is_lost() {
    for (text, products, reasons) in [
        // An option twice, and more than are shown.
        (
            "id,group,title,price,options\n1,g,Cup,5,Size: S; Size: M\n2,g,Cup,6,Size: L\n3,g,Cup,7,Size: M\n4,g,Cup,7,a:1;b:2;c:3;d:4;e:5;f:6;g:7;h:8\n",
            vec!["g Cup 6.00 USD Unknown 0", "  Size=L 6.00 Unknown ", "  Size=M 7.00 Unknown "],
            vec!["2 with an option twice, or with more than 6 options (lines 2, 5)"],
        ),
        // A variant without a price is no picture.
        (
            "id,title,price,item_group_id,size\ns1,Cup,5,g,S\ns2,Cup,,g,M\ns3,Cup,6,g,L\n",
            vec!["g Cup 5.00 USD Unknown 0", "  Size=S 5.00 Unknown ", "  Size=L 6.00 Unknown "],
            vec!["1 without a price above zero (line 3)"],
        ),
        // All rows of a product that cannot be sold, without a note about its barcode.
        (
            "id,group,title,price,gtin\n1,g,Cup,,4.00638E+12\n2,g,Cup,no,\n3,,Bowl,5,\n",
            vec!["3 Bowl 5.00 USD Unknown 0"],
            vec!["2 without a price above zero (lines 2, 3)"],
        ),
        // A hidden row says of the product only what no other row says.
        (
            "id,group,title,price,images,status,options\n1,g,Secret,5,https://a.example/1.webp,draft,Size: S\n2,g,Lamp,6,,,Size: M\n3,g,Lamp,7,,,Size: L\n",
            vec!["g Lamp 6.00 USD Unknown 1", "  Size=M 6.00 Unknown ", "  Size=L 7.00 Unknown "],
            vec![],
        ),
        // Two columns of one meaning, of which either may be filled.
        (
            "id,title,price,visibility,status,quantity,inventory,image_link\n1,A,5,published,archived,,,\n2,B,5,hidden,active,,,\n3,C,5,published,active,,7,\n",
            vec!["3 C 5.00 USD InStock(Some(7)) 0"],
            vec!["2 not for sale (lines 2, 3)"],
        ),
        // An SKU that is another product's ID, and one that two products have.
        (
            "ID,Type,SKU,Name,Published,Regular price,Parent\n50,simple,,Cup,1,5,\n60,simple,50,Bowl,1,6,\n70,simple,50,Tray,1,7,\n80,simple,,Mug,1,8,\n",
            vec!["id-50 Cup 5.00 USD Unknown 0", "50 Bowl 6.00 USD Unknown 0", "80 Mug 8.00 USD Unknown 0"],
            vec!["1 with the id, or the options, of an earlier one (line 4)"],
        ),
        (
            "id,title,price,image_link,link\n1,A,5,https://me:word@a.example/1.webp,https://me@a.example/a\n",
            vec!["1 A 5.00 USD Unknown 1"],
            vec!["1 with a user name or a password in an address: they are left out (line 2)"],
        ),
        // The title of a row that is left out shortens no other.
        (
            "id,group,title,price,options\n1,g,Oak Lamp large,5,Size: L\n2,g,Oak Chair,,Size: M\n3,g,Oak Lamp small,6,Size: S\n",
            vec!["g Oak Lamp 5.00 USD Unknown 0", "  Size=L 5.00 Unknown ", "  Size=S 6.00 Unknown "],
            vec!["1 without a price above zero (line 3)"],
        ),
        (
            "id,group,title,price,options\n1,g,Tray,no,Size: L\n2,g,Oak Lamp,5,Size: M\n",
            vec!["g Oak Lamp 5.00 USD Unknown 0"],
            vec!["1 without a price above zero (line 2)"],
        ),
        // Prices of Google's have a point, unless they show otherwise.
        ("id,title,price,image_link,link\n1,A,12.500 KWD,,\n", vec!["1 A 12.500 KWD Unknown 0"], vec![]),
    ] {
        assert_eq!(shown(text).unwrap(), products, "{text}");
        assert_eq!(left_out(text), reasons, "{text}");
    }
}

#[test]
fn nothing_is_sold_that_a_column_says_is_not_for_sale() {
    for column in ["status", "published", "Active", "visibility", "product_online", "enabled"] {
        for word in [
            "disabled",
            "false",
            "0",
            "no",
            "unpublished",
            "deleted",
            "offline",
            "archived",
            "draft",
            "N",
            "nein",
            "Entwurf",
            "not active",
            "Not Visible Individually",
        ] {
            let text = format!("id,title,price,{column}\n1,A,5,{word}\n2,B,5,yes\n3,C,5,\n");
            assert_eq!(shown(&text).unwrap(), ["2 B 5.00 USD Unknown 0", "3 C 5.00 USD Unknown 0"], "{text}");
            assert_eq!(left_out(&text), ["1 not for sale (line 2)"], "{text}");
        }
    }
    // A word that says neither leaves its product out where others do; of a column without any it says nothing.
    let text = "id,title,price,status\n1,A,5,active\n2,B,5,perhaps\n";
    assert_eq!(shown(text).unwrap(), ["1 A 5.00 USD Unknown 0"]);
    assert_eq!(
        left_out(text),
        ["1 with a word that says neither that it is for sale nor that it is not (line 3)"]
    );
    let text = "id,title,price,Status,published\n1,A,5,new,yes\n2,B,5,used,\n";
    assert_eq!(shown(text).unwrap().len(), 2);
    assert_eq!(parse_text(text).unwrap().report.unused, ["Status"]);
    // What is sold out is for sale; of two columns of one meaning the one that says no counts.
    let text = "id,title,price,status\n1,A,5,in stock\n2,B,5,discontinued\n3,C,5,sold out\n";
    assert_eq!(shown(text).unwrap(), ["1 A 5.00 USD Unknown 0", "3 C 5.00 USD Unknown 0"]);
    let text = "id,title,price,enabled,product_online\n1,A,5,1,0\n2,B,5,1,1\n";
    assert_eq!(shown(text).unwrap(), ["2 B 5.00 USD Unknown 0"]);
    // The first row of Shopify's speaks for all, whatever other columns there are.
    let text = "ID,Handle,Title,Status,Option1 Name,Option1 Value,Variant Price\n\
        1,cup,Cup,draft,Size,S,5\n1,cup,Cup,,Size,M,6\n2,mug,Mug,active,,,7\n";
    assert_eq!(shown(text).unwrap(), ["mug Mug 7.00 USD Unknown 0"]);
    // The column of a variant speaks for the variant, that of a product for all of them.
    let text = "id,group,title,price,size,enabled\n1,g,A,5,S,1\n2,g,A,5,M,maybe\n3,g,A,6,L,1\n";
    assert_eq!(shown(text).unwrap().len(), 1, "{:?}", shown(text));
    let text = "Handle,Title,Variant Price,Option1 Name,Option1 Value,Status\na,A,5,Size,S,secret\na,,6,Size,M,\nb,B,5,,,active\n";
    assert_eq!(shown(text).unwrap(), ["b B 5.00 USD Unknown 0"]);
}

#[test]
fn a_price_is_read_in_its_currency_or_left_out() {
    for (rows, expected, reasons) in [
        // Three decimals are the fraction where the currency has as many.
        ("1,A,12.500 KWD\n2,B,3.750 KWD", vec!["1 A 12.500 KWD", "2 B 3.750 KWD"], vec![]),
        ("1,A,\"12,500 KWD\"", vec!["1 A 12.500 KWD"], vec![]),
        ("1,A,\"1,250.500 BHD\"", vec!["1 A 1250.500 BHD"], vec![]),
        (
            "1,A,1.299\n2,B,2.49",
            vec!["2 B 2.49 USD"],
            vec!["1 with a price that can be read in two ways, such as 1.30 or 1299.00 (line 2)"],
        ),
        (
            "1,A,\"1,299\"\n2,B,\"2,49 €\"",
            vec!["2 B 2.49 EUR"],
            vec!["1 with a price that can be read in two ways, such as 1299.00 or 1.30 (line 2)"],
        ),
        ("1,A,12.500\n2,B,0.500", vec!["1 A 12.50 USD", "2 B 0.50 USD"], vec![]),
        ("1,A,1.299\n2,B,899", vec!["1 A 1299.00 USD", "2 B 899.00 USD"], vec![]),
        // Signs and words of one currency, and a column for all rows.
        ("1,A,₹1200", vec!["1 A 1200.00 INR"], vec![]),
        ("1,A,300 Kč", vec!["1 A 300.00 CZK"], vec![]),
        ("1,A,\"49,90 €*\"", vec!["1 A 49.90 EUR"], vec![]),
        ("1,A,\"49,90 Euro\"", vec!["1 A 49.90 EUR"], vec![]),
        ("1,A,HK$499", vec!["1 A 499.00 HKD"], vec![]),
        ("1,A,R$ 20\n2,B,30", vec!["1 A 20.00 BRL", "2 B 30.00 BRL"], vec![]),
        (
            "1,A,5,SEK\n2,B,6 kr,SEK\n3,C,7,EUR",
            vec!["1 A 5.00 SEK", "2 B 6.00 SEK"],
            vec!["1 with a price in another currency (line 4)"],
        ),
        // Another sign than the file's.
        (
            "1,A,5 €\n2,B,$12\n3,C,¥500\n4,D,₹499",
            vec!["1 A 5.00 EUR"],
            vec!["3 with a price in another currency (lines 3, 4, 5)"],
        ),
        ("1,A,\"250,000 IQD\"", vec!["1 A 250000.000 IQD"], vec![]),
        ("1,A,$5.99 / pound\n2,B,$6", vec!["1 A 5.99 USD", "2 B 6.00 USD"], vec![]),
        ("1,A,12 €\n2,B,100 HRK", vec!["1 A 12.00 EUR"], vec!["1 with a price in another currency (line 3)"]),
        ("1,A,€5,USD\n2,B,$6,USD", vec!["2 B 6.00 USD"], vec!["1 with a price in another currency (line 2)"]),
        (
            "1,A,5\n2,B,6\n3,C,7 net",
            vec!["1 A 5.00 USD", "2 B 6.00 USD"],
            vec!["1 with a price that is no amount, or written otherwise than the others (line 4)"],
        ),
    ] {
        let text = format!("id,title,price,currency\n{rows}\n");
        let shown: Vec<String> =
            shown(&text).unwrap().iter().map(|line| line.replace(" Unknown 0", "")).collect();
        assert_eq!(shown, expected, "{text}");
        assert_eq!(left_out(&text), reasons, "{text}");
    }
    for (price, sign) in [("¥500", "¥"), ("5 kr", "kr"), ("5 net", "net"), ("Rs. 499", "Rs.")] {
        let error = shown(&format!("id,title,price\n1,A,{price}\n")).unwrap_err();
        assert!(error.contains(&format!("`{sign}`")) && error.contains("--currency"), "{error}");
    }
}

#[test]
fn a_name_of_one_form_is_known_in_every_form() {
    for (text, expected) in [
        ("id,name,regular price,sale price\n1,Cup,10,8\n", "1 Cup 8.00 USD Unknown 0"),
        ("id,title,price,category,image_link\n1,Cup,5,Cups,/a.webp\n", "1 Cup 5.00 USD Unknown 1"),
        ("id,title,price,link,image_link,vendor\n1,Cup,5,,/a.webp,Acme\n", "1 Cup 5.00 USD Unknown 1"),
        (
            "<rss><item><id>1</id><name>Cup</name><price>5</price><category>Cups</category></item></rss>",
            "1 Cup 5.00 USD Unknown 0",
        ),
    ] {
        assert_eq!(shown(text).unwrap(), [expected], "{text}");
    }
}

#[test]
fn json_with_the_names_of_other_forms_is_read() {
    for (fields, expected) in [
        (r#""name":"Cup","price":5,"image_link":"/a.webp""#, "1 Cup 5.00 USD Unknown 1"),
        (r#""title":"Cup","price":10,"sale_price":8"#, "1 Cup 8.00 USD Unknown 0"),
        (
            r#""title":"Cup","price":10,"salePrice":"8.00","sale_ends":"1990-01-01""#,
            "1 Cup 10.00 USD Unknown 0",
        ),
        (r#""title":"Cup","price":5,"images":"/a.webp, /b.webp""#, "1 Cup 5.00 USD Unknown 2"),
        (
            r#""title":"Cup","price":5,"images":[{"src":"/a.webp"}],"inStock":true"#,
            "1 Cup 5.00 USD InStock(None) 1",
        ),
        (r#""title":"Cup","price":5,"inStock":false"#, "1 Cup 5.00 USD SoldOut 0"),
        (r#""title":"Cup","price":"49,90 €","brand":{"name":"Acme"}"#, "1 Cup 49.90 EUR Unknown 0"),
        (
            r#""name":"Cup","offers":{"@type":"Offer","price":"5.50","priceCurrency":"GBP","availability":"https://schema.org/InStock"}"#,
            "1 Cup 5.50 GBP InStock(None) 0",
        ),
        (r#""title":"Cup","variants":[{"title":"S","price":"7.00"}]"#, "1 Cup 7.00 USD Unknown 0"),
        (r#""title":"Cup","name":"no","price":5,"status":"active""#, "1 Cup 5.00 USD Unknown 0"),
    ] {
        let text = format!("{{\"id\":1,{fields}}}\n");
        assert_eq!(shown(&text).unwrap(), [expected], "{text}");
    }
    let text = "{\"id\":1,\"title\":\"A\",\"price\":5,\"published\":false,\"colour\":\"red\"}\n\
        {\"id\":2,\"title\":\"B\",\"price\":5,\"published\":true,\"status\":\"new\"}\n\
        {\"id\":3,\"title\":\"C\",\"price\":5,\"published\":\"perhaps\"}\n";
    assert_eq!(shown(text).unwrap(), ["2 B 5.00 USD Unknown 0"]);
    assert_eq!(
        left_out(text),
        [
            "1 not for sale (line 1)",
            "1 with a word that says neither that it is for sale nor that it is not (line 3)"
        ]
    );
    assert_eq!(parse_text(text).unwrap().report.unused, ["colour", "status"]);
    // A price in a currency that is not understood is never taken for dollars.
    let text = "{\"id\":1,\"title\":\"A\",\"price\":500,\"currency\":\"kr\"}\n\
        {\"id\":2,\"title\":\"B\",\"price\":5,\"currency\":\"SEK\"}\n";
    assert_eq!(shown(text).unwrap(), ["2 B 5.00 SEK Unknown 0"]);
    for fields in [
        r#""price":"500 kr""#,
        r#""price":"500 HRK""#,
        r#""price":"$12","currency":"EUR""#,
        r#""price":10,"sale_price":"$8","priceCurrency":"EUR""#,
    ] {
        let text = format!("{{\"id\":1,\"title\":\"A\",{fields}}}\n");
        assert!(shown(&text).is_err(), "{text}");
    }
    let text = "{\"id\":1,\"title\":\"A\",\"price\":5,\"active\":true,\"enabled\":false}\n\
        {\"id\":2,\"title\":\"B\",\"price\":\"$5\"}\n";
    assert_eq!(shown(text).unwrap(), ["2 B 5.00 USD Unknown 0"]);
    let options = FileOptions::parse("[columns]\ntitle = \"Název\"\nprice = \"cena\"").unwrap();
    let text = "{\"id\":1,\"Název\":\"Hrnek\",\"cena\":5}\n";
    assert_eq!(parse_with(text, &options, 0).unwrap().products[0].summary.title, "Hrnek");
}

#[test]
fn texts_keep_their_lines_and_names_lose_their_entities() {
    let large = format!(
        "<p>Soft<img src=\"\"data:image/png;base64,{}\"\"> and <ul><li>warm</ul>",
        "A".repeat(5 << 20)
    );
    let text = format!(
        "id,title,price,description,brand,category,tags\n\
         1,Shirt <M>,5,\"{large}\",Salt &amp; Pepper,Home &amp; Garden,\"red &amp; blue, N/A\"\n\
         2,Cup,5,Fits S<M<L. Pure cotton.,salt & pepper,NULL,\n3,Bowl,5,\"one\ntwo\",#REF!,-,\n"
    );
    let Reading { products, .. } = parse_text(&text).unwrap();
    let summary = |number: usize| &products[number].summary;
    assert_eq!(summary(0).title, "Shirt <M>");
    assert_eq!(summary(0).description, "Soft and\n• warm");
    assert_eq!(summary(0).category.as_ref().map(Slug::title).as_deref(), Some("Home & Garden"));
    assert_eq!(products[0].tags, ["red & blue"]);
    assert_eq!((summary(1).brand.as_deref(), summary(1).category.as_ref()), (Some("Salt & Pepper"), None));
    assert_eq!(summary(1).description, "Fits S<M<L. Pure cotton.");
    assert_eq!((summary(2).brand.as_deref(), &*summary(2).description), (None, "one\ntwo"));
}

#[test]
fn what_is_odd_in_the_bytes_of_a_table_costs_no_more_than_its_row() {
    let long = "a".repeat(5 << 20);
    let table = |row: &str| format!("id,title,price\n1,Cup,5\n{row}\n3,Bowl,6\n");
    let others = ["1 Cup 5.00 USD Unknown 0", "3 Bowl 6.00 USD Unknown 0"];
    let reason = ["1 with more than 4 MiB in one row, item or product of JSON (line 3)"];
    for row in [format!("2,{long},7"), format!("2,\"{long}\n\"\"b\"\"\",7")] {
        assert_eq!(shown(&table(&row)).unwrap(), others);
        assert_eq!(left_out(&table(&row)), reason);
    }
    assert!(shown(&table(&format!("2,\"{long},7"))).unwrap_err().contains("line 3"), "an open quote");
    let item = |id: u32, text: &str| {
        format!("<item><id>{id}</id><title>Cup</title>{text}<price>5 USD</price></item>\n")
    };
    for text in [
        format!("<description>{long}</description>"),
        format!("<image_link>/a.svg</image_link>{}", "<b>c</b>".repeat(600_000)),
    ] {
        let feed = format!("<rss>\n{}{}{}</rss>", item(1, ""), item(2, &text), item(3, ""));
        assert_eq!(parse_text(&feed).unwrap().products.len(), 2);
        assert_eq!(left_out(&feed), reason);
    }
    for (row, title) in [
        (r#"2,"a \"quoted\" word",7"#, r#"a "quoted" word"#),
        (r#"2,"27\"",7"#, r#"27""#),
        (r#"2,"C:\",7"#, r"C:\"),
        (r#"2,"5""\",7"#, r#"5"\"#),
    ] {
        let Reading { products, .. } = parse_text(&table(row)).unwrap();
        assert_eq!((&*products[1].summary.title, products.len()), (title, 3), "{row}");
    }
    let text = "id\ttitle\tprice\n1\t\"Best\" lamp\t5\n2\t\"a\tb\"\t6\n3\t27\" monitor\t7\n";
    let Reading { products, .. } = parse_text(text).unwrap();
    let titles: Vec<&str> = products.iter().map(|product| &*product.summary.title).collect();
    assert_eq!(titles, ["\"Best\" lamp", "a b", "27\" monitor"]);
}

#[test]
fn a_file_in_two_encodings_is_read_with_a_warning() {
    let bytes =
        ["id,title,price\n1,Käse,5 €\n2,Größe,6\n".as_bytes(), b"3,\xd6l,7\n", "4,Tür,8\n".as_bytes()]
            .concat();
    let read = ReadOptions {
        prices: PricesIn::OwnOr(None),
        now: 0,
        most: 9,
        spelling: Spelling::Usual,
        rejected: None,
    };
    let text = Text::of_bytes(bytes, None).unwrap();
    let Reading { products, report, .. } =
        parse(&text, &FileOptions::default(), Pictures::new(None, None), read).unwrap();
    let titles: Vec<&str> = products.iter().map(|product| &*product.summary.title).collect();
    assert_eq!((titles, report.decoding.unwrap().mixed_from), (vec!["Käse", "Größe", "Öl", "Tür"], Some(4)));
    assert!(report.mixed_encodings().unwrap().contains("line 4"));
    assert_eq!(parse_text("id,title,price\n1,Käse,5\n").unwrap().report.mixed_encodings(), None);
}

#[test]
fn a_file_has_no_more_products_than_fit_in_memory() {
    let read = ReadOptions {
        prices: PricesIn::OwnOr(None),
        now: 0,
        most: 3,
        spelling: Spelling::Usual,
        rejected: None,
    };
    let read = |text: String| {
        let text = Text::of_bytes(text, None).unwrap();
        parse(&text, &FileOptions::default(), Pictures::new(None, None), read)
            .map(|reading| reading.report.products)
    };
    let table = |count: u32| {
        "id,title,price\n".to_owned() + &(1..=count).map(|id| format!("{id},A,5\n")).collect::<String>()
    };
    let items = |count: u32| {
        (1..=count)
            .map(|id| format!("<item><id>{id}</id><title>A</title><price>5</price></item>"))
            .collect::<String>()
    };
    let xml = |count: u32| format!("<rss>{}</rss>", items(count));
    let lines = |count: u32| {
        (1..=count).map(|id| format!("{{\"id\":{id},\"title\":\"A\",\"price\":5}}\n")).collect::<String>()
    };
    let list = |count: u32| format!("[{}]", lines(count).trim_end().replace('\n', ","));
    for make in [&table as &dyn Fn(u32) -> String, &xml, &lines, &list] {
        assert_eq!(read(make(3)).ok(), Some(3), "{}", make(3));
        assert!(matches!(read(make(5)), Err(FileError::TooMany { most: 3 })), "{}", make(5));
    }
    let rows = "id,group,title,price\n".to_owned() + &"1,g,A,5\n".repeat(70);
    assert!(matches!(read(rows), Err(FileError::TooMany { most: 3 })), "rows of one product");
}

#[test]
fn rows_that_are_left_out_are_a_table_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rejected.csv");
    let written = |text: &str| {
        let text = Text::of_bytes(text, None).unwrap();
        let read = ReadOptions {
            prices: PricesIn::OwnOr(None),
            now: 0,
            most: 100,
            spelling: Spelling::Usual,
            rejected: Some(&path),
        };
        let read = parse(&text, &FileOptions::default(), Pictures::new(None, None), read);
        let written = std::fs::read_to_string(&path).unwrap();
        (read.is_ok(), written.strip_prefix('\u{feff}').unwrap().to_owned())
    };
    // The cells are as the shop has written them, but no spreadsheet takes them for formulas.
    let table = "id;group;title;price;note\n1;;\"Cup; red\";0;=1+1\n2;;Bowl;5,50;\n3;g;A;-1;-2\n4;;B;6;;x\n5;;;7;@me\n";
    assert_eq!(
        written(table),
        (
            true,
            "reason;line;id;group;title;price;note\n\
             without a price above zero;2;1;;\"Cup; red\";0;'=1+1\n\
             with a price that is no amount, or written otherwise than the others;4;3;g;A;-1;-2\n\
             with more cells than the header: is a comma in one that has no quotes?;5;4;;B;6;;x\n\
             without a title;6;5;;;7;'@me\n"
                .into()
        )
    );
    // The table is also written if no product is left, and if all products are on one line.
    let lines = "{\"id\":1,\"title\":\"A\",\"price\":0}\nno\n{\"id\":2}\n";
    assert_eq!(
        written(lines),
        (
            false,
            "reason,line,product\n\
             without a price above zero,1,\"{\"\"id\"\":1,\"\"title\"\":\"\"A\"\",\"\"price\"\":0}\"\n\
             not readable,2,no\n\
             without a title,3,\"{\"\"id\"\":2}\"\n"
                .into()
        )
    );
    let list = r#"[{"id":1,"title":"A","price":5},{"id":2,"title":"B"},{"id":3,"title":"C","price":5}]"#;
    assert_eq!(
        written(list).1,
        "reason,line,product\nwithout a price above zero,1,\"{\"\"id\"\":2,\"\"title\"\":\"\"B\"\"}\"\n"
    );
    let feed = "<rss><item><g:id>1</g:id><title>A</title><g:price>5</g:price></item>\
        <item><g:id>2</g:id><title>B</title><g:gtin>1</g:gtin><g:brand>Hall</g:brand></item></rss>";
    let (_, feed) = written(feed);
    let [header, row] = feed.lines().collect::<Vec<_>>()[..] else { panic!("{feed}") };
    assert!(
        header.starts_with("reason,line,id,item_group_id,item_group_title,title,description"),
        "{header}"
    );
    assert!(row.starts_with("without a price above zero,1,2,,,B,"), "{row}");
    assert_eq!(header.split(',').count(), row.split(',').count());
}

#[test]
fn elements_of_other_namespaces_say_nothing() {
    let text = "<feed><entry><media:title>Logo</media:title><title>Cup</title><id>1</id><g:price>5</g:price>\
        <category href=\"https://a.example/c\"/><link rel=\"self\" href=\"https://a.example/self\"/>\
        <link href=\"https://a.example/cup?a=1&amp;b=2\"/><content type=\"xhtml\"><div>Soft <b>light</b>.</div></content></entry></feed>";
    let Reading { products, .. } = parse_text(text).unwrap();
    assert_eq!(products[0].summary.title, "Cup");
    assert_eq!(products[0].link.as_deref(), Some("https://a.example/cup?a=1&b=2"));
    assert_eq!(products[0].summary.description, "Soft light.");
}

#[test]
fn options_count_for_json_too() {
    let options = FileOptions::parse("category = \"Things\"\nimage_base = \"https://a.example/\"").unwrap();
    let text = "{\"id\":1,\"title\":\"A\",\"price\":5,\"category\":7,\"images\":[\"a.webp\"]}\n";
    let Reading { products, .. } = parse_with(text, &options, 0).unwrap();
    assert_eq!(products[0].summary.category, Slug::of("Things"));
    assert_eq!(products[0].images, ["https://a.example/a.webp"]);
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
        // A table is only refused until its currency is named.
        let read = match parse_text(&table) {
            Err(FileError::Currency { .. }) => {
                parse_with(&table, &FileOptions::parse("currency = \"EUR\"").unwrap(), 0)
            }
            read => read,
        };
        let Reading { products, .. } = read.unwrap();
        products.iter().for_each(|product| check(product));
    }

    #[test]
    fn a_file_with_damage_is_read_or_refused(
        seed in prop::sample::select(vec!["own", "shopify", "woocommerce", "rss", "atom", "json", "json_lines", "gzip", "shopify_json", "shopify_lines", "woocommerce_json"]),
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
            products.iter().for_each(|product| check(product));
        }
    }
}
