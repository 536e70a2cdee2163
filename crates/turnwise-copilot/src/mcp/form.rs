//! The form of a server's tool: of its schema the part that is checked here. What is left out the server checks itself.
//! Next: `turnwise_model::Schema`.

use serde_json::{Map, Value, json};
use turnwise_model::Schema;

/// The form that `schema` comes to. A schema that cannot be used at all leaves any object.
pub(super) fn form(schema: &Map<String, Value>) -> Schema {
    let reduced = reduced(&Value::Object(schema.clone()), DEPTH_MAX);
    let any = || Schema::new(json!({"type": "object"})).ok();
    #[expect(clippy::expect_used, reason = "any object is a schema")]
    Schema::new(reduced).ok().or_else(any).expect("BUG: “any object” is no schema")
}

fn reduced(schema: &Value, depth: usize) -> Value {
    let Some(fields) = schema.as_object().filter(|_| depth > 0) else { return json!({}) };
    let mut kept = Map::new();
    for (keyword, value) in fields {
        let value = match (keyword.as_str(), value) {
            ("properties", Value::Object(parts)) => {
                let part = |(name, part): (&String, &Value)| (name.clone(), reduced(part, depth - 1));
                Value::Object(parts.iter().map(part).collect())
            }
            ("items", part @ Value::Object(_)) => reduced(part, depth - 1),
            ("type" | "required" | "enum" | "const" | "description" | "default", value) => value.clone(),
            ("additionalProperties", Value::Bool(allowed)) => json!(allowed),
            ("minItems" | "maxItems" | "minLength" | "maxLength" | "minimum" | "maximum", value) => value.clone(),
            _ => continue,
        };
        kept.insert(keyword.clone(), value);
    }
    Value::Object(kept)
}

/// How deep a schema is read: deeper ones are no form a person fills.
const DEPTH_MAX: usize = 12;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn what_is_checked_here_is_kept_and_the_rest_is_left_to_the_server() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["path"],
            "properties": {"path": {"type": "string", "pattern": "^/"}, "head": {"type": "number", "exclusiveMinimum": 0}},
            "additionalProperties": false,
        });
        let form = form(schema.as_object().unwrap());
        assert!(form.problems(&json!({"path": "a", "head": 3})).is_empty());
        assert_eq!(form.problems(&json!({"head": "x"})).len(), 2);
        let broken = super::form(json!({"type": 7}).as_object().unwrap());
        assert!(broken.problems(&json!({"any": "thing"})).is_empty());
    }
}
