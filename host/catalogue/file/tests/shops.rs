//! Products as the public interfaces of Shopify and WooCommerce show them.

use serde_json::{Value, json};

use super::{left_out, parse_text, shown};
use crate::catalogue::Availability;
use crate::catalogue::slug::Slug;

/// A product as Shopify documents it, with two variants.
fn lamp() -> Value {
    json!({
        "id": 632910392_u64, "title": "Oak &amp; Linen Lamp", "handle": "oak-lamp",
        "body_html": "<p>Warm <b>light</b>.</p>\n<ul><li>Oak</li></ul>",
        "published_at": "2026-03-01T10:00:00+01:00", "created_at": "2026-02-01T10:00:00+01:00",
        "updated_at": "2026-11-01T10:00:00+01:00", "vendor": "Hall", "product_type": "Lamps",
        "tags": ["oak", "for the table, or a shelf", "_hidden"],
        "variants": [
            {"id": 1, "title": "Small / Red", "option1": "Small", "option2": "Red &quot;ruby&quot;", "option3": null,
             "sku": "L-S", "requires_shipping": true, "taxable": true, "featured_image": null, "available": true,
             "price": "199.00", "grams": 1500, "compare_at_price": "249.00", "position": 1, "product_id": 632910392_u64},
            {"id": 2, "title": "Large / Red", "option1": "Large", "option2": "Red &quot;ruby&quot;", "option3": null,
             "sku": "L-L", "featured_image": {"id": 9, "src": "https://cdn.shop.example/large.jpg?v=2", "alt": null},
             "available": false, "price": "299.00", "grams": 2500, "compare_at_price": "0.00"},
        ],
        "images": [
            {"id": 7, "position": 1, "src": "https://cdn.shop.example/1.jpg?v=1", "width": 9, "height": 9, "variant_ids": []},
            {"id": 8, "position": 2, "src": "//cdn.shop.example/2.jpg?v=1"},
        ],
        "options": [{"name": "Size", "position": 1, "values": ["Small", "Large"]}, {"name": "Colour", "values": []}],
    })
}

/// A product without options, with these values of its only variant.
fn plain(handle: &str, variant: &Value) -> Value {
    let mut only = json!({"option1": "Default Title", "option2": null, "option3": null, "available": true, "price": "5.00"});
    let fields = variant.as_object().cloned().unwrap_or_default();
    only.as_object_mut().unwrap().extend(fields);
    json!({
        "title": "Cup", "handle": handle, "variants": [only], "images": [],
        "options": [{"name": "Title", "position": 1, "values": ["Default Title"]}],
    })
}

/// Pages of Shopify, and the same as lines behind what a shop's own address and currency are said in.
fn pages(products: &[Value]) -> [String; 2] {
    let lines: Vec<String> = products.iter().map(|product| format!("{product}\n")).collect();
    let head = r#"{"shop":"https://shop.example/en","system":"shopify","currency":"EUR"}"#;
    [json!({ "products": products }).to_string(), format!("{head}\n{}", lines.concat())]
}

#[test]
fn what_shopify_shows_becomes_products() {
    let products = [lamp(), plain("cup", &json!({"sku": "C"}))];
    let expected = |code: &str| {
        vec![
            format!("oak-lamp Oak & Linen Lamp 199.00 {code} InStock(None) 3"),
            "  Size=Small Colour=Red \"ruby\" 199.00 InStock(None) L-S".into(),
            "  Size=Large Colour=Red \"ruby\" 299.00 SoldOut L-L".into(),
            format!("cup Cup 5.00 {code} InStock(None) 0"),
        ]
    };
    let [page, lines] = pages(&products);
    assert_eq!(shown(&page).unwrap(), expected("USD"));
    assert_eq!(shown(&lines).unwrap(), expected("EUR"));
    let reading = parse_text(&lines).unwrap();
    assert_eq!(reading.report.dialect, "Shopify's products as JSON");
    assert_eq!((reading.report.rows, reading.report.variants), (3, 2));
    let lamp = &reading.products[0];
    assert_eq!(lamp.link.as_deref(), Some("https://shop.example/en/products/oak-lamp"));
    assert_eq!(lamp.summary.description, "Warm light.\n• Oak");
    assert_eq!((lamp.summary.brand.as_deref(), lamp.weight), (Some("Hall"), Some(1.5)));
    assert_eq!(lamp.summary.category, Slug::of("Lamps"));
    assert_eq!(lamp.tags, ["oak", "for the table, or a shelf"]);
    assert_eq!(
        lamp.images,
        [
            "https://cdn.shop.example/1.jpg?v=1",
            "https://cdn.shop.example/2.jpg?v=1",
            "https://cdn.shop.example/large.jpg?v=2"
        ]
    );
    let list_prices = lamp.variants.iter().map(|variant| variant.list_price.map(|price| price.minor()));
    assert_eq!(list_prices.collect::<Vec<_>>(), [Some(24_900), None]);
    assert_eq!(lamp.variants[1].picture.as_deref(), Some("https://cdn.shop.example/large.jpg?v=2"));
    assert_eq!(parse_text(&page).unwrap().products[0].link, None);
}

