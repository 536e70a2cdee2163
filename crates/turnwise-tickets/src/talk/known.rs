//! What is known: statements of the thread are noted as they are heard, told when somebody asks, and put into drafts.
//! Next: `context` for how they are kept.

use std::io;

use turnwise_assistant::Remark;
use turnwise_core::text;
use turnwise_intent::behaviour::tickets::{FactKind, FactScope};

use super::bot::Desk;
use super::deciding;
use super::overheard::Overheard;
use crate::context::{Context, Known, Place, Stated, statements};
use crate::decision::keys_in;
use crate::draft::{Draft, Field, is_change};
use crate::thread::{Handle, Thread, now};
use crate::tracker::TicketKey;

/// What the thread remembers.
pub(super) fn thread(desk: &Desk) -> Result<Thread, String> {
    let Some(thread) = &desk.thread else { return Ok(Thread::default()) };
    thread.read().map_err(|error| format!("What this thread remembers cannot be read: {error}."))
}

/// How it is told that a context cannot be read.
pub(super) fn unreadable(error: &io::Error) -> String {
    format!("What is known of this thread cannot be read or kept: {error}.")
}

/// Notes what people stated, to the bot and in the talk of the thread; `about` is what was asked for, where something
/// was.
pub(super) fn observe(desk: &Desk, read: &Overheard, about: Option<&str>) -> io::Result<()> {
    let place = Place::thread(desk.conversation());
    let fields = desk.thread.as_ref().map(Handle::read).transpose()?.unwrap_or_default().fields;
    // What is said to the bot about a draft or a post is said about that alone.
    let states = |said: &str| !said.starts_with('/') && !is_change(said, &fields) && deciding::ordered(said).is_none();
    let cursor = read.heard.message.map_or(0, |message| message.number());
    desk.contexts.change(&place, |context| {
        if let Some(about) = about {
            context.about = text::clip(about, ABOUT_WIDTH);
        }
        for said in &read.alone {
            let Some(by) = said.by.as_ref().filter(|_| states(&said.text)) else { continue };
            for statement in statements(&said.text) {
                context.take(FactScope::Thread, statement, by.as_str(), now());
            }
        }
        if let Some(talk) = &read.talk {
            let stated = talk.said.iter().filter(|said| states(&said.text)).flat_map(stated).collect();
            let messages = talk.said.iter().map(|said| said.id.clone()).collect();
            context.take_talk(FactScope::Thread, stated, &messages, talk.unread == 0);
            if let Some(last) = talk.said.last() {
                context.read_to = Some(last.id.clone());
            }
        }
        context.cursor = context.cursor.max(cursor);
    })
}

fn stated(said: &Remark) -> Vec<Stated> {
    let stated = |statement| Stated { statement, by: said.by.to_string(), at_ms: said.at_ms, message: said.id.clone() };
    statements(&said.text).into_iter().map(stated).collect()
}

/// Puts what is known into a draft: all of the thread where the request points to it, and all of an epic it names.
pub(super) async fn fill(desk: &Desk, request: &str, points_back: bool, draft: &mut Draft) -> io::Result<()> {
    if points_back {
        put(&desk.contexts.read(&Place::thread(desk.conversation()))?, draft);
    }
    for key in keys_in(request) {
        put(&desk.contexts.read(&epic(desk, key.as_str()).await)?, draft);
    }
    Ok(())
}

fn put(context: &Context, draft: &mut Draft) {
    for decided in context.of(FactKind::Decision) {
        if !draft.proposed_solution.contains(&decided.text) && !draft.problem.contains(&decided.text) {
            draft.add(Field::ProposedSolution, &decided.text);
        }
    }
    for limit in context.of(FactKind::Constraint) {
        let is_there = |known: &String| known.trim_end_matches('.').eq_ignore_ascii_case(&limit.text);
        if !draft.list(Field::Constraints).iter().any(is_there) {
            draft.add(Field::Constraints, &limit.text);
        }
    }
    for assumed in context.of(FactKind::Assumption) {
        draft.add(Field::OpenQuestions, &format!("Does this hold? {}", assumed.text));
    }
}

