//! What stands below the transcript: the steps that run, the input box, what may be meant by it and the status line of
//! CF-29. A pure function of
//! the conversation, the box and the window. Next: `screen`, which draws it in place.

use turnwise_core::status::{self, SPINNER, StatusLine};
use turnwise_core::{Conversation, Mode, Phase, StepState};

use super::editor::Editor;
use super::screen::{Area, Size};
use crate::channel::draw::{Line, Look, Tone, cut, visible, width};
use crate::driver::{Writer, Writing};

/// What the last line of the area shows beside the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footer<'a> {
    /// The status line alone.
    Status,
    /// The status line and a hint at its right.
    Hint(&'a str),
    /// The status line and what steers the run, for as long as it runs.
    Controls(&'a str),
    /// The data is still being read, with how far that is; there is no conversation yet.
    Loading(&'a str),
}

/// The area for a window of `size`, with frame `frame` of the spinner; the `menu` stands beneath the input.
#[must_use]
pub fn area(
    state: Option<&Conversation>,
    writing: Option<&Writing>,
    editor: &Editor,
    menu: &[Line],
    footer: Footer<'_>,
    frame: usize,
    size: Size,
) -> Area {
    let columns = Look::terminal(size.columns).width;
    let rows = usize::from(size.rows);
    let mut lines = Vec::new();
    // In a low window the input and the status line come first.
    let room = rows.saturating_sub(ROWS_MIN).min(STEPS_SHOWN_MAX);
    if let Some(state) = state {
        lines.extend(running(state, frame).into_iter().take(room).map(|line| line.cut(columns)));
    }
    if let Some(writing) = writing.filter(|_| lines.len() < rows.saturating_sub(ROWS_MIN)) {
        lines.push(written(writing, frame, columns));
    }
    if rows > ROWS_MIN {
        lines.push(Line::default());
    }
    let above = lines.len();
    let input = editor.drawn(columns, rows.saturating_sub(above + 1).clamp(1, INPUT_ROWS_MAX));
    lines.extend(input.lines);
    let left = rows.saturating_sub(lines.len() + 1);
    lines.extend(menu.iter().take(left).map(|line| line.clone().cut(columns)));
    if rows > 1 {
        lines.push(bottom(state, footer, frame, columns).cut(columns));
    }
    Area { lines, cursor_line: above + input.cursor_line, cursor_cell: input.cursor_cell }
}

/// A line for each step that runs, is about to be tried again, or has failed while others still run.
fn running(state: &Conversation, frame: usize) -> Vec<Line> {
    let Some(run) = state.run().filter(|_| state.phase() == Phase::Executing) else { return Vec::new() };
    let mut lines = Vec::new();
    for (step, state) in run.states() {
        let description = run.plan().step(step).map(|step| step.description.as_str()).unwrap_or_default();
        let spinner = SPINNER[frame % SPINNER.len()];
        let (mark, remark) = match state {
            StepState::Running { attempt: 1 } => (spinner, String::new()),
            StepState::Running { attempt } => (spinner, format!(" (attempt {attempt})")),
            StepState::Backoff { .. } => ('○', " (waits for another attempt)".to_owned()),
            StepState::Failed => ('✗', String::new()),
            StepState::Unknown { .. } => ('?', " (nobody knows yet whether it was done)".to_owned()),
            StepState::Waiting | StepState::Done | StepState::Reused | StepState::Skipped | StepState::Cancelled => {
                continue;
            }
        };
        let lead = format!("  {mark} {} ", step.number());
        lines.push(Line::of(&lead, Tone::Dim).with(description, Tone::Plain).with(&remark, Tone::Dim));
    }
    lines
}

/// What a model is writing, or a program prints: its end, as far as there is room. It goes when it is whole.
fn written(writing: &Writing, frame: usize, columns: usize) -> Line {
    let who = match &writing.by {
        Writer::Model { name, .. } => format!("{} writes", visible(short(name))),
        Writer::Program(typed) => format!("{} prints", turnwise_core::text::clip(&visible(typed), PROGRAM)),
    };
    let lead = format!("  {} {who}: ", SPINNER[frame % SPINNER.len()]);
    let text = visible(&writing.text.split_whitespace().collect::<Vec<_>>().join(" "));
    let room = columns.saturating_sub(width(&lead));
    let mut end = text.as_str();
    while width(end) > room {
        let mut letters = end.chars();
        letters.next();
        end = letters.as_str();
    }
    Line::of(&lead, Tone::Dim).with(end, Tone::Dim).cut(columns)
}

/// The name of a model without who serves it.
fn short(model: &str) -> &str {
    model.rsplit(['#', '/']).next().filter(|name| !name.is_empty()).unwrap_or(model)
}

fn bottom(state: Option<&Conversation>, footer: Footer<'_>, frame: usize, columns: usize) -> Line {
    let line = match (state, footer) {
        (None, footer) | (_, footer @ Footer::Loading(_)) => {
            let spinner = SPINNER[frame % SPINNER.len()].to_string();
            let told = match footer {
                Footer::Loading(told) if !told.is_empty() => visible(told),
                _ => "loading data".to_owned(),
            };
            Line::of(&told, Tone::Plain).with(" ", Tone::Plain).with(&spinner, Tone::Dim)
        }
        (Some(state), Footer::Controls(controls)) if columns >= CONTROLS_COLUMNS_MIN => {
            let room = columns.saturating_sub(GAP.len() + width(controls));
            return status_line(&status::line(state), frame, room).with(GAP, Tone::Plain).with(controls, Tone::Dim);
        }
        (Some(state), Footer::Status | Footer::Hint(_) | Footer::Controls(_)) => {
            status_line(&status::line(state), frame, columns)
        }
    };
    match footer {
        // A hint is about the next key: where both do not fit, it comes first.
        Footer::Hint(hint) if line.width() + GAP.len() + width(hint) > columns => Line::of(hint, Tone::Warn),
        Footer::Hint(hint) => line.with(GAP, Tone::Plain).with(hint, Tone::Warn),
        Footer::Status | Footer::Controls(_) | Footer::Loading(_) => line,
    }
}

/// The status line in the colours of CF-29; its text is that of [`StatusLine::text`], with the subject cut to the width
/// so that what can be typed stays in sight.
fn status_line(status: &StatusLine, frame: usize, columns: usize) -> Line {
    let badge = match status.mode {
        Mode::Proof => Tone::Warn,
        Mode::Exploratory => Tone::Accent,
    };
    let phase = match status.phase {
        Phase::Executing => Tone::Good,
        Phase::Failed => Tone::Bad,
        Phase::Idle | Phase::Planning | Phase::AwaitingApproval => Tone::Plain,
    };
    let mut line = Line::of(&format!("[{}]", status.mode.badge()), badge).with(" ", Tone::Plain);
    let word = status.phase.to_string();
    let spinner = if status.spins { 2 } else { 0 };
    // In a narrow window the subject goes, then the end of the phase: what can be typed stays whole.
    let typed = status.brackets.as_ref().map_or(0, |brackets| width(brackets));
    let whole = line.width() + width(&word) + spinner + typed;
    let is_narrow = whole + GAP.len() + SUBJECT_WIDTH_MIN + GAP.len() > columns && typed > 0;
    let room = columns.saturating_sub(line.width() + spinner + typed + 1);
    if is_narrow && whole + 1 > columns && room < PHASE_WIDTH_MIN {
        return line.with(status.brackets.as_deref().unwrap_or_default(), Tone::Dim);
    }
    line = line.with(&if is_narrow { cut(&word, room) } else { word }, phase);
    if status.spins {
        line = line.with(&format!(" {}", SPINNER[frame % SPINNER.len()]), Tone::Dim);
    }
    if is_narrow {
        let brackets = status.brackets.as_deref().unwrap_or_default();
        return line.with(" ", Tone::Plain).with(brackets, Tone::Dim);
    }
    if let Some(subject) = &status.subject {
        let gap = if status.phase == Phase::AwaitingApproval { GAP } else { " " };
        let after = status.brackets.as_ref().map_or(0, |brackets| 4 + width(brackets));
        let room = columns.saturating_sub(line.width() + gap.len() + after).max(SUBJECT_WIDTH_MIN);
        line = line.with(gap, Tone::Plain).with(&cut(subject, room), phase);
    }
    if let Some(brackets) = &status.brackets {
        line = line.with(GAP, Tone::Plain).with(brackets, Tone::Dim);
    }
    line
}

/// Steps that run at most at once, so none is hidden.
const STEPS_SHOWN_MAX: usize = turnwise_core::limits::STEPS_PARALLEL_MAX;
/// Lines of input shown at once; longer input scrolls.
const INPUT_ROWS_MAX: usize = 8;
/// Below this a cut subject says nothing, and the end of the line is cut instead.
const SUBJECT_WIDTH_MIN: usize = 8;
/// Narrower than this the word of a phase says nothing.
const PHASE_WIDTH_MIN: usize = 3;
/// Narrower than this the step that runs is all there is room for.
const CONTROLS_COLUMNS_MIN: usize = 48;
/// Between the parts of the status line.
const GAP: &str = "    ";
/// Rows below which there is no empty line above the input.
const ROWS_MIN: usize = 4;
/// Letters of a program's line that stand before what it prints.
const PROGRAM: usize = 20;

#[cfg(test)]
mod tests {
    use turnwise_core::status::StatusLine;
    use turnwise_core::{AssistantName, Conversation, Mode, Phase};

    use super::{Footer, area, status_line};
    use crate::channel::draw::width;
    use crate::channel::terminal::editor::Editor;
    use crate::channel::terminal::history::History;
    use crate::channel::terminal::screen::Size;
    use crate::driver::{Writer, Writing};

    #[test]
    fn colours_do_not_change_the_text_of_the_status_line() {
        for phase in [Phase::Idle, Phase::Planning, Phase::AwaitingApproval, Phase::Executing, Phase::Failed] {
            for mode in [Mode::Proof, Mode::Exploratory] {
                let status = StatusLine {
                    mode,
                    phase,
                    spins: phase == Phase::Executing,
                    subject: Some("plan: \"Revenue\" (3 steps)".to_owned()),
                    brackets: Some("[y/n/suggest]".to_owned()),
                };
                assert_eq!(status_line(&status, 3, 100).plain(), status.text(3));
            }
        }
    }

    #[test]
    fn a_narrow_window_cuts_the_subject_and_keeps_what_can_be_typed() {
        let status = StatusLine {
            mode: Mode::Proof,
            phase: Phase::AwaitingApproval,
            spins: false,
            subject: Some("plan: \"Revenue by region\" (3 steps)".to_owned()),
            brackets: Some("[y/n/suggest]".to_owned()),
        };
        let line = status_line(&status, 0, 60).plain();
        assert_eq!(line, "[PROOF] awaiting_approval    plan: \"Revenu…    [y/n/suggest]");
        assert_eq!(width(&line), 60);
    }

    #[test]
    fn what_can_be_typed_is_whole_in_a_very_narrow_window() {
        let mut status = StatusLine {
            mode: Mode::Exploratory,
            phase: Phase::AwaitingApproval,
            spins: false,
            subject: Some("plan: \"Revenue by region\" (3 steps)".to_owned()),
            brackets: Some("[y/n/suggest]".to_owned()),
        };
        assert_eq!(status_line(&status, 0, 45).plain(), "[EXPLORE] awaiting_approval [y/n/suggest]");
        assert_eq!(status_line(&status, 0, 30).plain(), "[EXPLORE] await… [y/n/suggest]");
        assert_eq!(status_line(&status, 0, 24).plain(), "[EXPLORE] [y/n/suggest]");
        (status.phase, status.subject) = (Phase::Failed, Some("✗ step 2    \"no such file\"".to_owned()));
        status.brackets = Some("[retry/replan/abandon]".to_owned());
        for columns in 32..100 {
            let line = status_line(&status, 0, columns).plain();
            assert!(width(&line) <= columns && line.ends_with("[retry/replan/abandon]"), "{columns}: {line}");
        }
    }

    fn drawn(footer: Footer<'_>, columns: u16, rows: u16) -> Vec<String> {
        let state = Conversation::new(AssistantName::new("analyst"));
        let area = area(Some(&state), None, &Editor::new(History::in_memory()), &[], footer, 0, Size { columns, rows });
        area.lines.iter().map(|line| line.plain().trim_end().to_owned()).collect()
    }

    #[test]
    fn input_and_status_stay_visible_in_any_window() {
        assert_eq!(drawn(Footer::Status, 80, 24), ["", "›", "[EXPLORE] idle"]);
        assert_eq!(drawn(Footer::Status, 12, 2), ["›", "[EXPLORE] …"]);
        assert_eq!(drawn(Footer::Status, 80, 1), ["›"]);
        assert_eq!(drawn(Footer::Hint("Ctrl+C again leaves"), 80, 3), ["›", "[EXPLORE] idle    Ctrl+C again leaves"]);
        assert_eq!(drawn(Footer::Hint("Ctrl+C again leaves"), 30, 3), ["›", "Ctrl+C again leaves"]);
    }

    #[test]
    fn the_end_of_what_a_model_writes_is_shown_in_one_line() {
        let text = "SELECT sum(amount)\n FROM orders\u{1b}[2J WHERE region = 'north'".to_owned();
        let model = "openai-compatible:http://127.0.0.1:1/v1#tiny".to_owned();
        let by = Writer::Model { task: "question".to_owned(), name: model };
        let writing = Writing { by, text };
        let state = Conversation::new(AssistantName::new("analyst"));
        let editor = Editor::new(History::in_memory());
        let size = Size { columns: 50, rows: 24 };
        let area = area(Some(&state), Some(&writing), &editor, &[], Footer::Status, 0, size);
        let line = area.lines[0].plain();
        assert!(line.starts_with("  ⠋ tiny writes: ") && line.ends_with("region = 'north'"), "{line}");
        assert!(width(&line) <= 50 && !line.contains('\u{1b}'), "{line}");
        let by = Writer::Program("cargo test --workspace --all-features".to_owned());
        let writing = Writing { by, text: "Compiling a\nrunning 3 tests\n".to_owned() };
        let area = super::area(Some(&state), Some(&writing), &editor, &[], Footer::Status, 0, size);
        assert!(area.lines[0].plain().ends_with("running 3 tests"), "{}", area.lines[0].plain());
        assert!(area.lines[0].plain().starts_with("  ⠋ cargo test --worksp… prints: "), "{}", area.lines[0].plain());
    }

    #[test]
    fn before_the_data_is_there_the_status_line_says_so() {
        assert_eq!(drawn(Footer::Loading(""), 80, 3), ["›", "loading data ⠋"]);
        let told = "Reading a\u{1b}.csv: 34 % of 120 MB";
        assert_eq!(drawn(Footer::Loading(told), 80, 3), ["›", "Reading a␛.csv: 34 % of 120 MB ⠋"]);
    }
}