#[test]
fn shopify_and_its_table_say_the_same() {
    let table = "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Variant Image,Status\n\
        oak-lamp,Oak &amp; Linen Lamp,\"<p>Warm <b>light</b>.</p><ul><li>Oak</li></ul>\",Hall,Lamps,\"oak, for the table\",true,Size,Small,Colour,\"Red \"\"ruby\"\"\",L-S,1500,,,deny,199.00,249.00,https://cdn.shop.example/1.jpg?v=1,,active\n\
        oak-lamp,,,,,,,,Large,,\"Red \"\"ruby\"\"\",L-L,2500,shopify,0,deny,299.00,0.00,https://cdn.shop.example/2.jpg?v=1,https://cdn.shop.example/large.jpg?v=2,\n\
        cup,Cup,,,,,true,Title,Default Title,,,C,,,,deny,5.00,,,,active\n";
    let [page, _] = pages(&[lamp(), plain("cup", &json!({"sku": "C"}))]);
    assert_eq!(shown(table).unwrap(), shown(&page).unwrap());
    let [of_table, of_page] = [table, &page].map(|text| parse_text(text).unwrap().products);
    for (table, page) in of_table.iter().zip(&of_page) {
        assert_eq!((&table.images, &table.variants), (&page.images, &page.variants));
        assert_eq!(table.summary.list_price, page.summary.list_price);
    }
}

#[test]
fn what_shopify_does_not_say_is_not_known() {
    let availability = |variant: Value| {
        let [page, _] = pages(&[plain("cup", &variant)]);
        parse_text(&page).unwrap().products[0].summary.availability
    };
    assert_eq!(availability(json!({"available": null})), Availability::Unknown);
    assert_eq!(availability(json!({"available": false})), Availability::SoldOut);
    let list_price = |written: Value| {
        let [page, _] = pages(&[plain("cup", &json!({"compare_at_price": written}))]);
        parse_text(&page).unwrap().products[0].summary.list_price.map(|price| price.minor())
    };
    for (written, expected) in [
        (json!("9.50"), Some(950)),
        (json!("5.00"), None),
        (json!("4.00"), None),
        (json!(null), None),
        (json!(""), None),
        (json!("0.00"), None),
        (json!("-9"), None),
    ] {
        assert_eq!(list_price(written.clone()), expected, "{written}");
    }
    // Three decimals are no thousands.
    let price = |written: Value| {
        let [page, _] = pages(&[plain("cup", &json!({"price": written}))]);
        parse_text(&page).map(|reading| reading.products[0].summary.price.minor()).ok()
    };
    for (written, expected) in [
        (json!("1.500"), Some(150)),
        (json!("1299"), Some(129_900)),
        (json!(19.9), Some(1_990)),
        (json!("1e9"), None),
        (json!(1e30), None),
        (json!("-5"), None),
        (json!(-5), None),
        (json!("1,299.00"), None),
        (json!("12,50"), None),
        (json!(""), None),
        (json!("0.00"), None),
        (json!([5]), None),
    ] {
        assert_eq!(price(written.clone()), expected, "{written}");
    }
}

