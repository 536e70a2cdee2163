//! HTML as text: the tokens of a parser that follows the standard, without scripts, styles and tags. Blocks end
//! passages, headings open sections, and each passage knows the line of the file on which it begins. Next: `passage`.

use html5gum::emitters::default::{DefaultEmitter, Token};
use html5gum::{Span, Tokenizer};

use super::passage::{Gatherer, Passage, Spot};

/// Elements whose content is not shown.
const UNSEEN: [&[u8]; 6] = [b"script", b"style", b"head", b"template", b"noscript", b"svg"];

/// Elements that stand in a line of text.
const INLINE: [&[u8]; 20] = [
    b"a", b"abbr", b"b", b"bdi", b"cite", b"code", b"del", b"dfn", b"em", b"font", b"i", b"ins", b"kbd", b"mark", b"q",
    b"small", b"span", b"strong", b"sub", b"sup",
];

/// The passages of an HTML text.
pub fn html(text: &str) -> Vec<Passage> {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let mut page = Page { gatherer: Gatherer::default(), unseen: 0, heading: false, begun: 0, words: String::new() };
    let mut lines = Lines { text, at: 0, line: 1 };
    for token in Tokenizer::new_with_emitter(text, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.open(&tag.name, tag.self_closing),
            Token::EndTag(tag) => page.close(&tag.name),
            Token::String(string) => page.text(&string.value, &mut lines, string.span),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    page.end_block();
    page.gatherer.finish()
}

/// Counts lines up to a place; places only grow.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, place: usize) -> usize {
        let passed = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = place.max(self.at);
        self.line
    }
}

struct Page {
    gatherer: Gatherer,
    /// How many elements that are not shown are open.
    unseen: usize,
    heading: bool,
    /// The line on which the block begins.
    begun: usize,
    words: String,
}

impl Page {
    fn open(&mut self, name: &[u8], closes_itself: bool) {
        if UNSEEN.contains(&name) && !closes_itself {
            self.unseen += 1;
        } else if !INLINE.contains(&name) {
            self.end_block();
            self.heading = is_heading(name);
        }
    }

    fn close(&mut self, name: &[u8]) {
        if UNSEEN.contains(&name) {
            self.unseen = self.unseen.saturating_sub(1);
        } else if !INLINE.contains(&name) {
            self.end_block();
            self.heading = false;
        }
    }

    fn text(&mut self, text: &[u8], lines: &mut Lines<'_>, span: Span<usize>) {
        if self.unseen > 0 {
            return;
        }
        let text = String::from_utf8_lossy(text);
        if self.words.trim().is_empty() && !text.trim().is_empty() {
            let before = text.len() - text.trim_start().len();
            self.begun = lines.of(span.start + before);
        }
        self.words.push_str(&text);
    }

    /// White space is one space, as a browser shows it.
    fn end_block(&mut self) {
        let words: Vec<&str> = self.words.split_whitespace().collect();
        let text = words.join(" ");
        if !text.is_empty() {
            if self.heading {
                self.gatherer.heading(&text);
            } else {
                self.gatherer.line(Spot::Line(self.begun), &text);
                self.gatherer.pause();
            }
        }
        self.words.clear();
    }
}

fn is_heading(name: &[u8]) -> bool {
    matches!(name, [b'h', b'1'..=b'6'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_shown_is_text_and_it_knows_its_line() {
        let text = "<html><head><title>No</title><script>if (a < b) { no }</script></head>\n<body>\n<h2>Refunds</h2>\n\
                    <p>Within <b>14</b>&nbsp;days,\n   no questions.</p><style>no</style><ul><li>One</li><li>Two</ul>";
        let found: Vec<(Option<String>, Spot, String)> =
            html(text).into_iter().map(|passage| (passage.section, passage.spot, passage.text)).collect();
        let section = Some("Refunds".to_owned());
        let expected = [(4, "Within 14 days, no questions."), (5, "One"), (5, "Two")];
        let expected: Vec<_> =
            expected.iter().map(|(line, text)| (section.clone(), Spot::Line(*line), (*text).to_owned())).collect();
        assert_eq!(found, expected);
    }
}
