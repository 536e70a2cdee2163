//! Edits in words: “change the title to …”, “add a criterion: …”, “drop criterion 2”, and the same for one item of
//! several by its number. What is no edit is told with what is. Next: `talk::plan`.

use turnwise_core::text;

use super::extract::{self, field_named};
use super::{Draft, Field, story};

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
    /// Nothing would be left.
    #[error("That is the only item. “no” drops the whole preview.")]
    Last,
}

/// Changes `items`, the epic first where there is one, as `said` says.
///
/// # Errors
/// When it says no change that is known, or one of something that is not there.
pub fn change(items: &mut Vec<Draft>, said: &str) -> Result<(), NoChange> {
    let count = items.len();
    let unknown = || NoChange::Unknown(text::clip(said, QUOTED));
    if let Some((number, shown)) = whole(said) {
        // The first step of a plan checks all of them.
        let item = number.checked_sub(2).and_then(|at| items.get_mut(at));
        let item = item.ok_or(NoChange::NoItem(number.saturating_sub(1), count))?;
        *item = Draft::of_shown(shown).ok_or_else(|| NoChange::Unreadable(text::clip(shown, QUOTED)))?;
        return Ok(());
    }
    let (at, rest) = addressed(said, count)?;
    let rest = rest.trim();
    let lower = rest.to_lowercase();
    if let Some(name) = after(rest, &lower, &["add a story ", "add story ", "add a story: ", "add story: "]) {
        let epic = items.first().map(|first| first.title.clone()).unwrap_or_default();
        items.push(story(name, &epic));
        return Ok(());
    }
    if at.is_some_and(|_| DROPS.contains(&lower.as_str())) {
        let at = at.unwrap_or_default();
        if items.len() == 1 {
            return Err(NoChange::Last);
        }
        items.remove(at);
        return Ok(());
    }
    let draft = items.get_mut(at.unwrap_or(0)).ok_or_else(unknown)?;
    if let Some((number, field)) = dropped(&lower) {
        return drop_entry(draft, field, number);
    }
    if let Some(added) = after(rest, &lower, &["add an ", "add a ", "add another ", "add "]) {
        let (field, said) = named(added).ok_or_else(unknown)?;
        draft.add(field, said);
        return Ok(());
    }
    let rest = after(rest, &lower, &["change the ", "change ", "set the ", "set ", "make the "]).unwrap_or(rest);
    let lower = rest.to_lowercase();
    if let Some(title) = after(rest, &lower, &["rename it to ", "rename to ", "call it ", "rename "]) {
        draft.add(Field::Title, title.strip_prefix("to ").unwrap_or(title));
        return Ok(());
    }
    let (label, value) = rest.split_once(':').or_else(|| rest.split_once(" to ")).ok_or_else(unknown)?;
    let value = value.trim();
    match field_named(label) {
        Some(field) => {
            draft.clear(field);
            draft.add(field, value);
        }
        None if is_other_field(label, value) => {
            draft.more.insert(text::words(label).join(" "), value.to_owned());
        }
        // “item 2: Sign up” names the item anew.
        None => return Err(unknown()),
    }
    Ok(())
}

/// “step 3 text: …”: the step, and the whole text that its ticket is to have, as it was shown.
fn whole(said: &str) -> Option<(usize, &str)> {
    let (head, shown) = said.split_once(':')?;
    let words = text::words(head);
    let [step, number, what] = words.as_slice() else { return None };
    (step == "step" && what == "text").then(|| Some((number.parse().ok()?, shown.trim())))?
}

/// Whether `said` is a change of some preview, as far as its words tell.
#[must_use]
pub fn is_change(said: &str) -> bool {
    let mut tried = vec![Draft::default(); ITEMS_TRIED];
    !matches!(change(&mut tried, said), Err(NoChange::Unknown(_)))
}

/// Whether it names a field of the tracker's own: one word that is no kind of ticket, and no address.
fn is_other_field(label: &str, value: &str) -> bool {
    let words = text::words(label);
    let is_kind = words.iter().any(|word| extract::kind_of(word).is_some());
    let is_aside = words.iter().any(|word| crate::words::words().asides.contains(word));
    words.len() == 1 && !is_kind && !is_aside && !value.is_empty() && !value.starts_with("//")
}