#[test]
fn hostile_products_of_shopify_are_left_out_alone() {
    let mut drafts = plain("draft", &json!({}));
    drafts["status"] = json!("draft");
    let mut no_title = plain("bare", &json!({}));
    no_title["title"] = json!(null);
    let deep: Value = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let mut nested = plain("deep", &json!({}));
    nested["tags"] = deep;
    let products = [
        plain("cup", &json!({})),
        plain("", &json!({})),
        plain("cup", &json!({"price": "6.00"})),
        plain("odd", &json!({"price": "1e9"})),
        json!({"handle": "none", "title": "None", "variants": []}),
        drafts,
        no_title,
        nested,
        json!("text"),
        json!({"handle": ["x"], "variants": 7, "title": {"a": 1}}),
    ];
    let [page, lines] = pages(&products);
    for text in [&page, &lines] {
        assert_eq!(parse_text(text).unwrap().products.len(), 2);
    }
    let reasons = left_out(&lines);
    for expected in [
        "without an id",
        "with the id, or the options",
        "no amount",
        "without a price",
        "not for sale",
        "without a title",
        "not readable",
    ] {
        assert!(reasons.iter().any(|reason| reason.contains(expected)), "{expected}: {reasons:?}");
    }
    assert!(reasons.iter().any(|reason| reason.contains("`odd`")), "{reasons:?}");
    let whole = pages(&[plain("cup", &json!({}))])[1].clone();
    let cut = &whole[..whole.len() - 9];
    assert!(parse_text(cut).is_err_and(|error| error.to_string().contains("line 2 is not complete")));
}

#[test]
fn a_product_has_2048_variants_whatever_shopify_shows() {
    let variant =
        |number: u32| json!({"option1": format!("Size {number}"), "price": "5.00", "available": true});
    let variants: Vec<Value> = (0..2_050).map(variant).collect();
    let text = json!({"products": [{"handle": "a", "title": "A", "variants": variants, "options": [{"name": "Size"}]}]});
    let reading = parse_text(&text.to_string()).unwrap();
    assert_eq!(reading.products[0].variants.len(), 2_048);
    let reasons: Vec<String> = reading.report.reasons().map(|(_, text)| text).collect();
    assert_eq!(reasons, ["2 beyond the 2,048 variants of a product (line 1, …)"]);
}

/// Prices in whole units of the smallest one.
fn prices(price: &str, regular: &str, code: &str, unit: u8) -> Value {
    json!({
        "price": price, "regular_price": regular, "sale_price": price, "price_range": null, "currency_code": code,
        "currency_symbol": "x", "currency_minor_unit": unit, "currency_decimal_separator": ",",
        "currency_thousand_separator": ".", "currency_prefix": "", "currency_suffix": " x",
    })
}

/// A product as WooCommerce documents it, with these fields of its own.
fn product(id: u64, fields: &Value) -> Value {
    let mut product = json!({
        "id": id, "name": "Caf&eacute; &#8220;Cup&#8221;", "slug": "cup", "parent": 0, "type": "simple", "variation": "",
        "permalink": format!("https://shop.example/product/{id}/"), "sku": format!("S{id}"),
        "short_description": "<p>Short.</p>", "description": "", "on_sale": false,
        "prices": prices("1250", "1250", "EUR", 2), "price_html": "<b>12,50 €</b>", "average_rating": "0", "review_count": 0,
        "images": [
            {"id": 5, "src": "https://shop.example/a.jpg", "thumbnail": "https://shop.example/t.jpg", "name": "a.jpg"},
            {"id": 6, "src": "https://shop.example/b.jpg", "name": "b.jpg"},
            {"id": 5, "src": "https://shop.example/a.jpg", "name": "a.jpg"},
        ],
        "categories": [{"id": 3, "name": "Cups &amp; Mugs", "slug": "cups", "link": "x"}, {"id": 4, "name": "Sale"}],
        "tags": [{"id": 1, "name": "red, or not"}, {"id": 2, "name": "new"}],
        "brands": [{"id": 1, "name": "Hall &amp; Sons"}], "attributes": [], "variations": [],
        "has_options": false, "is_purchasable": true, "is_in_stock": true, "is_on_backorder": false,
        "low_stock_remaining": null, "extensions": {},
    });
    product.as_object_mut().unwrap().extend(fields.as_object().cloned().unwrap_or_default());
    product
}

fn list(products: &[Value]) -> String {
    Value::from(products).to_string()
}

