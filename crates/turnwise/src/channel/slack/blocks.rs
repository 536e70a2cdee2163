//! Block Kit: words and cards as Slack draws them, within what it takes: 3 000 characters a section, about 45 blocks a
//! message, 25 buttons a row. What does not fit is counted, never cut without a word. Next: `follow`.

use serde_json::{Value, json};
use turnwise_core::{Card, Choice, PlanCard, PlanChange, text as words};

use super::modal;
use crate::channel::draw::{self, Look};

/// The blocks for something said. Only with `reference` there is something to press.
pub(super) fn said(text: &str, card: Option<&Card>, reference: Option<&str>) -> Vec<Value> {
    let mut blocks = Vec::new();
    match card {
        Some(Card::Plan(plan)) => {
            sections(&mut blocks, &escaped(text));
            sections(&mut blocks, &plan_text(plan));
        }
        Some(card @ (Card::Question { .. } | Card::Failure { .. })) => {
            sections(&mut blocks, &escaped(&asked(text, card)));
        }
        Some(_) => {
            let lines: Vec<String> = draw::said(text, card, Look::pipe()).iter().map(draw::Line::plain).collect();
            sections(&mut blocks, &escaped(&lines.join("\n")));
        }
        None => sections(&mut blocks, &escaped(text)),
    }
    shorten(&mut blocks);
    if let Some(reference) = reference {
        blocks.extend(buttons(card, reference));
    }
    blocks
}

/// The button of a default that a thread has: it forgets what the command beside it forgets (TK-08).
pub(super) fn forgetting() -> Value {
    json!({ "type": "actions", "elements": [{ "type": "button", "action_id": FORGET, "value": FORGET,
        "text": { "type": "plain_text", "text": "Forget this default" } }] })
}

/// The buttons for what a text offers to be said (TK-04): each says just that.
pub(super) fn offers(text: &str) -> Option<Value> {
    let is_offered = |(_, words, _): &&(&str, &str, &str)| text.contains(&format!("“{words}”"));
    let button = |(action, _, label): &(&str, &str, &str)| {
        json!({ "type": "button", "action_id": action, "value": action,
            "text": { "type": "plain_text", "text": label } })
    };
    let buttons: Vec<Value> = OFFERS.iter().filter(is_offered).map(button).collect();
    (!buttons.is_empty()).then(|| json!({ "type": "actions", "elements": buttons }))
}

/// What the button of an offer says.
pub(super) fn offered(action: &str) -> Option<&'static str> {
    OFFERS.iter().find(|(known, ..)| *known == action).map(|(_, words, _)| *words)
}

/// What a review offers: the action, what it says, and how its button is called.
const OFFERS: [(&str, &str, &str); 2] = [
    ("show_full", "show full review", "Show full review"),
    ("approve_decision", "approve decision 1", "Approve decision 1"),
];

/// What is shown where there are no blocks: in notifications.
pub(super) fn short(text: &str, card: Option<&Card>) -> String {
    let said = match card {
        Some(Card::Plan(plan)) if text.is_empty() => plan.plan.draft().title.as_str(),
        _ => text,
    };
    escaped(&words::clip(said, SHORT_CHARACTERS))
}

/// What became of a question, beneath it.
pub(super) fn end(blocks: &mut Vec<Value>, told: &str) {
    blocks.push(json!({ "type": "context", "elements": [{ "type": "mrkdwn", "text": told }] }));
}

/// People by their names: an id that `is_person` knows is shown as Slack shows one. A quotation is left as it would be
/// created.
pub(super) fn with_names(text: &str, is_person: impl Fn(&str) -> bool) -> String {
    let mut named = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with(QUOTE) {
            named.push_str(line);
            continue;
        }
        let mut before = ' ';
        for part in line.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
            let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
            let is_id = word.starts_with(['U', 'W']) && before != '@' && is_person(word);
            match is_id {
                true => named.push_str(&format!("<@{word}>{}", &part[word.len()..])),
                false => named.push_str(part),
            }
            before = part.chars().next_back().unwrap_or(before);
        }
    }
    named
}

/// Puts names into blocks, where they stay within what Slack takes.
pub(super) fn name_in(blocks: &mut [Value], is_person: impl Fn(&str) -> bool) {
    for text in blocks.iter_mut().filter_map(|block| block.pointer_mut("/text/text")) {
        let named = with_names(text.as_str().unwrap_or_default(), &is_person);
        if named.chars().count() <= SECTION_CHARACTERS_MAX {
            *text = Value::String(named);
        }
    }
}

/// As Slack wants it: three characters mean something there.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The question with what is meant by each choice where a button would not tell.
fn asked(text: &str, card: &Card) -> String {
    match card {
        Card::Failure { error, description, .. } => format!("{text}\n{description}: {error}").trim().to_owned(),
        _ => text.to_owned(),
    }
}

