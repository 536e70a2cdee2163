//! Edits in words: “change the title to …”, “add a criterion: …”, “drop criterion 2”, and the same for one item of
//! several by its number. What is no edit is told with what is. Next: `talk::plan`.

use std::collections::BTreeSet;

use turnwise_core::text;

use super::extract::{field_named, kind_of, names_kind, other_field};
use super::{Draft, Field, TicketKind, story};
use crate::words::words;

/// Words that are no edit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChange {
    /// Nothing that is known.
    #[error(
        "“{0}” is no change that I know. Possible are: “title: …”, “problem: …”, “add criterion: …”, “drop criterion \
         2”, “priority: high”, and for one of several items “item 2 title: …”, “drop item 2”, “add story …”."
    )]
    Unknown(String),
    /// A text that is none of a ticket.
    #[error(
        "“{0}” is not how a ticket is written. It begins with its kind and title (“Story: Log in”), and every field \
         with its name (“Problem: …”)."
    )]
    Unreadable(String),
    /// There is no such item.
    #[error("There is no item {0}; the preview has {1}.")]
    NoItem(usize, usize),
    /// There is no such entry.
    #[error("{1} has no entry {0}.")]
    NoEntry(usize, &'static str),
    /// A word that is no kind of ticket.
    #[error("“{0}” is no kind of ticket. It can be an epic, a story, a bug or a task.")]
    NoKind(String),
    /// An epic and what belongs to it.
    #[error("An epic and its stories stay what they are while they are made together.")]
    Together,
    /// Nothing would be left.
    #[error("That is the only item. “no” drops the whole preview.")]
    Last,
}

/// Changes `items`, the epic first where there is one, as `said` says; `fields` are those besides the ones of every
/// ticket.
///
/// # Errors
/// When it says no change that is known, or one of something that is not there.
pub fn change(items: &mut Vec<Draft>, said: &str, fields: &BTreeSet<String>) -> Result<(), NoChange> {
    let count = items.len();
    let unknown = || NoChange::Unknown(text::clip(said, QUOTED));
    let has_epic = count > 1 && items.first().is_some_and(|first| first.kind == TicketKind::Epic);
    let parts =
        |one: TicketKind, other: TicketKind| has_epic && (one == TicketKind::Epic) != (other == TicketKind::Epic);
    if let Some((number, shown)) = whole(said) {
        // The first step of a plan checks all of them.
        let item = number.checked_sub(2).and_then(|at| items.get_mut(at));
        let item = item.ok_or(NoChange::NoItem(number.saturating_sub(1), count))?;
        let read = Draft::of_shown(shown).ok_or_else(|| NoChange::Unreadable(text::clip(shown, QUOTED)))?;
        if parts(item.kind, read.kind) {
            return Err(NoChange::Together);
        }
        *item = read;
        return Ok(());
    }
    let said = said.trim();
    let added = ["add a story ", "add story ", "add a story: ", "add story: "];
    if let Some(name) = after(said, &said.to_lowercase(), &added) {
        let epic = items.first().map(|first| first.title.clone()).unwrap_or_default();
        items.push(story(name, &epic));
        return Ok(());
    }
    let others: Vec<String> = items.iter().flat_map(|item| item.more.keys()).chain(fields).cloned().collect();
    let order = Order::read(said, Counted { count, has_epic }, &others)?;
    if order.drops_item() {
        if items.len() == 1 {
            return Err(NoChange::Last);
        }
        items.remove(order.at.unwrap_or_default());
        return Ok(());
    }
    let draft = items.get_mut(order.at.unwrap_or(0)).ok_or_else(unknown)?;
    if let Some(kind) = kind_ordered(&order, &others) {
        let kind = kind?;
        if parts(draft.kind, kind) {
            return Err(NoChange::Together);
        }
        draft.kind = kind;
        return Ok(());
    }
    // “story 2: priority: high” orders something for that item, “story 2: Register” names it anew.
    let is_done = match order.behind_item(&others) {
        Some(inner) => field(draft, &inner, &others)?,
        None => false,
    };
    (is_done || field(draft, &order, &others)?).then_some(()).ok_or_else(unknown)
}

