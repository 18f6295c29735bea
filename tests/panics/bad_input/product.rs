//! A good product as the service sends it, and everything that can be wrong with each of its fields.

use super::case::mark;

/// A product's fields in the service's own JSON, nested ones by their path.
type Fields = Vec<(&'static str, String)>;

fn fields(id: u32) -> Fields {
    [
        ("id", id.to_string().as_str()),
        ("title", &format!("\"Good {id}\"")),
        ("description", "\"A good thing.\""),
        ("category", "\"beauty\""),
        ("price", "9.99"),
        ("discountPercentage", "7.17"),
        ("rating", "4.94"),
        ("stock", "5"),
        ("tags.0", "\"mascara\""),
        ("brand", "\"Essence\""),
        ("sku", "\"RCH45Q1A\""),
        ("weight", "2"),
        ("dimensions.width", "23.17"),
        ("dimensions.height", "14.43"),
        ("dimensions.depth", "28.01"),
        ("warrantyInformation", "\"1 month warranty\""),
        ("shippingInformation", "\"Ships in 1 month\""),
        ("availabilityStatus", "\"Low Stock\""),
        ("reviews.0.rating", "2"),
        ("reviews.0.comment", "\"Fine\""),
        ("reviews.0.date", "\"2025-04-30T09:41:02.053Z\""),
        ("reviews.0.reviewerName", "\"John Doe\""),
        ("reviews.0.reviewerEmail", "\"john.doe@mail.example\""),
        ("returnPolicy", "\"30 days\""),
        ("minimumOrderQuantity", "24"),
        ("meta.barcode", "\"4006381333931\""),
        ("images.0", "\"https://cdn.example/1.webp\""),
        ("thumbnail", "\"https://cdn.example/t.webp\""),
    ]
    .map(|(path, value)| (path, value.to_owned()))
    .into()
}

/// The names that can be replaced: every field, and every object or list on the way to it.
pub(crate) fn paths() -> Vec<&'static str> {
    let mut paths: Vec<&str> = fields(1).iter().map(|(path, _)| *path).collect();
    paths.extend(["tags", "dimensions", "reviews", "reviews.0", "meta", "images"]);
    paths
}

/// A good product.
pub(crate) fn good(id: u32) -> Vec<u8> {
    with(id, "", Change::Replace(Vec::new()))
}

/// What happens to a field.
pub(crate) enum Change {
    Replace(Vec<u8>),
    Omit,
    /// The field is there twice.
    Double(Vec<u8>),
}

/// A product with one change.
pub(crate) fn with(id: u32, path: &str, change: Change) -> Vec<u8> {
    let fields = fields(id).into_iter().map(|(path, value)| (path.to_owned(), value)).collect::<Vec<_>>();
    write(&fields, "", path, &change)
}

/// Writes what lies below `prefix`.
fn write(fields: &[(String, String)], prefix: &str, changed: &str, change: &Change) -> Vec<u8> {
    let mut written: Vec<Vec<u8>> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let mut list = false;
    for (path, value) in fields {
        let Some(rest) = path.strip_prefix(prefix) else { continue };
        let name = rest.split('.').next().unwrap_or_default();
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        list = name == "0";
        let whole = format!("{prefix}{name}");
        let own = || match rest.contains('.') {
            true => write(fields, &format!("{whole}."), changed, change),
            false => value.clone().into_bytes(),
        };
        let key = if list { String::new() } else { format!("\"{name}\":") };
        let entry = |value: Vec<u8>| [key.as_bytes(), &value].concat();
        match change {
            Change::Replace(value) if whole == changed => written.push(entry(value.clone())),
            Change::Double(value) if whole == changed => written.extend([entry(own()), entry(value.clone())]),
            Change::Omit if whole == changed => {}
            _ => written.push(entry(own())),
        }
    }
    let (open, close) = if list { (b"[", b"]") } else { (b"{", b"}") };
    [open.as_slice(), &written.join(&b','), close].concat()
}

/// Values, most of them wrong for any field.
pub(crate) fn wrong_values() -> Vec<Vec<u8>> {
    let quoted = |text: &str| serde_json::to_vec(text).unwrap_or_default();
    let mut values: Vec<Vec<u8>> = [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "1",
        "-1",
        "1.5",
        "0.1",
        "1e3",
        "1e308",
        "1e309",
        "-1e309",
        "1e-320",
        "5e-324",
        "4294967295",
        "4294967296",
        "-2147483649",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890123456789012345678901234567890",
        "[]",
        "{}",
        "[null]",
        "[[]]",
        "[[[[[[[[[[]]]]]]]]]]",
        "[1,\"a\",null,{}]",
        "{\"a\":1}",
        "{\"0\":\"a\"}",
        "{\"width\":1}",
        "{\"toString\":1,\"__proto__\":{\"x\":1}}",
        "\"\"",
        "\" \"",
        "\"\\u0000\"",
        "\"\\u0000\\u0001\\u001f\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud83d\\uded2\"",
        "\"\\u202e\\u2066\"",
        "\"\\u2028\\u2029\"",
        "\"\\ufeff\\ufffe\\uffff\"",
        "\"1\"",
        "\"NaN\"",
        "\"-1\"",
        "\"1e999\"",
        "\"true\"",
        "NaN",
        "Infinity",
        "01",
        "+1",
        ".5",
        "1.",
        "0x10",
        "'x'",
        "undefined",
        "",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    values.extend([
        b"\"\xff\xfe\"".to_vec(),
        b"\"\xed\xa0\x80\"".to_vec(),
        b"\"\xc0\xaf\"".to_vec(),
        b"\"a\0b\"".to_vec(),
        b"\"a\nb\"".to_vec(),
    ]);
    values.extend(
        [
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "//evil.example/x",
            "/\\evil.example",
            "../../admin",
            "https://user:secret@evil.example/",
            "https://cdn.example/\" onerror=alert(1) x=\"",
            "/a,b 2x",
            "2025-02-30T00:00:00Z",
            "9999-12-31T23:59:60Z",
            "0000-00-00T00:00:00Z",
            "-001-01-01T00:00:00Z",
            "2025-04-30",
            "2025-04-30T\u{e9}",
            "</script><script>alert(1)</script>",
            "<!--",
            "]]>",
            "{{7*7}}",
            "caf\u{e9}\u{301}\u{1f6d2}",
        ]
        .map(|text| quoted(&format!("{text}{}", if text.contains("T00") { String::new() } else { mark() }))),
    );
    values.extend(
        ["x", "<", "&", "\u{1f6d2}", "\u{301}", " ", "\u{fdfa}"].map(|text| quoted(&text.repeat(20_000))),
    );
    values.push([b"[".repeat(100), b"]".repeat(100)].concat());
    values.push(["[".to_owned(), vec!["\"a\""; 5_000].join(","), "]".into()].concat().into_bytes());
    values
}
