//! What the shop says of its calls at `/.well-known/ucp`.

use serde_json::{Value, json};

use super::answer::{LOOKUP, SEARCH, VERSION};
use crate::document::Site;

/// Where the calls of both transports begin.
pub(super) const REST: &str = "/ucp";
pub(super) const MCP: &str = "/ucp/mcp";

/// The profile of the shop.
pub(super) fn profile(site: &Site) -> Value {
    let service = |transport: &str, path: &str, schema: &str| {
        json!({
            "version": VERSION, "transport": transport, "endpoint": site.absolute(path),
            "schema": format!("https://ucp.dev/{VERSION}/services/shopping/{schema}.json"),
        })
    };
    let capability = |schema: &str| json!([{ "version": VERSION, "schema": format!("https://ucp.dev/{VERSION}/schemas/shopping/{schema}.json") }]);
    json!({ "ucp": {
        "version": VERSION,
        "services": { "dev.ucp.shopping": [
            service("rest", REST, "rest.openapi"), service("mcp", MCP, "mcp.openrpc"),
        ] },
        "capabilities": { SEARCH: capability("catalog_search"), LOOKUP: capability("catalog_lookup") },
        "payment_handlers": {},
    } })
}
