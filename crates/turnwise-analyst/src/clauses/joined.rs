//! A clause that leans on the one before: "and who sells it", "and when", "what is their total value", "what share of
//! all orders is that". Columns of the rows found are shown in the same answer, numbers of the same rows stand beside
//! each other, and any other question about them is answered in a step of its own. Next: `asked` for what is asked.

use turnwise_core::Task;

use super::super::catalogue::Catalogue;
use super::super::draft;
use super::super::followup::FollowUp;
use super::super::form::{Measure, QueryForm};
use super::super::lexicon::Role;
use super::super::read::{self, Read};
use super::super::refer::{self, About};
use super::super::refine;
use super::super::steps;
use super::asked::Asking;
use super::covered::is_covered;
use super::cut::{Clause, Mark, clauses};
use super::listing::Listing;
use super::merge::merged;
use super::trace::{adds, lost};

/// Words that stand for what was named in an earlier clause.
pub const BACK: [&str; 16] = [
    "it", "they", "them", "their", "theirs", "its", "he", "she", "him", "his", "her", "those", "these", "there",
    "that", "this",
];
/// Clauses that say nothing but how they are joined: what is asked of is in the part before.
const BARE: [&[&str]; 11] = [
    &["when"],
    &["where"],
    &["who"],
    &["how", "many"],
    &["how", "much"],
    &["by", "how", "much"],
    &["by", "how", "many"],
    &["since", "when"],
    &["how", "long"],
    &["what", "for"],
    &["on", "what", "date"],
];

/// Words that open what a question is led in with.
pub const LEADING: [&str; 9] = ["for", "in", "of", "among", "per", "by", "from", "at", "on"];