/// Changes one field of `draft`; false where the words name none. `others` are what the tracker calls its own.
fn field(draft: &mut Draft, order: &Order, others: &[String]) -> Result<bool, NoChange> {
    let (rest, lower) = (order.words.as_str(), order.words.to_lowercase());
    if let Some((number, field)) = dropped(&lower).filter(|_| order.value.is_none()) {
        return drop_entry(draft, field, number).map(|()| true);
    }
    if let Some(label) = after(rest, &lower, &ADDS) {
        let added = order.value.map_or_else(|| named(label), |value| Some((field_named(label)?, value)));
        let Some((field, said)) = added else { return Ok(add_to_other(draft, label, order.value, others)) };
        draft.add(field, said);
        return Ok(true);
    }
    let (title, is_named) = match order.value {
        Some(value) => {
            let is_whole = lower.is_empty() && order.at.is_some();
            let names = ["rename", "rename it", "call it"].contains(&lower.as_str());
            (Some(value), is_whole || names || (lower == "call" && order.at.is_some()))
        }
        None if order.at.is_some() => (after(rest, &lower, &["rename ", "call "]), true),
        None => (after(rest, &lower, &["rename "]), true),
    };
    if let Some(title) = title.filter(|title| is_named && !title.is_empty()) {
        draft.add(Field::Title, title);
        return Ok(true);
    }
    let Some(value) = order.value else { return Ok(false) };
    let label = after(rest, &lower, &CHANGES).unwrap_or(rest);
    let label = if order.at.is_some() { label.trim_start_matches("the ") } else { label };
    if let Some(field) = field_named(label) {
        draft.clear(field);
        draft.add(field, value);
        return Ok(true);
    }
    let Some(name) = other_field(label, others).filter(|_| !value.is_empty()) else { return Ok(false) };
    draft.more.insert(name, value.to_owned());
    Ok(true)
}

/// “add label frontend”, “add component: checkout”: one more beside what the field of the tracker holds; false where it
/// names none.
fn add_to_other(draft: &mut Draft, label: &str, value: Option<&str>, others: &[String]) -> bool {
    let named = |(name, value): (&str, &str)| Some((other_field(name, others)?, value.trim().to_owned()));
    let spaces = label.match_indices(' ').map(|(at, _)| label.split_at(at));
    let added = match value {
        Some(value) => named((label, value)),
        None => spaces.rev().find_map(named),
    };
    let Some((name, value)) = added.filter(|(_, value)| !value.is_empty() && !says_joint(value)) else { return false };
    match draft.more.get_mut(&name) {
        Some(known) if !known.split(", ").any(|one| one == value) => known.push_str(&format!(", {value}")),
        Some(_) => {}
        None => drop(draft.more.insert(name, value)),
    }
    true
}

/// The kind that is ordered: “type: story”, “change the type to bug”, “make it a bug”, “make item 2 a bug”.
fn kind_ordered(order: &Order, others: &[String]) -> Option<Result<TicketKind, NoChange>> {
    let lower = order.words.to_lowercase();
    let label = after(&lower, &lower, &CHANGES).unwrap_or(&lower).trim_start_matches("the ");
    let named = |said: &str| text::words(said).last().and_then(|word| kind_of(word));
    if let Some(value) = order.value.filter(|_| names_kind(label) && other_field(label, others).is_none()) {
        return Some(named(value).ok_or_else(|| NoChange::NoKind(text::clip(value, QUOTED))));
    }
    let said = text::words(&format!("{lower} {}", order.value.unwrap_or_default()));
    let (verb, rest) = said.split_first()?;
    let (last, between) = rest.split_last()?;
    let is_pointer = |word: &String| ["it", "this", "that"].contains(&word.as_str());
    let is_of_it = |word: &String| is_pointer(word) || ["a", "an", "into", "to"].contains(&word.as_str());
    let names_one = order.at.is_some() || between.first().is_some_and(is_pointer);
    let is_order = names_one && ["make", "change"].contains(&verb.as_str()) && between.iter().all(is_of_it);
    kind_of(last).filter(|_| is_order && !between.is_empty()).map(Ok)
}

/// “step 3 text: …”: the step, and the whole text that its ticket is to have, as it was shown.
fn whole(said: &str) -> Option<(usize, &str)> {
    let (head, shown) = said.split_once(':')?;
    let words = text::words(head);
    let [step, number, what] = words.as_slice() else { return None };
    (step == "step" && what == "text").then(|| Some((number.parse().ok()?, shown.trim())))?
}

