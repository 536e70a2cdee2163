//! Reading: the one classification of the profile, in the thread's own context, as the engine's acts. What could end in
//! a ticket becomes a task, which is drafted, shown and approved; everything else is a question to the bot.
//! Next: `answer` for what becomes of those.

use std::borrow::Cow;
use std::sync::Arc;

use turnwise_core::{
    Act, Bearing, Confidence, Control, MessageReading, ModeWish, Phase, PlanKind, PointEdit, PointSort, QueryKind,
    ReadContext, Reader, Reading, Reply, Tier, numerals::number_of,
};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::tickets::{Routing, completes_review, is_forget_command};
use turnwise_intent::classify::{Classification, Context, Details, ReviewState, classify};

use super::answer::{asks_for_whole, to_remember};
use super::{deciding, known, offers};
use crate::draft::{commanded, is_change, is_kind, sentences};
use crate::thread::{Handle, Thread, now};
use crate::words;

/// The profile's reader in one thread.
pub(super) struct ThreadReader {
    reader: Arc<IntentReader>,
    thread: Option<Handle>,
}

impl ThreadReader {
    pub(super) fn new(reader: Arc<IntentReader>, thread: Option<Handle>) -> Self {
        Self { reader, thread }
    }

    /// What is known of the thread. Where it cannot be read, nothing is remembered; whoever answers says so.
    fn thread(&self) -> Thread {
        self.thread.as_ref().and_then(|thread| thread.read().ok()).unwrap_or_default()
    }

    fn context(&self) -> Context {
        self.thread().context(now())
    }

    /// What `text` is taken for here. Words that want no ticket order none, however much they sound like it.
    pub(super) fn classify(&self, text: &str) -> Classification {
        self.classify_meant(&meant(text))
    }

    /// The same of what is meant already.
    fn classify_meant(&self, text: &str) -> Classification {
        let mut found = classify(&self.reader, text, &self.context());
        if matches!(found.intent.as_str(), "ticket" | "ambiguous") && withholds(text) {
            "discussion".clone_into(&mut found.intent);
            "it says that nothing is to be created".clone_into(&mut found.reason);
        }
        found
    }

    /// Whether it changes a preview of this thread.
    fn changes(&self, text: &str) -> bool {
        is_change(text, &self.thread().fields)
    }

