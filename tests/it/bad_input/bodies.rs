//! What the catalogue service may answer: products with each field wrong in every way, and bodies that
//! are no answer. Every page stays whole or says that it is unavailable.

use serde_json::{Value, json};

use super::case::{mark, shown};

/// What an address of the service gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Product,
    List,
    Categories,
}

/// One bad answer of the service, under a name that a failure shows.
#[derive(Clone, Debug)]
pub(crate) struct BadBody {
    pub(crate) name: String,
    /// The call that it answers; the others are answered well.
    pub(crate) call: Call,
    pub(crate) body: Vec<u8>,
    pub(crate) content_type: &'static str,
    pub(crate) encoding: Option<&'static str>,
    /// The other products of the same answer have to be shown.
    pub(crate) good_beside: bool,
    /// It is bad as a whole, and not in one field.
    is_whole: bool,
}

impl BadBody {
    pub(crate) fn new(name: impl Into<String>, call: Call, body: Vec<u8>) -> Self {
        let (name, content_type) = (name.into(), "application/json");
        Self { name, call, body, content_type, encoding: None, good_beside: false, is_whole: false }
    }

    /// The pages that the answer has a part in.
    pub(crate) fn pages(&self) -> &'static str {
        // What could become markup is looked at as a document, everything else as data.
        let is_text = self.body.windows(2).any(|bytes| bytes == b"zq") || self.body.contains(&b'<');
        match (self.call, self.is_whole, is_text) {
            (Call::Product, _, true) => "/product/1",
            (Call::Product, _, false) => "/_data/product/1",
            (Call::List, false, true) => "/category/beauty",
            (Call::List, false, false) => "/_data/category/beauty",
            (Call::List, true, _) => {
                "/ /categories /brands /products /deals /category/beauty /search/red /product/1 /sitemap.xml \
                 /feed.xml /_data/category/beauty"
            }
            (Call::Categories, ..) => {
                "/ /categories /product/1 /missing /sitemap.xml /llms.txt /_data/categories"
            }
        }
    }
}

pub(crate) fn bodies() -> Vec<BadBody> {
    let mut cases = Vec::new();
    let values = wrong_values();
    for pointer in pointers(&good(1)) {
        let with = |change| changed(good(1), &pointer, change);
        for (number, value) in values.iter().enumerate() {
            let name = format!("{pointer} is {}", shown(value));
            let [alone, listed] = of_product(&name, with(Change::Replace(value)), value);
            cases.push(alone);
            // Lists read the same fields with the same code; every few values show that it is so.
            if number % 3 == 0 {
                cases.push(listed);
                cases.extend(of_product(&format!("twice, then {name}"), with(Change::Double(value)), value));
            }
        }
        cases.extend(of_product(&format!("no {pointer}"), with(Change::Omit), b""));
    }
    for value in &values {
        for pointer in ["/0/slug", "/0/name", "/0/url"] {
            let name = format!("category{pointer} is {}", shown(value));
            let body = changed(categories(), pointer, Change::Replace(value));
            cases.push(BadBody::new(name, Call::Categories, body));
        }
    }
    cases.extend([Call::Product, Call::List, Call::Categories].into_iter().flat_map(whole_bodies));
    cases
}

/// The product by itself, and as the first of a list with good ones.
fn of_product(name: &str, product: Vec<u8>, value: &[u8]) -> [BadBody; 2] {
    // A product that is no JSON at all spoils the list; one with the id of another product is dropped.
    let is_json = serde_json::from_slice::<Box<serde_json::value::RawValue>>(&product).is_ok();
    let is_shallow = !value.starts_with(&[b'['; 64]);
    let list = BadBody::new(format!("{name}, in a list"), Call::List, list(&product, 2..=3));
    [BadBody::new(name, Call::Product, product), BadBody { good_beside: is_json && is_shallow, ..list }]
}