/// The item that is spoken of, from 0, and what is said of it.
fn addressed(said: &str, count: usize) -> Result<(Option<usize>, String), NoChange> {
    let mut tokens: Vec<&str> = said.split_whitespace().collect();
    let bare = |token: &str| token.trim_matches([':', ',', '.', '#']).to_lowercase();
    let place = (0..tokens.len().saturating_sub(1))
        .find(|at| ITEMS.contains(&bare(tokens[*at]).as_str()) && bare(tokens[*at + 1]).parse::<usize>().is_ok());
    let Some(place) = place.filter(|place| *place <= WORDS_BEFORE_ITEM) else { return Ok((None, said.to_owned())) };
    let number: usize = bare(tokens[place + 1]).parse().unwrap_or_default();
    let at = match bare(tokens[place]).as_str() {
        // Stories are counted behind their epic.
        "story" => number,
        // The first step of a plan checks all of them.
        "step" => number.wrapping_sub(2),
        _ => number.wrapping_sub(1),
    };
    if at >= count || number == 0 {
        return Err(NoChange::NoItem(number, count));
    }
    let names_anew = tokens[place + 1].ends_with(':');
    tokens.drain(place..place + 2);
    let mut rest = tokens.join(" ").replace(" of to ", " to ").replace(" in to ", " to ");
    for joint in ["of ", "in ", "'s "] {
        rest = rest.strip_prefix(joint).map(str::to_owned).unwrap_or(rest);
    }
    let rest = rest.trim_end_matches(" of").trim_end_matches(" in").to_owned();
    let is_plain = names_anew && !rest.contains(':');
    Ok((Some(at), if is_plain { format!("title: {rest}") } else { rest }))
}

/// What stands behind the first of `starts` that `said` begins with.
fn after<'a>(said: &'a str, lower: &str, starts: &[&str]) -> Option<&'a str> {
    let start = starts.iter().find(|start| lower.starts_with(*start))?;
    said.get(start.len()..).map(str::trim)
}

/// “criterion: …”, “acceptance criterion …”: the field and the entry.
fn named(added: &str) -> Option<(Field, &str)> {
    if let Some((label, said)) = added.split_once(':') {
        return Some((field_named(label)?, said.trim()));
    }
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
const ITEMS: [&str; 5] = ["item", "story", "ticket", "number", "step"];
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
        let mut epic = Draft { title: "Auth".to_owned(), ..Draft::default() };
        epic.add(Field::AcceptanceCriteria, "People log in");
        vec![epic, story("Sign up", "Auth"), story("Log in", "Auth")]
    }

    #[track_caller]
    fn changed(said: &str) -> Vec<Draft> {
        let mut items = items();
        change(&mut items, said).unwrap_or_else(|error| panic!("{said}: {error}"));
        items
    }

    #[test]
    fn fields_are_set_added_to_and_emptied_by_their_names() {
        for said in ["title: Login", "change the title to Login", "rename it to Login", "call it Login"] {
            assert_eq!(changed(said)[0].title, "Login", "{said}");
        }
        for said in ["add criterion: SSO works", "add an acceptance criterion SSO works"] {
            assert_eq!(changed(said)[0].list(Field::AcceptanceCriteria), ["People log in", "SSO works"], "{said}");
        }
        assert!(changed("drop criterion 1")[0].list(Field::AcceptanceCriteria).is_empty());
        assert_eq!(changed("priority: high")[0].more["priority"], "high");
        assert_eq!(changed("set the priority to high")[0].more["priority"], "high");
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
        assert!(matches!(change(&mut items, "step 4 text: nothing of a ticket"), Err(NoChange::Unreadable(_))));
        assert_eq!(change(&mut items, "step 9 text: Story: x"), Err(NoChange::NoItem(8, 3)));
    }

    #[test]
    fn one_item_of_several_is_meant_by_its_number() {
        for said in [
            "story 1 title: Register",
            "item 2: Register",
            "rename story 1 to Register",
            "change the title of story 1 to Register",
        ] {
            let items = changed(said);
            assert_eq!((items[0].title.as_str(), items[1].title.as_str()), ("Auth", "Register"), "{said}");
        }
        assert_eq!(changed("drop story 2").len(), 2);
        assert_eq!(
            changed("drop step 3").iter().map(|item| item.title.as_str()).collect::<Vec<_>>(),
            ["Auth", "Log in"]
        );
        assert_eq!(change(&mut items(), "drop step 1"), Err(NoChange::NoItem(1, 3)));
        assert_eq!(changed("add story Log out")[3].title, "Log out");
        assert_eq!(change(&mut items(), "drop story 7"), Err(NoChange::NoItem(7, 3)));
    }

    #[test]
    fn what_is_no_change_changes_nothing_and_says_what_would() {
        let mut now = items();
        let told = change(&mut now, "make it pop").unwrap_err().to_string();
        assert!(told.contains("add criterion"), "{told}");
        assert_eq!(now, items());
    }
}