/// A variable product, its variations, and products of other kinds.
fn hoodies_and_others() -> String {
    let hoodie = json!({
        "type": "variable", "name": "Hoodie", "description": "<p>Long.</p>",
        "attributes": [
            {"id": 1, "name": "Colour", "taxonomy": "pa_color", "has_variations": true,
             "terms": [{"id": 1, "name": "Dark &amp; blue", "slug": "blue"}, {"id": 2, "name": "Red", "slug": "red"}]},
            {"id": 0, "name": "Logo", "taxonomy": null, "terms": [{"id": 0, "name": "Yes", "slug": "Yes"}]},
        ],
        "variations": [
            {"id": 31, "attributes": [{"name": "Colour", "value": "blue"}, {"name": "Logo", "value": "Yes"}]},
            {"id": 32, "attributes": [{"name": "Colour", "value": "red"}, {"name": "Logo", "value": "No"}]},
            {"id": 33, "attributes": [{"name": "Colour", "value": "red"}, {"name": "Logo", "value": null}]},
            {"id": 34, "attributes": [{"name": "Colour", "value": "gone"}, {"name": "Logo", "value": "Yes"}]},
        ],
    });
    let variation = |id, more: Value| {
        let mut fields = json!({"type": "variation", "parent": 30, "name": "Hoodie - Blue", "images": []});
        fields.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        product(id, &fields)
    };
    list(&[
        product(30, &hoodie),
        product(40, &json!({"low_stock_remaining": 2, "prices": prices("999", "1250", "EUR", 2)})),
        product(41, &json!({"is_in_stock": false})),
        product(42, &json!({"is_on_backorder": true})),
        product(43, &json!({"type": "grouped", "prices": prices("", "", "EUR", 2)})),
        product(44, &json!({"prices": prices("", "", "EUR", 2)})),
        product(45, &json!({"prices": prices("1250", "1250", "USD", 2)})),
        variation(31, json!({"images": [{"src": "https://shop.example/blue.jpg"}]})),
        variation(32, json!({"prices": prices("1100", "1400", "EUR", 2), "is_in_stock": false})),
        variation(33, json!({})),
        variation(34, json!({})),
        variation(35, json!({})),
        variation(36, json!({"parent": 99})),
    ])
}

#[test]
fn what_woocommerce_shows_becomes_products() {
    let text = hoodies_and_others();
    assert_eq!(
        shown(&text).unwrap(),
        [
            "30 Hoodie 12.50 EUR InStock(None) 3",
            "  Colour=Dark & blue Logo=Yes 12.50 InStock(None) S31",
            "  Colour=Red Logo=No 11.00 SoldOut S32",
            "  Colour=gone Logo=Yes 12.50 InStock(None) S34",
            "40 Café “Cup” 9.99 EUR InStock(Some(2)) 2",
            "41 Café “Cup” 12.50 EUR SoldOut 2",
            "42 Café “Cup” 12.50 EUR BackOrder 2",
        ]
    );
    let reading = parse_text(&text).unwrap();
    assert_eq!(reading.report.dialect, "WooCommerce's products as JSON");
    let reasons: Vec<String> = reading.report.reasons().map(|(_, text)| text).collect();
    assert_eq!(
        reasons,
        [
            "1 of products that only join others (item 5 `43`)",
            "1 without a price above zero (item 6 `44`)",
            "1 with a price in another currency (item 7 `45`)",
            "3 of variations without their product, or with an option that may be any (items 10 `33`, 12 `35`, 13 `36`)",
        ]
    );
    let [hoodie, cup, ..] = &*reading.products else { panic!("{:?}", reading.products) };
    assert_eq!((&*hoodie.summary.description, &*cup.summary.description), ("Long.", "Short."));
    assert_eq!(hoodie.variants[0].picture.as_deref(), Some("https://shop.example/blue.jpg"));
    assert_eq!(
        (hoodie.variants[1].list_price.map(|price| price.minor()), hoodie.images.len()),
        (Some(1_400), 3)
    );
    assert_eq!(cup.summary.category.as_ref().map(Slug::as_str), Some("cups-mugs"));
    assert_eq!(cup.summary.brand.as_deref(), Some("Hall & Sons"));
    assert_eq!(cup.tags, ["red, or not", "new"]);
    assert_eq!(cup.link.as_deref(), Some("https://shop.example/product/40/"));
    assert_eq!(cup.summary.list_price.map(|price| price.minor()), Some(1_250));
}

