//! Texts as Jira keeps them: its document format (ADF), of which paragraphs and lists are all
//! we need. Apart, because a comment and a description are written alike. Next: `mod`.

use serde_json::{Value, json};

/// The document of a text: its lines are paragraphs, numbered lines a list.
pub(super) fn of(text: &str) -> Value {
    let mut content: Vec<Value> = Vec::new();
    let mut list: Vec<Value> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let numbered = line.strip_prefix("  ").and_then(|line| line.split_once(". "));
        match numbered.filter(|(number, _)| number.chars().all(|letter| letter.is_ascii_digit())) {
            Some((_, entry)) => list.push(json!({ "type": "listItem", "content": [paragraph(entry)] })),
            None => {
                end(&mut content, &mut list);
                content.push(paragraph(line));
            }
        }
    }
    end(&mut content, &mut list);
    json!({ "type": "doc", "version": 1, "content": content })
}

fn end(content: &mut Vec<Value>, list: &mut Vec<Value>) {
    if !list.is_empty() {
        content.push(json!({ "type": "orderedList", "content": std::mem::take(list) }));
    }
}

fn paragraph(line: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": line }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_paragraphs_and_numbered_lines_a_list() {
        let document = of("Problem: it fails.\nRisks:\n  1. One\n  2. Two\n");
        assert_eq!(document["content"][1]["content"][0]["text"], "Risks:");
        assert_eq!(document["content"][2]["type"], "orderedList");
        assert_eq!(document["content"][2]["content"][1]["content"][0]["content"][0]["text"], "Two");
    }
}
