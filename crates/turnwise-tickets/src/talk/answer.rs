//! Answers: what creates nothing. The scope gate asks what is wanted and remembers it where that is wished, reviews are
//! told and completed, and what is known of the preview is said. Next: `review`, `thread`.

use turnwise_core::{Answer, AnswerOutcome, Choice, PlanAspect, Presentation, QueryKind, Question, text};
use turnwise_intent::behaviour::tickets::{DISMISSED, Routing, is_forget_command, remembered_text, scope_gate};
use turnwise_intent::classify::ReviewState;

use super::bot::Desk;
use super::overheard::{self, Overheard};
use super::plan::said_before;
use super::reader::{self, routing};
use super::sheet::Sheet;
use super::{deciding, form, known, offers};
use crate::draft::sentences;
use crate::review::Review;
use crate::thread::{Stance, Thread, now};

pub(super) async fn answer(desk: &Desk, question: &Question) -> AnswerOutcome {
    let said = question.text.trim();
    match question.kind {
        QueryKind::Plan { aspect, .. } => return of_plan(question, aspect),
        QueryKind::Definition => return at_gate(desk, said, question).await,
        reader::ASIDE => return says(BESIDE_DRAFT.to_owned()),
        QueryKind::Plain
        | QueryKind::Provenance
        | QueryKind::Summary
        | QueryKind::Lookup
        | QueryKind::Chart
        | QueryKind::Remark => {}
    }
    if let Some((route, words)) = reader::routed(said) {
        return commanded(desk, route, words, question).await;
    }
    let found = desk.reader.classify(said);
    let read = match rests_on_thread(desk, said, &found.intent) {
        true => overheard::read(desk, &question.heard, said).await,
        false => Overheard::alone(&question.heard),
    };
    if let Err(error) = known::observe(desk, &read, None) {
        return unknown(known::unreadable(&error));
    }
    if known::asks(said) {
        return known::told(desk).await.map_or_else(unknown, |told| says(read.telling(told)));
    }
    if let Some(stance) = to_remember(said) {
        return remember(desk, stance);
    }
    if text::words(said) == ["not", "now"] {
        return says(DISMISSED.to_owned());
    }
    if offers::takes_one(said) {
        return says(offers::GONE.to_owned());
    }
    if reader::undoes(said) {
        return says(STAYS.to_owned());
    }
    if asks_for_whole(said) {
        return whole(desk);
    }
    if is_forget_command(said) || found.intent == "meta" {
        return forget(desk);
    }
    let Some(routing) = routing(&found) else { return unknown("There was nothing in that for me to do.".to_owned()) };
    if routing.review_complete {
        return freeze(desk);
    }
    match found.intent.as_str() {
        "review" if asks_again(said) => again(desk, said, &read),
        "review" => review(desk, said, &read),
        // The thread answers for the person.
        "ticket" => AnswerOutcome::NeedsPlan,
        "ambiguous" => gate(said, routing),
        _ => discussed(desk, said, &read),
    }
}

/// What a command asks for, whatever its words would be taken for without it.
async fn commanded(desk: &Desk, route: &str, words: &str, question: &Question) -> AnswerOutcome {
    let read = match route == reader::REVIEW || is_reviewing(desk) {
        true => overheard::read(desk, &question.heard, &question.text).await,
        false => Overheard::alone(&question.heard),
    };
    if let Err(error) = known::observe(desk, &read, None) {
        return unknown(known::unreadable(&error));
    }
    match route {
        reader::REVIEW if asks_again(words) => again(desk, words, &read),
        reader::REVIEW => review(desk, words, &read),
        _ => discussed(desk, words, &read),
    }
}

/// Whether what is answered rests on what people say in the thread: what is known here, a review, and what is added to
/// one that is open.
fn rests_on_thread(desk: &Desk, said: &str, intent: &str) -> bool {
    known::asks(said) || intent == "review" || (intent == "discussion" && is_reviewing(desk))
}

fn is_reviewing(desk: &Desk) -> bool {
    known::thread(desk).is_ok_and(|thread| thread.context(now()).review == Some(ReviewState::Active))
}

