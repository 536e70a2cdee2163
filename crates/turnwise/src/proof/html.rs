//! A proof as one page: nothing to fetch, no script that runs, every text escaped, readable in light and dark. The
//! proof itself is inside, so that the page can be verified like a JSON file. Next: `graph`.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use turnwise_core::{FactValue, Table};

use super::check::INSIDE_HTML;
use super::document::{Link, Proof, ProvenFact};
use super::limits::ROWS_SHOWN_MAX;
use super::{graph, seal};
use crate::channel::draw::visible;

/// The page, without its seal.
pub fn page(proof: &Proof) -> String {
    let conclusions: Vec<String> = proof.head.conclusions.iter().map(|name| escape(name.as_str())).collect();
    let title = format!("Proof of {}", conclusions.join(", "));
    let drawing = graph::draw(proof).map_or_else(
        || "<p>The derivation has too many facts to be drawn; they are listed below.</p>\n".to_owned(),
        |svg| format!("<div class=\"graph\">\n{svg}</div>\n"),
    );
    let facts: String = proof.chain.iter().enumerate().rev().map(|(number, link)| fact(proof, number, link)).collect();
    let (before, after) = INSIDE_HTML;
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{}{drawing}\
         <h2>Facts</h2>\n<p>The conclusion first; each rests on those it names.</p>\n{facts}\
         <h2>Sources</h2>\n{}<h2>Checking this page</h2>\n\
         <p><code>turnwise verify FILE</code> checks that no byte of this page was changed; \
         <code>turnwise verify FILE --data PATH</code> runs every query again and tells what is different. A seal shows \
         that a file was edited, not who made it.</p>\n{before}{}{after}\n</main>\n</body>\n</html>\n",
        style_hash(),
        answer(proof),
        sources(proof),
        seal::inside(proof),
    )
}

/// What is proven, by what, and when.
fn answer(proof: &Proof) -> String {
    let mut shown = String::new();
    for fact in proof.head.conclusions.iter().filter_map(|name| proof.fact(name)) {
        if let Some(approval) = &fact.approval {
            let _ = writeln!(shown, "<p class=\"dim\">Asked: {}</p>", escape(&approval.plan));
        }
        let value = fact.answer.clone().unwrap_or_else(|| format!("{} = {}", fact.name, fact.in_short(VALUE_SHOWN)));
        for line in value.lines() {
            let _ = writeln!(shown, "<p class=\"answer\">{}</p>", escape(line));
        }
    }
    let head = &proof.head;
    let _ = writeln!(
        shown,
        "<p class=\"dim\">Conversation {} with the {}, {} mode. Written {} by {} {} over {} {}.</p>",
        escape(head.conversation.as_str()),
        escape(head.assistant.as_str()),
        head.mode,
        escape(&head.exported_at),
        escape(&head.program.name),
        escape(&head.program.version),
        escape(&head.engine.name),
        escape(&head.engine.version)
    );
    shown
}

/// One fact, to be opened. The id is inside, so that following a link opens it.
fn fact(proof: &Proof, number: usize, link: &Link) -> String {
    let fact = &link.fact;
    let open = if proof.head.conclusions.contains(&fact.name) { " open" } else { "" };
    let mut shown = format!(
        "<details{open}>\n<summary><span class=\"name\">{}</span> = {}</summary>\n<div id=\"fact-{number}\">\n",
        escape(fact.name.as_str()),
        escape(&fact.in_short(120))
    );
    shown.push_str(&about(proof, fact));
    if let Some(query) = &fact.query {
        let _ = writeln!(shown, "<pre>{}</pre>", query.lines().map(escape).collect::<Vec<_>>().join("\n"));
    }
    if let FactValue::Table(table) = &fact.value {
        shown.push_str(&rows(table));
    }
    let _ = writeln!(shown, "<p class=\"dim hash\">{}</p>\n</div>\n</details>", escape(&link.hash));
    shown
}

fn about(proof: &Proof, fact: &ProvenFact) -> String {
    let mut lines: Vec<(&str, String)> = vec![("found", format!("{}, {}", fact.source, fact.resolved_at))];
    if let Some(message) = fact.said_in_message {
        lines.push(("said", format!("by the person, in message {message}")));
    }
    if let Some(about) = &fact.about {
        lines.push(("about", about.clone()));
    }
    lines.push(("confidence", format!("{:.2}", fact.confidence.value())));
    if let Some(rows) = fact.row_count {
        lines.push(("rows", rows.to_string()));
    }
    if let Some(digest) = &fact.digest {
        lines.push(("rows’ digest", digest.clone()));
    }
    if let Some(approval) = &fact.approval {
        let message = approval.message.map_or_else(String::new, |message| format!(", message {message}"));
        let version = approval.plan_version;
        lines.push(("approved", format!("by {}: “{}”, version {version}{message}", approval.person, approval.plan)));
    }
    let mut shown = "<dl>\n".to_owned();
    for (name, value) in lines {
        let _ = writeln!(shown, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
    }
    for input in &fact.inputs {
        let number = proof.facts().position(|other| other.name == input.name);
        let name = escape(input.name.as_str());
        let named = number.map_or_else(
            || format!("{name} (no longer kept)"),
            |number| format!("<a href=\"#fact-{number}\">{name}</a>"),
        );
        let _ = writeln!(shown, "<dt>rests on</dt><dd>{named}</dd>");
    }
    for stamp in &fact.sources {
        let _ = writeln!(
            shown,
            "<dt>source</dt><dd>{} <span class=\"hash\">{}</span></dd>",
            escape(&stamp.name),
            escape(&stamp.fingerprint)
        );
    }
    for assumption in assumptions(proof, fact) {
        let _ = writeln!(shown, "<dt>assumes</dt><dd>{}</dd>", escape(assumption));
    }
    shown + "</dl>\n"
}

/// A conclusion says what its whole plan took for granted.
pub(super) fn assumptions<'a>(proof: &Proof, fact: &'a ProvenFact) -> Vec<&'a String> {
    let mut all: Vec<&String> = fact.assumptions.iter().collect();
    if proof.head.conclusions.contains(&fact.name) {
        let of_plan = fact.approval.iter().flat_map(|approval| &approval.assumptions);
        for assumption in of_plan {
            if !all.contains(&assumption) {
                all.push(assumption);
            }
        }
    }
    all
}

