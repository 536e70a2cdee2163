//! Messages that ask for several things of their own: "revenue by region, then orders by channel, and top 5 products by
//! revenue". Read as one they would be crossed into a table that nobody asked for, so each becomes a plan of its own,
//! in their order. A part that cannot be asked alone stays with the one before it; what one plan answers side by side
//! (`apart`, `joined`) stays one; and where a further grouping may be meant either way, the person is asked. Next:
//! `places`, which finds where parts meet.

use turnwise_core::{Choice, Clarification, Task, lean};

use super::super::catalogue::Catalogue;
use super::super::definitions::Definitions;
use super::super::draft;
use super::super::files;
use super::super::form::{Analysis, QueryForm};
use super::super::lexicon::Role;
use super::super::read::{self, Spotted};
use super::apart::apart;
use super::joined::{has_plan, joined};
use super::places::{Joint, Part, bare, parts};

/// The topic of the question whether one thing is asked for or several.
pub const REQUESTS: &str = "requests";
/// The answer that takes the message as one question.
const ONE: &str = "one result";
/// The answer that takes it as several.
const SEPARATE: &str = "separate results";

/// What a message of several requests comes to.
pub enum Requests {
    /// Each by itself, in order; at least two.
    Several(Vec<String>),
    /// Only the person knows whether it is one or several.
    Open(Clarification),
}

/// The message with what it is read against.
pub struct Asked<'a> {
    pub catalogue: &'a Catalogue,
    pub definitions: &'a Definitions,
    pub task: &'a Task,
}

/// Parts that belong together.
struct Group {
    text: String,
    joint: Joint,
    /// Where it begins in the message.
    from: usize,
    form: Option<QueryForm>,
}