/// A list of a product and good ones.
pub(super) fn list(first: &[u8], others: std::ops::RangeInclusive<u64>) -> Vec<u8> {
    let total = others.clone().count() + 1;
    let others: String = others.map(|id| format!(",{}", good(id))).collect();
    let end = format!("{others}],\"total\":{total},\"skip\":0,\"limit\":{total}}}");
    [b"{\"products\":[", first, end.as_bytes()].concat()
}

/// Good categories, of which the second has the good products.
pub(super) fn categories() -> Value {
    json!([{ "slug": "tops", "name": "Tops", "url": "x" }, { "slug": "beauty", "name": "Beauty", "url": "x" }])
}

/// What a healthy service answers.
pub(super) fn good_body(call: Call, id: u64) -> Vec<u8> {
    match call {
        Call::Product => good(id).to_string().into(),
        Call::List => list(good(1).to_string().as_bytes(), 2..=12),
        Call::Categories => categories().to_string().into(),
    }
}

/// Texts that are no answer of the service, or one that makes no sense. `host/catalogue/service/wire/` tries any bytes.
fn texts() -> Vec<String> {
    const SHORT: [&str; 24] = [
        "", " ", "\n\n", "null", "true", "0", "-1", "1e999", "\"text\"", "[]", "{}", "[null]", "[1]", "[[]]",
        "[{}]", "// x\n[]", "/* x */", "[1,]", "[NaN]", "\u{feff}", "nul", "tru", "\u{2028}", "[\u{a0}]",
    ];
    const PRODUCTS: [&str; 13] =
        ["null", "{}", "\"x\"", "[]", "[null]", "[1,2]", "[[]]", "[{}]", "[{}", "[", "\"", "[]}{", "[],"];
    const OTHER: &str = "[\"\\x\"]|)]}',\n[]|{\"products\":[{\"a\":1}]}|{\"products\":[],\"products\":[]}|\
        {\"products\":[{\"id\":1}]}|{\"products\":[],\"total\":1e99}|{\"message\":\"x\"}|\
        <!doctype html><title>x</title>|<?xml version=\"1.0\"?><products/>";
    let products = PRODUCTS.map(|value| format!("{{\"products\":{value}}}"));
    SHORT.into_iter().chain(OTHER.split('|')).map(str::to_owned).chain(products).collect()
}

