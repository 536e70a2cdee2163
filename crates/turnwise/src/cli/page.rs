//! The page of `turnwise eval --format html`: one file without scripts or anything to fetch, with the confusion matrix
//! and the reliability curve drawn, readable in light and dark. Next: `eval`.

use std::fmt::Write as _;

use turnwise_intent::evaluate::{Confusion, Mistake};

use super::eval::{Report, headline};
use crate::channel::draw::visible;

/// The report as a page.
pub fn page(report: &Report) -> String {
    let title = escape(&format!("Reading of {}", report.assistant));
    let data = escape(&report.data);
    let figures: String = headline(report)
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escape(value)))
        .collect();
    let matrix = matrix(&report.figures.confusion);
    let curve = curve(report);
    let worst: String = report.figures.worst.iter().map(mistake).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p>Data: {data}</p>\n<table>\n{figures}</table>\n\
         <h2>Confusion</h2>\n<p>Rows: what was meant. Columns: what the reader does.</p>\n{matrix}\n\
         <h2>Reliability</h2>\n<p>A reader that is calibrated is right as often as it says: on the dashed line. \
         The size of a dot shows how many messages are behind it.</p>\n{curve}\n\
         <h2>Worst errors</h2>\n<table>\n<tr><th>confidence</th><th>meant</th><th>read as</th><th>text</th></tr>\n\
         {worst}</table>\n</main>\n</body>\n</html>\n"
    )
}

fn matrix(confusion: &Confusion) -> String {
    let left = MARGIN + CHARACTER * longest(&confusion.truths);
    let top = MARGIN + CHARACTER * longest(&confusion.answers);
    let (width, height) = (left + CELL * confusion.answers.len(), top + CELL * confusion.truths.len());
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"Confusion matrix\">\n"
    );
    for (at, name) in confusion.answers.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let (x, y) = (left + CELL * at + CELL / 2 + 4, top - 6);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" transform=\"rotate(-90 {x} {y})\">{}</text>", escape(name));
    }
    for (row, (truth, counts)) in confusion.truths.iter().zip(&confusion.counts).enumerate() {
        let (y, middle) = (top + CELL * row, top + CELL * row + CELL / 2 + 4);
        let _ = writeln!(svg, "<text class=\"end\" x=\"{}\" y=\"{middle}\">{}</text>", left - 6, escape(truth));
        let total = counts.iter().sum::<usize>().max(1);
        for (column, (count, answer)) in counts.iter().zip(&confusion.answers).enumerate() {
            let x = left + CELL * column;
            let kind = if truth == answer { "right" } else { "wrong" };
            let strength = *count as f64 / total as f64;
            let _ = writeln!(
                svg,
                "<rect class=\"{kind}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill-opacity=\"{strength:.3}\"><title>{} done as {}: {count} of {total}</title></rect>\n\
                 <text class=\"middle\" x=\"{}\" y=\"{middle}\">{count}</text>",
                escape(truth),
                escape(answer),
                x + CELL / 2
            );
        }
    }
    svg + "</svg>"
}

fn curve(report: &Report) -> String {
    let side = CURVE + 2 * MARGIN;
    let x = |share: f32| MARGIN as f32 + share * CURVE as f32;
    let y = |share: f32| MARGIN as f32 + (1.0 - share) * CURVE as f32;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\" role=\"img\" \
         aria-label=\"Reliability curve\">\n\
         <rect class=\"frame\" x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{CURVE}\" height=\"{CURVE}\"/>\n\
         <line class=\"ideal\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0)
    );
    for tick in [0.0, 0.5, 1.0] {
        let (across, up) = (x(tick), y(tick));
        let _ = writeln!(
            svg,
            "<text class=\"middle\" x=\"{across}\" y=\"{}\">{tick}</text>\n\
             <text class=\"end\" x=\"{}\" y=\"{}\">{tick}</text>",
            side - MARGIN + 16,
            MARGIN - 6,
            up + 4.0
        );
    }
    let bins = &report.figures.reliability;
    let points: Vec<String> = bins.iter().map(|b| format!("{:.1},{:.1}", x(b.confidence), y(b.accuracy))).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\"/>", points.join(" "));
    let all = bins.iter().map(|bin| bin.answers).sum::<usize>().max(1) as f32;
    for bin in bins {
        let radius = 3.0 + 9.0 * (bin.answers as f32 / all).sqrt();
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>confidence {:.3}, accuracy {:.3}, {} messages\
             </title></circle>",
            x(bin.confidence),
            y(bin.accuracy),
            bin.confidence,
            bin.accuracy,
            bin.answers
        );
    }
    let middle = side / 2;
    let _ = writeln!(
        svg,
        "<text class=\"middle\" x=\"{middle}\" y=\"{}\">confidence</text>\n\
         <text class=\"middle\" x=\"12\" y=\"{middle}\" transform=\"rotate(-90 12 {middle})\">accuracy</text>",
        side - 4
    );
    svg + "</svg>"
}

fn mistake(wrong: &Mistake) -> String {
    let asks = if wrong.acted_on { "" } else { " (would ask)" };
    format!(
        "<tr><td>{:.2}</td><td>{}</td><td>{}{asks}</td><td>{}</td></tr>\n",
        wrong.confidence,
        escape(&wrong.truth),
        escape(&wrong.answer),
        escape(&wrong.text)
    )
}

fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or_default()
}

/// Text as HTML shows it, without control characters.
fn escape(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const CELL: usize = 52;
const CURVE: usize = 320;
const MARGIN: usize = 40;
/// Pixels of a character in labels.
const CHARACTER: usize = 8;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #ffffff; --line: #8a8f98; --right: #2a7de1; --wrong: #d9662b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e3; --paper: #17181a; --line: #7d828a; --right: #3b7cc9; --wrong: #c25a22; }
}
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
main { overflow-x: auto; }
svg { font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
rect { stroke: var(--line); stroke-width: .5; }
.right { fill: var(--right); }
.wrong { fill: var(--wrong); }
.frame { fill: none; }
.ideal { stroke: var(--line); stroke-dasharray: 5 4; }
polyline { fill: none; stroke: var(--right); stroke-width: 2; }
circle { fill: var(--right); fill-opacity: .8; }
";
