use super::*;
use crate::catalogue::Availability;

/// In US dollars.
fn parse_list(body: &[u8]) -> Result<Parsed<Vec<Summary>>> {
    super::parse_list(body, Currency::default())
}

/// In US dollars.
fn parse_product(body: &[u8]) -> Result<Parsed<Product>> {
    super::parse_product(body, Currency::default())
}

#[test]
fn an_invalid_product_is_dropped_alone() {
    let body = br#"{"products":[
        {"id":1,"title":"Good","price":1.5},
        {"id":2,"title":null,"price":1},
        {"id":3,"title":"Negative","price":-1},
        {"id":"four","title":"Wrong type","price":1},
        {"id":1,"title":"Twice","price":1},
        {"id":6,"title":"  ","price":1},
        {"id":7,"title":"Also good","price":2,"brand":null,"unknown":{"deep":[1]}}
    ],"total":7,"skip":0,"limit":7}"#;
    let parsed = parse_list(body).unwrap();
    let ids: Vec<_> = parsed.value.iter().map(|product| product.id.number().unwrap()).collect();
    assert_eq!((ids, parsed.dropped.count()), (vec![1, 7], 5));
}

#[test]
fn values_are_clamped_and_cleaned() {
    let long = "x".repeat(1_000_000);
    let body = format!(
        r#"{{"products":[{{"id":1,"title":"{long}","price":1,"rating":99,"stock":-5,"discountPercentage":100,
            "category":"../admin","brand":" a\u0000b ","thumbnail":"javascript:alert(1)"}}]}}"#
    );
    let product = parse_list(body.as_bytes()).unwrap().value.remove(0);
    assert_eq!(product.title.chars().count(), 300);
    assert_eq!(
        (product.rating, product.availability, product.discount_percentage),
        (Some(5.0), Availability::Unknown, 0.0)
    );
    assert_eq!((product.category, product.thumbnail), (None, None));
    assert_eq!(product.brand.as_deref(), Some("a b"));
}

#[test]
fn bodies_of_another_schema_are_errors() {
    for body in ["<!doctype html>", "", "null", "[]", "{\"products\":5}", &"[".repeat(10_000)] {
        assert!(parse_list(body.as_bytes()).is_err(), "{body:.20}");
        assert!(parse_product(body.as_bytes()).is_err(), "{body:.20}");
    }
}

#[test]
fn an_invalid_field_is_dropped_alone() {
    let body = br#"{"id":1,"title":"T","price":1,"stock":5.0,"sku":7,"tags":["a",null,1],
        "dimensions":{"width":1},"images":["/a.svg",null],"meta":{"barcode":5},
        "reviews":[{"rating":5},"x",{"rating":4,"comment":"Fine","date":"2025-04-30T09:41:02Z","reviewerName":"A"}]}"#;
    let product = parse_product(body).unwrap().value;
    assert_eq!(
        (product.summary.availability, product.sku.as_str(), product.dimensions),
        (Availability::of_stock(5), "", None)
    );
    assert_eq!((product.tags, product.images), (vec!["a".to_owned()], vec!["/a.svg".to_owned()]));
    assert_eq!(product.reviews.unwrap().len(), 1);
}

#[test]
fn implausible_measures_are_dropped() {
    for (weight, kept) in [("2", Some(2.0)), ("1e308", None), ("0.001", None), ("-1", None), ("0", None)] {
        let body = format!(
            r#"{{"id":1,"title":"T","price":1,"weight":{weight},
                "dimensions":{{"width":{weight},"height":1,"depth":1}}}}"#
        );
        let product = parse_product(body.as_bytes()).unwrap().value;
        assert_eq!((product.weight, product.dimensions.is_some()), (kept, kept.is_some()), "{weight}");
    }
}

#[test]
fn a_review_needs_a_date_and_its_email_address_is_not_read() {
    let body = br#"{"id":1,"title":"T","price":1,"reviews":[
        {"rating":5,"comment":"Fine","date":"2025-04-30T09:41:02.053Z","reviewerName":"A","reviewerEmail":"a@b.c"},
        {"rating":5,"comment":"Fine","date":"yesterday","reviewerName":"B"}]}"#;
    let product = parse_product(body).unwrap().value;
    assert_eq!(product.reviews.as_ref().unwrap().len(), 1);
    assert!(!format!("{product:?}").contains("a@b.c"));
}