/// Reads `text`, where a clause of it leans on the one before; none where none does, or where they do not go together.
pub fn joined(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Read> {
    if let Some(read) = bracketed(catalogue, text, task) {
        return Some(read);
    }
    let parts = clauses(text);
    let first =
        (1..parts.len()).find(|at| leans(&parts[*at]) || stands(&parts[*at]) || lists(catalogue, &parts[*at]))?;
    // "For each town, what …" leads in to the question and is none.
    let led = turnwise_core::text::words(parts[0].text).first().is_some_and(|word| LEADING.contains(&word.as_str()));
    if (led && parts[first].before == Mark::Joined) || listed_whole(catalogue, text, &parts, task) {
        return None;
    }
    let mut read = read::question(catalogue, text[..parts[first].from].trim());
    draft::check(catalogue, &read).ok()?;
    read::listed_by_flag(catalogue, &mut read);
    if draft::is_empty(&read.form) || has_plan(catalogue, &read.form, task).is_none() {
        return None;
    }
    let alone = Task { previous: None, facts: Vec::new(), changes: Vec::new(), ..task.clone() };
    for part in &parts[first..] {
        let before = &text[..part.from];
        read.form = with(catalogue, read.form, part, before, &alone)?;
    }
    has_plan(catalogue, &read.form, task)?;
    Some(read)
}

/// "Payments by method (number and amount)": what stands in brackets at the end are the numbers wanted of the groups.
fn bracketed(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Read> {
    let whole = text.trim().trim_end_matches(['.', '?', '!']);
    let (head, list) = whole.strip_suffix(')')?.rsplit_once('(')?;
    let several = list.contains(',') || list.contains(" and ");
    let read = read::question(catalogue, head.trim());
    if !several || list.contains(')') || read.form.dimensions.is_empty() || !read.unknown.is_empty() {
        return None;
    }
    joined(catalogue, &format!("{}: {list}", head.trim()), task)
}

/// "Names of boats and their berths": a list of what to show, which is read as one where nothing of it is lost.
fn listed_whole(catalogue: &Catalogue, text: &str, parts: &[Clause<'_>], task: &Task) -> bool {
    let owned = |part: &Clause<'_>| {
        let words = turnwise_core::text::words(part.text);
        let opens =
            read::spot(catalogue, part.text).spans.first().is_some_and(|span| span.role() == Some(Role::Command));
        opens || words.first().is_some_and(|word| matches!(word.as_str(), "their" | "its" | "his" | "her"))
    };
    let mut leaning = parts.iter().skip(1).filter(|part| leans(part)).peekable();
    if leaning.peek().is_none() || !leaning.all(owned) || parts.iter().any(stands) {
        return false;
    }
    let mut read = read::question(catalogue, text);
    let whole = draft::check(catalogue, &read).is_ok();
    read::listed_by_flag(catalogue, &mut read);
    whole && has_plan(catalogue, &read.form, task).is_some() && lost(catalogue, text, &read.form, task).is_none()
}

pub fn has_plan(catalogue: &Catalogue, form: &QueryForm, task: &Task) -> Option<()> {
    steps::plan(catalogue, form, task, &|_| String::new()).ok().map(|_| ())
}

/// Whether a clause says nothing by itself.
fn leans(clause: &Clause<'_>) -> bool {
    let words = turnwise_core::text::words(clause.text);
    let bare =
        BARE.iter().any(|bare| bare.len() == words.len() && bare.iter().zip(&words).all(|(one, word)| word == one));
    let points = words.iter().any(|word| BACK.contains(&word.as_str()));
    clause.before != Mark::Colon && (bare || points)
}

/// A further question in a sentence of its own.
fn stands(clause: &Clause<'_>) -> bool {
    const OPENING: [&str; 8] = ["who", "whose", "what", "which", "when", "where", "how", "why"];
    let words = turnwise_core::text::words(clause.text);
    clause.before == Mark::Sentence && words.len() > 1 && OPENING.contains(&words[0].as_str())
}

/// A list of what to show, in a sentence of its own or behind a colon.
fn lists(catalogue: &Catalogue, clause: &Clause<'_>) -> bool {
    let apart = matches!(clause.before, Mark::Sentence | Mark::Colon);
    let several = clause.text.contains(',') || clause.text.contains(" and ");
    let opens = read::spot(catalogue, clause.text).spans;
    let orders = opens.first().is_none_or(|span| matches!(span.role(), Some(Role::Command | Role::Wh | Role::Who)));
    apart && several && !orders && !leans(clause) && !stands(clause)
}

/// `form` with what a clause asks.
fn with(catalogue: &Catalogue, form: QueryForm, part: &Clause<'_>, before: &str, task: &Task) -> Option<QueryForm> {
    if lists(catalogue, part) {
        let made = Listing { catalogue, form: &form, task }.of(part.text)?;
        return adds(catalogue, part, &form, &made, task).then_some(made);
    }
    if !leans(part) {
        return alone(catalogue, form, part.text, task);
    }
    if is_covered(catalogue, part.text, before, &form) {
        return Some(form);
    }
    let about = About::of(catalogue, &form)?;
    // "Members without a visit, how many?" is one question, which wants no list.
    if form.measures.is_empty() && counts_only(part.text) {
        return None;
    }
    let asking = Asking { catalogue, form: &form, about: &about, text: part.text };
    if let Some(made) = asking.made() {
        return adds(catalogue, part, &form, &made, task).then_some(made);
    }
    let other = match refer::referred(catalogue, &form, part.text, task).ok()?? {
        FollowUp::Form(other) => *other,
        FollowUp::Rest(form, rest) => refine::change(catalogue, &form, &rest).ok()?,
    };
    has_plan(catalogue, &other, task)?;
    let made = merged(form.clone(), QueryForm { beside: Vec::new(), ..other })?;
    adds(catalogue, part, &form, &made, task).then_some(made)
}

/// "How many", "how many are there in total".
fn counts_only(text: &str) -> bool {
    const AROUND: [&str; 14] =
        ["are", "is", "were", "was", "there", "they", "that", "those", "these", "of", "them", "in", "total", "all"];
    let words = turnwise_core::text::words(text);
    let asks = matches!(words.as_slice(), [how, many, ..] if how == "how" && matches!(many.as_str(), "many" | "much"));
    asks && words.iter().skip(2).all(|word| AROUND.contains(&word.as_str()))
}

/// "…, the name and how many washes" behind "how many washes has each client had?": no number of its own.
pub fn repeats(form: &QueryForm, other: &QueryForm) -> bool {
    let plain = other.dimensions.is_empty()
        && other.filters.is_empty()
        && other.periods.is_empty()
        && other.conditions.is_empty()
        && other.ranking.is_none();
    let known = |measure: &Measure| {
        let same = |own: &Measure| own.aggregate == measure.aggregate && own.of.candidates == measure.of.candidates;
        form.measures.iter().any(same)
    };
    plain && !form.dimensions.is_empty() && !other.measures.is_empty() && other.measures.iter().all(known)
}

/// A question that leans on nothing, beside the others.
fn alone(catalogue: &Catalogue, form: QueryForm, text: &str, task: &Task) -> Option<QueryForm> {
    let mut read = read::question(catalogue, text);
    draft::check(catalogue, &read).ok()?;
    read::listed_by_flag(catalogue, &mut read);
    has_plan(catalogue, &read.form, task)?;
    if repeats(&form, &read.form) {
        return Some(form);
    }
    if draft::is_empty(&read.form) { None } else { merged(form, read.form) }
}
