//! What waits for a decision in a store, and how a person names it: by the signed reference, or by the short id that
//! `turnwise pending` shows. Next: `pending`, which lists, and `decide`, which answers.

use turnwise_core::{Conversation, ConversationId, DecisionRef, Pending, PendingId};

use crate::driver::Reference;
use crate::driver::reference::conversation_tag;
use crate::store::{Listing, Questions, Store, Summary};
use turnwise_assistant::{Failure, FailureKind};

/// A question that waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The conversation.
    pub summary: Summary,
    /// As it is now.
    pub state: Conversation,
    /// The question.
    pub pending: Pending,
    /// What people call it in this store: the beginning of the conversation's mark, and the question.
    pub short: String,
}

/// A question that someone named.
#[derive(Clone, Debug)]
pub struct Named {
    /// The conversation.
    pub summary: Summary,
    /// As it is now.
    pub state: Conversation,
    /// The question.
    pub decision: DecisionRef,
    /// The question while it is open as it was when the reference was issued.
    pub open: Option<Pending>,
    /// The reference it was named by, which is checked again when it decides.
    pub signed: Option<Reference>,
}

/// Everything that waits, latest activity first; only in `conversation` if one is named.
///
/// # Errors
/// Whatever the store says.
pub async fn all(store: &dyn Store, conversation: Option<&str>) -> Result<Vec<Waiting>, Failure> {
    let marks: Vec<String> = ids(store).await?.iter().map(mark).collect();
    let mut waiting = Vec::new();
    for summary in asking(store, conversation).await? {
        let Some(loaded) = store.load(&summary.id).await? else { continue };
        let state = loaded.fold(&summary.id, &summary.assistant)?;
        for pending in state.pending() {
            waiting.push(Waiting {
                short: format!("{}-{}", shortest(&mark(&summary.id), &marks), pending.id),
                summary: summary.clone(),
                state: state.clone(),
                pending: pending.clone(),
            });
        }
    }
    Ok(waiting)
}

/// The conversations in which a question is open, and those of which the store does not know; only `conversation` if
/// one is named.
async fn asking(store: &dyn Store, conversation: Option<&str>) -> Result<Vec<Summary>, Failure> {
    let id = conversation.map(ConversationId::new);
    let mut wanted = Listing { id, questions: Questions::Open, ..Listing::default() };
    let mut all = Vec::new();
    loop {
        let page = store.conversations(&wanted).await?;
        let Some(last) = page.last() else { return Ok(all) };
        wanted.after = Some(last.place());
        all.extend(page);
    }
}

/// The ids of all conversations.
async fn ids(store: &dyn Store) -> Result<Vec<ConversationId>, Failure> {
    let mut all: Vec<ConversationId> = Vec::new();
    loop {
        let page = store.ids(all.last()).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// The one conversation whose id fits; none where there are several.
async fn only(store: &dyn Store, fits: impl Fn(&ConversationId) -> bool) -> Result<Option<Summary>, Failure> {
    let mut meant = ids(store).await?.into_iter().filter(|id| fits(id));
    let (Some(id), None) = (meant.next(), meant.next()) else { return Ok(None) };
    Ok(store.conversations(&Listing::of(id)).await?.pop())
}

/// The question that `words` name.
///
/// # Errors
/// When there is none, several could be meant, or the reference was not issued for what it names.
pub async fn find(store: &dyn Store, words: &str) -> Result<Named, Failure> {
    let words = words.trim();
    if words.get(..SIGNED.len()).is_some_and(|start| start.eq_ignore_ascii_case(SIGNED)) {
        return by_reference(store, words).await;
    }
    let all = all(store, None).await?;
    let is_meant = |waiting: &&Waiting| match words.split_once('-') {
        Some((start, question)) => {
            waiting.pending.id.to_string() == question && mark(&waiting.summary.id).starts_with(start)
        }
        None => waiting.pending.id.to_string() == words,
    };
    let meant: Vec<&Waiting> = all.iter().filter(is_meant).collect();
    match meant.as_slice() {
        [one] => Ok(Named {
            summary: one.summary.clone(),
            state: one.state.clone(),
            decision: one.pending.reference(),
            open: Some(one.pending.clone()),
            signed: None,
        }),
        [] => ended(store, words).await?.ok_or_else(|| {
            Failure::new(FailureKind::Usage, format!("nothing that waits here is called {words}")).hint(LIST)
        }),
        several => {
            let names: Vec<&str> = several.iter().map(|waiting| waiting.short.as_str()).collect();
            Err(Failure::new(FailureKind::Usage, format!("{words} could be {}", names.join(" or "))).hint(LIST))
        }
    }
}

/// The question that `words` named while it was open, if it has ended and no other could be meant.
async fn ended(store: &dyn Store, words: &str) -> Result<Option<Named>, Failure> {
    let Some((start, question)) = words.split_once('-') else { return Ok(None) };
    let number = question.strip_prefix(|c: char| c.is_ascii_alphabetic()).and_then(|digits| digits.parse().ok());
    let id = number.map(PendingId::new).filter(|id| id.to_string() == question && start.len() >= MARK_MIN);
    let Some(id) = id else { return Ok(None) };
    let Some(summary) = only(store, |id| mark(id).starts_with(start)).await? else { return Ok(None) };
    let Some(loaded) = store.load(&summary.id).await? else { return Ok(None) };
    let state = loaded.fold(&summary.id, &summary.assistant)?;
    let named = state.resolved(id).is_some().then_some(DecisionRef { pending: id, ui_version: 0 });
    Ok(named.map(|decision| Named { summary, state, decision, open: None, signed: None }))
}

async fn by_reference(store: &dyn Store, words: &str) -> Result<Named, Failure> {
    let reference: Reference = words.parse().map_err(|error: crate::driver::reference::NoReference| {
        Failure::new(FailureKind::Usage, format!("{words} is no reference: {error}")).hint(LIST)
    })?;
    let summary = only(store, |id| reference.is_of(id)).await?.ok_or_else(not_issued)?;
    let referred = reference.verify(store, &summary.id, &summary.assistant).await?;
    Ok(Named {
        summary,
        state: referred.conversation,
        decision: reference.decision(),
        open: referred.open,
        signed: Some(reference),
    })
}

/// What is told of a reference that belongs to no conversation.
pub fn not_issued() -> Failure {
    Failure::new(FailureKind::Usage, "no conversation kept here has issued this reference")
        .hint("a conversation kept with --db FILE needs the same --db FILE")
        .hint(LIST)
}

/// The mark of a conversation in hexadecimal digits; its beginning names it.
fn mark(id: &ConversationId) -> String {
    conversation_tag(id).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The beginning of `mark` that none of the `others` has.
fn shortest(mark: &str, others: &[String]) -> String {
    let is_alone = |length: &usize| {
        others.iter().filter(|other| other.starts_with(&mark[..*length])).all(|other| other.as_str() == mark)
    };
    let length = (MARK_MIN..mark.len()).find(is_alone).unwrap_or(mark.len());
    mark[..length].to_owned()
}

const SIGNED: &str = "tw1.";
/// Shorter would change as soon as a few conversations more are kept.
const MARK_MIN: usize = 4;
const LIST: &str = "turnwise pending lists what waits";

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn a_mark_is_as_short_as_it_can_be() {
        let all = ["abcdef012345".to_owned(), "abcde9000000".to_owned(), "123456789012".to_owned()];
        assert_eq!(shortest(&all[0], &all), "abcdef");
        assert_eq!(shortest(&all[2], &all), "1234");
    }
}
