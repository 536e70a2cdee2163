//! "now as a chart", "save the chart as sales.svg", `/chart bars sales.png`: the last result, drawn. The words say the
//! kind, the file and the ground; what they leave open the rows decide. No work is done again. Next: `chart::choose`.

use turnwise_core::{Answer, AnswerOutcome, Existing, FactValue, Ground, Keeping, Question};

use super::answer::result;
use turnwise_chart::{Format, Kind};

/// The command as typed.
const COMMAND: &str = "/chart";

/// What the words ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wish {
    kind: Option<Kind>,
    file: Option<String>,
    existing: Existing,
    ground: Ground,
    /// A chart of circles, which is never drawn: parts of a whole are easier to compare along a line.
    pie: bool,
    /// Words behind the command that mean nothing to it.
    unknown: Option<String>,
}

/// Draws the last result.
pub fn draw(question: &Question) -> AnswerOutcome {
    let wish = wish(&question.text);
    if let Some(explanation) = trouble(&wish) {
        return AnswerOutcome::Unknown { explanation };
    }
    let Some(fact) = result(question) else {
        let explanation = "Nothing has been found out in this conversation yet, so there is nothing to draw: ask a \
                           question about the data first."
            .to_owned();
        return AnswerOutcome::Unknown { explanation };
    };
    let plan = question.plan.as_ref().map(|plan| plan.draft()).filter(|draft| draft.result == *fact.name());
    let points = plan.and_then(|plan| question.facts.iter().rev().find(|fact| fact.name() == plan.drawn_from()));
    let fact = points.map_or(fact, AsRef::as_ref);
    let FactValue::Table(table) = &fact.body.value else {
        let explanation = "The last result is a text and has nothing to draw.".to_owned();
        return AnswerOutcome::Unknown { explanation };
    };
    let planned = plan.map_or(turnwise_core::Presentation::Table, |draft| draft.presentation);
    let kind = wish.kind.unwrap_or_else(|| turnwise_chart::natural(table, planned));
    if let Err(error) = turnwise_chart::chart(table, kind, "") {
        return AnswerOutcome::Unknown { explanation: error.to_string() };
    }
    let of = plan.map_or_else(|| fact.name().as_str().replace('_', " "), |draft| draft.title.clone());
    let instead = if wish.pie { ", which is drawn in place of a pie" } else { "" };
    let text = format!("{}, as a {}{instead}:", of.trim().trim_end_matches(['?', '.']), kind.word());
    let answer = Answer { text, table: Some(fact.name().clone()), presentation: kind.presentation() };
    let keeping = wish.file.map(|file| Keeping { file, existing: wish.existing, ground: wish.ground });
    AnswerOutcome::Drawn { answer, keeping }
}

fn trouble(wish: &Wish) -> Option<String> {
    if let Some(word) = &wish.unknown {
        return Some(format!(
            "“{word}” means nothing to {COMMAND}: a kind is line, bars, stacked or scatter, a file ends in .svg or \
             .png, and it may be followed by light or dark, and by replace."
        ));
    }
    let file = wish.file.as_ref()?;
    Format::of(std::path::Path::new(file)).is_none().then(|| {
        format!("A chart is kept as .svg or .png, and the ending of the file says which: “{file}” has neither.")
    })
}