    /// Whether `text` only agrees, answers, greets or thanks, and so tells nothing of its own.
    pub(super) fn is_courtesy(&self, text: &str) -> bool {
        let context = ReadContext::default();
        let asked = ReadContext { phase: Phase::AwaitingApproval, ..ReadContext::default() };
        let read = self.reader.read(text, &context);
        let says_nothing = matches!(read, MessageReading::Empty | MessageReading::Bare { .. });
        let reply = self.reader.reply(text, &asked);
        let answers = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. } | Reply::Reject | Reply::Cancel);
        says_nothing || answers || is_courtesy(&read) || turnwise_core::text::words(text).len() < 2
    }

    /// What `text` is by its words alone, whatever it would be classified as.
    fn at_once(&self, text: &str, phase: Phase, found: &Classification) -> Option<(&'static str, Act)> {
        let asks = Act::Query(QueryKind::Plain);
        // A command says what is wanted before anything that its words could mean.
        if let Some((label, _)) = routed(text) {
            return Some((label, asks));
        }
        if to_remember(text).is_some() {
            return Some(("meta", asks));
        }
        // While something is drafted, it answers what is asked about the draft.
        if phase != Phase::Planning && offers::takes_one(text) {
            return Some(("answer", asks));
        }
        if deciding::ordered(text).is_some() {
            return Some(("decision", Act::PlanNew(PlanKind::Plain)));
        }
        if known::asks(text) || asks_for_whole(text) || (phase == Phase::Idle && undoes(text)) {
            return Some(("meta", asks));
        }
        let is_shown = matches!(phase, Phase::AwaitingApproval | Phase::Failed);
        if is_shown && (self.changes(text) || deciding::is_change(text)) {
            return Some(("edit", Act::PlanContinue));
        }
        let is_forget =
            is_forget_command(text) || (found.intent.as_str(), found.sub.as_deref()) == ("meta", Some("forget"));
        is_forget.then_some(("meta", asks))
    }

    /// “Drop that. Review our login design: …”: what is open is dropped, and what stands behind is done.
    fn drops_and_orders(&self, text: &str, context: &ReadContext) -> Option<MessageReading> {
        let (first, rest) = self.dropped_first(text, context)?;
        let found = self.classify_meant(&first);
        let drops = Reading::certain(&first, "cancel", Act::Control(Control::Cancel), found.tier, found.reason);
        let context = ReadContext { phase: Phase::Idle, ..context.clone() };
        let MessageReading::Understood { requests, segments } = self.read(&rest, &context) else { return None };
        let behind = |readings: Vec<Reading>| std::iter::once(drops.clone()).chain(readings).collect();
        Some(MessageReading::Understood { requests: behind(requests), segments: behind(segments) })
    }

    /// The first sentence where it drops what is open, and what is ordered behind it.
    fn dropped_first(&self, text: &str, context: &ReadContext) -> Option<(String, String)> {
        if !matches!(context.phase, Phase::Planning | Phase::AwaitingApproval) {
            return None;
        }
        let mut all = sentences(text).into_iter();
        let first = all.next()?;
        let rest = all.collect::<Vec<_>>().join(" ");
        let drops = matches!(self.reader.reply(&first, context), Reply::Cancel | Reply::Reject);
        (drops && self.orders(&rest)).then_some((first, rest))
    }

    /// What the first sentence orders by itself, with all behind it as more of the same: a ticket, or by rule a review.
    fn opens(&self, text: &str) -> Option<Classification> {
        let text = meant(text);
        let first = sentences(&text).into_iter().next()?;
        let found = self.classify_meant(&first);
        let is_opened = match found.intent.as_str() {
            "ticket" => is_order(&first),
            "review" => is_by_rule(&found),
            _ => false,
        };
        (is_opened && !withholds(&text)).then_some(found)
    }

    /// Whether `text` orders a ticket, a review or a post.
    pub(super) fn orders(&self, text: &str) -> bool {
        deciding::ordered(text).is_some() || self.opens(text).is_some()
    }

    fn is_reviewing(&self) -> bool {
        self.context().review == Some(ReviewState::Active)
    }
}

/// What the bot adds to a classification.
pub(super) fn routing(found: &Classification) -> Option<&Routing> {
    match &found.details {
        Details::Tickets(routing) => Some(routing),
        _ => None,
    }
}

impl Reader for ThreadReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let text = meant(text);
        let text = text.as_ref();
        if let Some(both) = self.drops_and_orders(text, context) {
            return both;
        }
        let found = self.classify_meant(text);
        if let Some((label, act)) = self.at_once(text, context.phase, &found) {
            return single(text.trim(), label, act, &found);
        }
        let plain = self.reader.read(text, context);
        if matches!(plain, MessageReading::Empty | MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. })
        {
            return plain;
        }
        // What is asked about a draft is answered in any words: only a rule or a command is more than that.
        let opened = if context.phase == Phase::Planning { self.opens(text) } else { None };
        let is_new = opened.is_some() || (is_one(&plain) && is_by_rule(&found));
        let is_answer = context.phase == Phase::Planning && !is_new;
        let found = opened.unwrap_or(found);
        if is_answer && self.reply(text, context) == Reply::Question {
            return single(text.trim(), "question", Act::Query(ASIDE), &found);
        }
        if !is_answer && (found.intent == "meta" || controls(&plain)) {
            return plain;
        }
        let (act, label) = match found.intent.as_str() {
            "ticket" if !is_answer => (Act::PlanNew(PlanKind::Plain), "ticket"),
            _ if is_answer || (context.phase == Phase::Planning && found.intent != "review") => {
                (Act::PlanContinue, "answer")
            }
            _ if is_courtesy(&plain) && !self.is_reviewing() => return plain,
            other => (Act::Query(QueryKind::Plain), other),
        };
        single(&argument(text), label, act, &found)
    }

    /// What ends an open review is no yes to anything else.
    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        let decides = matches!(context.phase, Phase::Idle | Phase::AwaitingApproval);
        if decides && self.is_reviewing() && completes_review(text) {
            return Reply::Other;
        }
        if self.dropped_first(text, context).is_some() {
            return Reply::Other;
        }
        if forbids(text) {
            match context.phase {
                Phase::AwaitingApproval => return Reply::Reject,
                Phase::Planning => return Reply::Cancel,
                Phase::Idle | Phase::Executing | Phase::Failed => {}
            }
        }
        let reply = self.reader.reply(text, context);
        // Who tells something and asks something beside it has answered.
        if context.phase == Phase::Planning && reply == Reply::Question && tells_too(text) {
            return Reply::Other;
        }
        // Thanks to the room are no order: what they sound like a yes to is asked back.
        match reply {
            Reply::Approve | Reply::ApproveWithNote { .. } if only_thanks(text) => Reply::Likely,
            reply => reply,
        }
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    /// An order of a ticket is one of its own, whatever was asked before.
    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        let asks = deciding::ordered(text).is_some() || self.opens(text).is_some();
        Bearing { asks, names: self.changes(text), ..self.reader.bearing(text, context) }
    }

    fn point(&self, text: &str) -> PointSort {
        self.reader.point(text)
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        self.reader.point_edit(text)
    }

    fn settles(&self, text: &str) -> Option<String> {
        self.reader.settles(text)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        self.reader.asks_for_fix(text)
    }

    /// A step stands for a ticket, and what would be created stands in the sheet.
    fn owns_steps(&self) -> bool {
        true
    }
}