/// Answers that are wrong as a whole.
fn whole_bodies(call: Call) -> Vec<BadBody> {
    let good = good_body(call, 1);
    let text = String::from_utf8_lossy(&good).into_owned();
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let utf32 = text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect();
    let marked = text.replace("eauty", "\u{0}");
    let latin1 = marked.bytes().map(|byte| if byte == 0 { 0xe9 } else { byte }).collect();
    // The part becomes the first field of the answer.
    let inside = |part: &[u8]| {
        let brace = good.iter().position(|byte| *byte == b'{').unwrap() + 1;
        [&good[..brace], b"\"x\":", part, b",", &good[brace..]].concat()
    };
    let deep =
        |open: &str, close: &str, levels| inside((open.repeat(levels) + &close.repeat(levels)).as_bytes());
    let spaces = [b" \n\t".repeat(10_000), good.clone(), b" ".repeat(10_000)].concat();
    let random = (0..5_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x8b\x8e\x05\0\x29\xbb\x4c\x0d\x02\0\0\0".to_vec();
    let step = good.len() / 12 + 1;
    let turned = |at: usize| [&good[..at], &[good[at] ^ 0x80], &good[at + 1..]].concat();
    let named = [
        ("with a byte order mark", ["\u{feff}".as_bytes(), &good].concat()),
        ("in UTF-16, little end first", utf16(u16::to_le_bytes)),
        ("in UTF-16, big end first", utf16(u16::to_be_bytes)),
        ("in UTF-32", utf32),
        ("with Latin-1", latin1),
        ("with text after it", [&good[..], b"x"].concat()),
        ("with a NUL after it", [&good[..], b"\0"].concat()),
        ("with a NUL before it", [b"\0", &good[..]].concat()),
        ("twice", good.repeat(2)),
        ("with spaces around it", spaces),
        ("with 64 levels", deep("[", "]", 60)),
        ("with 10,000 levels", deep("[", "]", 10_000)),
        ("with 10,000 levels of objects", deep("{\"a\":", "1}", 10_000)),
        ("with 1,000,000 open lists", b"[".repeat(1_000_000)),
        ("with 1,000,000 digits", inside(&b"9".repeat(1_000_000))),
        ("with a fraction of 1,000,000 digits", inside(&[b"0.", &b"3".repeat(1_000_000)[..]].concat())),
        ("with 1,000,000 escapes", inside(&[b"\"", &b"\\u0000".repeat(1_000_000)[..], b"\""].concat())),
        ("with 100,000 nulls", inside(&[b"[", &b"null,".repeat(100_000)[..], b"1]"].concat())),
        ("packed, without saying so", packed),
        ("random bytes", random),
    ];
    let named = named.map(|(name, body)| (name.to_owned(), body)).into_iter();
    let cut =
        (1..good.len()).step_by(step).map(|end| (format!("cut after {end} bytes"), good[..end].to_vec()));
    let turned = (0..good.len()).step_by(step).map(|at| (format!("with byte {at} turned"), turned(at)));
    let texts = texts().into_iter().map(|text| (shown(&text), text.into_bytes()));
    let bodies = named.chain(cut).chain(turned).chain(texts);
    let case = |name: String, body| {
        let name = format!("{call:?} {name}");
        BadBody { is_whole: true, ..BadBody::new(name, call, body) }
    };
    let types =
        ["text/html", "image/png", "application/json; charset=utf-16", "text/plain;charset=\u{e9}", ""];
    let types = types.map(|content_type| BadBody { content_type, ..case(content_type.into(), good.clone()) });
    let encodings = ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x"].map(|encoding| {
        let said = format!("said to be {encoding}");
        BadBody { encoding: Some(encoding), ..case(said, good.clone()) }
    });
    bodies.map(|(name, body)| case(name, body)).chain(types).chain(encodings).collect()
}

/// A good product as the service sends it. Its picture and its reviewer are found again in pages.
pub(crate) fn good(id: u64) -> Value {
    json!({
        "id": id, "title": format!("Good {id}"), "description": "A good thing.", "category": "beauty",
        "price": 9.99, "discountPercentage": 7.17, "rating": 4.94, "stock": 5, "tags": ["mascara"],
        "brand": "Essence", "sku": "RCH45Q1A", "weight": 2,
        "dimensions": { "width": 23.17, "height": 14.43, "depth": 28.01 },
        "warrantyInformation": "1 month warranty", "shippingInformation": "Ships in 1 month",
        "availabilityStatus": "Low Stock",
        "reviews": [{
            "rating": 2, "comment": "Fine", "date": "2025-04-30T09:41:02.053Z", "reviewerName": "John Doe",
            "reviewerEmail": "john.doe@mail.example",
        }],
        "returnPolicy": "30 days", "minimumOrderQuantity": 24, "meta": { "barcode": "4006381333931" },
        "images": ["https://cdn.example/1.webp"], "thumbnail": "https://cdn.example/t.webp",
    })
}

/// The pointers to everything in a value: fields, entries, and the objects and lists on the way to them.
pub(crate) fn pointers(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(entries) => (0..).map(|place: usize| place.to_string()).zip(entries).collect(),
        _ => Vec::new(),
    };
    let below = |(name, child): (String, &Value)| {
        let further = pointers(child).into_iter();
        std::iter::once(String::new()).chain(further).map(move |rest| format!("/{name}{rest}"))
    };
    children.into_iter().flat_map(below).collect()
}