/// Whether `said` is a change of some preview, as far as its words tell; `fields` are what the tracker wants besides.
#[must_use]
pub fn is_change(said: &str, fields: &BTreeSet<String>) -> bool {
    let mut tried = vec![Draft::default(); ITEMS_TRIED];
    !matches!(change(&mut tried, said, fields), Err(NoChange::Unknown(_)))
}

/// An edit taken apart. What stands behind its colon, or behind the “to” of “change … to …”, is taken as it was
/// written: nothing in it is an address.
struct Order<'a> {
    /// The item that is spoken of, from 0.
    at: Option<usize>,
    /// The words before the value, without the item.
    words: String,
    value: Option<&'a str>,
}

/// What items are counted among.
#[derive(Clone, Copy, Debug)]
struct Counted {
    count: usize,
    /// Whether the first of them is the epic of the others.
    has_epic: bool,
}

impl<'a> Order<'a> {
    fn read(said: &'a str, counted: Counted, others: &[String]) -> Result<Self, NoChange> {
        if let Some((token, rest)) = leading(said) {
            let (head, value) = parted(rest, others);
            let at = index(token, counted)?;
            return Ok(Self { at: Some(at), words: head.trim().to_owned(), value });
        }
        let (head, value) = parted(said, others);
        let tokens: Vec<&str> = head.split_whitespace().collect();
        let Some(place) = (0..tokens.len().saturating_sub(1)).find(|at| is_address(&tokens, *at, value.is_some()))
        else {
            return Ok(Self { at: None, words: head.trim().to_owned(), value });
        };
        let at = index((tokens[place], tokens[place + 1]), counted)?;
        let is_joint = |token: &&str| JOINTS.contains(&bare(token).as_str());
        let before = &tokens[..place];
        let before = before.split_last().filter(|(last, _)| is_joint(last)).map_or(before, |(_, rest)| rest);
        let behind = &tokens[place + 2..];
        let behind = behind.split_first().filter(|(first, _)| is_joint(first)).map_or(behind, |(_, rest)| rest);
        let words = [before, behind].concat().join(" ");
        Ok(Self { at: Some(at), words: words.trim_end_matches(',').to_owned(), value })
    }

    /// What is ordered behind the colon of “story 2: …”, as far as it can be an order; a name alone is none.
    fn behind_item(&self, others: &[String]) -> Option<Order<'a>> {
        let said = self.value.filter(|_| self.at.is_some() && self.words.is_empty())?;
        let (head, value) = parted(said, others);
        let inner = Order { at: self.at, words: head.trim().to_owned(), value };
        let lower = inner.words.to_lowercase();
        let is_joint = |label: &str| named(label).is_some_and(|(_, said)| says_joint(said));
        let added = after(&inner.words, &lower, &ADDS);
        // “Rename files in bulk”, “Call the customer back” and “Add a link to the footer” name stories.
        let is_name = value.is_none()
            && (after(&inner.words, &lower, &["rename ", "call "]).is_some() || added.is_some_and(is_joint));
        (!is_name).then_some(inner)
    }

    /// “drop story 2”, “story 2: drop it”.
    fn drops_item(&self) -> bool {
        let words = self.words.to_lowercase();
        let order = match self.value {
            None => words.trim_end_matches(" the").to_owned(),
            Some(value) if words.is_empty() => text::words(value).join(" ").trim_end_matches(" it").to_owned(),
            Some(_) => return false,
        };
        self.at.is_some() && DROPS.contains(&order.as_str())
    }
}

/// Where an item stands, by the word for it and its number.
fn index((item, number): (&str, &str), counted: Counted) -> Result<usize, NoChange> {
    let number = number_in(number).unwrap_or_default();
    let at = match bare(item).as_str() {
        // Parts are counted behind their epic.
        part if counted.has_epic && PARTS.contains(&part) => number,
        // The first step of a plan checks all of them.
        "step" => number.wrapping_sub(2),
        _ => number.wrapping_sub(1),
    };
    if at >= counted.count || number == 0 {
        return Err(NoChange::NoItem(number, counted.count));
    }
    Ok(at)
}

