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
            let drawn = drawn.join("\n");
            let repeated = drawn.trim() == words.trim();
            match (repeated, drawn.trim().is_empty()) {
                (true, _) | (_, true) => plain(words),
                (false, false) if drawn.trim().starts_with(words.trim()) => plain(&drawn),
                (false, false) => plain(words).into_iter().chain([fenced(drawn.trim_end())]).collect(),
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
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_what_is_laid_out_stays_so() {
        assert_eq!(lines("one\ntwo"), "one  \ntwo");
        assert_eq!(lines("found:\n  a\n  b\n"), "found:\n```\n  a\n  b\n```");
        assert_eq!(lines("a\nb\nc\n```x"), "````\na\nb\nc\n```x\n````");
    }
}
