//! A proof as Markdown, for reading in any viewer or none. The proof itself stands at the end in a block of code,
//! so that the file can be verified like a JSON one. Next: `html`.

use std::fmt::Write as _;

use turnwise_core::{FactValue, Table};

use super::check::INSIDE_MARKDOWN;
use super::document::{Link, Proof};
use super::html::{VALUE_SHOWN, assumptions};
use super::limits::ROWS_SHOWN_MAX;
use super::seal;
use crate::channel::draw::visible;

/// The page, without its seal.
pub fn page(proof: &Proof) -> String {
    let head = &proof.head;
    let names: Vec<String> = head.conclusions.iter().map(|name| escape(name.as_str())).collect();
    let mut page = format!("# Proof of {}\n\n", names.join(", "));
    for fact in head.conclusions.iter().filter_map(|name| proof.fact(name)) {
        if let Some(approval) = &fact.approval {
            let _ = writeln!(page, "Asked: {}\n", escape(&approval.plan));
        }
        match &fact.answer {
            Some(answer) => {
                let _ = writeln!(page, "**{}**\n", escape(answer));
            }
            None => {
                let _ =
                    writeln!(page, "{} = **{}**\n", escape(fact.name.as_str()), escape(&fact.in_short(VALUE_SHOWN)));
            }
        }
    }
    let _ = writeln!(
        page,
        "Conversation {} with the {}, {} mode. Written {} by {} {} over {} {}.\n\n## Facts\n\nThe conclusion first; \
         each rests on those it names.\n",
        escape(head.conversation.as_str()),
        escape(head.assistant.as_str()),
        head.mode,
        escape(&head.exported_at),
        escape(&head.program.name),
        escape(&head.program.version),
        escape(&head.engine.name),
        escape(&head.engine.version)
    );
    for link in proof.chain.iter().rev() {
        page.push_str(&fact(proof, link));
    }
    let (before, after) = INSIDE_MARKDOWN;
    let _ = writeln!(
        page,
        "## Checking this file\n\n`turnwise verify FILE` checks that no byte of it was changed; `turnwise verify FILE \
         --data PATH` runs every query again and tells what is different. A seal shows that a file was edited, not who \
         made it.\n\n{before}{}{after}\n",
        seal::inside(proof)
    );
    page
}

fn fact(proof: &Proof, link: &Link) -> String {
    let fact = &link.fact;
    let mut shown = format!("### {}\n\n", escape(fact.name.as_str()));
    let _ = writeln!(shown, "- value: {}", escape(&fact.in_short(120)));
    let _ = writeln!(shown, "- found: {}, {}", fact.source, fact.resolved_at);
    if let Some(message) = fact.said_in_message {
        let _ = writeln!(shown, "- said: by the person, in message {message}");
    }
    if let Some(about) = &fact.about {
        let _ = writeln!(shown, "- about: {}", escape(about));
    }
    let _ = writeln!(shown, "- confidence: {:.2}", fact.confidence.value());
    if let Some(approval) = &fact.approval {
        let message = approval.message.map_or_else(String::new, |message| format!(", message {message}"));
        let (person, plan) = (escape(approval.person.as_str()), escape(&approval.plan));
        let _ = writeln!(shown, "- approved: by {person}: “{plan}”, version {}{message}", approval.plan_version);
    }
    for input in &fact.inputs {
        let gone = if input.hash.is_none() { " (no longer kept)" } else { "" };
        let _ = writeln!(shown, "- rests on: {}{gone}", escape(input.name.as_str()));
    }
    for stamp in &fact.sources {
        let _ = writeln!(shown, "- source: {} ({})", escape(&stamp.name), escape(&stamp.fingerprint));
    }
    for assumption in assumptions(proof, fact) {
        let _ = writeln!(shown, "- assumes: {}", escape(assumption));
    }
    let _ = writeln!(shown, "- hash: {}\n", link.hash);
    if let Some(query) = &fact.query {
        let lines: Vec<String> = query.lines().map(visible).collect();
        let fence = fence(&lines);
        let _ = writeln!(shown, "{fence}\n{}\n{fence}\n", lines.join("\n"));
    }
    if let FactValue::Table(table) = &fact.value {
        shown.push_str(&rows(table));
    }
    shown
}

/// A fence that nothing in the lines can close.
fn fence(lines: &[String]) -> String {
    let runs = lines.iter().flat_map(|line| line.split(|letter| letter != '`')).map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

fn rows(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut shown = line(table.columns.iter().map(|column| escape(column)).collect());
    shown.push_str(&line(table.columns.iter().map(|_| "---".to_owned()).collect()));
    for row in table.rows.iter().take(ROWS_SHOWN_MAX) {
        shown.push_str(&line(row.iter().map(|cell| escape(&cell.to_string())).collect()));
    }
    let rest = table.total_rows.saturating_sub(table.rows.len().min(ROWS_SHOWN_MAX) as u64);
    if rest > 0 {
        let _ = writeln!(shown, "\n… and {rest} more rows; {} are in the proof below.", table.rows.len());
    }
    shown.push('\n');
    shown
}

/// Text that Markdown shows as it is: on one line, and no character of it formats or opens anything.
fn escape(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '\n' | '\r' => shown.push(' '),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => {
                shown.push('\\');
                shown.push(letter);
            }
            _ => shown.push(letter),
        }
    }
    shown
}