/// What happens to a field. A value need not be JSON.
pub(crate) enum Change<'a> {
    Replace(&'a [u8]),
    /// The field is there twice.
    Double(&'a [u8]),
    Omit,
}

/// The text of a value with one change.
pub(crate) fn changed(mut json: Value, pointer: &str, change: Change<'_>) -> Vec<u8> {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let own = json.pointer(pointer).unwrap().to_string();
    let key = if json.pointer(parent).unwrap().is_object() { format!("\"{name}\":") } else { String::new() };
    let changed = match change {
        Change::Replace(value) => value.to_vec(),
        Change::Double(value) => [own.as_bytes(), b",", key.as_bytes(), value].concat(),
        Change::Omit => {
            match json.pointer_mut(parent).unwrap() {
                Value::Object(fields) => drop(fields.remove(name)),
                parent => *parent = json!([]),
            }
            return json.to_string().into();
        }
    };
    // A text that is nowhere else.
    *json.pointer_mut(pointer).unwrap() = "\u{e000}".into();
    let text = json.to_string();
    let (before, after) = text.split_once("\"\u{e000}\"").unwrap();
    [before.as_bytes(), &changed, after.as_bytes()].concat()
}

/// Values, most of them wrong for any field.
fn wrong_values() -> Vec<Vec<u8>> {
    const SHORT: [&str; 36] = [
        "null", "true", "false", "0", "-0", "-0.0", "1", "-1", "1.5", "0.1", "1e3", "1e308", "1e309",
        "-1e309", "1e-320", "5e-324", "[]", "{}", "[null]", "[[]]", "\"\"", "\" \"", "\"1\"", "\"NaN\"",
        "\"-1\"", "\"true\"", "NaN", "Infinity", "01", "+1", ".5", "1.", "0x10", "'x'", "undef", "",
    ];
    const LONG: &str = r#"4294967296 18446744073709551616 [[[[[[[[[[]]]]]]]]]] {"a":1,"0":"a","width":1}
        123456789012345678901234567890123456789012345678901234567890 {"toString":1,"__proto__":{"x":1}}
        "\u0000\u0001\u001f" "\ud800" "\udc00\ud800" "\u202e\u2066\u2028\u2029\ud83d\uded2" "\ufeff\ufffe\uffff""#;
    const BYTES: [&[u8]; 5] =
        [b"\"\xff\xfe\"", b"\"\xed\xa0\x80\"", b"\"\xc0\xaf\"", b"\"a\0b\"", b"\"a\nb\""];
    const DATES: &str = "2025-02-30T00:00:00Z 9999-12-31T23:59:60Z 0000-00-00T00:00:00Z -001-01-01T00:00:00Z \
        2025-04-30 2025-04-30T\u{e9}";
    // Markup in texts has a suite of its own.
    const ADDRESSES: &str = "javascript:alert(1)|data:text/html,<script>alert(1)</script>|//evil.example/x|\
        /\\evil.example|../../admin|https://user:secret@evil.example/|\
        https://cdn.example/\" onerror=alert(1) x=\"|/a,b 2x|</script><script>alert(1)</script>";
    let repeated = ["x", "<", "&", "\u{1f6d2}", "\u{301}", " ", "\u{fdfa}"].map(|text| text.repeat(20_000));
    let texts = DATES.split(' ').map(str::to_owned).chain(repeated);
    let texts = texts.chain(ADDRESSES.split('|').map(|address| format!("{address}{}", mark())));
    let texts = texts.map(|text| serde_json::to_vec(&text).unwrap());
    let lists = [b"[".repeat(100), b"]".repeat(100)].concat();
    let many = serde_json::to_vec(&vec!["a"; 5_000]).unwrap();
    let json = SHORT.into_iter().chain(LONG.split_ascii_whitespace()).map(|text| text.as_bytes().to_vec());
    json.chain(BYTES.map(<[u8]>::to_vec)).chain(texts).chain([lists, many]).collect()
}
