//! Words and cards as Markdown, for surfaces that draw it: what was laid out stays laid out, and a card says all of it.
//! Next: `draw` for cards as lines.

use turnwise_core::{Card, Choice, PlanCard};

use super::draw::{Look, Paint, card, paint};

/// What is said with its card, one block each; nothing is said twice.
#[must_use]
pub fn said(words: &str, shown: Option<&Card>) -> Vec<String> {
    let plain = |words: &str| if words.trim().is_empty() { Vec::new() } else { vec![lines(words)] };
    match shown {
        Some(Card::Plan(shown)) => vec![plan(shown)],
        Some(Card::Question { choices, .. }) => plain(&format!("{words}\n{}", numbered(choices))),
        Some(Card::Failure { step, description, error, choices, .. }) => {
            plain(&format!("{step} “{description}” failed: {error}\n\n{}", numbered(choices)))
        }
        Some(shown) => {
            let drawn: Vec<String> =
                card(shown, Look::pipe()).iter().map(|line| paint(line, Paint::Plain).to_string()).collect();
            let (drawn, said) = (without_ends(&drawn.join("\n")), without_ends(words.trim()));
            let drawn = drawn.trim_end();
            // Where the card begins with the words, they are prose and what is behind them is laid out.
            match drawn.trim_start().strip_prefix(said.as_str()) {
                Some("") => plain(words),
                Some(behind) if behind.starts_with('\n') => {
                    plain(words).into_iter().chain([fenced(behind.trim_start_matches('\n'))]).collect()
                }
                Some(_) => plain(drawn),
                None if drawn.is_empty() => plain(words),
                None => plain(words).into_iter().chain([fenced(drawn)]).collect(),
            }
        }
        None => plain(words),
    }
}

/// A version of a plan: what it does, step by step, and what it takes for granted.
#[must_use]
pub fn plan(shown: &PlanCard) -> String {
    let plan = &shown.plan;
    let version = if plan.version() > 1 { format!(" (version {})", plan.version()) } else { String::new() };
    let mut lines = vec![format!("**{}**{version}", plan.draft().title)];
    lines.extend(plan.steps().iter().map(|step| format!("{}. {}", step.id.number(), step.description)));
    lines.extend(plan.draft().assumptions.iter().map(|assumption| format!("\n_{assumption}_")));
    lines.join("\n")
}

/// Lines without the blanks at their ends, which nobody sees: an empty line of code is `10 | ` in words and `10 |`
/// drawn.
fn without_ends(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn numbered(choices: &[Choice]) -> String {
    let counts = choices.iter().any(Choice::confirms_number);
    let line = |(number, choice): (usize, &Choice)| match counts {
        true => format!("- {}", choice.label),
        false => format!("{number}. {}", choice.label),
    };
    (1..).zip(choices).map(line).collect::<Vec<_>>().join("\n")
}

/// Words as Markdown: lines stay lines, and what was laid out stays laid out.
#[must_use]
pub fn lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let is_laid_out = lines.len() > PROSE_LINES_MAX || lines.iter().skip(1).any(|line| line.starts_with(' '));
    match (is_laid_out, lines.as_slice()) {
        (true, [first, rest @ ..]) if first.ends_with(':') => format!("{first}\n{}", fenced(&rest.join("\n"))),
        (true, _) => fenced(&lines.join("\n")),
        (false, _) => lines.join("  \n"),
    }
}

/// A block that is shown as it is, whatever stands in it.
#[must_use]
pub fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{text}\n{fence}")
}

/// Lines that read as sentences; more are an output.
const PROSE_LINES_MAX: usize = 3;

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use turnwise_core::{Answer, Presentation};

    use super::*;

    #[test]
    fn a_card_that_begins_with_the_words_is_not_said_twice() {
        let line = |say: &str, does: &str| (say.to_owned(), does.to_owned());
        let card = Card::Help { lines: vec![line("/help", "tells this"), line("/stop", "stops")] };
        let drawn = said("", Some(&card));
        let [block] = drawn.as_slice() else { panic!("one block: {drawn:?}") };
        assert!(block.starts_with("```\n") && block.contains("/help"), "{block}");
        assert_eq!(said("Say:", Some(&card)), ["Say:".to_owned(), block.clone()]);
        let answer = Answer { text: "2 rows.".to_owned(), table: None, presentation: Presentation::Value };
        let result = Card::Result { answer, fact: None, provenance: None };
        assert_eq!(said("2 rows.", Some(&result)), ["2 rows."]);
        let quoted = "a.rs:1:\n 9 | fn a() {\n10 | \n11 | }";
        let answer = Answer { text: quoted.to_owned(), table: None, presentation: Presentation::Value };
        let result = Card::Result { answer, fact: None, provenance: None };
        assert_eq!(said(quoted, Some(&result)), [lines(quoted)]);
    }

    #[test]
    fn lines_stay_lines_and_what_is_laid_out_stays_so() {
        assert_eq!(lines("one\ntwo"), "one  \ntwo");
        assert_eq!(lines("found:\n  a\n  b\n"), "found:\n```\n  a\n  b\n```");
        assert_eq!(lines("a\nb\nc\n```x"), "````\na\nb\nc\n```x\n````");
    }
}
