//! What fields of whole files say, and what is said of those that are not read.

use super::{left_out, parse_text, shown};
use crate::catalogue::slug::Slug;

#[test]
fn stocks_weights_and_links_are_read_as_shops_write_them() {
    let table = "id,title,price,stock,weight,link\n\
        1,A,5,\"1,200\",500 g,www.shop.example/lamp\n\
        2,B,5,12 pcs,\"1,5 kg\",//shop.example/x\n\
        3,C,5,sold out,0,/lamp\n\
        4,D,5,yes,heavy,lamp.html\n\
        5,E,5,3 days,2,https://shop.example/e\n";
    let json = "{\"id\":1,\"title\":\"A\",\"price\":5,\"stock\":\"1,200\",\"weight\":\"500 g\",\"link\":\"www.shop.example/lamp\"}\n\
        {\"id\":2,\"title\":\"B\",\"price\":5,\"stock\":\"12 pcs\",\"shipping_weight\":\"1,5 kg\",\"url\":\"//shop.example/x\"}\n\
        {\"id\":3,\"title\":\"C\",\"price\":5,\"stock\":\"sold out\",\"weight\":0,\"link\":\"/lamp\"}\n\
        {\"id\":4,\"title\":\"D\",\"price\":5,\"stock\":\"yes\",\"weight\":\"heavy\",\"link\":\"lamp.html\"}\n\
        {\"id\":5,\"title\":\"E\",\"price\":5,\"stock\":\"3 days\",\"weight\":2,\"link\":\"https://shop.example/e\"}\n";
    for text in [table, json] {
        assert_eq!(
            shown(text).unwrap(),
            [
                "1 A 5.00 USD InStock(Some(1200)) 0",
                "2 B 5.00 USD InStock(Some(12)) 0",
                "3 C 5.00 USD SoldOut 0",
                "4 D 5.00 USD InStock(None) 0",
                "5 E 5.00 USD Unknown 0",
            ],
            "{text}"
        );
        let products = parse_text(text).unwrap().products;
        let weights: Vec<_> = products.iter().map(|product| product.weight).collect();
        assert_eq!(weights, [Some(0.5), Some(1.5), None, None, Some(2.0)], "{text}");
        let links: Vec<_> = products.iter().map(|product| product.link.as_deref()).collect();
        let expected = [
            Some("https://www.shop.example/lamp"),
            Some("https://shop.example/x"),
            None,
            None,
            Some("https://shop.example/e"),
        ];
        assert_eq!(links, expected, "{text}");
    }
}

#[test]
fn a_stock_that_is_not_understood_is_named() {
    let note = "with a stock that is not understood: it is not said whether they can be had";
    for text in [
        "id,title,price,availability,stock\n1,A,5,brak,\n2,B,5,na zapytanie,\n3,C,5,,viele\n4,D,5,perhaps,3\n5,E,5,-,\n",
        "{\"id\":1,\"title\":\"A\",\"price\":5,\"availability\":\"brak\"}\n\
        {\"id\":2,\"title\":\"B\",\"price\":5,\"availability\":\"na zapytanie\"}\n\
        {\"id\":3,\"title\":\"C\",\"price\":5,\"stock\":\"viele\"}\n\
        {\"id\":4,\"title\":\"D\",\"price\":5,\"availability\":\"perhaps\",\"stock\":3}\n\
        {\"id\":5,\"title\":\"E\",\"price\":5,\"availability\":\"-\"}\n",
    ] {
        assert_eq!(
            shown(text).unwrap(),
            [
                "1 A 5.00 USD SoldOut 0",
                "2 B 5.00 USD Unknown 0",
                "3 C 5.00 USD Unknown 0",
                "4 D 5.00 USD InStock(Some(3)) 0",
                "5 E 5.00 USD Unknown 0",
            ],
            "{text}"
        );
        let first = if text.starts_with('{') { 2 } else { 3 };
        assert_eq!(left_out(text), [format!("2 {note} (lines {first}, {})", first + 1)], "{text}");
    }
}

