//! The tools and what they take. No text of a product is in here. Clients drop all tools over a schema that they cannot
//! read, so these are plain.

use serde_json::{Value, json};

use crate::agents::request::Call;

impl Call {
    pub(super) fn of_tool(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|call| call.tool() == name)
    }

    fn tool(self) -> &'static str {
        match self {
            Self::Search => "search_catalog",
            Self::Lookup => "lookup_catalog",
            Self::Product => "get_product",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Search => {
                "Search the products of this shop by words, categories and price. Prices are integers in the smallest \
                 unit of their currency. Ask for further pages with the cursor of the answer."
            }
            Self::Lookup => {
                "Look up to 50 products of this shop up by product id, variant id, address of the page, article number \
                 or barcode."
            }
            Self::Product => {
                "Get everything that this shop knows of one product: its text, pictures, options, and variants with \
                 prices and availability."
            }
        }
    }

    /// Arguments that are taken.
    pub(super) fn example(self) -> Value {
        let catalog = match self {
            Self::Search => json!({ "query": "red lamp", "pagination": { "limit": 10 } }),
            Self::Lookup => json!({ "ids": ["1"] }),
            Self::Product => json!({ "id": "1" }),
        };
        json!({ "catalog": catalog })
    }

    fn request_schema(self) -> Value {
        let text = |about: &str| json!({ "type": "string", "description": about });
        let texts =
            |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
        let amount = json!({ "type": "integer", "minimum": 0 });
        match self {
            Self::Search => json!({ "type": "object", "properties": {
                "query": text("Words that describe the product."),
                "filters": { "type": "object", "properties": {
                    "categories": texts("Slugs or names of categories; products of any of them are found."),
                    "price": {
                        "type": "object", "properties": { "min": amount, "max": amount },
                        "description": "In the smallest unit of context.currency, which is required for it.",
                    },
                } },
                "context": { "type": "object", "properties": { "currency": text("Such as EUR.") } },
                "pagination": { "type": "object", "properties": {
                    "limit": { "type": "integer", "minimum": 1, "maximum": 50 },
                    "cursor": text("The cursor of the page before."),
                } },
            } }),
            Self::Lookup => json!({ "type": "object", "required": ["ids"], "properties": {
                "ids": {
                    "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 50,
                    "description": "Product ids, variant ids, addresses of pages, article numbers or barcodes.",
                },
            } }),
            Self::Product => json!({ "type": "object", "required": ["id"], "properties": {
                "id": text("A product or variant id."),
                "selected": {
                    "type": "array", "description": "Chosen values of options.",
                    "items": { "type": "object", "required": ["name", "label"], "properties": {
                        "name": text("Such as Size."), "label": text("Such as M."),
                    } },
                },
                "preferences": texts("Names of options; the last ones are given up first."),
            } }),
        }
    }

    fn definition(self) -> Value {
        json!({
            "name": self.tool(),
            "description": self.description(),
            "inputSchema": {
                "type": "object", "required": ["catalog"],
                "properties": { "catalog": self.request_schema(), "meta": { "type": "object" } },
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    }
}

/// The result of `tools/list`.
pub(super) fn list() -> Value {
    json!({ "tools": Call::EVERY.map(Call::definition) })
}