/// “in story 2, change …”: the item, and what is said of it. A colon behind the number names no order of its own.
fn leading(said: &str) -> Option<((&str, &str), &str)> {
    let (joint, rest) = first_word(said)?;
    let (item, rest) = first_word(rest)?;
    let (number, rest) = first_word(rest)?;
    let names_one = ITEMS.contains(&bare(item).as_str()) && number_in(number).is_some() && !number.ends_with(':');
    (LEADS.contains(&bare(joint).as_str()) && names_one).then_some(((item, number), rest))
}

/// What names the field, and its value where one is told.
fn parted<'a>(said: &'a str, others: &[String]) -> (&'a str, Option<&'a str>) {
    if let Some(name) = called(said) {
        return (said[..said.len() - name.len()].trim_end(), Some(name.trim_end()));
    }
    let colon = said.match_indices(':').map(|(at, _)| at).find(|at| !said[at + 1..].starts_with("//"));
    let first = said.split_whitespace().next().unwrap_or_default().to_lowercase();
    let to = said.find(TO_APART).filter(|to| colon.is_none_or(|colon| *to < colon));
    // Only a verb, or the field of an item at the front, makes a value of what stands behind “to”.
    let names_field = |to: usize| {
        let label = said[..to].split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
        let label = label.trim_start_matches("the ");
        field_named(label).is_some() || other_field(label, others).is_some()
    };
    let tells_to = SETS.contains(&first.as_str())
        || (colon.is_none() && ITEMS.contains(&first.as_str()) && to.is_some_and(names_field));
    match (to.filter(|_| tells_to), colon) {
        (Some(to), _) => (&said[..to], Some(said[to + TO_APART.len()..].trim())),
        (None, Some(colon)) => (&said[..colon], Some(said[colon + 1..].trim())),
        (None, None) => (said, None),
    }
}

/// The name behind “call it …” and “call story 2 …”, whatever stands in it.
fn called(said: &str) -> Option<&str> {
    let (verb, rest) = first_word(said)?;
    let (what, rest) = first_word(rest)?;
    let name = match bare(what).as_str() {
        "it" if what.len() == "it".len() => rest,
        item if ITEMS.contains(&item) => first_word(rest).filter(|(number, _)| number_in(number).is_some())?.1,
        _ => return None,
    };
    (verb.eq_ignore_ascii_case("call") && !name.is_empty()).then_some(name)
}

/// The first word, and what stands behind it.
fn first_word(said: &str) -> Option<(&str, &str)> {
    let (word, rest) = said.trim_start().split_once(char::is_whitespace)?;
    Some((word, rest.trim_start()))
}

/// Whether words go on with one that joins them to something: “to the footer”.
fn says_joint(said: &str) -> bool {
    said.split_whitespace().next().is_some_and(|first| JOINTS.contains(&bare(first).as_str()))
}

/// Whether an item is spoken of at `at`. Before a value it is, near the front; else it has to stand at the front, or
/// directly behind a verb, or behind a word that joins it to the name of a field.
fn is_address(tokens: &[&str], at: usize, has_value: bool) -> bool {
    let names_one = ITEMS.contains(&bare(tokens[at]).as_str()) && number_in(tokens[at + 1]).is_some();
    if !names_one || at > WORDS_BEFORE_ITEM {
        return false;
    }
    let before: Vec<String> = tokens[..at].iter().map(|token| bare(token)).filter(|word| word != "the").collect();
    let Some((last, others)) = before.split_last() else { return true };
    let is_verb =
        |word: &str| SETS.contains(&word) || ["call", "leave", "out"].contains(&word) || DROPS.contains(&word);
    let is_field = |word: &String| {
        let parts = words().labels.iter().flat_map(|known| &known.names).flat_map(|name| name.split(' '));
        let is_other = ["add", "a", "an", "another"].contains(&word.as_str()) || word.parse::<usize>().is_ok();
        is_other || parts.into_iter().any(|part| part == word)
    };
    let joins = JOINTS.contains(&last.as_str()) && (last != TO || others.first().is_some_and(|word| word == "add"));
    has_value || is_verb(last) || (joins && others.iter().all(|word| is_verb(word) || is_field(word)))
}

fn bare(token: &str) -> String {
    token.trim_matches([':', ',', '.', '#']).to_lowercase()
}