/// One request and nothing else.
fn single(words: &str, label: &str, act: Act, found: &Classification) -> MessageReading {
    let reading = Reading::certain(words, label, act, found.tier, found.reason.clone());
    MessageReading::single(Reading { confidence: Confidence::new(found.confidence), ..reading })
}

/// Whether the message is one request.
fn is_one(reading: &MessageReading) -> bool {
    matches!(reading, MessageReading::Understood { segments, .. } if segments.len() == 1)
}

fn is_by_rule(found: &Classification) -> bool {
    matches!(found.tier, Tier::Rule | Tier::Slash)
}

/// Whether somebody is thanked and nothing is said that orders.
fn only_thanks(text: &str) -> bool {
    let said = turnwise_core::text::words(text);
    let says = |words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    let orders =
        ["yes", "y", "yep", "yeah", "sure", "approve", "approved", "create", "go", "do", "please", "ok", "okay"];
    says(&["thanks", "thank", "thx", "cheers"]) && !says(&orders)
}

/// Whether a message that asks tells something as well: not each of its sentences is a question.
fn tells_too(text: &str) -> bool {
    let all = sentences(text);
    all.len() > 1 && all.iter().any(|sentence| !sentence.ends_with('?'))
}

/// Whether it orders a ticket from its first word on: “I need a ticket for …”, “please open another bug”. An answer
/// that only speaks of tickets (“log every failed task”) orders none.
fn is_order(text: &str) -> bool {
    if text.starts_with('/') {
        return true;
    }
    let words = &words::words();
    let said = turnwise_core::text::words(text);
    let is_opener = |word: &&String| words.openers.iter().any(|known| known == *word);
    let mut rest = said.iter().skip_while(is_opener).peekable();
    let makes = rest.next_if(|word| words.makes.contains(word)).is_some();
    let wants = said.iter().take_while(is_opener).any(|word| WANTS.contains(&word.as_str()));
    let is_one = rest.next_if(|word| ONE.contains(&word.as_str()) || number_of(word).is_some()).is_some();
    let names = rest.take(NAMED_WITHIN).any(|word| is_kind(word));
    (makes || wants) && is_one && names
}

/// Whether it says that nothing of what is shown or asked about is to be made: “don't create it”.
fn forbids(text: &str) -> bool {
    let words = &words::words();
    let said = turnwise_core::text::words(text).join(" ");
    let said = said.trim_start_matches("please ").trim_start_matches("no ").trim_start_matches("actually ");
    let Some(denied) = words.denials.iter().find_map(|denial| said.strip_prefix(denial.as_str())) else { return false };
    let denied: Vec<&str> = denied.split_whitespace().collect();
    let Some((verb, object)) = denied.split_first() else { return false };
    let object = object.join(" ");
    words.makes.iter().any(|make| make == verb) && WHOLE.contains(&object.trim_end_matches(" please"))
}

