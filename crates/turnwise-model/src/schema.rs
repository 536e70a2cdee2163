//! The form of an answer: JSON Schema, of it the part that models keep to. A keyword that is not checked here is
//! refused when the schema is read, so that no rule is written down and then not kept. The crate `jsonschema` would
//! check all of the standard and takes a minute to build. Next: `schema::check` for what an answer is held against.

mod check;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// A schema whose every keyword is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema(Arc<Value>);

/// One thing that is wrong with an answer, as it can be told to a person and to the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Where, as a JSON pointer; empty for the answer as a whole.
    pub at: String,
    /// What is wrong and what would be right, one sentence without a full stop.
    pub told: String,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the schema cannot be used at “{at}”: {told}")]
pub struct SchemaError {
    /// Where, as a JSON pointer.
    pub at: String,
    /// What is wrong.
    pub told: String,
}

/// Keywords that say something to people and models and forbid nothing.
const ANNOTATIONS: [&str; 9] =
    ["$schema", "$id", "$comment", "title", "description", "default", "examples", "format", "$defs"];

/// Keywords that are checked.
const CHECKED: [&str; 16] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "$ref",
];

/// The types JSON has, as a schema names them.
const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

impl Schema {
    /// The schema that `json` says.
    ///
    /// # Errors
    /// When it is no schema, has a keyword that is not checked here, or refers to what is not there.
    pub fn new(json: Value) -> Result<Self, SchemaError> {
        read(&json, &json, String::new())?;
        Ok(Self(Arc::new(json)))
    }

    /// The schema written in `text`.
    ///
    /// # Errors
    /// When it is no JSON, and as for [`Schema::new`].
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let wrong = |error: serde_json::Error| SchemaError { at: String::new(), told: error.to_string() };
        Self::new(serde_json::from_str(text).map_err(wrong)?)
    }

    /// As it is sent.
    #[must_use]
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// What is wrong with `value`; nothing where it has the form. The first
    /// [`PROBLEMS_MAX`](crate::limits::PROBLEMS_MAX).
    #[must_use]
    pub fn problems(&self, value: &Value) -> Vec<Problem> {
        check::problems(&self.0, value)
    }
}

impl Problem {
    /// Something wrong `at` a JSON pointer.
    #[must_use]
    pub fn new(at: impl Into<String>, told: impl Into<String>) -> Self {
        Self { at: at.into(), told: told.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => out.write_str(&self.told),
            at => write!(out, "{at}: {}", self.told),
        }
    }
}

/// The schema that `reference` means within `root`.
fn referred<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

/// Looks at every keyword of `schema`, which stands at `at` of `root`.
fn read(root: &Value, schema: &Value, at: String) -> Result<(), SchemaError> {
    let wrong = |at: &str, told: String| Err(SchemaError { at: at.to_owned(), told });
    let Some(fields) = schema.as_object() else {
        return if schema.is_boolean() { Ok(()) } else { wrong(&at, "it is no object".to_owned()) };
    };
    for (keyword, value) in fields {
        let here = format!("{at}/{keyword}");
        if !ANNOTATIONS.contains(&keyword.as_str()) && !CHECKED.contains(&keyword.as_str()) {
            return wrong(&here, "this keyword is not checked here, so a schema may not rest on it".to_owned());
        }
        if let Some(told) = malformed(root, keyword, value) {
            return wrong(&here, told);
        }
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(parts)) => {
                parts.iter().try_for_each(|(name, part)| read(root, part, format!("{here}/{name}")))?;
            }
            ("anyOf" | "oneOf", Value::Array(parts)) => {
                parts.iter().enumerate().try_for_each(|(n, part)| read(root, part, format!("{here}/{n}")))?;
            }
            ("items" | "additionalProperties", part) => read(root, part, here)?,
            _ => {}
        }
    }
    Ok(())
}