/// A message that may mean several things: what is wanted is asked.
fn gate(said: &str, routing: &Routing) -> AnswerOutcome {
    let asked = routing.scope_gate.clone().unwrap_or_else(|| scope_gate(said));
    let choice = |option: &turnwise_intent::behaviour::Choice| {
        Choice::new(format!("{}{said}", mark_of(option.action)), option.label.clone())
    };
    let choices = asked.options.iter().map(choice).collect();
    AnswerOutcome::Unclear { clarification: form::needed(GATE, asked.question, choices) }
}

/// How a choice of the gate is written, in front of the words it was made about.
fn mark_of(action: &str) -> &'static str {
    match action {
        "review" => AS_REVIEW,
        "ticket" => AS_TICKET,
        "remember" => TO_REMEMBER,
        _ => NOT_NOW,
    }
}

/// A choice of the gate.
async fn at_gate(desk: &Desk, said: &str, question: &Question) -> AnswerOutcome {
    if let Some(words) = said.strip_prefix(REMEMBER_REVIEW) {
        let read = overheard::read(desk, &question.heard, words).await;
        return both(remember(desk, Stance::Review), review(desk, words, &read));
    }
    if let Some(words) = said.strip_prefix(REMEMBER_TICKET) {
        // The ticket itself is asked for with the next message: one turn does one thing.
        return both(remember(desk, Stance::Ticket), says(format!("Say “{}” again to begin with it.", short(words))));
    }
    if let Some(words) = said.strip_prefix(AS_REVIEW) {
        return review(desk, words, &overheard::read(desk, &question.heard, words).await);
    }
    if said.starts_with(AS_TICKET) {
        return AnswerOutcome::NeedsPlan;
    }
    if let Some(words) = said.strip_prefix(TO_REMEMBER) {
        let choice = |mark: &str, stance: Stance| Choice::new(format!("{mark}{words}"), stance.label().to_owned());
        let choices = vec![
            choice(REMEMBER_REVIEW, Stance::Review),
            choice(REMEMBER_TICKET, Stance::Ticket),
            Choice::new(format!("{NOT_NOW}{words}"), "Not now".to_owned()),
        ];
        let question = "What should I take such messages for in this thread?".to_owned();
        return AnswerOutcome::Unclear { clarification: form::needed(GATE, question, choices) };
    }
    says(DISMISSED.to_owned())
}

/// “Remember: Review”.
pub(super) fn to_remember(said: &str) -> Option<Stance> {
    let words = text::words(said);
    let (first, rest) = words.split_first()?;
    let rest = rest.join(" ");
    match (first.as_str(), rest.as_str()) {
        ("remember", "review" | "review analyze" | "reviews") => Some(Stance::Review),
        ("remember", "ticket" | "create ticket" | "tickets") => Some(Stance::Ticket),
        _ => None,
    }
}

fn remember(desk: &Desk, stance: Stance) -> AnswerOutcome {
    changed(desk, |thread| thread.remembered = Some(stance), |()| remembered_text(stance.label(), &desk.bot))
}

fn forget(desk: &Desk) -> AnswerOutcome {
    changed(
        desk,
        |thread| thread.remembered.take(),
        |was| match was {
            Some(stance) => format!("Forgotten: this thread does not default to *{}* any more.", stance.label()),
            None => "This thread has no default.".to_owned(),
        },
    )
}

/// What people said before `request`.
fn texts(desk: &Desk, read: &Overheard, request: &str) -> Vec<String> {
    said_before(desk, read, request).into_iter().map(|said| said.text).collect()
}

/// The same without what only orders something of the bot: that is nothing to review.
fn proposed(desk: &Desk, read: &Overheard, request: &str) -> Vec<String> {
    let mut said = texts(desk, read, request);
    said.retain(|text| !desk.reader.orders(text));
    said
}