#[test]
fn woocommerce_and_its_table_say_the_same() {
    let table = "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,Description,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Categories,Tags,Images,Parent,External URL,Brands,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)\n\
        30,variable,S30,Hoodie,1,visible,<p>Short.</p>,<p>Long.</p>,1,,0,,,\"Cups & Mugs, Sale\",\"red\\, or not, new\",\"https://shop.example/a.jpg, https://shop.example/b.jpg\",,https://shop.example/product/30/,Hall & Sons,Colour,\"Dark & blue, Red\",Logo,\"Yes, No\"\n\
        31,variation,S31,Hoodie - Blue,1,visible,,,1,,0,,12.50,,,https://shop.example/blue.jpg,S30,,,Colour,Dark & blue,Logo,Yes\n\
        32,variation,S32,Hoodie - Red,1,visible,,,0,,0,11.00,14.00,,,,id:30,,,Colour,Red,Logo,No\n\
        40,simple,S40,Café “Cup”,1,visible,<p>Short.</p>,,1,2,0,9.99,12.50,\"Cups & Mugs, Sale\",\"red\\, or not, new\",\"https://shop.example/a.jpg, https://shop.example/b.jpg\",,https://shop.example/product/40/,Hall & Sons,,,,\n\
        41,simple,S41,Café “Cup”,1,visible,<p>Short.</p>,,0,,0,,12.50,\"Cups & Mugs, Sale\",\"red\\, or not, new\",\"https://shop.example/a.jpg, https://shop.example/b.jpg\",,https://shop.example/product/41/,Hall & Sons,,,,\n";
    let all: Vec<Value> = serde_json::from_str(&hoodies_and_others()).unwrap();
    let is_in_table = |product: &&Value| [30, 31, 32, 40, 41].contains(&product["id"].as_u64().unwrap());
    let page = list(&all.iter().filter(is_in_table).cloned().collect::<Vec<_>>());
    let [of_table, of_page] = [table, &page].map(|text| parse_text(text).unwrap().products);
    assert_eq!(of_table.len(), 3);
    for (table, page) in of_table.iter().zip(&of_page) {
        // A table's products have the keys of their article numbers.
        let mut table = table.clone();
        table.summary.id = page.summary.id.clone();
        assert_eq!(&table, page);
    }
}

#[test]
fn amounts_of_woocommerce_have_the_decimals_that_it_says() {
    for (price, code, unit, expected) in [
        ("1250", "EUR", 2, Some("12.50")),
        ("5", "EUR", 2, Some("0.05")),
        ("1250", "EUR", 0, Some("1250.00")),
        ("1250", "JPY", 0, Some("1250")),
        ("125000", "JPY", 2, Some("1250")),
        ("1250", "KWD", 3, Some("1.250")),
        ("1250", "EUR", 3, Some("1.25")),
        ("12500", "EUR", 4, Some("1.25")),
        ("1250", "EUR", 7, None),
        ("12.50", "EUR", 2, None),
        ("1e9", "EUR", 2, None),
        ("-5", "EUR", 2, None),
        ("0", "EUR", 2, None),
        ("99999999999999999999", "EUR", 2, None),
    ] {
        let text = list(&[product(1, &json!({"prices": prices(price, price, code, unit)}))]);
        let line = shown(&text).ok().map(|lines| lines[0].clone());
        let expected = expected.map(|price| format!("1 Café “Cup” {price} {code} InStock(None) 2"));
        assert_eq!(line, expected, "{price} {code} {unit}");
    }
}

#[test]
fn hostile_products_of_woocommerce_are_left_out_alone() {
    let text = list(&[
        product(1, &json!({})),
        product(9_007_199_254_740_993, &json!({})),
        product(2, &json!({"id": null})),
        product(1, &json!({})),
        product(3, &json!({"prices": []})),
        product(4, &json!({"images": false, "categories": {}, "tags": "", "attributes": null, "name": 7})),
        json!(null),
    ]);
    assert_eq!(
        shown(&text).unwrap(),
        ["1 Café “Cup” 12.50 EUR InStock(None) 2", "4 7 12.50 EUR InStock(None) 0"]
    );
    let attributes: Vec<Value> =
        (0..7).map(|number| json!({"name": format!("A{number}"), "value": "x"})).collect();
    let text = list(&[
        product(1, &json!({"type": "variable", "variations": [{"id": 2, "attributes": attributes}]})),
        product(2, &json!({"type": "variation", "parent": 1})),
    ]);
    let error = parse_text(&text).unwrap_err().to_string();
    assert!(error.contains("more than 6 options"), "{error}");
}

#[test]
fn another_json_is_read_as_before() {
    let own = json!({"id": 1, "title": "Cup", "price": 5, "handle": "cup"});
    assert_eq!(shown(&own.to_string()).unwrap(), ["1 Cup 5.00 USD Unknown 0"]);
    let named = json!({"shop": "Main street", "id": 2, "title": "Cup", "price": 5});
    assert_eq!(shown(&named.to_string()).unwrap(), ["2 Cup 5.00 USD Unknown 0"]);
}