#[test]
fn a_list_without_a_valid_entry_is_an_error_but_an_empty_list_is_not() {
    assert!(parse_list(br#"{"products":[{"id":null,"title":7,"price":"one"},null]}"#).is_err());
    assert!(parse_categories(br#"[{"slug":5}]"#).is_err());
    assert!(parse_list(br#"{"products":[]}"#).unwrap().value.is_empty());
    assert!(parse_categories(b"[]").unwrap().value.is_empty());
}

#[test]
fn a_lone_surrogate_drops_one_product() {
    let good = r#"{"id":1,"title":"Good","price":1}"#;
    let bad = r#"{"id":2,"title":"\ud800","price":1}"#;
    let worse = r#"{"id":3,"title":"x","price":1,"tags":["\udc00\ud800"]}"#;
    let list = parse_list(format!(r#"{{"products":[{bad},{good}]}}"#).as_bytes()).unwrap();
    assert_eq!((list.value[0].id.number(), list.value.len(), list.dropped.count()), (Some(1), 1, 1));
    assert!(matches!(parse_product(bad.as_bytes()), Err(CatalogueError::Implausible { .. })));
    let parsed = parse_product(worse.as_bytes()).unwrap();
    assert_eq!((parsed.value.tags.len(), parsed.dropped.count()), (0, 1));
}

#[test]
fn an_invalid_product_is_implausible_and_another_schema_is_malformed() {
    for (product, invalid) in [
        (r#"{"id":7,"title":null}"#, "title"),
        (r#"{"id":7}"#, "title"),
        (r#"{"id":7,"title":"","price":1}"#, "title"),
        (r#"{"id":7,"title":"T"}"#, "price"),
        (r#"{"id":7,"title":"T","price":"1,99"}"#, "price"),
        (r#"{"id":7,"title":"T","price":-1}"#, "price"),
        (r#"{"id":0,"title":"T","price":1}"#, "id"),
        (r#"{"id":7,"title":"T","title":"U","price":1}"#, "field names"),
    ] {
        let error = parse_product(product.as_bytes()).unwrap_err();
        let CatalogueError::Implausible { product: id, field } = error else { panic!("{error:?}") };
        assert_eq!((id.number(), field), (Some(if invalid == "id" { 0 } else { 7 }), invalid), "{product}");
    }
    for answer in [r#"{"error":"maintenance"}"#, r#"{"id":null}"#, r#"{"id":7"#, "7", "null"] {
        assert!(matches!(parse_product(answer.as_bytes()), Err(CatalogueError::Malformed(_))));
    }
}

#[test]
fn nesting_is_limited_in_skipped_fields_too() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let skipped = format!(r#"{{"products":[],"extra":{deep}}}"#);
    let in_product = format!(r#"{{"id":1,"title":"T","price":1,"extra":{deep}}}"#);
    let in_list = format!(r#"{{"products":[{in_product}]}}"#);
    for body in [&skipped, &in_list, &deep] {
        assert!(parse_list(body.as_bytes()).is_err());
        assert!(parse_preview(body.as_bytes()).is_err());
    }
    assert!(parse_product(in_product.as_bytes()).is_err());
    assert!(parse_categories(format!(r#"[{{"slug":"a","name":"A","x":{deep}}}]"#).as_bytes()).is_err());
    assert!(!is_message(format!(r#"{{"message":"x","y":{deep}}}"#).as_bytes()));
}

#[test]
fn an_invalid_product_leaves_the_preview_empty() {
    let body = br#"{"products":[{"id":1,"thumbnail":5}],"total":"many"}"#;
    let parsed = parse_preview(body).unwrap();
    assert_eq!((parsed.value, parsed.dropped.count()), (CategoryPreview::default(), 1));
}

/// The kinds that are left out, a line for each.
fn kinds(dropped: &Dropped) -> Vec<String> {
    dropped.kinds().map(|(kind, left_out)| format!("{kind}: {left_out}")).collect()
}

#[test]
fn what_is_not_given_is_unknown_and_not_zero() {
    for value in
        ["", r#","stock":null,"rating":null,"weight":null,"dimensions":null"#, r#","stock":"","rating":"""#]
    {
        let body = format!(r#"{{"id":1,"title":"T","price":1{value}}}"#);
        let parsed = parse_product(body.as_bytes()).unwrap();
        let Product { summary, weight, dimensions, reviews, .. } = parsed.value;
        assert_eq!(reviews, None, "{value}");
        assert_eq!(
            (summary.availability, summary.rating, weight, dimensions),
            (Availability::Unknown, None, None, None),
            "{value}"
        );
        assert_eq!(kinds(&parsed.dropped), Vec::<String>::new(), "{value}");
        let list = parse_list(format!(r#"{{"products":[{body}]}}"#).as_bytes()).unwrap();
        assert_eq!(
            (list.value[0].availability, list.value[0].rating),
            (Availability::Unknown, None),
            "{value}"
        );
    }
    for total in ["", r#","total":null"#, r#","total":"many""#, r#","total":-1"#] {
        let preview = parse_preview(format!(r#"{{"products":[]{total}}}"#).as_bytes()).unwrap();
        assert_eq!(preview.value.count, None, "{total}");
    }
}

#[test]
fn how_many_reviews_there_are_is_known_only_if_one_is_read_or_the_list_is_empty() {
    let review = r#"{"rating":5,"comment":"Fine","date":"2025-04-30","reviewerName":"A"}"#;
    for (reviews, known) in [
        ("[]".into(), Some(0)),
        (format!("[7,{review}]"), Some(1)),
        ("[7]".into(), None),
        ("{}".into(), None),
    ] {
        let body = format!(r#"{{"id":1,"title":"T","price":1,"reviews":{reviews}}}"#);
        let product = parse_product(body.as_bytes()).unwrap().value;
        assert_eq!(product.reviews.map(|reviews| reviews.len()), known, "{reviews}");
    }
}

#[test]
fn an_invalid_value_is_unknown_and_named() {
    let fields = [
        ("stock", "\"plenty\""),
        ("stock", "-1"),
        ("stock", "\"-3\""),
        ("rating", "[]"),
        ("discountPercentage", "100"),
        ("minimumOrderQuantity", "{}"),
        ("minimumOrderQuantity", "1000001"),
        ("weight", "-1"),
        ("dimensions", r#"{"width":1}"#),
        ("brand", "7"),
        ("category", "\"../x\""),
        ("thumbnail", "\"javascript:x\""),
        ("images", "{}"),
    ];
    for (field, value) in fields {
        let body = format!(r#"{{"id":9,"title":"T","price":1,"{field}":{value}}}"#);
        let parsed = parse_product(body.as_bytes()).unwrap();
        assert_eq!(kinds(&parsed.dropped), [format!("invalid {field}: 1 (id 9)")]);
        assert_eq!(
            (parsed.value.summary.availability, parsed.value.summary.rating),
            (Availability::Unknown, None),
            "{field}"
        );
    }
}

#[test]
fn numbers_may_be_texts() {
    let body = br#"{"id":"12","title":"T","price":" 12.50 ","stock":"7","rating":"4.5","discountPercentage":"10",
        "weight":"2","dimensions":{"width":"1","height":2,"depth":"3.5"},"minimumOrderQuantity":"3","reviews":[
        {"rating":"4","comment":"Fine","date":"2025-04-30","reviewerName":"A"}]}"#;
    let parsed = parse_product(body).unwrap();
    let Product { summary, weight, dimensions, minimum_order_quantity, reviews, .. } = parsed.value;
    let figures = (summary.id.number(), summary.price.minor(), summary.discount_percentage);
    assert_eq!(figures, (Some(12), 12_50, 10.0));
    assert_eq!((summary.availability, summary.rating), (Availability::of_stock(7), Some(4.5)));
    assert_eq!((weight, dimensions.map(|sizes| sizes.depth)), (Some(2.0), Some(3.5)));
    let reviews = reviews.unwrap();
    assert_eq!(
        (minimum_order_quantity, reviews.len(), reviews[0].rating, reviews[0].date.day()),
        (3, 1, 4, 30)
    );
    assert_eq!(parsed.dropped.count(), 0);
    assert_eq!(parse_total(br#"{"total":"194"}"#).unwrap().value, 194);
    let preview = parse_preview(br#"{"products":[],"total":" 12 "}"#).unwrap();
    assert_eq!(preview.value.count, Some(12));
}

#[test]
fn ids_are_read_up_to_two_to_the_power_of_53() {
    let product = |id: &str| parse_product(format!(r#"{{"id":{id},"title":"T","price":1}}"#).as_bytes());
    for (id, read) in [
        ("4294967296", 1 << 32),
        ("9007199254740992", 1 << 53),
        (r#""9007199254740992""#, 1 << 53),
        ("5.0", 5),
    ] {
        assert_eq!(product(id).unwrap().value.summary.id, ProductKey::from(read));
    }
    for id in ["9007199254740993", r#""9007199254740993""#, "-1", "1.5", r#""a1""#, "18446744073709551616"] {
        assert!(product(id).is_err(), "{id}");
    }
}

#[test]
fn products_that_are_left_out_are_named_by_their_reasons() {
    let body = format!(
        r#"{{"products":[{{"id":1,"title":"T","price":1}},{{"id":2,"title":"{}\u00ad","price":1}},{{"id":3,"title":"T"}},
            {{"id":4,"title":"T","price":"$5"}},{{"title":"T","price":1}},{{"id":1,"title":"T","price":1}},
            {{"id":5,"id":6,"title":"T","price":1}},7]}}"#,
        '\u{200b}'
    );
    let parsed = parse_list(body.as_bytes()).unwrap();
    assert_eq!(parsed.value.len(), 1);
    assert_eq!(
        kinds(&parsed.dropped),
        [
            "product without valid field names: 2 (position 6, position 7)",
            "product without valid id: 1 (position 4)",
            "product without valid price: 2 (id 3, id 4)",
            "product without valid title: 1 (id 2)",
            "repeated product: 1 (id 1)",
        ]
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let with_mark = |text: &str| format!("\u{feff}{text}").into_bytes();
    let product = r#"{"id":1,"title":"T","price":1}"#;
    assert!(parse_product(&with_mark(product)).is_ok());
    assert!(parse_list(&with_mark(&format!(r#"{{"products":[{product}]}}"#))).is_ok());
    assert!(
        parse_everything(&with_mark(&format!(r#"{{"products":[{product}]}}"#)), Currency::default()).is_ok()
    );
    assert!(parse_categories(&with_mark(r#"["beauty"]"#)).is_ok());
    assert!(parse_total(&with_mark(r#"{"total":1}"#)).is_ok());
    assert!(parse_preview(&with_mark(r#"{"products":[]}"#)).is_ok());
    assert!(is_message(&with_mark(r#"{"message":"x"}"#)));
}

#[test]
fn bytes_that_are_not_utf_8_cost_at_most_their_row() {
    let mut body = br#"{"products":[{"id":1,"title":"Good","price":1},{"id":2,"title":"Caf"#.to_vec();
    // The texts are Latin-1. The second one announces a longer character, which the quotation mark ends.
    body.extend(b"\xe9 cr\xe8me\xf0\",\"price\":1},{\"id\":3,\"title\":\"Also good\",\"price\":1}]}");
    let parsed = parse_list(&body).unwrap();
    let titles: Vec<&str> = parsed.value.iter().map(|product| product.title.as_str()).collect();
    assert_eq!(titles, ["Good", "Caf\u{fffd} cr\u{fffd}me\u{fffd}", "Also good"]);
    assert_eq!(kinds(&parsed.dropped), ["text that is not UTF-8: 1 (id 2)"]);
    let mut product = br#"{"id":1,"title":"Caf"#.to_vec();
    product.extend(b"\xe9\",\"price\":1}");
    assert_eq!(parse_product(&product).unwrap().value.summary.title, "Caf\u{fffd}");
    // A replacement character of the service itself is a character like others.
    let parsed = parse_list("{\"products\":[{\"id\":1,\"title\":\"\u{fffd}\",\"price\":1}]}".as_bytes());
    assert_eq!(parsed.unwrap().dropped.count(), 0);
    assert!(parse_list(&[b"{\"products\":[],\"x\":\"".as_slice(), &[0xff; 1_000], b"\"}"].concat()).is_err());
}

#[test]
fn categories_may_be_plain_slugs() {
    let parsed =
        parse_categories(br#"["mens-shirts",{"slug":"tops","name":"Tops"},"a/b",7,{"slug":"x"}]"#).unwrap();
    let named: Vec<_> =
        parsed.value.iter().map(|category| (category.slug.as_str(), category.name.as_str())).collect();
    assert_eq!(named, [("mens-shirts", "Mens Shirts"), ("tops", "Tops")]);
    assert_eq!(
        kinds(&parsed.dropped),
        ["category without valid slug and name: 3 (position 2, position 3, position 4)"]
    );
}