impl Asked<'_> {
    /// The requests of `text`; none where it is one.
    pub fn requests(&self, text: &str) -> Option<Requests> {
        let said = self.task.answers.iter().rev().find(|answer| answer.topic == REQUESTS);
        if said.is_some_and(|answer| answer.answer == ONE) {
            return None;
        }
        let parts: Vec<Part> = parts(text).into_iter().filter(|part| self.says_something(&part.text)).collect();
        if parts.len() < 2 {
            return None;
        }
        if let Some((first, second)) = self.regrouped(&parts) {
            return Some(match said {
                Some(_) => Requests::Several(vec![first, second]),
                None => Requests::Open(which(&first, &parts[1].text, &second)),
            });
        }
        let groups = self.grouped(text, &parts);
        let whole = groups.len() > 1 && groups.iter().all(|group| group.form.is_some());
        let ordered = groups.iter().skip(1).any(|group| group.joint.is_order());
        if !whole || (!ordered && self.is_answered_together(text)) {
            return None;
        }
        Some(Requests::Several(groups.into_iter().map(|group| group.text).collect()))
    }

    /// The parts, each with what cannot be asked without it.
    fn grouped(&self, text: &str, parts: &[Part]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for part in parts {
            let form = self.alone(&part.text);
            match groups.last_mut() {
                Some(before) if !self.is_apart(part, before.form.as_ref(), form.as_ref()) => {
                    bare(&text[before.from..part.to]).0.clone_into(&mut before.text);
                    before.form = self.alone(&before.text);
                }
                _ => groups.push(Group { text: part.text.clone(), joint: part.joint, from: part.from, form }),
            }
        }
        groups
    }

    /// Whether a part is a request of its own behind the one before it.
    fn is_apart(&self, part: &Part, left: Option<&QueryForm>, right: Option<&QueryForm>) -> bool {
        let (Some(left), Some(right)) = (left, right) else { return false };
        if self.leans(&part.text) {
            return false;
        }
        let measured = |form: &QueryForm| !form.measures.is_empty() || form.ranking.is_some();
        let plain = |form: &QueryForm| form.analysis == Analysis::Plain && form.claim.is_none();
        match part.joint {
            Joint::Start => false,
            Joint::Order => true,
            // "Compare the years. Forecast the next one.": what is done with the numbers is another thing.
            Joint::Sentence if !plain(left) || !plain(right) => measured(left) && measured(right),
            // Without a word of order, only groups of its own tell another table from a further column.
            Joint::Sentence | Joint::Comma => {
                let grouped = |form: &QueryForm| !form.measures.is_empty() && !form.dimensions.is_empty();
                plain(left) && plain(right) && grouped(left) && grouped(right) && left.dimensions != right.dimensions
            }
        }
    }

    /// Whether a part speaks of what stands before it, or only goes on with it: "of them", "with orders", "by month".
    fn leans(&self, text: &str) -> bool {
        let named = read::names_in(self.catalogue, text);
        let words = turnwise_core::text::words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let goes_on = |span: &Spotted| {
            let role = span.role().filter(|_| !span.is_name());
            role.is_some_and(|role| {
                matches!(
                    role,
                    Role::Of
                        | Role::In
                        | Role::With
                        | Role::And
                        | Role::Or
                        | Role::Not
                        | Role::Without
                        | Role::Group
                        | Role::Each
                        | Role::Link
                        | Role::Only
                        | Role::Also
                        | Role::Instead
                        | Role::InsteadOf
                        | Role::Remove
                        | Role::Sorted
                        | Role::Descending
                        | Role::Ascending
                )
            })
        };
        let opens = read::spot(self.catalogue, text).spans.first().is_some_and(goes_on);
        opens || lean::speaks_back(&words, &named) || lean::leans(&words, &named)
    }

    /// The form of `text`, where it is a request by itself.
    fn alone(&self, text: &str) -> Option<QueryForm> {
        let text = self.definitions.reword(&files::asked(text).rest);
        let read = match apart(self.catalogue, &text, self.task) {
            Some(settled) => settled.ok()?,
            None => match joined(self.catalogue, &text, self.task) {
                Some(read) => read,
                None => {
                    let mut read = read::question(self.catalogue, &text);
                    draft::check(self.catalogue, &read).ok()?;
                    read::listed_by_flag(self.catalogue, &mut read);
                    read
                }
            },
        };
        let asks = !read.form.measures.is_empty() || read.form.ranking.is_some() || read.form.subject.is_some();
        (asks && has_plan(self.catalogue, &read.form, self.task).is_some()).then_some(read.form)
    }

    /// Whether one plan answers all of it side by side.
    fn is_answered_together(&self, text: &str) -> bool {
        let text = self.definitions.reword(&files::asked(text).rest);
        let settled = apart(self.catalogue, &text, self.task);
        settled.is_some_and(|settled| settled.is_ok()) || joined(self.catalogue, &text, self.task).is_some()
    }

    /// "Revenue by region, then by channel": one table by both, or one by each. The two questions that it may be.
    fn regrouped(&self, parts: &[Part]) -> Option<(String, String)> {
        let [first, second] = parts else { return None };
        let spans = read::spot(self.catalogue, &second.text).spans;
        let groups = spans.first().is_some_and(|span| span.role() == Some(Role::Group));
        let left = self.alone(&first.text)?;
        let plain = left.ranking.is_none() && left.by_name.is_none() && left.then.is_empty();
        if second.joint != Joint::Order || !groups || !plain || left.measures.is_empty() {
            return None;
        }
        // The words of the number stand before the first grouping.
        let grouping = read::spot(self.catalogue, &first.text).spans;
        let by = grouping.iter().find(|span| span.role() == Some(Role::Group))?;
        let at = first.text.find(&format!(" {} ", by.text))?;
        let other = format!("{} {}", &first.text[..at], second.text);
        let right = self.alone(&other)?;
        let differs = right.measures == left.measures && right.dimensions != left.dimensions;
        (differs && !right.dimensions.is_empty() && !left.dimensions.is_empty()).then(|| (first.text.clone(), other))
    }

    /// Whether a text has a word that asks for anything: "please give me:" has none.
    fn says_something(&self, text: &str) -> bool {
        let silent = |span: &Spotted| {
            let role = matches!(span.role(), Some(Role::Ignore | Role::Command | Role::And));
            role && span.values.is_empty() && !span.is_name()
        };
        !read::spot(self.catalogue, text).spans.iter().all(silent) || !files::asked(text).wishes.is_empty()
    }
}

/// The question whether one table is meant, or two.
fn which(first: &str, grouping: &str, second: &str) -> Clarification {
    let choice = |value: &str, label: String| Choice::new(value, label);
    Clarification {
        topic: REQUESTS.to_owned(),
        question: "Is that one result or two?".to_owned(),
        choices: vec![
            choice(ONE, format!("one result: {first} and {grouping}")),
            choice(SEPARATE, format!("two results: {first}; {second}")),
        ],
        assumption: None,
        of: 0,
    }
}
