//! Tests that the client's table is the same as this one, and writes it.

use serde_json::json;

use super::table::{Facet, Kind, TABLE};
use crate::contract::generated::compare;

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::From => "from",
        Kind::Highest => "highest",
        Kind::Choice(_) => "choice",
        Kind::Lowest => "lowest",
        Kind::Flag(_) => "flag",
        Kind::Tag => "tag",
    }
}

fn row(facet: &Facet) -> String {
    let texts = [("legend", facet.legend), ("label", facet.label)];
    let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
    let fields = [("parameter", facet.parameter), ("kind", kind(facet.kind))].into_iter().chain(texts);
    let mut fields: Vec<String> = fields.map(|(name, text)| format!("{name}: {}", json!(text))).collect();
    if matches!(facet.kind, Kind::Choice(_)) {
        let every = Some(json!(facet.every)).filter(|_| !facet.every.is_empty());
        let every = every.map_or("undefined".into(), |every| format!("{every} as {every} | undefined"));
        fields.extend([format!("every: {every}"), format!("slugs: {}", facet.slugs)]);
    }
    format!("  {{ {} }},\n", fields.join(", "))
}

#[test]
fn the_client_s_facets_are_up_to_date() {
    let rows: String = TABLE.iter().map(row).collect();
    let generated = format!(
        "// Generated from host/facets/table.rs; never edited.\n\n/** The filters of a listing, in the order of the query string. */\nexport const FACETS = [\n{rows}] as const;\n"
    );
    compare("client/facets.gen.ts", "the table of facets", &generated);
}
