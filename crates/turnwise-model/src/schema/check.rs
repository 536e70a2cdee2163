//! A value held against a schema that was read. Problems are sentences that a small model can act on: what is there,
//! and what must be. Next: `ask`, which sends them back.

use serde_json::{Map, Value};

use super::{Problem, referred};
use crate::limits::{PROBLEMS_MAX, SCHEMA_REFS_MAX};

/// What is wrong with `value` by `schema`, the first few.
pub fn problems(schema: &Value, value: &Value) -> Vec<Problem> {
    let mut found = Check { root: schema, problems: Vec::new() };
    found.value(schema, value, "", 0);
    found.problems.truncate(PROBLEMS_MAX);
    found.problems
}

/// A check in the making.
struct Check<'a> {
    root: &'a Value,
    problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn add(&mut self, at: &str, told: impl Into<String>) {
        self.problems.push(Problem::new(at, told));
    }

    /// `refs` references were followed since the last step into the value.
    fn value(&mut self, schema: &'a Value, value: &Value, at: &str, refs: usize) {
        let Some(schema) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                self.add(at, "nothing may stand here");
            }
            return;
        };
        if let Some(part) = schema.get("$ref").and_then(Value::as_str).and_then(|to| referred(self.root, to)) {
            match refs < SCHEMA_REFS_MAX {
                true => self.value(part, value, at, refs + 1),
                false => return self.add(at, "the schema refers to itself without end"),
            }
        }
        if let Some(told) = mistyped(schema, value) {
            // What else is asked of a value of another type would only repeat this.
            return self.add(at, told);
        }
        self.listed(schema, value, at);
        self.forms(schema, value, at, refs);
        match value {
            Value::Object(fields) => self.object(schema, fields, at),
            Value::Array(items) => self.array(schema, items, at),
            Value::String(text) => {
                let length = text.chars().count();
                self.sized(schema, ["minLength", "maxLength"], length, at, |n| format!("the text has {n} characters"));
            }
            Value::Number(number) => self.number(schema, number.as_f64(), at),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `enum` and `const`.
    fn listed(&mut self, schema: &Map<String, Value>, value: &Value, at: &str) {
        let constant = schema.get("const").map(std::slice::from_ref);
        let all = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        for values in [constant, all].into_iter().flatten().filter(|values| !values.contains(value)) {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            match values.as_slice() {
                [one] => self.add(at, format!("{value} must be {one}")),
                _ => self.add(at, format!("{value} is none of {}", values.join(", "))),
            }
        }
    }

    /// `anyOf` and `oneOf`. Where no form fits, the one with the fewest problems was likely meant.
    fn forms(&mut self, schema: &'a Map<String, Value>, value: &Value, at: &str, refs: usize) {
        for keyword in ["anyOf", "oneOf"] {
            let Some(forms) = schema.get(keyword).and_then(Value::as_array) else { continue };
            let tried = forms.iter().map(|form| {
                let mut tried = Check { root: self.root, problems: Vec::new() };
                tried.value(form, value, at, refs);
                tried.problems
            });
            let tried: Vec<Vec<Problem>> = tried.collect();
            let fit = tried.iter().filter(|problems| problems.is_empty()).count();
            if keyword == "oneOf" && fit > 1 {
                self.add(at, format!("this has {fit} of the forms it may have; it must have one"));
            }
            if fit == 0 {
                // A form of another type says less than one whose fields are wrong, however few its words.
                let nearest = tried.into_iter().min_by_key(|all| (all.iter().any(|one| one.at == at), all.len()));
                self.problems.extend(nearest.unwrap_or_default());
            }
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, fields: &Map<String, Value>, at: &str) {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            self.add(at, format!("the field `{name}` is missing"));
        }
        let known = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties");
        // In the order of the schema, so that the problems of a value are told in the same order in every build.
        let mut names: Vec<&String> = fields.keys().collect();
        names.sort_by_key(|name| (known.is_none_or(|known| !known.contains_key(*name)), *name));
        for name in names {
            let inside = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            let field = &fields[name];
            match (known.and_then(|known| known.get(name)), others) {
                (Some(part), _) => self.value(part, field, &inside, 0),
                (None, Some(Value::Bool(false))) => {
                    let mut there: Vec<&str> = known.into_iter().flat_map(Map::keys).map(String::as_str).collect();
                    there.sort_unstable();
                    self.add(&inside, format!("there is no such field; there are: {}", there.join(", ")));
                }
                (None, Some(part)) => self.value(part, field, &inside, 0),
                (None, None) => {}
            }
        }
    }

    fn array(&mut self, schema: &'a Map<String, Value>, items: &[Value], at: &str) {
        self.sized(schema, ["minItems", "maxItems"], items.len(), at, |n| match n {
            1 => "there is 1 item".to_owned(),
            n => format!("there are {n} items"),
        });
        let Some(part) = schema.get("items") else { return };
        for (number, item) in items.iter().enumerate() {
            self.value(part, item, &format!("{at}/{number}"), 0);
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, number: Option<f64>, at: &str) {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let Some(number) = number else { return };
        if let Some(least) = limit("minimum").filter(|least| number < *least) {
            self.add(at, format!("{number} is too small; the least is {least}"));
        }
        if let Some(most) = limit("maximum").filter(|most| number > *most) {
            self.add(at, format!("{number} is too large; the most is {most}"));
        }
    }

    /// Limits on a length, said by `said`.
    fn sized(
        &mut self,
        schema: &Map<String, Value>,
        [least, most]: [&str; 2],
        length: usize,
        at: &str,
        said: impl Fn(usize) -> String,
    ) {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        let length_wide = length as u64;
        let verb =
            if least == "minItems" { ("there must be", "there may be") } else { ("it must have", "it may have") };
        if let Some(least) = limit(least).filter(|least| length_wide < *least) {
            self.add(at, format!("{}; {} at least {least}", said(length), verb.0));
        }
        if let Some(most) = limit(most).filter(|most| length_wide > *most) {
            self.add(at, format!("{}; {} at most {most}", said(length), verb.1));
        }
    }
}

/// What is wrong with the type of `value`, if something is.
fn mistyped(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let wanted = schema.get("type")?;
    let wanted: Vec<&str> = match wanted {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    if wanted.iter().any(|wanted| has_type(value, wanted)) {
        return None;
    }
    let with_article: Vec<String> = wanted.iter().map(|wanted| with_article(wanted)).collect();
    Some(format!("this is {}; it must be {}", told(value), with_article.join(" or ")))
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        // 2.0 is an integer to JSON Schema, and to the models that write it.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    }
}

fn told(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() != 0.0) => {
            "a number with a fraction"
        }
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "object" | "array" | "integer" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}