#[test]
fn what_json_says_of_its_stock_in_several_fields() {
    for (fields, expected) in [
        (r#""stock":"yes","inStock":false"#, "SoldOut"),
        (r#""stock":"in stock","available":false"#, "SoldOut"),
        (r#""stock":"in stock","availability":"perhaps","stock_status":"outofstock""#, "SoldOut"),
        (r#""stock":"auf Lager""#, "InStock(None)"),
        (r#""stock_status":"onbackorder","stock_quantity":null"#, "BackOrder"),
        (r#""stock_status":"instock","stock_quantity":4"#, "InStock(Some(4))"),
        (r#""stock_quantity":0"#, "SoldOut"),
    ] {
        let text = format!("{{\"id\":1,\"title\":\"A\",\"price\":5,{fields}}}\n");
        assert_eq!(shown(&text).unwrap(), [format!("1 A 5.00 USD {expected} 0")], "{text}");
    }
}

#[test]
fn a_price_of_json_may_be_an_object_with_its_currency() {
    let text = "{\"id\":1,\"title\":\"A\",\"price\":{\"value\":\"349.50\",\"currency\":\"EUR\"}}\n\
        {\"id\":2,\"title\":\"B\",\"price\":{\"amount\":5,\"currencyCode\":\"EUR\"},\"listPrice\":{\"amount\":\"7.00\"}}\n\
        {\"id\":3,\"title\":\"C\",\"price\":\"49.50 EUR\"}\n\
        {\"id\":4,\"title\":\"D\",\"price\":{\"value\":5,\"currency\":\"USD\"}}\n\
        {\"id\":5,\"title\":\"E\",\"price\":{\"from\":5}}\n";
    let lines = ["1 A 349.50 EUR Unknown 0", "2 B 5.00 EUR Unknown 0", "3 C 49.50 EUR Unknown 0"];
    assert_eq!(shown(text).unwrap(), lines);
    assert_eq!(
        left_out(text),
        [
            "1 with a price that is no amount, or written otherwise than the others (line 5)",
            "1 with a price in another currency (line 4)",
        ]
    );
    // What is not sold does not decide the currency.
    let text = "{\"id\":1,\"title\":\"A\",\"price\":[]}\n{\"id\":2,\"price\":5}\n\
        {\"id\":3,\"title\":\"C\",\"price\":5,\"currency\":\"EUR\"}\n";
    assert_eq!(shown(text).unwrap(), ["3 C 5.00 EUR Unknown 0"]);
}

#[test]
fn categories_and_descriptions_of_json_are_read_as_their_names_say() {
    for (fields, category, description) in [
        (r#""category":"A > B","weight":"500 g","description":"<p>One</p>""#, "A > B", "<p>One</p>"),
        (r#""category":"A > B","inStock":true,"description":"<p>One &amp; two</p>""#, "A > B", "One & two"),
        (r#""product_type":"A > B","google_product_category":"G > H""#, "B", ""),
        (r#""google_product_category":"G > H","body_html":"<p>One</p><p>Two</p>""#, "H", "One\nTwo"),
        (r#""google_product_category":7,"categories":"Hoods > Wool, Sale""#, "Wool", ""),
        (r#""categories":[{"name":"Cups"}],"description":"","short_description":"<b>x</b>""#, "Cups", "x"),
    ] {
        let text = format!("{{\"id\":1,\"title\":\"A\",\"price\":5,{fields}}}\n");
        let summary = &parse_text(&text).unwrap().products[0].summary;
        let title = summary.category.as_ref().map(Slug::title).unwrap_or_default();
        assert_eq!((&*title, &*summary.description), (category, description), "{text}");
    }
}

#[test]
fn variants_of_json_are_read_as_shopify_lists_them_or_named() {
    let product = |id: u32, more: &str| format!("{{\"id\":{id},\"title\":\"Shoe\",{more}}}\n");
    let sizes = r#""variants":[{"title":"8","option1":"8","option2":null,"available":false,"price":"98.00","sku":"S8"},
        {"title":"9","option1":"9","option2":"Red","available":true,"price":"120.00"}],
        "options":[{"name":"Size","values":["8","9"]}]"#
        .replace('\n', "");
    let single = r#""variants":[{"option1":"Default Title","available":false,"price":"15.00","sku":"D"}],"options":[{"name":"Title"}]"#;
    let text = product(1, &sizes) + &product(2, single);
    assert_eq!(
        shown(&text).unwrap(),
        [
            "1 Shoe 120.00 USD InStock(None) 0",
            "  Size=8 98.00 SoldOut S8",
            "  Size=9 Option 2=Red 120.00 InStock(None) ",
            "2 Shoe 15.00 USD SoldOut 0",
        ]
    );
    assert!(parse_text(&text).unwrap().report.unused.is_empty());
    let other = product(1, r#""name":"no","variants":[{"id":3,"price":"7.00"}],"options":["Size"]"#);
    assert_eq!(shown(&other).unwrap(), ["1 Shoe 7.00 USD Unknown 0"]);
    assert_eq!(parse_text(&other).unwrap().report.unused, ["variants", "options"]);
    let own =
        product(1, r#""price":5,"inStock":true,"variants":[{"options":[{"name":"Size","value":"M"}]}]"#);
    assert_eq!(shown(&own).unwrap(), ["1 Shoe 5.00 USD InStock(None) 0", "  Size=M 5.00 Unknown "]);
    assert!(parse_text(&own).unwrap().report.unused.is_empty());
}

#[test]
fn a_comma_in_an_attribute_of_woocommerce_has_a_backslash() {
    let text = "ID,Type,SKU,Name,Published,In stock?,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n\
        1,variable,T,Tee,1,1,,,Size,\"0\\,3 l, 0\\,5 l\"\n\
        2,variation,T1,Tee,1,1,5.00,T,Size,\"0\\,3 l\"\n\
        3,variation,T2,Tee,1,1,6.00,T,Size,\"0\\,5 l\"\n";
    let lines = ["  Size=0,3 l 5.00 InStock(None) T1", "  Size=0,5 l 6.00 InStock(None) T2"];
    assert_eq!(shown(text).unwrap()[1..], lines);
}

#[test]
fn a_column_of_grams_may_have_units() {
    let text =
        "Handle,Title,Variant Price,Variant Grams\na,A,5,500\nb,B,5,500 g\nc,C,5,0.5 kg\nd,D,5,0\nd,,,250\n";
    let products = parse_text(text).unwrap().products;
    let weights: Vec<_> = products.iter().map(|product| product.weight).collect();
    assert_eq!(weights, [Some(0.5), Some(0.5), Some(0.5), Some(0.25)]);
}

#[test]
fn googles_namespace_may_have_any_prefix() {
    let feed = |root: &str, channel: &str, item: &str| {
        format!(
            "<rss{root}><channel{channel}><item{item}><x:id>1</x:id><title>No</title><x:title>Cup</x:title>\
             <x:price>5</x:price><y:price>9</y:price></item>\
             <item><g:id>2</g:id><x:id>3</x:id><title>Bowl</title><g:price>6</g:price></item></channel></rss>"
        )
    };
    let of_all = vec!["1 Cup 5.00 USD Unknown 0", "2 Bowl 6.00 USD Unknown 0"];
    let only_g = vec!["2 Bowl 6.00 USD Unknown 0"];
    for (root, channel, item, expected) in [
        (" xmlns:x=\"http://base.google.com/ns/1.0\"", "", "", &of_all),
        (" version='2.0' xmlns:x='https://base.google.com/ns/1.0/'", "", "", &of_all),
        ("", " xmlns:x=\"http://base.google.com/ns/1.0\"", "", &of_all),
        ("", "", " a=\"b\" xmlns:x=\"http://base.google.com/ns/1.0\"", &of_all),
        (" xmlns:y=\"http://other.example/\" xmlns:x=\"http://base.google.com/ns/1.0\"", "", "", &of_all),
        (" xmlns:x=\"http://base.google.com/cns/1.0\"", "", "", &only_g),
        (" xmlns=\"http://base.google.com/ns/1.0\"", "", "", &only_g),
        ("", "", "", &only_g),
    ] {
        let text = feed(root, channel, item);
        assert_eq!(shown(&text).unwrap(), *expected, "{text}");
    }
    // As programs write elements one at a time.
    let own = " xmlns:d4p1=\"http://base.google.com/ns/1.0\"";
    let text = format!(
        "<rss><item><d4p1:id{own}>1</d4p1:id><title>Cup</title><d4p1:price{own}>5</d4p1:price><d4p1:brand>No</d4p1:brand></item></rss>"
    );
    assert_eq!(shown(&text).unwrap(), ["1 Cup 5.00 USD Unknown 0"]);
    assert_eq!(parse_text(&text).unwrap().products[0].summary.brand, None);
}

#[test]
fn elements_that_are_not_read_are_named() {
    let item = |id: u32, more: &str| {
        format!("<item><id>{id}</id><title>Cup</title><price>5</price><guid>1</guid>{more}</item>\n")
    };
    let unused = |text: &str| parse_text(text).unwrap().report.unused;
    let long = "a".repeat(50);
    let more = format!(
        "<pubDate>x</pubDate><g:condition>new</g:condition><g:shipping><g:service>no</g:service></g:shipping>\
         <media:title>Logo</media:title><{long}/><{long}b>x</{long}b>"
    );
    let feed = format!("<rss>\n{}{}</rss>", item(1, &more), item(2, &more));
    assert_eq!(unused(&feed), ["g:shipping", "media:title", &long[..40]]);
    let many: String = (0..30).map(|number| format!("<f{number}>x</f{number}>")).collect();
    let many = unused(&format!("<rss>\n{}</rss>", item(1, &many)));
    assert_eq!((many.len(), &*many[19]), (20, "f19"));
    assert!(unused(&format!("<rss>\n{}</rss>", item(1, ""))).is_empty());
    // A column of sale without a word that is understood is one of them.
    let feed =
        format!("<rss>\n{}{}</rss>", item(1, "<status>new</status>"), item(2, "<status>used</status>"));
    assert_eq!(unused(&feed), ["status"]);
    let line = |id: u32, word: &str| {
        format!("{{\"id\":{id},\"title\":\"A\",\"price\":5,\"enabled\":\"{word}\",\"{long}\":1}}\n")
    };
    assert_eq!(unused(&(line(1, "new") + &line(2, "used"))), [&long[..40], "enabled"]);
}

#[test]
fn items_on_one_line_are_named_by_their_numbers_and_ids() {
    let item =
        |id: &str, price: &str| format!("<item><id>{id}</id><title>A</title><price>{price}</price></item>");
    let long = "a".repeat(50);
    let items = [item("lamp", "5"), item("cup", ""), item(&long, "0"), item("", "7")];
    for head in ["", "<?xml version=\"1.0\"?>\n"] {
        assert_eq!(
            left_out(&format!("{head}<rss>{}</rss>", items.concat())),
            [
                "1 without an id (item 4)",
                &*format!("2 without a price above zero (items 2 `cup`, 3 `{}`)", &long[..40])
            ]
        );
    }
    assert_eq!(
        left_out(&format!("<rss>\n{}\n</rss>", items.join("\n"))),
        ["1 without an id (line 5)", "2 without a price above zero (lines 3, 4)"]
    );
    let list = [
        r#"{"id":"lamp","title":"A","price":5}"#,
        r#"{"id":7,"title":"B","price":0}"#,
        r#"{"title":"C","price":5}"#,
        r#"{"id":"b\n1","title":"D"}"#,
    ];
    assert_eq!(
        left_out(&format!("[{}]", list.join(","))),
        ["1 without an id (item 3)", "2 without a price above zero (items 2 `7`, 4 `b 1`)"]
    );
    assert_eq!(
        left_out(&format!("[{}]", list.join(",\n"))),
        ["1 without an id (line 3)", "2 without a price above zero (lines 2, 4)"]
    );
    // The same is said of a file with nothing to sell.
    let error = shown(&format!("<rss>{}{}</rss>", item("a", "0"), item("b", "0"))).unwrap_err();
    assert!(error.contains("2 without a price above zero (items 1 `a`, 2 `b`)"), "{error}");
}

#[test]
fn what_only_a_hidden_row_says_of_its_group_is_said_of_the_product() {
    let text = "id,group,title,description,brand,price,images,image,status,options,link,mpn\n\
        1,g,Oak Lamp,Warm.,Hall,5,/a.webp,/own.webp,draft,Size: S,https://shop.example/s,M-S\n\
        2,g,,,,6,,,active,Size: M,,\n\
        3,g,,,,7,,,active,Size: L,,\n";
    let lines = ["g Oak Lamp 6.00 USD Unknown 1", "  Size=M 6.00 Unknown ", "  Size=L 7.00 Unknown "];
    assert_eq!(shown(text).unwrap(), lines);
    let product = &parse_text(text).unwrap().products[0];
    assert_eq!((&*product.summary.description, product.summary.brand.as_deref()), ("Warm.", Some("Hall")));
    assert_eq!((product.link.as_deref(), product.mpn.as_deref()), (None, None));
    assert_eq!(product.images, ["/a.webp"]);
    // The order of rows does not count, and other rows say it first.
    let text = "id,group,title,description,price,images,status,options\n\
        1,g,Secret,Secret.,5,/secret.webp,draft,Size: S\n\
        2,g,Lamp,,6,/a.webp,active,Size: M\n\
        3,g,Lamp,Warm.,7,,active,Size: L\n\
        4,g,Secret,Secret.,7,/secret.webp,hidden,Size: XL\n";
    let product = &parse_text(text).unwrap().products[0];
    assert_eq!((&*product.summary.title, &*product.summary.description), ("Lamp", "Warm."));
    assert_eq!(product.images, ["/a.webp"]);
    let text = "id,title,price,item_group_id,size,image_link,status\n\
        s1,Shirt S,5,g,S,/s.webp,archived\n\
        s2,Shirt M,5,g,M,/m.webp,active\n\
        s3,Shirt L,6,g,L,/l.webp,active\n";
    let lines = ["g Shirt 5.00 USD Unknown 2", "  Size=M 5.00 Unknown ", "  Size=L 6.00 Unknown "];
    assert_eq!(shown(text).unwrap(), lines);
    // A product of Shopify's whose first row is hidden is hidden as a whole.
    let text = "Handle,Title,Status,Option1 Name,Option1 Value,Variant Price\n\
        cup,Cup,draft,Size,S,5\ncup,,,Size,M,6\nmug,Mug,active,,,7\n";
    assert_eq!(shown(text).unwrap(), ["mug Mug 7.00 USD Unknown 0"]);
}
