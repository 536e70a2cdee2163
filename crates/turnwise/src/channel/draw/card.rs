//! Every card as lines. The match is the list of what can be shown; the larger ones have their own file. Next: `plan`,
//! `table`, `proof`.

use turnwise_core::{Answer, Card, Choice, Fact, FactValue, Presentation, Reading, StepId, StepLine, StepState, Table};

use super::bars::Axes;
use super::sheet::Sheet;
use super::{Line, Look, Plans, Tone, bars, parts, plan, plan_line, plane, proof, table, text, trend};

/// What the person was told: words, then the card.
#[must_use]
pub fn said(words: &str, shown: Option<&Card>, look: Look) -> Vec<Line> {
    let mut sheet = Sheet::new(look);
    let repeated = shown.is_some_and(|shown| repeats(shown, words));
    if !words.trim().is_empty() && !repeated {
        sheet.text(words, Tone::Plain);
    }
    if let Some(shown) = shown {
        draw(&mut sheet, shown);
    }
    sheet.into_lines()
}

/// Whether the card shows what the words say. Words are for surfaces without cards; nobody should read them twice.
fn repeats(shown: &Card, words: &str) -> bool {
    match shown {
        Card::Result { answer, .. } => answer.text.trim() == words.trim(),
        Card::Plan(shown) => words.ends_with(&shown.plan.draft().title),
        Card::Failure { error, .. } => words.ends_with(error.as_str()),
        Card::Question { .. }
        | Card::Steps { .. }
        | Card::Facts { .. }
        | Card::Provenance { .. }
        | Card::Help { .. }
        | Card::Why { .. } => false,
    }
}

/// One card as lines no wider than `look.width`.
#[must_use]
pub fn card(shown: &Card, look: Look) -> Vec<Line> {
    let mut sheet = Sheet::new(look);
    draw(&mut sheet, shown);
    sheet.into_lines()
}

fn draw(sheet: &mut Sheet, shown: &Card) {
    match shown {
        Card::Plan(shown) if sheet.look().plans == Plans::InShort && plan_line::fits(&shown.plan) => {
            plan_line::draw(sheet, shown);
        }
        Card::Plan(shown) => plan::draw(sheet, shown),
        Card::Question { reference: _, choices } => numbered(sheet, choices),
        Card::Result { answer, fact, provenance } => {
            result(sheet, answer, fact.as_deref());
            if let Some(tree) = provenance {
                sheet.blank();
                sheet.line(Line::of("How this was found", Tone::Strong));
                proof::draw(sheet, tree);
            }
        }
        Card::Steps { steps, ways } => {
            steps.iter().for_each(|step| step_line(sheet, step));
            numbered(sheet, ways);
        }
        Card::Failure { reference: _, step, description, error, choices } => {
            failure(sheet, *step, description, error, choices);
        }
        Card::Facts { facts } => facts.iter().for_each(|fact| fact_line(sheet, fact)),
        Card::Provenance { tree } => proof::draw(sheet, tree),
        Card::Help { lines } => help(sheet, lines),
        Card::Why { readings } => readings.iter().for_each(|reading| why(sheet, reading)),
    }
}

fn numbered(sheet: &mut Sheet, choices: &[Choice]) {
    let counts = choices.iter().any(Choice::confirms_number);
    for (number, choice) in choices.iter().enumerate() {
        let mark = if counts { "·".to_owned() } else { (number + 1).to_string() };
        sheet.hanging(&format!("  {mark} "), Tone::Accent, &choice.label, Tone::Plain);
    }
}

fn result(sheet: &mut Sheet, answer: &Answer, fact: Option<&Fact>) {
    if !answer.text.trim().is_empty() {
        sheet.text(&answer.text, Tone::Strong);
    }
    let Some(FactValue::Table(rows)) = fact.map(|fact| &fact.body.value) else { return };
    // One value is in the words already.
    if rows.scalar().is_some() || rows.rows.is_empty() {
        return;
    }
    match (answer.presentation, Axes::of(rows)) {
        (Presentation::Stacked, _) => parts::draw(sheet, rows),
        (Presentation::Scatter, _) => plane::draw(sheet, rows),
        (Presentation::Value | Presentation::Table, _) | (_, None) => table::draw(sheet, rows),
        (Presentation::Bars, Some(axes)) => {
            if let Some(changes) = turnwise_chart::changes(rows) {
                if let Some(axes) = Axes::of(&changes.table) {
                    bars::draw(sheet, &changes.table, &axes);
                    sheet.text(&changes.note, Tone::Dim);
                }
                return table::draw(sheet, rows);
            }
            bars::draw(sheet, rows, &axes);
            left_out(sheet, rows, &axes);
            // Bars carry labels and values; the table is needed only for what they leave out.
            if !axes.cover(rows) {
                table::draw(sheet, rows);
            }
        }
        (Presentation::Line, Some(axes)) => {
            if axes.is_one_series(rows) {
                trend::draw(sheet, rows, &axes);
                left_out(sheet, rows, &axes);
            }
            table::draw(sheet, rows);
        }
    }
}