/// A request for a review is always a first one, whatever review is open.
fn review(desk: &Desk, request: &str, read: &Overheard) -> AnswerOutcome {
    let said = proposed(desk, read, request);
    let first = sentences(request).into_iter().next().unwrap_or_default();
    let is_order = first.ends_with('?') || desk.reader.classify(&first).intent == reader::REVIEW;
    let review = if is_order { Review::of(request, &said) } else { Review::of_proposal(request, &said) };
    let mut review = Review { looked_at: now(), ..review };
    if let Some(talk) = read.beside() {
        review.recheck(&talk);
    }
    let known = match known::thread(desk) {
        Ok(thread) => thread.review,
        Err(trouble) => return unknown(trouble),
    };
    if let Some(known) = known.filter(|known| known.is_repeated(&review, now())) {
        let version = known.version;
        return says(format!(
            "That was reviewed a moment ago; it is at v{version}. “review again” tells what is new since, “show full \
             review” the whole."
        ));
    }
    let told = read.telling(with_way_on(&review, review.full()));
    changed(desk, |thread| thread.review = Some(review), |()| told)
}

/// “review it again”: what is new since the last look, in the review there is.
fn again(desk: &Desk, request: &str, read: &Overheard) -> AnswerOutcome {
    if known::thread(desk).is_ok_and(|thread| thread.review.is_none()) {
        return review(desk, request, read);
    }
    let said = texts(desk, read, request).join("\n");
    let look = |thread: &mut Thread| {
        let review = thread.review.as_mut()?;
        review.frozen = false;
        review.looked_at = now();
        Some(patched(review, read, &said))
    };
    changed(desk, look, |looked| match looked {
        Some((Some(patch), _)) => read.telling(patch),
        Some((None, version)) => read.telling(format!("Nothing new since v{version}.")),
        None => "There is no review in this thread yet.".to_owned(),
    })
}

fn asks_again(said: &str) -> bool {
    let words = text::words(said);
    words.len() <= AGAIN_WORDS_MAX && words.iter().any(|word| matches!(word.as_str(), "again" | "anew" | "re-review"))
}

/// What `said` adds to a review, and the version it has then; what nobody says any more goes.
fn patched(review: &mut Review, read: &Overheard, said: &str) -> (Option<String>, u32) {
    let talk = read.beside();
    let gone = talk.as_deref().map(|talk| review.recheck(talk)).unwrap_or_default();
    let patch = review.patch(said, &gone).map(|patch| match patch.contains(WHOLE_REVIEW) {
        true => patch,
        false => format!("{patch}\n“{WHOLE_REVIEW}” tells all there is."),
    });
    if let Some(talk) = talk {
        // What the patch took in stands in the talk as well.
        review.recheck(&talk);
    }
    (patch, review.version)
}

/// How a decision of the review gets to the channel.
fn with_way_on(review: &Review, told: String) -> String {
    match review.decisions.as_slice() {
        [] => told,
        _ => format!("{told}\n“approve decision 1” shows the first decision as a post to the channel."),
    }
}

/// What is said into an open review is looked at for what is new, with what was said in the thread since.
fn discussed(desk: &Desk, said: &str, read: &Overheard) -> AnswerOutcome {
    if !is_reviewing(desk) {
        return says("Noted. I create or review nothing unless you ask for it.".to_owned());
    }
    let since = if read.talk.is_some() { texts(desk, read, said) } else { Vec::new() };
    let talk = since.into_iter().chain([said.to_owned()]).collect::<Vec<_>>().join("\n");
    let take = |thread: &mut Thread| match &mut thread.review {
        Some(review) if !review.frozen => Some(patched(review, read, &talk)),
        _ => None,
    };
    changed(desk, take, |patched| match patched {
        Some((Some(patch), _)) => read.telling(patch),
        Some((None, version)) => read.telling(format!("Nothing new for the review; it stays at v{version}.")),
        None => "Noted.".to_owned(),
    })
}

fn freeze(desk: &Desk) -> AnswerOutcome {
    let freeze = |thread: &mut Thread| {
        let review = thread.review.as_mut()?;
        review.frozen = true;
        Some(review.version)
    };
    changed(desk, freeze, |version| match version {
        Some(version) => format!("Review v{version} is complete. It stays here for a ticket; nothing goes on from it."),
        None => "There is no review to complete.".to_owned(),
    })
}

/// “Show full architecture”, “show full review”.
pub(super) fn asks_for_whole(said: &str) -> bool {
    let words = text::words(said);
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let is_known = |word: &String| {
        let word = word.as_str();
        WHOLE.contains(&word) || OF_REVIEW.contains(&word) || AROUND.contains(&word)
    };
    has(&["show"]) && has(&WHOLE) && has(&OF_REVIEW) && words.iter().all(is_known)
}

