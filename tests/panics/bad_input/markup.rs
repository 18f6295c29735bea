//! Markup in every text of the catalogue is text on every page: the page consists of the same elements,
//! attributes and data as with a harmless text in the same place.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use futures_util::StreamExt as _;
use futures_util::stream;
use tower::ServiceExt as _;
use vitrine::catalogue::Service;
use vitrine::render::Renderer;

use super::bodies::{Call, good_body, list};
use super::case::escaped;
use super::product::{self, Change};
use super::trees::{difference, harmless, lines};
use super::visits::forgetful_shop;
use super::{CONNECTIONS, SERVICE, Share, TURN, report, watch_panics};
use crate::common::{real_renderer, serve};

const MARKUPS: [&str; 20] = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=\"alert(1)",
    "</title><style>*{display:none}</style>",
    "<!-- a comment that does not end",
    "--><b>x</b><!--",
    "]]><x xmlns=\"y\"/>",
    "<![CDATA[<b>x</b>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x&#62; &amp;amp; &quot",
    "</textarea></select></form><form action=//evil.example>",
    "<base href=\"//evil.example/\"><meta http-equiv=refresh content=\"0\">",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<!DOCTYPE x [<!ENTITY a \"b\">]>&a;",
    "\\u003cscript\\u003e \u{2028}\u{2029} \\\";alert(1)//",
    "{{7*7}} ${7*7} <%= 7*7 %> <?php x ?>",
    "</p></div></main></body></html><h1>x",
];

/// A text of the catalogue, and where it may be shown.
struct Field {
    /// In a product, or in an entry of the list of categories.
    call: Call,
    path: &'static str,
    /// What the value begins with so that it is valid: a text with letters, an address with a host.
    before: &'static str,
    /// Whether the text itself is on one of the pages.
    is_shown: bool,
    /// `{text}` stands for the text, percent-encoded.
    pages: &'static [&'static str],
}

const TEXT: &str = "Zq ";
const ADDRESS: &str = "https://cdn.example/";

const OF_LISTS: &[&str] = &[
    "/",
    "/brands",
    "/products",
    "/products?q={text}",
    "/category/beauty",
    "/search/{text}",
    "/product/1",
    "/product/2",
    "/feed.xml",
    "/sitemap.xml",
    "/_data/products",
];
/// A filter for a brand is kept only if the catalogue has the brand.
const OF_BRANDS: &[&str] =
    &["/brands", "/products", "/products?brand={text}", "/product/1", "/product/2", "/_data/brands"];
const OF_PRODUCTS: &[&str] = &["/product/1", "/_data/product/1"];
const OF_CATEGORIES: &[&str] = &[
    "/",
    "/categories",
    "/categories?q={text}",
    "/product/1",
    "/missing",
    "/sitemap.xml",
    "/llms.txt",
    "/_data/categories",
];

const fn of_list(path: &'static str, before: &'static str, is_shown: bool) -> Field {
    Field { call: Call::List, path, before, is_shown, pages: OF_LISTS }
}

const fn of_product(path: &'static str, before: &'static str, is_shown: bool) -> Field {
    Field { call: Call::Product, path, before, is_shown, pages: OF_PRODUCTS }
}

const fn of_category(path: &'static str, is_shown: bool) -> Field {
    Field { call: Call::Categories, path, before: TEXT, is_shown, pages: OF_CATEGORIES }
}

/// Every text that the service sends, those that the shop does not read included.
const FIELDS: [Field; 20] = [
    of_list("title", TEXT, true),
    of_list("description", TEXT, true),
    of_list("category", TEXT, false),
    Field { call: Call::List, path: "brand", before: TEXT, is_shown: true, pages: OF_BRANDS },
    of_list("thumbnail", ADDRESS, true),
    of_product("tags.0", TEXT, true),
    of_product("sku", TEXT, true),
    of_product("warrantyInformation", TEXT, true),
    of_product("shippingInformation", TEXT, true),
    of_product("availabilityStatus", TEXT, false),
    of_product("reviews.0.comment", TEXT, true),
    of_product("reviews.0.reviewerName", TEXT, true),
    of_product("reviews.0.reviewerEmail", TEXT, false),
    of_product("reviews.0.date", TEXT, false),
    of_product("returnPolicy", TEXT, true),
    of_product("meta.barcode", TEXT, false),
    of_product("images.0", ADDRESS, true),
    of_category("name", true),
    of_category("slug", false),
    of_category("url", false),
];

/// One markup in one field.
#[derive(Clone, Copy)]
struct Case {
    field: &'static Field,
    markup: &'static str,
}

impl Case {
    fn all() -> Vec<Self> {
        let of_field = |field| MARKUPS.map(|markup| Self { field, markup });
        FIELDS.iter().flat_map(of_field).collect()
    }

    /// The field's text: the markup, or letters in its place.
    fn text(&self, is_harmless: bool) -> String {
        let text = if is_harmless { harmless(self.markup) } else { self.markup.to_owned() };
        format!("{}{text}", self.field.before)
    }