/// Says which measures only the table has.
fn left_out(sheet: &mut Sheet, rows: &Table, axes: &Axes) {
    let names = axes.undrawn(rows);
    if !names.is_empty() {
        let drawn = text::visible(axes.value_name(rows));
        sheet.text(&format!("Drawn is {drawn}; {} is in the table.", names.join(", ")), Tone::Dim);
    }
}

/// `✓ 1 Load orders`.
fn step_line(sheet: &mut Sheet, step: &StepLine) {
    let tone = match step.state {
        StepState::Done | StepState::Reused => Tone::Good,
        StepState::Failed => Tone::Bad,
        StepState::Running { .. } | StepState::Backoff { .. } => Tone::Accent,
        StepState::Unknown { .. } => Tone::Warn,
        StepState::Waiting | StepState::Skipped | StepState::Cancelled => Tone::Dim,
    };
    let remark = match step.state {
        StepState::Reused => " (reused)",
        StepState::Skipped => " (skipped)",
        StepState::Cancelled => " (cancelled)",
        StepState::Backoff { .. } => " (will be tried again)",
        StepState::Unknown { .. } => " (nobody knows yet whether it was done)",
        StepState::Waiting | StepState::Running { .. } | StepState::Done | StepState::Failed => "",
    };
    let mark = format!("  {} {} ", step.state.mark(), step.step.number());
    sheet.hanging(&mark, tone, &format!("{}{remark}", step.description), Tone::Plain);
}

fn failure(sheet: &mut Sheet, step: StepId, description: &str, error: &str, choices: &[Choice]) {
    sheet.hanging(&format!("✗ {step} "), Tone::Bad, description, Tone::Plain);
    sheet.hanging("  ", Tone::Plain, error, Tone::Bad);
    numbered(sheet, choices);
}

fn fact_line(sheet: &mut Sheet, fact: &Fact) {
    let words = format!(
        "{} = {} ({}, confidence {:.2})",
        fact.name(),
        fact.in_short(60),
        fact.body.source,
        fact.body.confidence.value()
    );
    sheet.hanging("  • ", Tone::Accent, &words, Tone::Plain);
}

fn help(sheet: &mut Sheet, lines: &[(String, String)]) {
    let lines = lines.iter().map(|(left, right)| (text::visible(left), right));
    let lines: Vec<(String, &String)> = lines.collect();
    let widest = lines.iter().map(|(left, _)| text::width(left)).max().unwrap_or(0);
    // A long example on the left must not squeeze every explanation to a ribbon.
    let column = widest.min(sheet.width() / 2);
    for (left, right) in &lines {
        let fill = column.saturating_sub(text::width(left));
        if right.is_empty() {
            sheet.hanging("  ", Tone::Plain, left, Tone::Accent);
        } else if text::width(left) <= column {
            sheet.hanging(&format!("  {left}{}  ", " ".repeat(fill)), Tone::Accent, right, Tone::Plain);
        } else {
            sheet.hanging("  ", Tone::Plain, left, Tone::Accent);
            sheet.hanging("      ", Tone::Plain, right, Tone::Plain);
        }
    }
}

fn why(sheet: &mut Sheet, reading: &Reading) {
    let label = match &reading.sub {
        None => reading.intent.clone(),
        Some(sub) => format!("{}.{sub}", reading.intent),
    };
    sheet.hanging("  ", Tone::Plain, &format!("\"{}\" → {label}", reading.segment.trim()), Tone::Strong);
    let sub = reading.sub_confidence.map(|sub| format!(", sub {:.2}", sub.value())).unwrap_or_default();
    let scores = format!(
        "confidence {:.2}{sub}, margin {:.2}, decided by {}",
        reading.confidence.value(),
        reading.margin,
        tier_word(reading)
    );
    sheet.hanging("    ", Tone::Plain, &scores, Tone::Plain);
    if let Some(target) = &reading.target {
        sheet.hanging("    ", Tone::Plain, &format!("target: {target}"), Tone::Plain);
    }
    sheet.hanging("    ", Tone::Plain, &reading.reason, Tone::Plain);
    for near in &reading.nearest {
        sheet.hanging(
            "    ≈ ",
            Tone::Accent,
            &format!("{:.2} {} \"{}\"", near.score, near.label, near.text),
            Tone::Dim,
        );
    }
}

fn tier_word(reading: &Reading) -> &'static str {
    use turnwise_core::Tier;
    match reading.tier {
        Tier::Slash => "the command",
        Tier::Rule => "a rule",
        Tier::Exemplar => "exemplars",
        Tier::Model => "the model",
        Tier::Person => "you",
    }
}
