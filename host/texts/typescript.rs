//! Tests that the client's table of texts is the same as the English file, and writes it.

use serde_json::json;

use super::keys::Section;
use super::written::{FILES, Written, table_of};
use super::{Texts, Words};
use crate::contract::generated::compare;

/// A row of the list of values, for a text that has some.
fn values(key: &str, written: &Written) -> Option<String> {
    let type_of = |name: &str| format!("{name}: {}", if name == "count" { "number" } else { "Value" });
    let names: Vec<String> = written.placeholders().into_iter().map(type_of).collect();
    (!names.is_empty()).then(|| format!("  [Key.{key}]: [{}];\n", names.join(", ")))
}

#[test]
fn the_client_s_texts_are_up_to_date() {
    let english = table_of(FILES[0].1);
    let texts = Texts::new("en", &Words::default());
    let keys: String = Section::Pages.keys().map(|(_, key)| format!("  {key},\n")).collect();
    let table: String =
        Section::Pages.keys().map(|(number, _)| format!("  {},\n", json!(texts.texts[number]))).collect();
    let values: String = Section::Pages.keys().filter_map(|(_, key)| values(key, &english[key])).collect();
    let suggestions: String = Section::Suggestions
        .keys()
        .map(|(number, key)| format!("  {key}: {},\n", json!(texts.texts[number])))
        .collect();
    let generated = format!(
        "// Generated from client/texts/en.json; never edited.\n\n\
         /** The texts of pages. The bundler writes their numbers. */\n\
         export const enum Key {{\n{keys}}}\n\n\
         type Value = string | number;\n\n\
         /** The values that a text needs. */\n\
         export interface Values {{\n{values}}}\n\n\
         /** The English texts of pages, by the numbers of their keys; the forms for one and for another count are lines. */\n\
         export const ENGLISH: readonly string[] = [\n{table}];\n\n\
         /** The English texts of suggestions. */\n\
         export const ENGLISH_SUGGESTIONS = {{\n{suggestions}}};\n"
    );
    compare("client/texts/texts.gen.ts", "the English texts", &generated);
}
