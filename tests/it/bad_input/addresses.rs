//! Bad addresses: places in an address, and the texts that stand there.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::case::{Case, escaped, mark};
use super::hostile::{encoded, numbers, payloads, unicode};

/// A request for each text, at one of the addresses after another; `{}` is the text's place.
fn in_turn(
    addresses: &[impl AsRef<str>],
    texts: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> impl Iterator<Item = Case> {
    addresses.iter().cycle().zip(texts).map(|(address, text)| {
        let (before, after) = address.as_ref().split_once("{}").unwrap();
        Case::get([before.as_bytes(), text.as_ref(), after.as_bytes()].concat())
    })
}

/// A request for each text at each address. The texts are made anew for each, so that each has marks of its own.
fn each<T: AsRef<[u8]>>(addresses: &[impl AsRef<str>], texts: impl Fn() -> Vec<T>) -> Vec<Case> {
    addresses.iter().flat_map(|address| in_turn(std::slice::from_ref(address), texts())).collect()
}

/// Requests with long texts: units that are repeated up to a length in bytes.
fn long(addresses: &[&str], units: &[&str], lengths: &[usize]) -> Vec<Case> {
    let of_unit =
        |unit: &str| lengths.iter().map(|length| unit.repeat(length / unit.len())).collect::<Vec<_>>();
    each(addresses, || units.iter().flat_map(|unit| of_unit(unit)).collect())
}

fn all_escaped(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(escaped).collect()
}

/// Every byte but HTTP's own line ends and spaces, which would make another request of it.
fn raw_bytes() -> Vec<[u8; 1]> {
    (1..=255_u8).filter(|byte| !b"\r\n ".contains(byte)).map(|byte| [byte]).collect()
}

/// Where a path takes text, as a document and as data.
const PLACES: &str = "/{} /search/{} /category/{} /product/{} /_data/search/{} /_data/category/{} \
    /_data/product/{} /assets/{} /sample-images/{} /sitemap/{}";

/// Paths: every byte, raw and escaped, and segments that are no name of anything.
pub(crate) fn paths() -> Vec<Case> {
    const ADDRESSES: [&str; 6] =
        ["/products{}", "/product/1{}", "/category/beauty{}", "/search/red{}", "/_data{}", "/robots.txt{}"];
    const BEGINNINGS: [&str; 14] = [
        "//", "/./", "/../", "/.%2e/", "/;/", "/x/../", "/x/", "/_data/", "/_datax/", "/_DATA/", "/%2f",
        "/_data//", "/%5C", "/00",
    ];
    const ENDS: [&str; 41] = [
        "/", "//", "////////", "/.", "/..", "/../", "/../x", "/%2e", "/%2e%2e/", "/x", "/2", "-", "--", "_",
        "'", "\"", "<", "\\", "%", ".", ".html", ".json", ".xml", "~", "*", "@", ";v=1", ";/x", "&skip=1",
        "%2F", "%3Fx=1", "%23", "%20", "%00", "?", "??", "?#", "?x=1", "#", "#page", "\u{e9}",
    ];
    const NAMES: [&str; 12] =
        [".env", ".git/", "admin", "wp-admin", "~root", "*", "&", "=", ":80", "$%7BHOME", "_data", "\u{130}"];
    const FOLDERS: [&str; 8] =
        ["../", "../../", "..%2f", "..%2F..%2f", "..\\", "..%5c", "%2e%2e/", "..%252f"];
    let in_folders =
        ["/products/{}etc/passwd", "/assets/{}Cargo.toml", "/sample-images/{}a.svg", "/icons/{}32.png"];
    let for_numbers = ["/icons/{}", "/sitemap/{}.xml", "/product/{}/", "/product/{}?x=1"];
    let for_slugs = ["/category/{}", "/_data/category/{}", "/products?category={}", "/product/{}"];
    let places: Vec<&str> = PLACES.split(' ').collect();
    let inside: Vec<String> = places[..4].iter().map(|place| place.replace("{}", "a{}b")).collect();
    let escaped_bytes = || (0..=255_u8).map(|byte| format!("%{byte:02X}")).collect();
    let marked = || encoded().into_iter().map(|text| text + &escaped(mark())).collect();
    let slug_ends = || ENDS.map(|end| escaped(format!("beauty{end}"))).into();
    let lengths =
        [1, 63, 64, 65, 100, 199, 200, 201, 256, 1_024, 4_096, 16_384, 65_000, 65_530, 65_536, 100_000];
    [
        each(&places, escaped_bytes),
        each(&inside, raw_bytes),
        each(&places, encoded),
        each(&places[..4], marked),
        each(&places[..7], || all_escaped(payloads())),
        each(&places[1..2], || all_escaped(unicode())),
        each(&places[..7], || all_escaped(numbers())),
        each(&for_numbers, || all_escaped(numbers())),
        each(&for_slugs, || all_escaped(slugs())),
        each(&for_slugs, slug_ends),
        each(&ADDRESSES, || ENDS.into()),
        each(&["{}products", "{}product/1", "{}search/red"], || BEGINNINGS.into()),
        each(&places[..1], || NAMES.into()),
        each(&in_folders, || FOLDERS.into()),
        each(&["/{}/x", "/search/{}"], || (0..10).map(|_| mark()).collect()),
        long(&places[..5], &["a", "9", "-", "A", "%C3%A9", "%20"], &lengths),
        long(
            &["/x{}"],
            &["/a", "/..", "/.", "/", "/%2e%2e", "/products", "/_data", ";a"],
            &[20, 1_000, 20_000, 64_000, 200_000],
        ),
    ]
    .concat()
}

/// Slugs that are almost those of categories, or mean something elsewhere; with and without a mark.
fn slugs() -> Vec<String> {
    const SLUGS: &str = "\u{442}ops|tops\u{200d}|to\u{ad}ps|\u{ff54}ops|top\u{17f}|\u{212a}itchen-accessories|\
        -tops|to%70s|Tops|TOPS| tops|tops?x=1|search|null|constructor";
    SLUGS.split('|').flat_map(|slug| [slug.to_owned(), format!("{slug}{}", mark())]).collect()
}

/// The shop's parameters, and two that it does not know.
const PARAMETERS: [&str; 15] = [
    "q",
    "min",
    "max",
    "rating",
    "category",
    "brand",
    "size",
    "color",
    "tag",
    "stock",
    "sort",
    "facets",
    "page",
    "utm",
    "__proto__",
];
/// Pages that read a query, and one that does not.
const PAGES: [&str; 6] =
    ["/products", "/category/beauty", "/_data/search/red", "/categories", "/search", "/product/1"];

/// Query strings: every parameter with every hostile value, and strings that are odd as a whole.
pub(crate) fn queries() -> Vec<Case> {
    /// `P` is the parameter.
    const FORMS: [&str; 11] =
        ["P{}", "P", "P=", "=P", "P=={}", "P[]={}", "P[0]={}", "P[a]={}", "P={}&P=1", "%20P=1", "P%00=1"];
    const WHOLE: [&str; 18] = [
        "", "?", "&", "&&&&", "=", "==&==", "&=&=&", ";", "q=a;x=2", "%26=%3D", "q%3Da", "%71=red",
        "q=%2571", "q=a%26b", "Q=red", "PAGE=2", "Sort=x", "BRAND=x",
    ];
    let mut cases = Vec::new();
    for (turn, parameter) in PARAMETERS.into_iter().enumerate() {
        let listings = ["/products", "/_data/category/beauty"].map(|page| format!("{page}?{parameter}={{}}"));
        cases.extend(in_turn(&listings, all_escaped(numbers())));
        cases.extend(in_turn(&listings, encoded()));
        let mut pages = PAGES.map(|page| format!("{page}?{parameter}={{}}"));
        pages.rotate_left(turn % PAGES.len());
        cases.extend(in_turn(&pages, all_escaped(payloads())));
        if ["q", "brand", "tag", "category", "sort"].contains(&parameter) {
            cases.extend(in_turn(&pages, all_escaped(unicode())));
        }
        let form = |form: &str| form.replace('P', parameter).replace("{}", &escaped(mark()));
        let forms = || FORMS.map(form).into();
        cases.extend(each(&PAGES.map(|page| format!("{page}?{{}}")), forms));
    }
    let whole = PAGES.map(|page| format!("{page}?{{}}"));
    let many = |parameter: &str, count: usize, end: &str| {
        (0..count).map(|number| format!("{parameter}{number}{end}&")).collect::<String>()
    };
    let crowds = || {
        let names = ["p=", "brand=b", "category=c"].map(|name| many(name, 1_000, ""));
        let carts =
            ["%F0%9F%9B%92".repeat(95), "\u{1f6d2}".repeat(190)].map(|cart| many("brand=", 50, &cart));
        names.into_iter().chain(carts).collect()
    };
    let units = ["&", "q=&", "page=2&", "brand=x&", "%", "%2", "[", "q["];
    let values = ["/search?q={}", "/products/?x={}", "/category/Beauty?brand={}", "/products?page={}1"];
    cases.extend(each(&whole, || WHOLE.into()));
    cases.extend(each(&whole, crowds));
    cases.extend(whole.iter().flat_map(|page| long(&[page.as_str()], &units, &[10_000, 24_000])));
    let lengths = [1_000, 10_000, 20_000, 60_000, 64_900, 70_000];
    cases.extend(long(&values, &["a", "9", "0", "%FF", "%3C", "'", "+", "\u{e9}"], &lengths));
    cases.extend(each(&["/products/?q=a{}b", "/category/Beauty?x={}b", "/products?brand={}b"], raw_bytes));
    cases
}

/// Addresses that ask for a redirect, in shapes that could lead it away or split the answer.
pub(crate) fn redirects() -> Vec<Case> {
    /// What a browser could take for the beginning of an address of another host.
    const BEFORE_HOSTS: [&str; 22] = [
        "//", "///", "////", "/\\", "\\\\", "\\/", "/%2F", "/%2F%2F", "%2F%2F", "/%5C", "%5C%5C", "/%09/",
        "/%0A/", "/%0D/", "/%00/", "//user@", "https:", "https:/", "https://", "//x%2F@", "%68ttp:", ".",
    ];
    const ELSEWHERE: &str = "//evil%E3%80%82example //shop.example.evil.example //[::1] //2130706433 \
        http%3A%2F%2Fevil.example javascript:alert(1) %6Aavascript:alert(1) %0D%0ALocation:%20//evil.example \
        %0d%0a%0d%0a%3Cscript%3E %E5%98%8D%E5%98%8ALocation:%20//evil.example";
    /// Places where there is a redirect: because of a wrong spelling, or of a form.
    const REDIRECTED: &str = "{} {}/ /{}/ /_data{} /_data{}/ /search?q={} /_data/search?q={} /search/%20{} \
        /search/{}/ /search{}/ /category{}/ /category/Beauty?{} /category/Beauty{}/ /product/007?{} /products/?next={} \
        /products?sort=price-asc&q={} /products?brand={}&page=9";
    let elsewhere = || {
        let hosts = BEFORE_HOSTS.iter().map(|before| format!("{before}evil.example"));
        hosts.chain(ELSEWHERE.split(' ').map(str::to_owned)).collect::<Vec<_>>()
    };
    let marked = || elsewhere().into_iter().map(|text| text + &escaped(mark())).collect();
    let places: Vec<&str> = REDIRECTED.split(' ').collect();
    let mut cases = [each(&places, elsewhere), each(&places, marked)].concat();
    for host in ["evil.example", "shop.example:443@evil.example", "[::1]:80", ""] {
        for target in ["/products/", "//evil.example/", "/search?q=a", "/category/Beauty"] {
            cases.push(Case::get(format!("http://{host}{target}")));
            cases.push(Case::with_headers(target, &[("Host", host)]));
        }
    }
    cases
}

/// A request that is cut or changed in one byte. Other bad framing has an exact answer, in
/// `tests/it/connections/framing_cases/`.
pub(crate) fn framing() -> Vec<Case> {
    let whole = b"GET /products HTTP/1.1\r\nHost: shop.example\r\nCookie: a=b\r\n\r\n";
    let changed = |at: usize| {
        [0, b'\n', b'\r', 0x80].map(|byte| Case::raw([&whole[..at], &[byte], &whole[at + 1..]].concat()))
    };
    let of_place = |at: usize| std::iter::once(Case::raw(&whole[..at])).chain(changed(at));
    (0..whole.len()).flat_map(of_place).collect()
}

const CASES: usize = 10_000;
/// The same cases in every run.
const SEED: u64 = 20_260_731;
/// Longer texts would only repeat the other cases.
const LONGEST_TEXT: usize = 300;

const FIXED: &str = "/|/brands|/search|/sitemap.xml|/feed.xml|/robots.txt|/llms.txt|/healthz|/categories";
const LISTINGS: &str = "/products|/sale|/new-arrivals|/best-sellers|/deals";
const CATEGORIES: &str = "beauty|groceries|mens-shirts|mobile-accessories|tops|no-such-thing";
const BRANDS: &str = "Corvane|Linden & Tide|Maison Orla|corvane|No Such Brand";
const WORDS: &str = "red|mug|phone|oak lamp|RED| red |.|..";
const KNOWN: &str = "q|max|rating|category|brand|stock|sort|facets|page";

/// Addresses from a seeded generator: with values that exist, with odd ones and without any, in spellings that a redirect
/// has to put right, several of them at once.
pub(crate) fn generated() -> Vec<Case> {
    // Their marks are cut off: a mark that is encoded twice could not be told from another request's.
    let without_mark = |text: String| text.split("zq").next().unwrap_or_default().to_owned();
    let texts = payloads().into_iter().chain(unicode()).map(without_mark).chain(numbers());
    let texts = texts.filter(|text| text.len() <= LONGEST_TEXT).map(escaped);
    let odd_texts = texts.chain(encoded()).collect();
    let mut generator = Generator { random: Rng::with_seed(SEED), odd_texts };
    let mut targets = BTreeSet::new();
    while targets.len() < CASES {
        targets.insert(generator.target());
    }
    targets.into_iter().map(Case::get).collect()
}

struct Generator {
    random: Rng,
    /// Hostile texts and numbers, percent-encoded.
    odd_texts: Vec<String>,
}

impl Generator {
    fn target(&mut self) -> String {
        let path = self.path();
        let mut target = if self.one_in(5) { format!("/_data{path}") } else { path };
        for _ in 0..self.random.usize(..3) {
            target = self.respelled(&target);
        }
        if self.random.bool() {
            target = format!("{target}?{}", self.query());
        }
        target
    }

    fn path(&mut self) -> String {
        match self.random.u32(..10) {
            0 | 1 => self.one_of(FIXED).into(),
            2 | 3 => self.one_of(LISTINGS).into(),
            4 | 5 => format!("/category/{}", self.value("category")),
            6 | 7 => format!("/search/{}", self.value("q")),
            8 => format!("/product/{}", self.value("max")),
            _ => format!("/{}", self.odd_text()),
        }
    }

    fn query(&mut self) -> String {
        let count = self.random.usize(..6);
        let parameters = (0..count).map(|_| {
            let is_unknown = self.one_in(8);
            let name = self.one_of(if is_unknown { "utm_source|x|__proto__|q[]" } else { KNOWN });
            let value = self.value(name);
            match self.random.u32(..12) {
                0 => name.to_owned(),
                1 => format!("{name}="),
                2 => format!("%{:02x}{}={value}", name.as_bytes()[0], &name[1..]),
                3 => format!("{name}={value}&{name}={value}"),
                _ => format!("{name}={value}"),
            }
        });
        let parameters: Vec<String> = parameters.collect();
        parameters.join(if self.one_in(10) { "&&" } else { "&" })
    }

    /// A value of a parameter or of a part of a path, percent-encoded; one in four is an odd text instead.
    fn value(&mut self, name: &str) -> String {
        if self.one_in(4) {
            return self.odd_text();
        }
        match name {
            "min" | "max" => self.random.u32(..1_500).to_string(),
            "rating" => self.random.u32(..7).to_string(),
            "category" => self.one_of(CATEGORIES).into(),
            "brand" => escaped(self.one_of(BRANDS)),
            "stock" => self.random.u32(..2).to_string(),
            "sort" => self.one_of("price-asc|price-desc|rating-desc||newest").into(),
            "page" => self.random.u32(..12).to_string(),
            _ => escaped(self.one_of(WORDS)),
        }
    }

    /// The path in another spelling, or almost the same path.
    fn respelled(&mut self, path: &str) -> String {
        let at = path.rfind('/').unwrap_or_default();
        let (folder, name) = path.split_at(at);
        match self.random.u32(..10) {
            0 => format!("{path}/"),
            1 => format!("{path}//"),
            2 => path.to_uppercase(),
            3 => format!("{folder}/{}", name[1..].to_uppercase()),
            4 => format!("{folder}/{}", every_byte_escaped(&name[1..])),
            5 => format!("{folder}/{name}"),
            6 => format!("{folder}/.{name}"),
            7 => format!("{folder}/x/..{name}"),
            8 => format!("{folder}/%20{}%20", &name[1..]),
            _ => format!("{folder}/00{}", &name[1..]),
        }
    }

    fn odd_text(&mut self) -> String {
        let place = self.random.usize(..self.odd_texts.len());
        self.odd_texts[place].clone()
    }

    fn one_of(&mut self, words: &'static str) -> &'static str {
        let place = self.random.usize(..words.split('|').count());
        words.split('|').nth(place).unwrap_or_default()
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.random.u32(..many) == 0
    }
}

/// Escapes every byte. A text with escapes stays as it is, so that it decodes to the same text.
fn every_byte_escaped(text: &str) -> String {
    if text.contains('%') {
        return text.to_owned();
    }
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}
