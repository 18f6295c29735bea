//! Checks a value by JSON Schema, as far as the protocol's schemas use it. Whatever else a schema says is an error, so that
//! nothing is passed over.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use url::Url;

/// All schemas, by their ids.
pub(super) struct Schemas(HashMap<String, Value>);

/// What says nothing of a value.
const NOTES: [&str; 11] = [
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "name",
    "default",
    "examples",
    "ucp_request",
    "then",
    "else",
];

impl Schemas {
    pub(super) fn below(folder: &Path) -> Self {
        let mut found = HashMap::new();
        read(folder, &mut found);
        Self(found)
    }

    /// What is wrong with a value by the schema with this address.
    pub(super) fn errors(&self, schema: &str, value: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.follow(schema, value, "$", &mut errors);
        errors
    }

    fn follow(&self, address: &str, value: &Value, at: &str, errors: &mut Vec<String>) {
        let (file, pointer) = address.split_once('#').unwrap_or((address, ""));
        let schema = self.0.get(file).unwrap_or_else(|| panic!("there is no schema {file}"));
        let schema = schema.pointer(pointer).unwrap_or_else(|| panic!("there is no {address}"));
        self.check(schema, file, value, at, errors);
    }

    fn is_valid(&self, schema: &Value, file: &str, value: &Value) -> bool {
        let mut errors = Vec::new();
        self.check(schema, file, value, "", &mut errors);
        errors.is_empty()
    }

    fn check(&self, schema: &Value, file: &str, value: &Value, at: &str, errors: &mut Vec<String>) {
        let Some(schema) = schema.as_object() else {
            assert_eq!(schema, true, "{schema} is no schema");
            return;
        };
        let mut expect = |is_right: bool, what: &str| {
            if !is_right {
                errors.push(format!("{at}: {what}: {value:.100}"));
            }
        };
        let valid = |schema: &Value| self.is_valid(schema, file, value);
        let list = |says: &Value| says.as_array().unwrap().clone();
        for (keyword, says) in schema {
            let text = says.to_string();
            match keyword.as_str() {
                "type" => expect(is_of(says.as_str().unwrap(), value), &text),
                "const" => expect(value == says, &text),
                "enum" => expect(list(says).contains(value), &text),
                "minimum" => {
                    expect(value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()), &text)
                }
                "maximum" => {
                    expect(value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()), &text)
                }
                "pattern" => {
                    expect(value.as_str().is_none_or(|value| fits(says.as_str().unwrap(), value)), &text)
                }
                "format" => expect(
                    value.as_str().is_none_or(|value| is_in_form(says.as_str().unwrap(), value)),
                    &text,
                ),
                "minLength" => expect(
                    value.as_str().is_none_or(|value| value.len() as u64 >= says.as_u64().unwrap()),
                    &text,
                ),
                "minItems" => expect(
                    value.as_array().is_none_or(|list| list.len() as u64 >= says.as_u64().unwrap()),
                    &text,
                ),
                "minProperties" => {
                    expect(
                        value.as_object().is_none_or(|map| map.len() as u64 >= says.as_u64().unwrap()),
                        &text,
                    );
                }
                "uniqueItems" => {
                    let is_unique =
                        |list: &Vec<Value>| (1..list.len()).all(|end| !list[..end].contains(&list[end]));
                    expect(value.as_array().is_none_or(is_unique), &text);
                }
                "required" => {
                    let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                    expect(!value.is_object() || list(says).iter().all(has), &text);
                }
                "oneOf" => expect(list(says).iter().filter(|one| valid(one)).count() == 1, "oneOf"),
                "anyOf" => expect(list(says).iter().any(valid), "anyOf"),
                "if" => {
                    let then = schema.get(if valid(says) { "then" } else { "else" });
                    expect(then.is_none_or(valid), "then");
                }
                "propertyNames" => {
                    let mut names = value.as_object().into_iter().flat_map(|map| map.keys());
                    let is_name = |name: &String| self.is_valid(says, file, &name.as_str().into());
                    expect(names.all(is_name), &text);
                }
                _ => {}
            }
        }
        for (keyword, says) in schema {
            match keyword.as_str() {
                "$ref" => {
                    let address = Url::parse(file).unwrap().join(says.as_str().unwrap()).unwrap();
                    self.follow(address.as_str(), value, at, errors);
                }
                "allOf" => {
                    list(says).iter().for_each(|schema| self.check(schema, file, value, at, errors));
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(says, file, item, &format!("{at}[{index}]"), errors);
                    }
                }
                "properties" | "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    for (name, value) in value.as_object().into_iter().flatten() {
                        let own = known.and_then(|known| known.get(name));
                        let at = format!("{at}.{name}");
                        match (keyword.as_str(), own) {
                            ("properties", Some(schema)) => self.check(schema, file, value, &at, errors),
                            ("additionalProperties", None) if *says == false => {
                                errors.push(format!("{at}: unknown"))
                            }
                            ("additionalProperties", None) => self.check(says, file, value, &at, errors),
                            _ => {}
                        }
                    }
                }
                "type" | "const" | "enum" | "minimum" | "maximum" | "pattern" | "format" | "minLength"
                | "minItems" | "minProperties" | "uniqueItems" | "required" | "oneOf" | "anyOf" | "if"
                | "propertyNames" => {}
                note => assert!(NOTES.contains(&note), "{note} is not known, in {file}"),
            }
        }
    }
}

fn read(folder: &Path, found: &mut HashMap<String, Value>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, found);
            continue;
        }
        let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        if let Some(id) = schema["$id"].as_str() {
            found.insert(id.to_owned(), schema);
        }
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("{other} is no type"),
    }
}

/// Whether a text fits one of the few patterns that the schemas have.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern {
        "^[A-Z]{3}$" => text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
        r"^\d{4}-\d{2}-\d{2}$" => {
            let lengths: Vec<usize> = text.split('-').map(str::len).collect();
            lengths == [4, 2, 2] && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        }
        r"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$" => {
            let is_part = |part: &str| {
                let is_inner =
                    |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
                !part.is_empty()
                    && !part.starts_with(['-', '_'])
                    && !part.ends_with('-')
                    && part.bytes().all(is_inner)
            };
            text.starts_with(|first: char| first.is_ascii_lowercase())
                && text.contains('.')
                && text.split('.').all(is_part)
        }
        other => panic!("{other} is not known"),
    }
}

fn is_in_form(form: &str, text: &str) -> bool {
    match form {
        "uri" => Url::parse(text).is_ok(),
        other => panic!("{other} is not known"),
    }
}

#[test]
fn what_breaks_a_schema_is_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["id"], "additionalProperties": false,
        "properties": {
            "id": { "type": "string", "minLength": 1 },
            "list": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/price" } },
        },
        "$defs": { "price": { "oneOf": [{ "type": "integer", "minimum": 0 }, { "const": "free" }] } },
    });
    let schemas = Schemas(HashMap::from([("https://a.example/b.json".to_owned(), schema)]));
    for (value, errors) in [
        (r#"{"id":"a","list":[1,"free"]}"#, 0),
        (r#"{"id":"","list":[-1,"paid"]}"#, 3),
        (r#"{"list":[],"other":1}"#, 3),
        ("7", 1),
    ] {
        let found = schemas.errors("https://a.example/b.json", &serde_json::from_str(value).unwrap());
        assert_eq!(found.len(), errors, "{value}: {found:?}");
    }
}