fn rows(table: &Table) -> String {
    let mut shown = "<table>\n<tr>".to_owned();
    for (at, column) in table.columns.iter().enumerate() {
        let is_number = table.rows.first().and_then(|row| row.get(at)).is_some_and(turnwise_core::Cell::is_number);
        let class = if is_number { " class=\"number\"" } else { "" };
        let _ = write!(shown, "<th{class}>{}</th>", escape(column));
    }
    shown.push_str("</tr>\n");
    for row in table.rows.iter().take(ROWS_SHOWN_MAX) {
        shown.push_str("<tr>");
        for cell in row {
            let class = if cell.is_number() { " class=\"number\"" } else { "" };
            let _ = write!(shown, "<td{class}>{}</td>", escape(&cell.to_string()));
        }
        shown.push_str("</tr>\n");
    }
    shown.push_str("</table>\n");
    let rest = table.total_rows.saturating_sub(table.rows.len().min(ROWS_SHOWN_MAX) as u64);
    if rest > 0 {
        let _ = writeln!(
            shown,
            "<p class=\"dim\">… and {rest} more rows; {} are in the proof inside this page.</p>",
            table.rows.len()
        );
    }
    shown
}

fn sources(proof: &Proof) -> String {
    let mut names: Vec<(&str, &str)> = proof
        .facts()
        .flat_map(|fact| &fact.sources)
        .map(|stamp| (stamp.name.as_str(), stamp.fingerprint.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut shown = "<dl>\n".to_owned();
    let mut number = 0;
    let mut before = None;
    for (name, fingerprint) in names {
        // A source that was read in two states is one source with two fingerprints.
        let id = if before == Some(name) { String::new() } else { format!(" id=\"source-{number}\"") };
        number += usize::from(before != Some(name));
        before = Some(name);
        let _ = writeln!(shown, "<dt{id}>{}</dt><dd class=\"hash\">{}</dd>", escape(name), escape(fingerprint));
    }
    shown + "</dl>\n"
}

/// The one style the page allows itself.
fn style_hash() -> String {
    let digest = Sha256::digest(STYLE.as_bytes());
    format!("sha256-{}", base64(&digest))
}

/// Base64 with padding, as content policies want their hashes.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            written.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    written
}

/// Text as HTML shows it, with control characters made visible.
pub(super) fn escape(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Characters of a value shown as the answer.
pub(super) const VALUE_SHOWN: usize = 200;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1e21; --dim: #5f656d; --paper: #ffffff; --line: #c3c8ce; --box: #f4f6f8; --end: #dcebfb; --said: #fbf1d9; --edge: #8a8f98; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e3; --dim: #a2a8b0; --paper: #17181a; --line: #43474d; --box: #222427; --end: #1d3a5a; --said: #463a1b; --edge: #7d828a; }
}
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
.answer { font-size: 1.15rem; font-weight: 600; margin: .4rem 0; overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.hash { font: 12px/1.5 ui-monospace, monospace; color: var(--dim); overflow-wrap: anywhere; }
.graph { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
svg { display: block; font: 12px system-ui, sans-serif; }
svg text { fill: var(--dim); }
svg .title { fill: var(--ink); font-weight: 600; }
svg rect { fill: var(--box); stroke: var(--line); }
svg .conclusion { fill: var(--end); }
svg .statement { fill: var(--said); }
svg .source { fill: var(--paper); stroke-dasharray: 5 4; }
svg .edge { fill: none; stroke: var(--edge); stroke-width: 1.5; }
svg .head { fill: var(--edge); }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.name { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--box); border-radius: 6px; overflow-x: auto; padding: .75rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem 1rem .2rem 0; text-align: left; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
:target { outline: 2px solid var(--edge); outline-offset: 4px; border-radius: 4px; }
";

#[cfg(test)]
mod tests {
    use super::base64;

    /// The test vectors of RFC 4648.
    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, written) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), written);
        }
    }
}
