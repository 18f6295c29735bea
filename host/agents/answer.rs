//! What assistants are answered, as the Universal Commerce Protocol has it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::request::Call;

/// The release of the protocol.
pub(super) const VERSION: &str = "2026-08-25";

pub(super) const SEARCH: &str = "dev.ucp.shopping.catalog.search";
pub(super) const LOOKUP: &str = "dev.ucp.shopping.catalog.lookup";

/// An answer to one of the calls.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    ucp: Ucp,
    #[serde(flatten)]
    pub(super) content: Content,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) messages: Vec<Message>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Content {
    Found {
        products: Vec<Product>,
        pagination: Page,
    },
    Known {
        products: Vec<Product>,
    },
    One {
        product: Box<Product>,
    },
    /// There is no such product.
    Nothing {},
}

#[derive(Debug, Serialize)]
struct Ucp {
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    capabilities: BTreeMap<&'static str, [Versioned; 1]>,
}

#[derive(Debug, Serialize)]
struct Versioned {
    version: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Page {
    pub(super) has_next_page: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<String>,
    pub(super) total_count: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    #[serde(rename = "type")]
    kind: &'static str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    content: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Product {
    pub(super) id: String,
    pub(super) handle: String,
    pub(super) title: String,
    pub(super) description: Description,
    pub(super) url: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) categories: Vec<Category>,
    pub(super) price_range: PriceRange,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) list_price_range: Option<PriceRange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) media: Vec<Media>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) options: Vec<ProductOption>,
    /// The choice that the first variant follows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) selected: Vec<OptionValue>,
    /// At least one.
    pub(super) variants: Vec<Variant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rating: Option<Rating>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Metadata>,
}

#[derive(Debug, Serialize)]
pub(super) struct Variant {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: Description,
    pub(super) price: Price,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) list_price: Option<Price>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) sku: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) barcodes: Vec<Barcode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) availability: Option<Availability>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) options: Vec<OptionValue>,
    /// The ids of a lookup that lead to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inputs: Vec<Input>,
}

#[derive(Debug, Serialize)]
pub(super) struct Description {
    pub(super) plain: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Category {
    pub(super) value: String,
    pub(super) taxonomy: &'static str,
}

/// An amount in the smallest unit of its currency.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Price {
    pub(super) amount: u64,
    pub(super) currency: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PriceRange {
    pub(super) min: Price,
    pub(super) max: Price,
}

#[derive(Debug, Serialize)]
pub(super) struct Media {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) url: String,
    pub(super) alt_text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ProductOption {
    pub(super) name: String,
    pub(super) values: Vec<Value>,
}

/// A value of an option. What it leads to is said of one product only.
#[derive(Debug, Serialize)]
pub(super) struct Value {
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) available: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exists: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct OptionValue {
    pub(super) name: String,
    pub(super) label: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Rating {
    pub(super) value: f64,
    pub(super) scale_min: u8,
    pub(super) scale_max: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Barcode {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) value: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Availability {
    pub(super) available: bool,
    pub(super) status: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Input {
    pub(super) id: String,
    #[serde(rename = "match")]
    pub(super) found: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Metadata {
    /// Where the product is sold.
    pub(super) link: String,
}

impl Answer {
    pub(super) fn new(call: Call, content: Content, messages: Vec<Message>) -> Self {
        let capability = match call {
            Call::Search => SEARCH,
            Call::Lookup | Call::Product => LOOKUP,
        };
        let status = matches!(content, Content::Nothing {}).then_some("error");
        let capabilities = BTreeMap::from([(capability, [Versioned { version: VERSION }])]);
        Self { ucp: Ucp { version: VERSION, status, capabilities }, content, messages }
    }
}

impl Message {
    pub(super) fn info(code: &'static str, content: impl Into<String>) -> Self {
        Self { kind: "info", code, severity: None, content: content.into() }
    }

    pub(super) fn warning(code: &'static str, content: impl Into<String>) -> Self {
        Self { kind: "warning", code, severity: None, content: content.into() }
    }

    /// What was asked for does not exist, so that asking again is of no use.
    pub(super) fn not_found(content: impl Into<String>) -> Self {
        Self { kind: "error", code: "not_found", severity: Some("unrecoverable"), content: content.into() }
    }
}
