//! Markdown and plain text, by line: headings open sections, empty lines end paragraphs. Nothing is rendered, because a
//! quotation has to be what stands in the file. Next: `passage`.

use super::passage::{Gatherer, Passage, Spot};

/// Longest line of plain text that can be a heading.
const HEADING_CHARS_MAX: usize = 60;

/// The passages of a Markdown text.
pub fn markdown(text: &str) -> Vec<Passage> {
    let lines: Vec<&str> = text.lines().collect();
    let mut gatherer = Gatherer::default();
    let mut fence: Option<&str> = None;
    // Facts about the file for other programs; no text of it.
    let matter = match lines.first() {
        Some(&"---") => lines.iter().skip(1).position(|line| *line == "---").map_or(0, |end| end + 2),
        _ => 0,
    };
    for (at, line) in lines.iter().enumerate().skip(matter) {
        let bare = line.trim_start();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            fence = if fence == Some(mark) { None } else { fence.or(Some(mark)) };
            continue;
        }
        let is_code = fence.is_some();
        let next = lines.get(at + 1).map_or("", |next| next.trim());
        let is_line = |text: &str, mark: char| text.len() >= 3 && text.chars().all(|letter| letter == mark);
        if !is_code && let Some(title) = title_of(bare) {
            gatherer.heading(title);
        } else if !is_code && !bare.is_empty() && (is_line(next, '=') || is_line(next, '-')) {
            gatherer.heading(bare);
        } else if bare.is_empty() || (!is_code && (is_line(bare.trim_end(), '=') || is_line(bare.trim_end(), '-'))) {
            gatherer.pause();
        } else {
            gatherer.line(Spot::Line(at + 1), line);
        }
    }
    gatherer.finish()
}

/// The title of a line such as `## Leave ##`.
fn title_of(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| rest.trim().trim_end_matches('#').trim_end())
}

/// The passages of a plain text: a short line that stands alone and ends no sentence is a heading.
pub fn plain(text: &str) -> Vec<Passage> {
    let lines: Vec<&str> = text.lines().collect();
    let mut gatherer = Gatherer::default();
    let is_empty = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_none_or(|line| line.trim().is_empty());
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        let alone = is_empty(at.checked_sub(1)) && is_empty(Some(at + 1)) && at + 1 < lines.len();
        if bare.is_empty() {
            gatherer.pause();
        } else if alone && bare.chars().count() <= HEADING_CHARS_MAX && !bare.ends_with(['.', '!', '?', ':', ',', ';'])
        {
            gatherer.heading(bare);
        } else {
            gatherer.line(Spot::Line(at + 1), line);
        }
    }
    gatherer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(passages: &[Passage], expected: &[(&str, usize, &str)]) {
        let found: Vec<(&str, Spot, &str)> = passages
            .iter()
            .map(|passage| (passage.section.as_deref().unwrap_or(""), passage.spot, passage.text.as_str()))
            .collect();
        let expected: Vec<(&str, Spot, &str)> =
            expected.iter().map(|(section, line, text)| (*section, Spot::Line(*line), *text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn headings_open_sections_and_empty_lines_end_passages() {
        let text = "---\ntitle: x\n---\nBefore.\n# Leave #\nTwo\nlines.\n\n- a list\n\nRefunds\n-------\nIn 14 days.\n";
        let expected = [("", 4, "Before."), ("Leave", 6, "Two\nlines."), ("Leave", 9, "- a list")];
        check(&markdown(text), &[&expected[..], &[("Refunds", 13, "In 14 days.")]].concat());
    }

    #[test]
    fn a_hash_in_code_is_no_heading() {
        check(&markdown("# Setup\n```\n# run it\nmake\n```\n"), &[("Setup", 3, "# run it\nmake")]);
        check(&markdown("#tag is no heading"), &[("", 1, "#tag is no heading")]);
    }

    #[test]
    fn a_short_line_alone_is_a_heading_of_plain_text() {
        check(
            &plain("LEAVE\n\nEveryone has 25 days.\n\nThe end"),
            &[("LEAVE", 3, "Everyone has 25 days."), ("LEAVE", 5, "The end")],
        );
    }
}
