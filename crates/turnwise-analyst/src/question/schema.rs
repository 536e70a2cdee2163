//! The JSON schema of a question. It is written by hand: a model is held to it while it writes, so it is as small and
//! as strict as can be, and a test holds it against the types. Next: `super::Question`.

/// The schema as it is published and sent.
pub const SCHEMA: &str = include_str!("task/schema.json");

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::super::{Each, End, How, Is, Question, What};
    use super::SCHEMA;
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    fn schema() -> Value {
        serde_json::from_str(SCHEMA).unwrap()
    }

    /// The smallest value that the schema allows, with one item in each list.
    fn example(schema: &Value) -> Value {
        if schema["$ref"] == json!("#/$defs/test") {
            return example(&self::schema()["$defs"]["test"]);
        }
        match (schema["type"].as_str(), &schema["enum"]) {
            (_, Value::Array(names)) => names[0].clone(),
            (Some("string"), _) => json!("a"),
            (Some("integer"), _) => json!(1),
            (Some("boolean"), _) => json!(true),
            (Some("array"), _) => json!([example(&schema["items"])]),
            _ => {
                let all = schema["properties"].as_object().unwrap().iter();
                Value::Object(all.map(|(key, own)| (key.clone(), example(own))).collect())
            }
        }
    }

    #[test]
    fn what_the_schema_allows_is_a_question_with_the_same_keys() {
        let written = example(&schema());
        let question: Question = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(question).unwrap(), written);
    }

    #[test]
    fn every_word_of_the_schema_is_one_of_the_types() {
        fn all<T: DeserializeOwned + Serialize>(place: &Value) {
            for name in place["enum"].as_array().unwrap() {
                let word: T = serde_json::from_value(name.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(serde_json::to_value(word).unwrap(), *name);
            }
            assert!(serde_json::from_value::<T>(json!("no such word")).is_err());
        }
        let all_of = schema();
        let of = |list: &str, key: &str| all_of["properties"][list]["items"]["properties"][key].clone();
        all::<What>(&all_of["properties"]["analysis"]);
        all::<Is>(&all_of["$defs"]["test"]["properties"]["is"]);
        all::<Is>(&of("having", "is"));
        all::<Each>(&of("groups", "each"));
        all::<How>(&of("measures", "how"));
        all::<How>(&of("having", "how"));
        all::<End>(&of("rank", "order"));
    }

    #[test]
    fn a_key_that_is_not_known_is_refused() {
        assert!(serde_json::from_value::<Question>(json!({ "sql": "DROP TABLE loans" })).is_err());
    }
}
