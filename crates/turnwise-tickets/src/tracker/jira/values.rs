//! Values of Jira's fields: what a field of some type takes, made of what a person said. Whatever is of another type is
//! told before anything is created. Next: `fields`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::document;

/// What a field holds.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Schema {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    /// What makes a field of the project's own what it is.
    #[serde(default)]
    custom: String,
    /// What a list holds.
    #[serde(default)]
    items: String,
}

/// A value that a field may have.
#[derive(Debug, Deserialize)]
pub(super) struct Allowed {
    id: String,
    #[serde(alias = "value", default)]
    pub(super) name: String,
}

impl Schema {
    /// Whether it is a text of several lines, which Jira keeps as a document.
    pub(super) fn has_lines(&self) -> bool {
        self.custom.ends_with(":textarea")
    }

    fn is_sprint(&self) -> bool {
        self.custom.ends_with(":gh-sprint")
    }
}

/// Whether a field of this kind needs more than words.
pub(super) fn is_beyond_us(schema: &Schema) -> bool {
    BEYOND_US.contains(&schema.kind.as_str()) || (schema.kind == LIST && BEYOND_US.contains(&schema.items.as_str()))
}

/// The value of the field `name`, or what is wrong with it.
pub(super) fn value(name: &str, said: &str, schema: &Schema, allowed: &[Allowed]) -> Result<Value, String> {
    let parts = || said.split(',').map(str::trim).filter(|part| !part.is_empty());
    let choose = |said: &str| {
        let known = allowed.iter().find(|allowed| allowed.name.eq_ignore_ascii_case(said));
        known.map(|known| json!({ "id": known.id })).ok_or_else(|| format!("{name} cannot be “{said}”."))
    };
    let is_not = |what: &str| format!("{name} is {what}, and “{said}” is none.");
    match schema.kind.as_str() {
        LIST if !allowed.is_empty() => parts().map(choose).collect::<Result<Vec<_>, _>>().map(Value::Array),
        _ if !allowed.is_empty() => choose(said),
        LIST if schema.is_sprint() => {
            said.parse::<u64>().map(|number| json!(number)).map_err(|_| is_not("the number of a sprint"))
        }
        LIST => Ok(parts().map(|part| json!(part)).collect()),
        "number" => {
            let number = said.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|number| json!(number)).ok_or_else(|| is_not("a number"))
        }
        "date" => is_date(said).then(|| json!(said)).ok_or_else(|| is_not("a date like 2026-03-31")),
        _ if schema.has_lines() => Ok(document::of(said)),
        _ => Ok(json!(said)),
    }
}

/// Whether it is a day as Jira writes it.
fn is_date(said: &str) -> bool {
    let parts: Vec<&str> = said.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let is_within = |part: &str, length: usize, most: u32| {
        part.len() == length && part.parse().is_ok_and(|number: u32| (1..=most).contains(&number))
    };
    is_within(year, 4, 9999) && is_within(month, 2, 12) && is_within(day, 2, days_of(year, month))
}

/// The days of a month.
fn days_of(year: &str, month: &str) -> u32 {
    let year: u32 = year.parse().unwrap_or_default();
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        "02" if is_leap => 29,
        "02" => 28,
        "04" | "06" | "09" | "11" => 30,
        _ => 31,
    }
}

/// A text.
pub(super) const TEXT: &str = "string";
/// A list.
const LIST: &str = "array";
/// Types that hold ids of people and things, or times, which nobody says in words.
const BEYOND_US: [&str; 8] =
    ["user", "group", "datetime", "timetracking", "issuelink", "issuelinks", "attachment", "worklog"];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn of(kind: &str, custom: &str, said: &str, allowed: &[&str]) -> Result<Value, String> {
        let schema = Schema { kind: kind.to_owned(), custom: custom.to_owned(), items: String::new() };
        let allowed =
            (1..).zip(allowed).map(|(id, name): (u8, _)| Allowed { id: id.to_string(), name: (*name).into() });
        value("it", said, &schema, &allowed.collect::<Vec<_>>())
    }

    #[test]
    fn each_type_takes_what_it_holds_and_says_what_it_does_not() {
        assert_eq!(of("number", "", "3", &[]).unwrap(), json!(3.0));
        for none in ["many", "NaN", "inf", ""] {
            assert_eq!(of("number", "", none, &[]).unwrap_err(), format!("it is a number, and “{none}” is none."));
        }
        assert_eq!(of("option", "", "red", &["Blue", "Red"]).unwrap(), json!({"id": "2"}));
        assert_eq!(of("array", "", "red, blue", &["Blue", "Red"]).unwrap(), json!([{"id": "2"}, {"id": "1"}]));
        assert_eq!(of("array", "", "red, green", &["Blue", "Red"]).unwrap_err(), "it cannot be “green”.");
        assert_eq!(of("array", "", "a, b", &[]).unwrap(), json!(["a", "b"]));
        assert_eq!(of("array", "com.pyxis.greenhopper.jira:gh-sprint", "7", &[]).unwrap(), json!(7));
        assert!(of("array", "com.pyxis.greenhopper.jira:gh-sprint", "next", &[]).is_err());
        assert_eq!(of("date", "", "2026-03-31", &[]).unwrap(), json!("2026-03-31"));
        for none in ["31.3.2026", "2026-13-01", "2026-02-31", "2026-02-29", "2100-02-29", "2026-04-31"] {
            assert!(of("date", "", none, &[]).is_err(), "{none}");
        }
        assert!(of("date", "", "2028-02-29", &[]).is_ok());
        let text = of("string", "com.atlassian.jira.plugin.system.customfieldtypes:textarea", "  1. a", &[]).unwrap();
        assert_eq!(text["content"][0]["type"], "orderedList");
        assert_eq!(of("string", "", "a", &[]).unwrap(), json!("a"));
    }
}
