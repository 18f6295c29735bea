//! Tests that the client's table is the same as this one, and writes it.

use serde_json::json;

use super::table::{Facet, Kind, TABLE};
use crate::contract::generated::compare;

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::From => "from",
        Kind::Highest => "highest",
        Kind::Choice(_) | Kind::Option(_) => "choice",
        Kind::Lowest => "lowest",
        Kind::Flag(_) => "flag",
        Kind::Tag => "tag",
    }
}

fn row(facet: &Facet) -> String {
    let texts = [("legend", facet.legend), ("label", facet.label)];
    let texts = texts.into_iter().filter_map(|(name, key)| Some(format!("{name}: Key.{}", key?.name())));
    let fields = [("parameter", facet.parameter), ("kind", kind(facet.kind))];
    let fields = fields.into_iter().map(|(name, text)| format!("{name}: {}", json!(text)));
    let mut fields: Vec<String> = fields.chain(texts).collect();
    let is_option = matches!(facet.kind, Kind::Option(_));
    if is_option || matches!(facet.kind, Kind::Choice(_)) {
        let every = facet.every.map_or("undefined".into(), |(href, key)| {
            let href = json!(href);
            format!("[{href}, Key.{0}] as readonly [{href}, Key.{0}] | undefined", key.name())
        });
        fields.extend([format!("every: {every}"), format!("slugs: {}", facet.slugs)]);
        fields.extend([format!("atFirst: {}", facet.at_first()), format!("isScale: {is_option}")]);
    }
    format!("  {{ {} }},\n", fields.join(", "))
}

#[test]
fn the_client_s_facets_are_up_to_date() {
    let rows: String = TABLE.iter().map(row).collect();
    let generated = format!(
        "// Generated from host/facets/table.rs; never edited.\n\nimport {{ Key }} from \"./texts/texts.gen\";\n\n/** The filters of a listing, in the order of the query string. */\nexport const FACETS = [\n{rows}] as const;\n"
    );
    compare("client/facets.gen.ts", "the table of facets", &generated);
}
