//! Variants in JSON as Shopify lists them at `/products.json`.

use serde_json::{Map, Value, json};

use super::json_names::{address_of, text};

/// What Shopify calls the only value of a product without options.
const NO_VALUE: &str = "Default Title";
/// Names of fields, and those that a service gives them.
const FIELDS: [(&str, &str); 4] =
    [("price", "price"), ("compare_at_price", "listPrice"), ("sku", "sku"), ("barcode", "gtin")];

/// The variants of a list as a service would send them; `None` if they are written otherwise. `options` has their names.
pub(super) fn of_shopify(list: &[Value], options: Option<&Value>) -> Option<Vec<Map<String, Value>>> {
    let is_of_shopify = |variant: &Value| variant.get("option1").is_some();
    if list.is_empty() || !list.iter().all(is_of_shopify) {
        return None;
    }
    let options = options.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names: Vec<String> = options.iter().take(3).map(|option| text(option).unwrap_or_default()).collect();
    Some(list.iter().map(|variant| as_sent(variant, &names)).collect())
}

/// Whether a variant is the only one of a product without options.
pub(super) fn is_without_options(variant: &Map<String, Value>) -> bool {
    variant.get("options").and_then(Value::as_array).is_none_or(Vec::is_empty)
}

fn as_sent(variant: &Value, names: &[String]) -> Map<String, Value> {
    let values = ["option1", "option2", "option3"].map(|name| variant.get(name).and_then(Value::as_str));
    let mut options = Vec::new();
    for (place, value) in values.into_iter().enumerate() {
        let Some(value) = value.filter(|value| *value != NO_VALUE) else { continue };
        let name = names.get(place).filter(|name| !name.is_empty()).cloned();
        let name = name.unwrap_or_else(|| format!("Option {}", place + 1));
        options.push(json!({ "name": name, "value": value }));
    }
    let mut sent = Map::new();
    sent.insert("options".into(), options.into());
    for (written, name) in FIELDS {
        if let Some(value) = variant.get(written).filter(|value| !value.is_null()) {
            sent.insert(name.into(), value.clone());
        }
    }
    if let Some(is_available) = variant.get("available").and_then(Value::as_bool) {
        let word = if is_available { "in stock" } else { "out of stock" };
        sent.insert("availability".into(), word.into());
    }
    if let Some(picture) = variant.get("featured_image").and_then(address_of) {
        sent.insert("image".into(), picture.into());
    }
    sent
}
