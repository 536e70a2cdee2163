//! Offers: how the ways on are called that stand beside the bot's questions. Each is worded once, for the question and
//! for whoever says it when the question is gone: that answers nothing, and is no order of a ticket either. Next:
//! `duplicates`, `form` for the questions.

use turnwise_core::text;

/// To a ticket that may be the same.
pub(super) const LINK: &str = "Link to";
pub(super) const INFORM: &str = "Add as info";
pub(super) const INFORM_TO: &str = "Add as info to";
pub(super) const NEW: &str = "Create new";
pub(super) const NEW_LINKED: &str = "Create new, linked to";
pub(super) const MORE: &str = "Show more";
/// To some of several.
pub(super) const LEFT_OUT: &str = "Leave it out";
pub(super) const ALL_NEW: &str = "Create all as new";
/// To a very large preview.
pub(super) const AT_ONCE: &str = "Create all at once";
pub(super) const IN_BATCHES: &str = "Split into batches";

/// Whether `said` takes an offer and means nothing without one: “add as info”, “link to SHOP-1”.
pub(super) fn takes_one(said: &str) -> bool {
    let said = text::words(said);
    let is_opener = |word: &String| crate::words::words().openers.contains(word);
    let start = said.iter().position(|word| !is_opener(word)).unwrap_or(said.len());
    let said = &said[start..];
    let behind = |offer: &str| said.strip_prefix(text::words(offer).as_slice());
    let takes = |offer: &&str| behind(offer).is_some_and(|rest| rest.iter().all(|word| points(word)));
    let names = |offer: &&str| behind(offer).is_some_and(begins_with_key);
    ALL.iter().any(takes) || [LINK, INFORM_TO, NEW_LINKED].iter().any(|offer| takes(offer) || names(offer))
}

/// Whether it only says which one: “this”, “(3)”.
fn points(word: &str) -> bool {
    is_number(word) || POINTERS.contains(&word)
}

/// Whether the key of a ticket comes first: “SHOP-1: Login bug”.
fn begins_with_key(rest: &[String]) -> bool {
    matches!(rest, [project, number, ..] if !is_number(project) && is_number(number))
}

fn is_number(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit())
}

/// What an answer to a question that is gone is told.
pub(super) const GONE: &str = "Nothing I asked waits for that answer. Nothing was created; to begin again, say it as a \
                               whole: “create a ticket for …”.";

/// All of them.
const ALL: [&str; 8] = [LINK, INFORM, NEW, MORE, LEFT_OUT, ALL_NEW, AT_ONCE, IN_BATCHES];
/// Words for a ticket that was shown.
const POINTERS: [&str; 8] = ["this", "that", "it", "those", "them", "one", "ticket", "please"];

#[cfg(test)]
mod tests {
    use super::takes_one;

    #[test]
    fn an_offer_is_told_from_an_order_that_begins_like_one() {
        for taken in [
            "add as info",
            "Link to this",
            "ok, link to that one",
            "add as info to SHOP-1: Login bug",
            "show more (3)",
            "link to #12",
            "create new",
            "create new, linked to SHOP-1",
            "leave it out please",
        ] {
            assert!(takes_one(taken), "{taken}");
        }
        for order in [
            "create new onboarding tickets",
            "add a ticket for the info page",
            "link to the docs is broken",
            "show more products on the page",
            "create new epic for billing",
            "add as information that it is back",
        ] {
            assert!(!takes_one(order), "{order}");
        }
    }
}