/// What is wrong with the value of a keyword, if something is.
fn malformed(root: &Value, keyword: &str, value: &Value) -> Option<String> {
    let is_type = |value: &Value| value.as_str().is_some_and(|text| TYPES.contains(&text));
    let (fits, wanted) = match keyword {
        "type" => (
            is_type(value) || value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(is_type)),
            "one of JSON's types or a list of them",
        ),
        "properties" | "$defs" => (value.is_object(), "an object of schemas"),
        "required" => (value.as_array().is_some_and(|all| all.iter().all(Value::is_string)), "a list of names"),
        "anyOf" | "oneOf" => (value.as_array().is_some_and(|all| !all.is_empty()), "a list of schemas"),
        "enum" => (value.as_array().is_some_and(|all| !all.is_empty()), "a list of values"),
        "minItems" | "maxItems" | "minLength" | "maxLength" => (value.is_u64(), "a whole number from 0"),
        "minimum" | "maximum" => (value.is_number(), "a number"),
        "$ref" => {
            let found = value.as_str().is_some_and(|reference| referred(root, reference).is_some());
            (found, "a reference to a part of this schema, as #/$defs/name")
        }
        _ => (true, ""),
    };
    (!fits).then(|| format!("this should be {wanted}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    fn problems(schema: &str, value: &str) -> Vec<String> {
        let schema = Schema::parse(schema).unwrap();
        schema.problems(&serde_json::from_str(value).unwrap()).iter().map(ToString::to_string).collect()
    }

    fn refused(schema: &str) -> String {
        Schema::parse(schema).unwrap_err().to_string()
    }

    #[test]
    fn a_schema_says_where_it_cannot_be_used() {
        assert_eq!(
            refused(r#"{"properties": {"a": {"pattern": "x"}}}"#),
            "the schema cannot be used at “/properties/a/pattern”: this keyword is not checked here, so a schema may \
             not rest on it"
        );
        assert_eq!(
            refused(r##"{"items": {"$ref": "#/$defs/no"}}"##),
            "the schema cannot be used at “/items/$ref”: this should be a reference to a part of this schema, as \
             #/$defs/name"
        );
        assert_eq!(
            refused(r#"{"type": "text"}"#),
            "the schema cannot be used at “/type”: this should be one of JSON's types or a list of them"
        );
    }

    #[test]
    fn an_object_has_the_fields_it_must_have_and_no_others() {
        let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}, "n": {"type": "integer"}},
                         "required": ["name"], "additionalProperties": false}"#;
        assert!(problems(schema, r#"{"name": "a", "n": 2}"#).is_empty());
        assert_eq!(
            problems(schema, r#"{"n": 1.5, "m": 1}"#),
            [
                "the field `name` is missing",
                "/n: this is a number with a fraction; it must be an integer",
                "/m: there is no such field; there are: n, name"
            ]
        );
        assert_eq!(problems(schema, "[]"), ["this is an array; it must be an object"]);
    }

    #[test]
    fn values_and_lengths_are_held_to_their_limits() {
        let schema = r#"{"type": "array", "minItems": 1, "maxItems": 2,
                         "items": {"type": ["string", "null"], "enum": ["a", "b", null]}}"#;
        assert!(problems(schema, r#"["a", null]"#).is_empty());
        assert_eq!(problems(schema, "[]"), ["there are 0 items; there must be at least 1"]);
        assert_eq!(
            problems(schema, r#"["a", "b", "c"]"#),
            ["there are 3 items; there may be at most 2", r#"/2: "c" is none of "a", "b", null"#]
        );
        assert_eq!(
            problems(r#"{"type": "number", "minimum": 0, "maximum": 1}"#, "1.5"),
            ["1.5 is too large; the most is 1"]
        );
        assert_eq!(
            problems(r#"{"type": "string", "maxLength": 2}"#, r#""äöü""#),
            ["the text has 3 characters; it may have at most 2"]
        );
    }

    #[test]
    fn of_several_forms_the_nearest_one_is_told() {
        let schema = r##"{"anyOf": [{"type": "null"}, {"$ref": "#/$defs/range"}], "$defs": {"range": {
            "type": "object", "properties": {"from": {"type": "integer"}}, "required": ["from"]}}}"##;
        assert!(problems(schema, "null").is_empty());
        assert!(problems(schema, r#"{"from": 1}"#).is_empty());
        assert_eq!(problems(schema, r#"{"from": "x"}"#), ["/from: this is a string; it must be an integer"]);
        let one = r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#;
        assert_eq!(problems(one, "1"), ["this has 2 of the forms it may have; it must have one"]);
    }

    #[test]
    fn a_schema_that_refers_to_itself_without_end_is_no_endless_loop() {
        let schema = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}"##;
        assert_eq!(problems(schema, "1"), ["the schema refers to itself without end"]);
    }
}
