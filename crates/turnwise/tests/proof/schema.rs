//! The published schema says what is written: every member of an exported proof is in it, and nothing it demands is
//! missing. The checker knows the part of JSON Schema that the file uses, and fails on any other.

use serde_json::Value;

use crate::Desk;

const SCHEMA: &str = include_str!("../../../../docs/proof.schema.json");

#[test]
fn an_exported_proof_fits_the_published_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let desk = Desk::new();
    desk.data("orders.csv", "order_id,country,total\n1,Canada,10.5\n2,,7\n3,Peru,2\n");
    desk.chat(&["revenue means total", "share of revenue by country", "y"]).ended(0);
    let exported = desk.run(&["proof", "export", "--all", "--format", "json"], "").ended(0);
    let proof: Value = serde_json::from_str(&exported.out).unwrap();
    assert_eq!(fault(&schema, &schema, &proof, "$"), None);

    let mut wrong = proof.clone();
    wrong["chain"][0]["fact"]["extra"] = 1.into();
    assert!(fault(&schema, &schema, &wrong, "$").is_some(), "an unknown member must not fit");
    let mut wrong = proof.clone();
    wrong["seal"] = "md5:1".into();
    assert!(fault(&schema, &schema, &wrong, "$").is_some(), "another digest must not fit");
}

/// What does not fit, with its place.
fn fault(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let keywords = schema.as_object().unwrap().iter();
    keywords.map(|(keyword, wanted)| (keyword.as_str(), wanted)).find_map(|(keyword, wanted)| match keyword {
        "$schema" | "$id" | "$defs" | "title" | "description" => None,
        "$ref" => {
            let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            fault(root, &root["$defs"][name], value, place)
        }
        "required" | "properties" | "additionalProperties" => member_fault(root, schema, keyword, value, place),
        "items" => {
            let mut items = value.as_array()?.iter().enumerate();
            items.find_map(|(at, item)| fault(root, wanted, item, &format!("{place}[{at}]")))
        }
        "oneOf" => {
            let fits = wanted.as_array().unwrap().iter().filter(|one| fault(root, one, value, place).is_none());
            (fits.count() != 1).then(|| format!("{place}: fits not exactly one of the forms: {value}"))
        }
        _ => (!fits(keyword, wanted, value)).then(|| format!("{place}: {keyword} {wanted} does not hold for {value}")),
    })
}

/// What is missing, unknown or wrong among the members of an object.
fn member_fault(root: &Value, schema: &Value, keyword: &str, value: &Value, place: &str) -> Option<String> {
    let members = value.as_object()?;
    let wanted = &schema[keyword];
    match keyword {
        "required" => {
            let missing =
                wanted.as_array().unwrap().iter().find(|name| !members.contains_key(name.as_str().unwrap()))?;
            Some(format!("{place}: lacks {missing}"))
        }
        "properties" => wanted
            .as_object()
            .unwrap()
            .iter()
            .find_map(|(name, schema)| fault(root, schema, members.get(name)?, &format!("{place}.{name}"))),
        _ => {
            let mut unknown = members.iter().filter(|(name, _)| schema["properties"].get(name).is_none());
            unknown.find_map(|(name, member)| match wanted {
                Value::Bool(_) => Some(format!("{place}: has the unknown member {name}")),
                schema => fault(root, schema, member, &format!("{place}.{name}")),
            })
        }
    }
}

/// Whether a single value is as wanted.
fn fits(keyword: &str, wanted: &Value, value: &Value) -> bool {
    match keyword {
        "type" => match wanted {
            Value::Array(names) => names.iter().any(|name| is_of(value, name.as_str().unwrap())),
            name => is_of(value, name.as_str().unwrap()),
        },
        "const" => value == wanted,
        "enum" => wanted.as_array().unwrap().contains(value),
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "pattern" => {
            assert_eq!(wanted, "^sha256:[0-9a-f]{64}$", "the checker knows no other pattern");
            let digits = value.as_str().and_then(|text| text.strip_prefix("sha256:")).unwrap_or_default();
            digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }
        other => panic!("the checker does not know the keyword {other}"),
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the checker does not know the type {other}"),
    }
}