/// “2”, “#2”, “2's”.
fn number_in(token: &str) -> Option<usize> {
    let bare = bare(token);
    bare.trim_end_matches("'s").trim_end_matches("’s").parse().ok()
}

/// What stands behind the first of `starts` that `said` begins with.
fn after<'a>(said: &'a str, lower: &str, starts: &[&str]) -> Option<&'a str> {
    let start = starts.iter().find(|start| lower.starts_with(*start))?;
    said.get(start.len()..).map(str::trim)
}

/// “acceptance criterion …”: the field and the entry.
fn named(added: &str) -> Option<(Field, &str)> {
    let words: Vec<&str> = added.split_whitespace().collect();
    (1..=2.min(words.len())).rev().find_map(|count| {
        let field = field_named(&words[..count].join(" "))?;
        let from = added.match_indices(words.get(count)?).map(|(at, _)| at).next()?;
        Some((field, added[from..].trim()))
    })
}

/// “drop criterion 2”.
fn dropped(lower: &str) -> Option<(usize, Field)> {
    let rest = DROPS.iter().find_map(|verb| lower.strip_prefix(verb))?.trim();
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let (label, number) = rest.rsplit_once(' ')?;
    Some((number.trim_end_matches('.').parse().ok()?, field_named(label)?))
}

fn drop_entry(draft: &mut Draft, field: Field, number: usize) -> Result<(), NoChange> {
    let list = draft.lists.get_mut(&field);
    let at = number.checked_sub(1);
    match (list, at) {
        (Some(list), Some(at)) if at < list.len() => {
            list.remove(at);
            if list.is_empty() {
                draft.lists.remove(&field);
            }
            Ok(())
        }
        _ => Err(NoChange::NoEntry(number, field.label())),
    }
}