/// Words that want what stands behind them.
const WANTS: [&str; 2] = ["need", "want"];
/// Words before one of something.
const ONE: [&str; 6] = ["a", "an", "another", "one", "new", "some"];
/// Words within which an order names what it is for: “a small follow-up ticket”.
const NAMED_WITHIN: usize = 4;
/// What stands for all that is shown.
const WHOLE: [&str; 18] = [
    "",
    "it",
    "this",
    "that",
    "them",
    "these",
    "those",
    "anything",
    "any",
    "yet",
    "it yet",
    "them yet",
    "any of it",
    "any of them",
    "any of these",
    "the ticket",
    "the tickets",
    "a ticket",
];

/// The words behind `/ticket` as an order of one, and those behind another command; what is none is whole.
fn argument(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if is_forget_command(text) {
        return Cow::Borrowed(text);
    }
    let Some(command) = text.strip_prefix('/') else { return Cow::Borrowed(text) };
    match command.split_once(char::is_whitespace) {
        Some((command, rest)) if !rest.trim().is_empty() => match command.eq_ignore_ascii_case(TICKET) {
            true => Cow::Owned(commanded(rest.trim())),
            false => Cow::Borrowed(rest.trim()),
        },
        _ => Cow::Borrowed(text),
    }
}

/// What is meant by `text`: “/turnwise ticket …” is the command “/ticket …”, and a question that its own speaker denies
/// asks for nothing (“Create a ticket? No. Review the login flow.”).
fn meant(text: &str) -> Cow<'_, str> {
    if let Some(command) = of_bot(text) {
        return Cow::Owned(command);
    }
    let all = sentences(text);
    let said = |sentence: &String| turnwise_core::text::words(sentence);
    match all.as_slice() {
        [asked, denied, rest @ ..]
            if asked.ends_with('?')
                && said(asked).iter().any(|word| is_kind(word))
                && words::words().noes.contains(&said(denied).join(" ")) =>
        {
            Cow::Owned(if rest.is_empty() { denied.clone() } else { rest.join(" ") })
        }
        _ => Cow::Borrowed(text),
    }
}

/// “/turnwise ticket …”, whatever the bot is called, as the command it means.
fn of_bot(text: &str) -> Option<String> {
    let (bot, rest) = text.trim().strip_prefix('/')?.split_once(char::is_whitespace)?;
    let command = rest.split_whitespace().next()?.to_lowercase();
    let is_command = |word: &str| COMMANDS.contains(&word);
    (!is_command(&bot.to_lowercase()) && is_command(&command)).then(|| format!("/{}", rest.trim_start()))
}

/// Whether it wants no ticket: “hold off creating …”, “nobody needs …”, “create …, but not yet”.
fn withholds(text: &str) -> bool {
    let (withheld, postponed) = (&words::words().withheld, &words::words().postponed);
    let mut named = sentences(text);
    named.retain(|sentence| turnwise_core::text::words(sentence).iter().any(|word| is_kind(word)));
    let is_postponed = |sentence: &String| {
        let said = turnwise_core::text::words(sentence).join(" ");
        postponed.iter().any(|phrase| said.trim_end_matches(" please").ends_with(phrase.as_str()))
    };
    let parts = || named.iter().flat_map(|sentence| sentence.split([',', ';', ':', '–', '—']));
    // “I don't think the search works, please open a bug” orders one, in another part of what is said.
    named.iter().any(is_postponed) || (parts().any(|part| denies(part, withheld)) && !parts().any(is_order))
}

/// Whether one of `phrases` stands in `part` before what it names, and nothing begins anew between.
fn denies(part: &str, phrases: &[String]) -> bool {
    let said = turnwise_core::text::words(part);
    let Some(noun) = said.iter().position(|word| is_kind(word)) else { return false };
    // What is said further on is part of what the ticket is about.
    let opens = &said[..noun.min(WITHHELD_WITHIN)];
    let begins_anew = said[..noun].iter().skip(1).any(|word| matches!(word.as_str(), "so" | "please" | "therefore"));
    words::says_any(opens, phrases) && !begins_anew && !orders_further_on(&said)
}

/// Whether an order follows what is denied: “… and we need a ticket”, “… but open a bug”. What only goes on with a verb
/// (“nobody should stop and create a ticket”) is denied with it.
fn orders_further_on(said: &[String]) -> bool {
    let is_own = |rest: &[String]| rest.first().is_some_and(|word| matches!(word.as_str(), "we" | "i" | "you"));
    (0..said.len()).any(|at| match said[at].as_str() {
        "and" => is_own(&said[at + 1..]) && is_order(&said[at + 1..].join(" ")),
        "but" => is_order(&said[at + 1..].join(" ")),
        _ => false,
    })
}