fn wish(text: &str) -> Wish {
    let mut wish = Wish::default();
    let words = split(text);
    let command = words.first().is_some_and(|word| word.eq_ignore_ascii_case(COMMAND));
    for (at, word) in words.iter().enumerate().skip(usize::from(command)) {
        let plain = word.trim_end_matches(['.', ',', '!', '?', ';']).to_lowercase();
        match plain.as_str() {
            "line" | "lines" => wish.kind = Some(Kind::Line),
            // "stacked bar" is one kind.
            "bar" | "bars" | "column" | "columns" if wish.kind != Some(Kind::Stacked) => wish.kind = Some(Kind::Bars),
            "stacked" | "stack" | "stacks" => wish.kind = Some(Kind::Stacked),
            "scatter" | "points" | "scatterplot" => wish.kind = Some(Kind::Scatter),
            "pie" | "donut" | "doughnut" if !command => (wish.kind, wish.pie) = (Some(Kind::Stacked), true),
            "replace" | "overwrite" | "replacing" | "overwriting" => wish.existing = Existing::Replaced,
            "light" => wish.ground = Ground::Light,
            "dark" => wish.ground = Ground::Dark,
            _ if is_file(&words, at, command) => {
                wish.file = Some(word.trim_end_matches([',', '!', '?', ';']).trim_end_matches('.').to_owned());
            }
            _ if command && !FILLERS.contains(&plain.as_str()) => wish.unknown = Some(word.clone()),
            _ => {}
        }
    }
    wish
}

/// A name with an ending, or a path; in a sentence also whatever stands behind "as", "to" or "in" with an ending.
fn is_file(words: &[String], at: usize, command: bool) -> bool {
    let word = words[at].trim_end_matches([',', '!', '?', ';', '.']);
    let ending = word.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && (1..=5).contains(&end.len()) && end.chars().all(|letter| letter.is_ascii_alphanumeric())
    });
    let behind = at > 0 && BEFORE_FILES.contains(&words[at - 1].to_lowercase().as_str());
    let known = Format::of(std::path::Path::new(word)).is_some();
    known || (ending && (behind || command)) || (command && word.contains('/'))
}

/// Words at blanks; what stands in quotation marks is one.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = None;
    let mut open = false;
    for letter in text.chars() {
        match (letter, quoted) {
            ('"' | '“' | '”' | '`', Some(_)) => quoted = None,
            ('"' | '“' | '”' | '`', None) => {
                quoted = Some(letter);
                words.push(String::new());
            }
            (letter, None) if letter.is_whitespace() => {
                open = false;
                continue;
            }
            (letter, _) => {
                if !open {
                    words.push(String::new());
                }
                words.last_mut().into_iter().for_each(|word| word.push(letter));
            }
        }
        open = true;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Words that may stand in the command and say nothing.
const FILLERS: [&str; 14] =
    ["as", "a", "an", "the", "to", "in", "into", "chart", "graph", "plot", "on", "and", "please", "it"];
/// Words before a file.
const BEFORE_FILES: [&str; 6] = ["as", "to", "in", "into", "under", "file"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: Option<Kind>, file: Option<&str>) -> Wish {
        let found = wish(text);
        assert_eq!((found.kind, found.file.as_deref()), (kind, file), "{text}");
        found
    }

    #[test]
    fn words_say_kind_file_and_ground() {
        check("now as a chart", None, None);
        check("as a line chart please", Some(Kind::Line), None);
        check("show it as a stacked bar chart", Some(Kind::Stacked), None);
        check("save the chart as sales.svg", None, Some("sales.svg"));
        check("Save the chart as out/Sales by month.png.", None, Some("month.png"));
        check("save the chart as \"out/Sales by month.png\".", None, Some("out/Sales by month.png"));
        let dark = check("/chart scatter /tmp/a.png dark replace", Some(Kind::Scatter), Some("/tmp/a.png"));
        assert_eq!((dark.ground, dark.existing), (Ground::Dark, Existing::Replaced));
        assert_eq!(check("/chart", None, None).unknown, None);
    }

    #[test]
    fn what_the_command_does_not_know_is_named() {
        let wrong = wish("/chart pie");
        assert_eq!(wrong.unknown.as_deref(), Some("pie"));
        assert!(trouble(&wrong).is_some_and(|told| told.contains("“pie”") && told.contains("line, bars")));
        let wrong = wish("save the chart as sales.pdf");
        assert!(trouble(&wrong).is_some_and(|told| told.contains(".svg or .png")));
    }
}