/// Items that an edit may speak of where nobody knows how many there are.
const ITEMS_TRIED: usize = 201;
/// Words for one of several.
const ITEMS: [&str; 9] = ["item", "story", "ticket", "number", "step", "task", "bug", "issue", "epic"];
/// Those of them that an epic has below it.
const PARTS: [&str; 3] = ["story", "task", "bug"];
/// Words that join an item to what is said of it.
const JOINTS: [&str; 6] = ["of", "in", "to", "for", "on", "from"];
/// Those that an order may begin with.
const LEADS: [&str; 4] = ["in", "for", "on", "of"];
/// The one that stands before a value, too.
const TO: &str = "to";
/// The same between other words.
const TO_APART: &str = " to ";
/// How a field is spoken of that gets another value.
const CHANGES: [&str; 6] = ["change the ", "change ", "set the ", "set ", "make the ", "rename the "];
/// How a field is spoken of that gets one more.
const ADDS: [&str; 4] = ["add an ", "add a ", "add another ", "add "];
/// Verbs before what they change.
const SETS: [&str; 4] = ["change", "set", "make", "rename"];
/// Words that drop something.
const DROPS: [&str; 4] = ["drop", "remove", "delete", "leave out"];
/// Words that may stand before “item 2”; further behind it is part of what is said.
const WORDS_BEFORE_ITEM: usize = 5;
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 80;

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn items() -> Vec<Draft> {
        let mut epic = Draft { kind: TicketKind::Epic, title: "Auth".to_owned(), ..Draft::default() };
        epic.add(Field::AcceptanceCriteria, "People log in");
        vec![epic, story("Sign up", "Auth"), story("Log in", "Auth")]
    }

    #[track_caller]
    fn changed(said: &str) -> Vec<Draft> {
        let mut items = items();
        change(&mut items, said, &BTreeSet::new()).unwrap_or_else(|error| panic!("{said}: {error}"));
        items
    }

    #[test]
    fn fields_are_set_added_to_and_emptied_by_their_names() {
        for said in [
            "title: Login",
            "change the title to Login",
            "rename it to Login",
            "rename the title to Login",
            "call it Login",
        ] {
            assert_eq!(changed(said)[0].title, "Login", "{said}");
        }
        assert_eq!(changed("call it Login: SSO fails")[0].title, "Login: SSO fails");
        for said in ["add criterion: SSO works", "add an acceptance criterion SSO works"] {
            assert_eq!(changed(said)[0].list(Field::AcceptanceCriteria), ["People log in", "SSO works"], "{said}");
        }
        assert!(changed("drop criterion 1")[0].list(Field::AcceptanceCriteria).is_empty());
        assert_eq!(changed("priority: high")[0].more["priority"], "high");
        assert_eq!(changed("set the priority to high")[0].more["priority"], "high");
        for said in ["type: bug", "change the type to bug", "issue type: a bug", "make it a bug", "change it to a bug"]
        {
            let mut one = vec![Draft::default()];
            assert_eq!(change(&mut one, said, &BTreeSet::new()), Ok(()), "{said}");
            assert_eq!(one[0].kind, TicketKind::Bug, "{said}");
        }
        assert_eq!(changed("make item 2 a bug")[1].kind, TicketKind::Bug);
        let refused = |said: &str, kind: TicketKind| {
            let mut items = items();
            items[0].kind = kind;
            change(&mut items, said, &BTreeSet::new())
        };
        let no_kind = NoChange::NoKind("wish".to_owned());
        assert_eq!(refused("type: wish", TicketKind::Task), Err(no_kind));
        assert_eq!(refused("make it a bug", TicketKind::Epic), Err(NoChange::Together));
        assert_eq!(refused("story 1 type: epic", TicketKind::Epic), Err(NoChange::Together));
        assert_eq!(refused("step 2 text: Task: Auth", TicketKind::Epic), Err(NoChange::Together));
        assert!(!is_change("make a bug for the login", &BTreeSet::new()));
        assert!(!is_change("turn this into a bug", &BTreeSet::new()));
    }

    #[test]
    fn the_whole_text_of_a_ticket_can_be_written_anew() {
        let shown = items()[2].shown().replace("Log in", "Log in with SSO")
            + "\nAcceptance criteria:\n  1. One click\npriority: high";
        let changed = changed(&format!("step 4 text: {shown}"));
        assert_eq!(changed[2].title, "Log in with SSO");
        assert_eq!(changed[2].list(Field::AcceptanceCriteria), ["One click"]);
        assert_eq!(changed[2].more["priority"], "high");
        let mut items = items();
        assert!(matches!(
            change(&mut items, "step 4 text: nothing of a ticket", &BTreeSet::new()),
            Err(NoChange::Unreadable(_))
        ));
        assert_eq!(change(&mut items, "step 9 text: Story: x", &BTreeSet::new()), Err(NoChange::NoItem(8, 3)));
    }

    #[test]
    fn one_item_of_several_is_meant_by_its_number() {
        for said in [
            "story 1 title: Register",
            "item 2: Register",
            "rename story 1 to Register",
            "change the title of story 1 to Register",
            "rename the title of story 1 to Register",
            "call story 1 Register",
            "story 1 title to Register",
            "story 1: title: Register",
            "story 1: change the title to Register",
            "story 1: call it Register",
            "in story 1, change the title to Register",
            "for item 2: Register",
        ] {
            let items = changed(said);
            assert_eq!((items[0].title.as_str(), items[1].title.as_str()), ("Auth", "Register"), "{said}");
        }
        for said in ["story 2: priority: high", "for story 2 set priority to high", "story 2 priority to high"] {
            let items = changed(said);
            assert_eq!((items[2].title.as_str(), items[2].more["priority"].as_str()), ("Log in", "high"), "{said}");
        }
        assert!(changed("item 1: drop criterion 1")[0].list(Field::AcceptanceCriteria).is_empty());
        for title in ["Call the customer back", "Add a link to the footer", "Rename files in bulk", "Login: SSO fails"]
        {
            assert_eq!(changed(&format!("story 2: {title}"))[2].title, title);
        }
        assert_eq!(changed("call story 2 Login: SSO fails")[2].title, "Login: SSO fails");
        assert_eq!(changed("drop story 2").len(), 2);
        assert_eq!(
            changed("drop step 3").iter().map(|item| item.title.as_str()).collect::<Vec<_>>(),
            ["Auth", "Log in"]
        );
        assert_eq!(change(&mut items(), "drop step 1", &BTreeSet::new()), Err(NoChange::NoItem(1, 3)));
        assert_eq!(changed("add story Log out")[3].title, "Log out");
        assert_eq!(change(&mut items(), "drop story 7", &BTreeSet::new()), Err(NoChange::NoItem(7, 3)));
    }

    #[test]
    fn where_there_is_no_epic_the_first_is_number_one_whatever_it_is_called() {
        let three = || vec![story("A", ""), story("B", ""), story("C", "")];
        let titles = |said: &str| {
            let mut items = three();
            change(&mut items, said, &BTreeSet::new()).unwrap_or_else(|error| panic!("{said}: {error}"));
            items.into_iter().map(|item| item.title).collect::<Vec<_>>()
        };
        for said in ["story 1 title: AA", "task 1 title: AA", "ticket 1: AA", "call bug 1 AA", "issue 1 title to AA"] {
            assert_eq!(titles(said), ["AA", "B", "C"], "{said}");
        }
        assert_eq!(titles("story 3: CC"), ["A", "B", "CC"]);
        for said in ["drop story 1", "story 1: drop", "item 1: drop it."] {
            assert_eq!(titles(said), ["B", "C"], "{said}");
        }
        assert_eq!(change(&mut three(), "story 4: DD", &BTreeSet::new()), Err(NoChange::NoItem(4, 3)));
        assert_eq!(changed("epic 1 title: Access")[0].title, "Access");
        assert_eq!(changed("task 1 title: Register")[1].title, "Register");
    }

    #[test]
    fn one_more_is_added_to_a_field_of_the_tracker() {
        assert_eq!(changed("add label frontend")[0].more["label"], "frontend");
        let mut items = items();
        for said in ["labels: api", "add labels: mobile", "add labels mobile"] {
            assert_eq!(change(&mut items, said, &BTreeSet::new()), Ok(()), "{said}");
        }
        assert_eq!(items[0].more["labels"], "api, mobile");
        assert!(!is_change("add labels to it", &BTreeSet::new()));
    }

    #[test]
    fn what_stands_behind_the_colon_is_taken_as_it_is_written() {
        assert_eq!(changed("title: Step 2 of the wizard crashes")[0].title, "Step 2 of the wizard crashes");
        assert_eq!(changed("change the title to Step 2 of the wizard: crash")[0].title, "Step 2 of the wizard: crash");
        let items = changed("add criterion: item 2 in the list is greyed out");
        assert_eq!(items[0].list(Field::AcceptanceCriteria)[1], "Item 2 in the list is greyed out");
        let items = changed("add criterion item 2 in the list is greyed out");
        assert_eq!(items[0].list(Field::AcceptanceCriteria)[1], "Item 2 in the list is greyed out");
        assert_eq!(changed("problem of story 2: people forget passwords")[2].problem, "People forget passwords.");
        for said in ["criterion of story 1: holds 100 items", "add criterion to story 1: holds 100 items"] {
            assert_eq!(changed(said)[1].list(Field::AcceptanceCriteria), ["Holds 100 items"], "{said}");
        }
        assert_eq!(changed("story 2's title: Step 3")[2].title, "Step 3");
        assert_eq!(changed("add story 404 page")[3].title, "404 page");
    }

    #[test]
    fn only_fields_that_somebody_knows_are_set_by_their_names() {
        for said in [
            "Bob: looks fine to me",
            "yes to what Ann said",
            "set it to high",
            "Ann: what do you think?",
            "the risk to us is small",
            "Story 2 looks good to me",
            "item 1 to be discussed tomorrow",
            "in story 2 the button is broken",
        ] {
            let mut now = items();
            assert!(matches!(change(&mut now, said, &BTreeSet::new()), Err(NoChange::Unknown(_))), "{said}");
            assert_eq!(now, items(), "{said}");
        }
        let mut wanted = items();
        wanted[0].more.insert("Squad".to_owned(), "Blue".to_owned());
        assert_eq!(change(&mut wanted, "squad: Red", &BTreeSet::new()), Ok(()));
        assert_eq!(wanted[0].more["Squad"], "Red");
        assert!(is_change("squad: Red", &BTreeSet::from(["Squad".to_owned()])));
        assert!(!is_change("squad: Red", &BTreeSet::new()));
    }

    #[test]
    fn what_is_no_change_changes_nothing_and_says_what_would() {
        let mut now = items();
        let told = change(&mut now, "make it pop", &BTreeSet::new()).unwrap_err().to_string();
        assert!(told.contains("add criterion"), "{told}");
        assert_eq!(now, items());
    }
}