/// Whether it wants taken back what was created or posted: “undo that”, “delete the last ticket”.
pub(super) fn undoes(text: &str) -> bool {
    let known = words::words();
    let said = turnwise_core::text::words(text).join(" ");
    let said = said.trim_start_matches("please ").trim_start_matches("can you ");
    let Some(rest) = known.undoes.iter().find_map(|verb| said.strip_prefix(verb.as_str())) else { return false };
    let is_done = |word: &str| {
        let word = word.to_owned();
        known.pointers.contains(&word) || known.determiners.contains(&word) || is_kind(&word) || MADE.contains(&&*word)
    };
    (rest.is_empty() || rest.starts_with(' ')) && rest.split_whitespace().all(is_done)
}

/// Words for what was made.
const MADE: [&str; 8] = ["last", "decision", "post", "please", "again", "you", "created", "all"];

/// What “/review …” and “/discuss …” are about, with what they ask for.
pub(super) fn routed(text: &str) -> Option<(&'static str, &str)> {
    let (command, rest) = text.trim().strip_prefix('/')?.split_once(char::is_whitespace)?;
    let (_, label) = ROUTES.iter().find(|(known, _)| command.eq_ignore_ascii_case(known))?;
    Some((*label, rest.trim())).filter(|(_, rest)| !rest.is_empty())
}

/// The commands that ask for something to be read, with the intent of each.
const ROUTES: [(&str, &str); 2] = [("review", REVIEW), ("discuss", DISCUSSION)];
pub(super) const REVIEW: &str = "review";
pub(super) const DISCUSSION: &str = "discussion";
/// How a question is put that is asked while something is drafted.
pub(super) const ASIDE: QueryKind = QueryKind::Detail;

/// The command of a ticket.
const TICKET: &str = "ticket";
/// The commands that stand behind the name of the bot as well; “forget” is read with it.
const COMMANDS: [&str; 5] = [TICKET, "review", "discuss", "decision", "help"];
/// Words within which it is said that nothing is wanted.
const WITHHELD_WITHIN: usize = 8;

/// Whether a rule read a command of the session: help, status, stop.
fn controls(reading: &MessageReading) -> bool {
    let is_control = |reading: &Reading| {
        matches!(reading.act, Act::Control(control) if control != Control::Reset) && reading.intent != "meta"
    };
    matches!(reading, MessageReading::Understood { requests, .. } if requests.iter().all(is_control))
}

/// A word of thanks or praise.
fn is_courtesy(reading: &MessageReading) -> bool {
    let is_remark = |reading: &Reading| reading.act == Act::Query(QueryKind::Remark);
    matches!(reading, MessageReading::Understood { requests, .. } if requests.iter().all(is_remark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_no_ticket_is_told_from_who_orders_one_in_the_same_breath() {
        for said in [
            "I don't think we need a ticket for the login bug.",
            "Nobody needs a ticket for the login bug",
            "create a ticket for the login bug, but not yet",
            "Please hold off creating a ticket for it",
            "I don't see why we need a ticket for it",
            "I don't think we should stop and create a ticket",
        ] {
            assert!(withholds(said), "{said}");
        }
        for said in [
            "I don't think the search works, please open a bug for it",
            "create a ticket for the hold off button",
            "The login fails. Create a ticket for it.",
            "no doubt we need a ticket for this",
            "I don't see any error in the task list. Create a bug for it.",
            "I don't see the story list on the board, please create a ticket for it",
            "I don't think the search works and we need a ticket for it",
            "I doubt the bug tracker works. Open a bug: search fails",
            "I doubt the task list works but open a bug for it",
        ] {
            assert!(!withholds(said), "{said}");
        }
    }

    #[test]
    fn a_command_behind_the_name_of_the_bot_and_a_denied_question_are_read_as_meant() {
        assert_eq!(meant("/turnwise ticket the login of the shop"), "/ticket the login of the shop");
        assert_eq!(argument("/ticket the login of the shop"), "Create a ticket for the login of the shop");
        assert_eq!(meant("Create a ticket? No. Review the login flow."), "Review the login flow.");
        for said in ["/ticket review the login", "/turnwise forget", "Does it log in? No. It should."] {
            assert_eq!(meant(said), said);
        }
    }
}