fn whole(desk: &Desk) -> AnswerOutcome {
    match known::thread(desk) {
        Ok(Thread { review: Some(review), .. }) if review.untold.is_empty() => says(review.full()),
        Ok(Thread { review: Some(_), .. }) => changed(
            desk,
            |thread| thread.review.as_mut().map(Review::tell_whole),
            |told| told.unwrap_or_else(|| NO_REVIEW.to_owned()),
        ),
        Ok(_) => says(NO_REVIEW.to_owned()),
        Err(trouble) => unknown(trouble),
    }
}

fn of_plan(question: &Question, aspect: PlanAspect) -> AnswerOutcome {
    if let Some(shown) = question.plan.as_deref().and_then(deciding::told) {
        return says(shown);
    }
    let Some(sheet) = question.plan.as_deref().and_then(Sheet::of_plan) else {
        return unknown("There is no preview.".to_owned());
    };
    match aspect {
        PlanAspect::Query | PlanAspect::Columns => {
            says(sheet.items.iter().map(crate::draft::Draft::shown).collect::<Vec<_>>().join("\n\n"))
        }
        PlanAspect::Tables => says(format!("It is about {}.", text::count(sheet.items.len(), "item"))),
        PlanAspect::Cost => says(format!(
            "{} with {} characters; it takes moments.",
            text::count(sheet.items.len(), "item"),
            sheet.characters()
        )),
    }
}

/// Changes what the thread remembers and says what came of it.
fn changed<T>(desk: &Desk, change: impl FnOnce(&mut Thread) -> T, told: impl FnOnce(T) -> String) -> AnswerOutcome {
    let Some(thread) = &desk.thread else { return unknown("This belongs to no conversation.".to_owned()) };
    match thread.change(change) {
        Ok(done) => says(told(done)),
        Err(error) => unknown(format!("What this thread remembers cannot be kept: {error}.")),
    }
}

/// Two things that are said one after the other.
fn both(first: AnswerOutcome, second: AnswerOutcome) -> AnswerOutcome {
    match (first, second) {
        (AnswerOutcome::Known { answer: first }, AnswerOutcome::Known { answer: second }) => {
            says(format!("{}\n{}", first.text, second.text))
        }
        (first, _) => first,
    }
}

fn says(text: String) -> AnswerOutcome {
    AnswerOutcome::Known { answer: Answer { text, table: None, presentation: Presentation::Value } }
}

fn unknown(explanation: String) -> AnswerOutcome {
    AnswerOutcome::Unknown { explanation }
}

fn short(words: &str) -> String {
    text::clip(words, QUOTED)
}

/// What is said to who wants something taken back.
const STAYS: &str =
    "I take nothing back: what was created or posted stays, and I never delete. Close or delete it where it is kept.";
/// What is said to a question beside a draft.
const BESIDE_DRAFT: &str = "I cannot answer that. What I ask is what the ticket still lacks; “cancel” leaves it.";
/// An order to look again is short; what says more is a review of its own.
const AGAIN_WORDS_MAX: usize = 6;
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;
/// Words for all of a review.
const WHOLE: [&str; 4] = ["full", "whole", "entire", "complete"];
/// What is shown of it.
const OF_REVIEW: [&str; 5] = ["architecture", "review", "security", "product", "synthesis"];
/// Words around those.
const AROUND: [&str; 14] =
    ["show", "me", "us", "the", "please", "again", "now", "can", "could", "you", "and", "of", "this", "our"];
const NO_REVIEW: &str = "There is no review in this thread yet. “review this” begins one.";
/// What shows all of a review.
const WHOLE_REVIEW: &str = "show full review";
/// The topic of the gate.
const GATE: &str = "scope_gate";
/// The choices of the gate, in front of the words they are about.
const AS_REVIEW: &str = "Review: ";
pub(super) const AS_TICKET: &str = "Create a ticket: ";
const NOT_NOW: &str = "Not now: ";
const TO_REMEMBER: &str = "Remember for this thread: ";
const REMEMBER_REVIEW: &str = "Remember review: ";
const REMEMBER_TICKET: &str = "Remember ticket: ";