fn plan_text(card: &PlanCard) -> String {
    let plan = &card.plan;
    let version = if plan.version() > 1 { format!(" (version {})", plan.version()) } else { String::new() };
    let mut lines = vec![format!("*{}*{version}", escaped(&plan.draft().title))];
    for step in plan.steps() {
        lines.push(format!("{}. {}", step.id.number(), escaped(&step.description)));
        let shown = step.arguments.get(TEXT).into_iter().flat_map(|text| text.lines());
        // A quotation keeps what would be created apart from what would be done.
        lines.extend(shown.map(|line| format!("{QUOTE}{}", escaped(line))));
    }
    lines.extend(plan.draft().assumptions.iter().map(|assumption| format!("_{}_", escaped(assumption))));
    let edited = card.changes.iter().filter_map(|change| match change {
        PlanChange::Edited { part, before, after } => {
            Some(format!("{}: {} → {}", part.word(), escaped(before), escaped(after)))
        }
        _ => None,
    });
    lines.extend(edited);
    lines.join("\n")
}

/// A text as sections, broken between lines where it can be.
fn sections(blocks: &mut Vec<Value>, text: &str) {
    let mut section = String::new();
    let mut push = |section: &mut String| {
        if !section.trim().is_empty() {
            blocks.push(json!({ "type": "section", "text": { "type": "mrkdwn", "text": section.trim_end() } }));
        }
        section.clear();
    };
    for line in text.lines() {
        for part in parts(line) {
            if section.chars().count() + part.chars().count() + 1 > SECTION_CHARACTERS_MAX {
                push(&mut section);
            }
            section.push_str(&part);
            section.push('\n');
        }
    }
    push(&mut section);
}

/// A line in parts that fit into a section. All parts of a quotation are one, or its end would look like our own words,
/// and an escaped character is in one of them.
fn parts(line: &str) -> Vec<String> {
    let (mark, mut rest) = line.strip_prefix(QUOTE).map_or(("", line), |quoted| (QUOTE, quoted));
    let room = SECTION_CHARACTERS_MAX - 1 - mark.len();
    let mut parts = Vec::new();
    while let Some((end, _)) = rest.char_indices().nth(room) {
        let end = rest[..end].rfind('&').filter(|begun| !rest[*begun..end].contains(';')).unwrap_or(end);
        parts.push(format!("{mark}{}", &rest[..end]));
        rest = &rest[end..];
    }
    parts.push(format!("{mark}{rest}"));
    parts
}

/// Leaves room for buttons, and says how much was left out.
fn shorten(blocks: &mut Vec<Value>) {
    let left_out = blocks.len().saturating_sub(BLOCKS_MAX);
    if left_out > 0 {
        blocks.truncate(BLOCKS_MAX - 1);
        end(blocks, &format!("{} more that do not fit here.", words::count(left_out + 1, "part")));
    }
}

/// The buttons of a card. Their value is our reference and nothing else; what they do is in the action's name.
fn buttons(card: Option<&Card>, reference: &str) -> Vec<Value> {
    let tag = &reference[reference.len().saturating_sub(TAG_CHARACTERS)..];
    let button = |action: String, label: &str, style: Option<&str>| {
        let label = words::clip(label, LABEL_CHARACTERS_MAX);
        let mut button = json!({
            "type": "button",
            "action_id": format!("{action}:{tag}"),
            "text": { "type": "plain_text", "text": label },
            "value": reference,
        });
        if let Some(style) = style {
            button["style"] = json!(style);
        }
        button
    };
    let made: Vec<Value> = match card {
        Some(Card::Plan(card)) => {
            let mut made = vec![
                button("approve".to_owned(), "Approve", Some("primary")),
                button("reject".to_owned(), "Reject", None),
                button("cancel".to_owned(), "Cancel", None),
            ];
            let items = modal::editable(card.plan.steps());
            match items.as_slice() {
                [] => {}
                [(number, _)] => made.push(button(format!("edit:{number}"), "Edit…", None)),
                // More than that are found by their number in the thread.
                several => made.extend(several.iter().take(EDITED_MAX).map(|(number, name)| {
                    button(format!("edit:{number}"), &format!("Edit “{}”…", words::clip(name, NAME_CHARACTERS)), None)
                })),
            }
            made.push(button("answer".to_owned(), "Change in words…", None));
            made
        }
        Some(Card::Failure { choices, .. }) => {
            choices.iter().map(|choice| button(choice.value.clone(), &choice.label, None)).collect()
        }
        Some(Card::Question { choices, .. }) => {
            let choose = |(number, choice): (usize, &Choice)| button(format!("choose:{number}"), &choice.label, None);
            let mut made: Vec<Value> = (1..).zip(choices).map(choose).collect();
            if choices.len() <= CHOICES_FEW {
                let label = if choices.is_empty() { "Answer…" } else { "Something else…" };
                made.push(button("answer".to_owned(), label, None));
            }
            made
        }
        _ => Vec::new(),
    };
    made.chunks(ROW_BUTTONS_MAX).map(|row| json!({ "type": "actions", "elements": row })).collect()
}