/// What was stated here or in the channel about the same as a draft, for whoever looks at its preview.
pub(super) async fn nearby(desk: &Desk, draft: &Draft) -> io::Result<Vec<String>> {
    let about = telling(&format!("{} {}", draft.title, draft.problem));
    let shown = draft.shown().to_lowercase();
    let is_near = |known: &&Known| {
        let shared = telling(&known.text).iter().filter(|word| about.contains(word)).count();
        shared >= SHARED_MIN && !shown.contains(&known.text.to_lowercase())
    };
    let told = |known: &Known, place: &str| format!("Stated in {place} by {}: {}.", known.source, known.text);
    let mut all: Vec<String> = Vec::new();
    let thread = desk.contexts.read(&Place::thread(desk.conversation()))?;
    all.extend(thread.facts.values().filter(is_near).map(|known| told(known, "this thread")));
    let channel = desk.contexts.read(&channel(desk).await)?;
    all.extend(channel.facts.values().filter(is_near).map(|known| told(known, "this channel")));
    all.truncate(NEARBY_MAX);
    Ok(all)
}

/// The channel of a conversation; where none holds it, all conversations over the same tracker are one.
pub(super) async fn channel(desk: &Desk) -> Place {
    match desk.board.around(desk.id()).await {
        Some(around) => Place::channel(&around.channel),
        None => Place::channel(&desk.tracker.told()),
    }
}

/// An epic as it is known in the channel of a conversation: what was stated in one is nobody's business in another.
async fn epic(desk: &Desk, key: &str) -> Place {
    let tracker = desk.tracker.told();
    match desk.board.around(desk.id()).await {
        Some(around) => Place::epic(&format!("{}/{tracker}", around.channel), key),
        None => Place::epic(&tracker, key),
    }
}

/// What the thread stated holds for an epic that it made.
pub(super) async fn keep_for_epic(desk: &Desk, made: &TicketKey) -> io::Result<()> {
    let thread = desk.contexts.read(&Place::thread(desk.conversation()))?;
    let place = epic(desk, made.as_str()).await;
    desk.contexts.change(&place, |context| {
        context.about.clone_from(&thread.about);
        for known in thread.facts.values() {
            context.take(FactScope::Epic, known.statement(), &known.source, known.used_at);
        }
    })
}

/// Whether it is asked what is known here.
pub(super) fn asks(said: &str) -> bool {
    let words = text::words(said);
    let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
    let opens = words.first().is_some_and(|first| {
        ["what", "which", "list", "show", "summarise", "summarize", "summary", "recap"].contains(&first.as_str())
    });
    let is_of_here =
        has(&["decided", "decide", "decision", "decisions", "constraints", "assumptions", "agreed", "agree"])
            || (has(&["thread", "discussion", "context"])
                && has(&["know", "summarise", "summarize", "summary", "recap"]));
    opens && is_of_here && !has(&["think", "should", "could", "ticket"])
}

/// What is known here, for people.
pub(super) async fn told(desk: &Desk) -> Result<String, String> {
    let read = |place: &Place| desk.contexts.read(place).map_err(|error| unreadable(&error));
    let thread = read(&Place::thread(desk.conversation()))?;
    let channel = read(&channel(desk).await)?;
    let mut told = thread.summary();
    for (kind, name) in [
        (FactKind::Decision, "Decisions"),
        (FactKind::Constraint, "Constraints"),
        (FactKind::Assumption, "Assumptions"),
    ] {
        section(&mut told, name, &thread.of(kind));
    }
    section(&mut told, "Decided in this channel", &channel.of(FactKind::Decision));
    Ok(told)
}

fn section(told: &mut String, name: &str, known: &[&Known]) {
    if known.is_empty() {
        return;
    }
    told.push_str(&format!("\n{name}:"));
    for known in known {
        told.push_str(&format!("\n- {} ({}, {} %)", known.text, known.source, known.confidence));
    }
}

/// The words that tell what something is about.
fn telling(said: &str) -> Vec<String> {
    let mut words = text::words(said);
    words.retain(|word| word.len() >= TELLING_LENGTH && !COMMON.contains(&word.as_str()));
    words
}

/// Characters of what a thread is about.
const ABOUT_WIDTH: usize = 120;
/// Words that a statement must share with a draft to be about the same.
const SHARED_MIN: usize = 2;
/// Statements that a preview shows.
const NEARBY_MAX: usize = 5;
/// Shorter words say little.
const TELLING_LENGTH: usize = 4;
/// Longer words that say little, too.
const COMMON: [&str; 16] = [
    "with", "that", "this", "will", "must", "should", "have", "decided", "decision", "from", "they", "when", "what",
    "into", "after", "part",
];
