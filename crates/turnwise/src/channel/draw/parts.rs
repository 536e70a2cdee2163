//! Parts of a whole: a bar cut into pieces that letters tell apart as well as colours do, and the pieces by name. Next:
//! `plane`.

use turnwise_core::Table;

use super::sheet::Sheet;
use super::{Line, Tone, table, text};
use turnwise_chart::{Chart, Kind, Marks, Series};

/// Draws the parts; where rows are no parts of a whole, says why and shows them as they are.
pub(super) fn draw(sheet: &mut Sheet, rows: &Table) {
    match turnwise_chart::chart(rows, Kind::Stacked, "") {
        Ok(chart) => {
            let Marks::Rows { labels, series } = &chart.marks else { return };
            let named = [chart.figures.title.as_str(), chart.along.title.as_str()];
            let heading: Vec<&str> = named.into_iter().filter(|name| !name.is_empty()).collect();
            sheet.line(Line::of(&heading.join(" by "), Tone::Dim));
            stacks(sheet, labels, series);
            legend(sheet, &chart, labels.len(), series);
            chart.notes.iter().for_each(|note| sheet.text(note, Tone::Dim));
            // The parts carry their names and figures; the table is needed only for what they leave out.
            if labels.len() > 1 || rows.columns.len() > 2 {
                table::draw(sheet, rows);
            }
        }
        Err(error) => {
            sheet.text(&error.to_string(), Tone::Warn);
            table::draw(sheet, rows);
        }
    }
}

fn value(series: &Series, at: usize) -> f64 {
    series.values.get(at).copied().flatten().unwrap_or(0.0)
}

/// A bar for each label; the longest fills the room.
fn stacks(sheet: &mut Sheet, labels: &[String], series: &[Series]) {
    let shown = labels.len().min(sheet.look().rows_max);
    let widest = labels.iter().take(shown).map(|label| text::width(label)).max().unwrap_or(0);
    let beside = widest.min(sheet.width() / 3);
    let gap = usize::from(beside > 0);
    let room = sheet.width().saturating_sub(beside + gap).clamp(1, BAR_WIDTH_MAX);
    let total = |at: usize| series.iter().map(|series| value(series, at)).sum::<f64>();
    let most = (0..labels.len()).map(total).fold(0.0, f64::max);
    for (at, label) in labels.iter().enumerate().take(shown) {
        let name = text::cut(&text::visible(label), beside);
        let fill = " ".repeat(beside.saturating_sub(text::width(&name)) + gap);
        let mut line = Line::of(&format!("{name}{fill}"), Tone::Plain);
        let (mut from, mut drawn) = (0.0, 0);
        for (number, series) in series.iter().enumerate() {
            from += value(series, at);
            // Cut at the sum so far, so that rounding never makes a bar longer than its parts.
            let until = cells(from, most, room);
            line = line.with(&letter(number).to_string().repeat(until.saturating_sub(drawn)), tone(number));
            drawn = until.max(drawn);
        }
        sheet.line(line);
    }
    if labels.len() > shown {
        sheet.text(&format!("… {}", turnwise_core::text::count(labels.len() - shown, "more bar")), Tone::Dim);
    }
}

fn cells(part: f64, most: f64, room: usize) -> usize {
    if most <= 0.0 {
        return 0;
    }
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 ≤ part ≤ most, and a bar is at most BAR_WIDTH_MAX cells"
    )]
    let cells = (part / most * room as f64).round() as usize;
    cells.min(room)
}

/// What the letters stand for; of a single bar also how much each part is.
fn legend(sheet: &mut Sheet, chart: &Chart, bars: usize, series: &[Series]) {
    for (number, series) in series.iter().enumerate() {
        let figure = match series.values.first().copied().flatten() {
            Some(value) if bars == 1 => format!("  {}", turnwise_chart::figure(value, chart.figures.unit)),
            None if bars == 1 => "  –".to_owned(),
            Some(_) | None => String::new(),
        };
        let name = text::visible(&series.name);
        let room = sheet.width().saturating_sub(2 + text::width(&figure)).max(1);
        let name = text::cut(&name, room);
        let line = Line::of(&format!("{} ", letter(number)), tone(number)).with(&name, Tone::Plain);
        sheet.line(line.with(&figure, Tone::Strong));
    }
}

fn letter(number: usize) -> char {
    LETTERS[number % LETTERS.len()]
}

fn tone(number: usize) -> Tone {
    [Tone::Accent, Tone::Good, Tone::Warn, Tone::Plain][number % 4]
}

/// One for each part, told apart without colours.
const LETTERS: [char; 8] = ['█', '▒', '▓', '░', '▚', '╬', '≡', '·'];
/// Longest bar.
const BAR_WIDTH_MAX: usize = 72;