/// The action that forgets the default of a thread.
pub(super) const FORGET: &str = "forget";
/// The argument that holds a text as it would be created.
pub(super) const TEXT: &str = "text";
/// What a quoted line begins with.
const QUOTE: &str = "> ";
/// Characters of a section's text.
const SECTION_CHARACTERS_MAX: usize = 3_000;
/// Blocks of one message, beside its buttons.
const BLOCKS_MAX: usize = 45;
/// Buttons in one row.
const ROW_BUTTONS_MAX: usize = 25;
/// Items of a preview that have a button of their own.
const EDITED_MAX: usize = 20;
/// Characters of an item's name on its button.
const NAME_CHARACTERS: usize = 30;
/// Questions with more choices than this are answered by one of them, or in the thread.
const CHOICES_FEW: usize = 2;
/// Characters of a button's label.
const LABEL_CHARACTERS_MAX: usize = 75;
/// Characters of a notification.
const SHORT_CHARACTERS: usize = 300;
/// The end of a reference tells one question and version from another.
const TAG_CHARACTERS: usize = 12;

#[cfg(test)]
mod tests {
    use turnwise_core::{DecisionRef, PendingId};

    use super::*;

    #[test]
    fn no_section_and_no_message_is_longer_than_slack_takes() {
        let long = format!("{}\n{}", "ä".repeat(7_000), "line\n".repeat(40_000));
        let blocks = said(&long, None, None);
        assert_eq!(blocks.len(), BLOCKS_MAX);
        for block in &blocks[..BLOCKS_MAX - 1] {
            let text = block["text"]["text"].as_str().unwrap_or_default();
            assert!(!text.is_empty() && text.chars().count() <= SECTION_CHARACTERS_MAX);
        }
        assert!(blocks[BLOCKS_MAX - 1].to_string().contains("more that do not fit here"));
    }

    #[test]
    fn a_long_quotation_stays_one_and_no_escaped_character_is_broken() {
        let broken = parts(&format!("> {}", escaped(&"a&".repeat(2_000))));
        assert_eq!(broken.len(), 5);
        for part in &broken {
            assert!(part.starts_with("> ") && part.chars().count() < SECTION_CHARACTERS_MAX);
            assert_eq!(part.matches('&').count(), part.matches("&amp;").count());
        }
        assert_eq!(short(&"&".repeat(400), None).matches("&amp;").count(), SHORT_CHARACTERS - 1);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn people_are_named_where_we_speak_and_quotations_stay_as_they_are() {
        let is_person = |id: &str| ["U1", "W22"].contains(&id);
        assert_eq!(
            with_names("That is asked of U1, so\n> U1 said so\n- Use it (W22, 90 %) USER U12 a@U1 U1", is_person),
            "That is asked of <@U1>, so\n> U1 said so\n- Use it (<@W22>, 90 %) USER U12 a@U1 <@U1>"
        );
        let mut blocks = said(&format!("{} U1", "x".repeat(2_995)), None, None);
        name_in(&mut blocks, is_person);
        is_taken(&blocks);
    }

    #[test]
    fn what_people_wrote_cannot_mention_anybody() {
        let blocks = said("<!channel> & <@U1>", None, None);
        assert_eq!(blocks[0]["text"]["text"], "&lt;!channel&gt; &amp; &lt;@U1&gt;");
    }

    /// What Slack takes of one message, and refuses beyond.
    fn is_taken(blocks: &[Value]) {
        assert!(blocks.len() <= 50, "{}", blocks.len());
        for block in blocks {
            let text = block["text"]["text"].as_str();
            assert!(text.is_none_or(|text| (1..=3_000).contains(&text.chars().count())), "{block}");
            let buttons = block["elements"].as_array().cloned().unwrap_or_default();
            assert!(buttons.len() <= 25);
            let mut names: Vec<&str> = buttons.iter().filter_map(|button| button["action_id"].as_str()).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "no two buttons of a row have one name");
            for button in buttons.iter().filter(|button| button["type"] == "button") {
                let characters = |value: &Value| value.as_str().unwrap_or_default().chars().count();
                assert!((1..=75).contains(&characters(&button["text"]["text"])), "{button}");
                assert!(characters(&button["value"]) <= 2_000 && characters(&button["action_id"]) <= 255);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_asked_is_within_what_slack_takes(
            text in "[a-z&<> \n]{0,9000}",
            lines in 0_usize..400,
            labels in proptest::collection::vec("[a-zä&<“ ]{1,200}", 0..60),
        ) {
            let text = format!("{text}{}", "\n> & more".repeat(lines));
            let choices = labels.iter().map(|label| Choice::new("value", format!("x{label}"))).collect();
            let reference = DecisionRef { pending: PendingId::new(1), ui_version: 2 };
            let card = Card::Question { reference, choices };
            let mut blocks = said(&text, Some(&card), Some(&"r".repeat(300)));
            blocks.push(forgetting());
            end(&mut blocks, "Approved by <@U1>");
            is_taken(&blocks);
        }
    }
}