    /// What the service answers.
    fn body(&self, call: Call, id: u32, is_harmless: bool) -> Vec<u8> {
        let value = serde_json::to_vec(&self.text(is_harmless)).unwrap();
        let first = || product::with(1, self.field.path, Change::Replace(value.clone()));
        match (call, self.field.call) {
            (Call::Categories, Call::Categories) => {
                let mut category = serde_json::json!({ "slug": "tops", "name": "Tops", "url": "x" });
                category[self.field.path] = self.text(is_harmless).into();
                serde_json::to_vec(&[
                    category,
                    serde_json::json!({ "slug": "beauty", "name": "Beauty", "url": "x" }),
                ])
                .unwrap()
            }
            (Call::Categories, _) | (_, Call::Categories) => good_body(call),
            (Call::Product, _) if id == 1 => first(),
            (Call::Product, _) => product::good(id),
            (Call::List, _) => {
                let others = (2..=6).map(product::good);
                list(&std::iter::once(first()).chain(others).collect::<Vec<_>>())
            }
        }
    }
}

/// A service whose address begins with the number of the case, and with whether its text is harmless.
fn service(cases: Arc<Vec<Case>>) -> Router {
    Router::new().fallback(move |request: Request| {
        let path = request.uri().path();
        let [case, is_harmless, call @ ..] = &path.split('/').skip(1).collect::<Vec<_>>()[..] else {
            panic!("{path} is no address of the service")
        };
        let case: usize = case.parse().unwrap();
        let (call, id) = match call {
            ["products", "categories"] => (Call::Categories, 0),
            ["products"] | ["products", "search"] | ["products", "category", _] => (Call::List, 0),
            ["products", id] => (Call::Product, id.parse().unwrap()),
            _ => panic!("{path} is no call of the service"),
        };
        let body = cases[case].body(call, id, *is_harmless == "true");
        async move { ([(header::CONTENT_TYPE, "application/json")], body) }
    })
}

/// The pages of a shop with one of the two texts, as lines.
async fn pages(
    base: String,
    renderer: Renderer,
    case: &Case,
    is_harmless: bool,
) -> Result<Vec<(&'static str, Vec<String>)>, String> {
    let shop = forgetful_shop(Service::new(base.parse().unwrap(), SERVICE).unwrap(), renderer);
    let text = escaped(case.text(is_harmless));
    let mut pages = Vec::new();
    for page in case.field.pages {
        let target = page.replace("{text}", &text);
        let request = Request::get(&target).header("host", "shop").body(Body::empty()).unwrap();
        let Ok(response) = shop.clone().oneshot(request).await;
        let status = response.status().as_u16();
        if status != if *page == "/missing" { 404 } else { 200 } {
            return Err(format!("{target} is {status}"));
        }
        let content_type = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body = String::from_utf8(body.into()).map_err(|error| format!("{target}: {error}"))?;
        pages.push((*page, lines(&content_type, &body).map_err(|error| format!("{target}: {error}"))?));
    }
    Ok(pages)
}

/// What is wrong with the pages of one case.
async fn compare(base: String, renderer: Renderer, case: &Case) -> Result<(), String> {
    let hostile = pages(format!("{base}/false/"), renderer.clone(), case, false).await?;
    let expected = pages(format!("{base}/true/"), renderer, case, true).await?;
    let mut is_shown = false;
    for ((page, hostile), (_, expected)) in hostile.iter().zip(&expected) {
        if let Some(difference) = difference(expected, hostile) {
            return Err(format!("{page}: {difference}"));
        }
        let text = harmless(&case.text(false));
        // A page whose address has the text shows it anyway.
        is_shown |= !page.contains("{text}") && hostile.iter().any(|line| line.contains(text.trim_end()));
    }
    if is_shown == case.field.is_shown { Ok(()) } else { Err(format!("the text is shown: {is_shown}")) }
}

/// Puts markup into the catalogue.
pub(crate) async fn no_markup_becomes_part_of_a_page(share: Share) {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let cases = Arc::new(share.of(Case::all()));
    let fields: BTreeSet<&str> = cases.iter().map(|case| case.field.path).collect();
    let markups: BTreeSet<&str> = cases.iter().map(|case| case.markup).collect();
    assert_eq!((fields.len(), markups.len()), (FIELDS.len(), MARKUPS.len()), "the share leaves one out");
    let address = serve(service(Arc::clone(&cases))).await;
    let renderer = real_renderer(2).await;
    let outcomes = stream::iter(0..cases.len()).map(|number| {
        let (cases, renderer) = (Arc::clone(&cases), renderer.clone());
        tokio::spawn(async move {
            let case = &cases[number];
            let outcome = compare(format!("http://{address}/{number}"), renderer, case).await;
            outcome.err().map(|problem| format!("{} is {:?}: {problem}", case.field.path, case.markup))
        })
    });
    let outcomes = outcomes.buffer_unordered(CONNECTIONS).collect::<Vec<_>>().await;
    let wrong: Vec<String> = outcomes.into_iter().filter_map(Result::unwrap).collect();
    report(&wrong);
    assert_eq!(*panics.lock(), Vec::<String>::new());
}
