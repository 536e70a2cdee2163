//! `/facts`: what is known, listed, filtered, shown one by one, pinned and forgotten; the same by words ("forget the
//! revenue fact"). Next: `learn` for how statements come in, `evict` for how facts go by themselves.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::turn::Turn;
use super::{act, answer};
use crate::{
    Card, Choice, Conversation, Event, Fact, FactKind, FactName, FactStore, FactValue, KnowledgeEvent, Outcome,
    Pending, PendingKind, Phase, Reading, Resolution, Scope, Tier, facts_max, limits, provenance, text,
};

/// What is to be done with facts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Order {
    /// List those that fit the words.
    List(String),
    /// Show one with all that is known about it.
    Show(Named),
    Pin(Named),
    Unpin(Named),
    Forget(Named),
}

/// A fact as it is spoken of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    words: String,
    /// Whether a statement is meant ("the revenue definition") rather than a value that may be called the same.
    is_statement: bool,
}

/// Does what `/facts …`, or words to the same end, ask for.
pub(super) fn command(turn: &mut Turn<'_>, reading: &Reading) {
    let order = match reading.tier {
        Tier::Slash => typed(reading.target.as_deref().unwrap_or_default()),
        Tier::Rule | Tier::Exemplar | Tier::Model | Tier::Person => in_words(reading),
    };
    match order {
        Order::List(wanted) => list(turn, &wanted),
        Order::Show(named) => with_fact(turn, &named, show),
        Order::Pin(named) => with_fact(turn, &named, pin),
        Order::Unpin(named) => with_fact(turn, &named, unpin),
        Order::Forget(named) => forget_named(turn, &named),
    }
}

fn typed(rest: &str) -> Order {
    let (verb, named) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let named = Named { words: named.trim().to_owned(), is_statement: false };
    match verb {
        "show" => Order::Show(named),
        "pin" => Order::Pin(named),
        "unpin" => Order::Unpin(named),
        "forget" | "drop" => Order::Forget(named),
        "list" => Order::List(named.words),
        _ => Order::List(rest.trim().to_owned()),
    }
}

/// The rules of a profile capture what is meant; the verb says what for.
fn in_words(reading: &Reading) -> Order {
    let words = text::words(&reading.segment);
    // "Forget the time of appointments" says the fact's own name behind the verb.
    let behind = || words.strip_prefix(&["forget".to_owned()]).map(|rest| rest.join(" "));
    let named = reading.target.clone().or_else(behind).unwrap_or_default();
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_statement = says(&STATEMENTS);
    let named = Named { words: named, is_statement };
    if named.words.is_empty() {
        Order::List(named.words)
    } else if says(&["unpin"]) {
        Order::Unpin(named)
    } else if says(&["pin"]) {
        Order::Pin(named)
    } else if says(&["forget", "drop", "delete", "remove"]) {
        Order::Forget(named)
    } else {
        Order::List(named.words)
    }
}

/// Whether words read as being about facts ask for one to be forgotten.
pub(super) fn forgets(reading: &Reading) -> bool {
    matches!(in_words(reading), Order::Forget(_))
}

pub(super) fn list(turn: &mut Turn<'_>, wanted: &str) {
    let store = turn.state().facts();
    let facts: Vec<Arc<Fact>> = store.values().filter(|fact| fits(store, fact, wanted)).cloned().collect();
    let all = text::count(store.len(), "fact");
    if store.is_empty() {
        turn.say("No facts yet: they are resolved when a plan runs, or stated by you.", None);
    } else if facts.is_empty() {
        turn.refuse(format!("None of the {all} held fits “{wanted}”. /facts lists all of them."));
        return;
    } else {
        let pinned: Vec<&str> =
            facts.iter().map(|fact| fact.name()).filter(|name| store.is_pinned(name)).map(FactName::as_str).collect();
        let pinned = if pinned.is_empty() { String::new() } else { format!(" (pinned: {})", pinned.join(", ")) };
        let shown = if facts.len() == store.len() {
            format!("{all} held{pinned}:")
        } else {
            format!("{} of {all} held{pinned}:", facts.len())
        };
        turn.say(shown, Some(Card::Facts { facts }));
    }
    act::remind_of_question(turn);
    turn.note(Outcome::Answered, "Shown.");
}

/// Every word asked for is the fact's kind or scope, says that it is pinned, or stands in what it is called or says.
fn fits(store: &FactStore, fact: &Fact, wanted: &str) -> bool {
    let own = format!(
        "{} {} {}",
        fact.name(),
        fact.body.standing.about.as_deref().unwrap_or_default(),
        fact.in_short(limits::MESSAGE_BYTES_MAX)
    )
    .to_lowercase();
    text::words(wanted).iter().filter(|word| !FILLERS.contains(&word.as_str())).all(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        FactKind::ALL.iter().any(|(kind, name)| *name == singular && fact.kind() == *kind)
            || Scope::ALL.iter().any(|(scope, name)| *name == singular && fact.scope() == *scope)
            || (word == "pinned" && store.is_pinned(fact.name()))
            || own.contains(word.as_str())
    })
}

/// Finds the fact that is named, and does something with it; asks back when none or several fit.
fn with_fact(turn: &mut Turn<'_>, wanted: &Named, then: fn(&mut Turn<'_>, &Arc<Fact>)) {
    let named = wanted.words.as_str();
    if named.is_empty() {
        turn.refuse("Say which fact, as in /facts show NAME. /facts lists their names.");
        return;
    }
    let store = turn.state().facts();
    let is_meant = |fact: &&Arc<Fact>| fact.is_statement() || !wanted.is_statement;
    let exact = store.get(&FactName::new(named)).filter(is_meant).cloned();
    let fitting: Vec<Arc<Fact>> = match exact {
        Some(fact) => vec![fact],
        None => store.values().filter(is_meant).filter(|fact| fits(store, fact, named)).cloned().collect(),
    };
    match fitting.as_slice() {
        [fact] => then(turn, fact),
        [] => turn.refuse(format!("There is no fact “{named}”. /facts lists what is held.")),
        several => {
            let names = listed(several.iter().map(|fact| fact.name()));
            turn.refuse(format!("Several facts fit “{named}”: {names}. Name one of them."));
        }
    }
}

/// Forgets the fact that is named as it is called. One that only fits the words is offered, and goes with a yes; a
/// pinned one is not even offered.
fn forget_named(turn: &mut Turn<'_>, wanted: &Named) {
    let exact = turn.state().facts().values().find(|fact| is_called(fact, wanted)).cloned();
    match exact {
        Some(fact) => forget(turn, &fact),
        None => with_fact(turn, wanted, offer_to_forget),
    }
}

/// Whether the words are its name, however they are joined, or the word that a statement is about.
fn is_called(fact: &Fact, wanted: &Named) -> bool {
    let plain = |said: &str| {
        let mut words = text::words(&said.replace('_', " "));
        words.retain(|word| !FILLERS.contains(&word.as_str()));
        words
    };
    let named = plain(&wanted.words);
    let about = fact.body.standing.about.as_deref().filter(|_| wanted.is_statement);
    fact.name().as_str() == wanted.words
        || (!named.is_empty() && (plain(fact.name().as_str()) == named || about.is_some_and(|it| plain(it) == named)))
}

fn offer_to_forget(turn: &mut Turn<'_>, fact: &Arc<Fact>) {
    let name = fact.name().clone();
    if super::program::may_not_forget(turn, fact) {
        return;
    }
    if turn.state().facts().is_pinned(&name) {
        turn.refuse(format!("{name} is pinned, and is forgotten by its whole name only: /facts forget {name}"));
    } else if is_needed(turn, &name) {
        forget(turn, fact);
    } else {
        let pending = turn.ask(PendingKind::ConfirmForget { name });
        super::say::show(turn, &pending);
        turn.note(Outcome::Asked, "That is not its whole name; asked whether it is meant.");
    }
}

fn show(turn: &mut Turn<'_>, fact: &Arc<Fact>) {
    let store = turn.state().facts();
    let mut lines = vec![about(fact, store.is_pinned(fact.name()))];
    let before = store.superseded().filter(|past| past.fact.name() == fact.name());
    lines.extend(before.map(|past| {
        format!(
            "before: {} (superseded by {}, not used any more)",
            past.fact.in_short(limits::QUOTE_WIDTH),
            past.superseded_by
        )
    }));
    let dependants = store.dependants(fact.name());
    if !dependants.is_empty() {
        lines.push(format!("used by {}", listed(dependants.iter())));
    }
    let tree = provenance::chain(fact.name(), store);
    turn.say(lines.join("\n"), Some(Card::Provenance { tree }));
    act::remind_of_question(turn);
    turn.note(Outcome::Answered, "Shown.");
}

/// What a fact is, in one line.
fn about(fact: &Fact, pinned: bool) -> String {
    let mut said = format!("{}: {} of this {}", fact.name(), fact.kind().word(), fact.scope().word());
    if let Some(word) = &fact.body.standing.about {
        said.push_str(&format!(" about “{word}”"));
    }
    said.push_str(&format!(", {}", fact.body.source));
    if let Some(message) = fact.said_in {
        said.push_str(&format!(" in message {}", message.number()));
    }
    said.push_str(&format!(", confidence {:.2}, {}", fact.body.confidence.value(), fact.resolved_at.utc()));
    if let Some(end) = fact.body.standing.valid_to {
        said.push_str(&format!(", until {}", end.utc()));
    }
    if pinned {
        said.push_str(", pinned");
    }
    said
}

fn pin(turn: &mut Turn<'_>, fact: &Arc<Fact>) {
    let store = turn.state().facts();
    if store.is_pinned(fact.name()) {
        turn.say(format!("{} is pinned already.", fact.name()), None);
        turn.note(Outcome::Answered, "Pinned already.");
        return;
    }
    let scope = fact.scope();
    let pinned = store.values().filter(|held| held.scope() == scope && store.is_pinned(held.name())).count();
    if pinned >= facts_max(scope) {
        turn.refuse(format!(
            "{pinned} facts of this {0} are pinned, and a {0} keeps no more. /facts unpin NAME makes room.",
            scope.word()
        ));
        return;
    }
    turn.emit(Event::Knowledge(KnowledgeEvent::Pinned { name: fact.name().clone() }));
    turn.say(format!("{} is pinned: it stays whatever else comes. /facts unpin lets it go.", fact.name()), None);
    turn.note(Outcome::Applied, "Pinned.");
}

fn unpin(turn: &mut Turn<'_>, fact: &Arc<Fact>) {
    if turn.state().facts().is_pinned(fact.name()) {
        turn.emit(Event::Knowledge(KnowledgeEvent::Unpinned { name: fact.name().clone() }));
        turn.say(format!("{} is no longer pinned.", fact.name()), None);
        turn.note(Outcome::Applied, "No longer pinned.");
    } else {
        turn.refuse(format!("{} is not pinned.", fact.name()));
    }
}

fn forget(turn: &mut Turn<'_>, fact: &Arc<Fact>) {
    let name = fact.name().clone();
    if super::program::may_not_forget(turn, fact) {
        return;
    }
    if is_needed(turn, &name) {
        turn.refuse(format!("The run at hand needs {name}. Forget it when the run is over, or stop the run first."));
    } else if turn.state().facts().dependants(&name).is_empty() {
        take_back(turn, &name);
    } else {
        let pending = turn.ask(PendingKind::ConfirmForget { name });
        super::say::show(turn, &pending);
        turn.note(Outcome::Asked, "Other facts rest on it; asked whether they may go too.");
    }
}

/// Whether a step that has not ended yet reads it.
fn is_needed(turn: &Turn<'_>, name: &FactName) -> bool {
    let Some(run) = turn.state().active_run() else { return false };
    let is_open = |step: &&crate::Step| run.state(step.id).is_some_and(|state| !state.is_finished());
    run.plan().steps().iter().filter(is_open).any(|step| step.needs.contains(name))
}

/// The question whether a fact and those that rest on it go, in words.
pub(super) fn question(state: &Conversation, name: &FactName) -> String {
    let dependants = state.facts().dependants(name);
    if dependants.is_empty() {
        return format!("Forget {name}?");
    }
    format!(
        "{} on {name} and would go with it: {}. Forget all of them?",
        resting(dependants.len()),
        listed(dependants.iter())
    )
}

fn resting(count: usize) -> String {
    if count == 1 { "1 fact rests".to_owned() } else { format!("{count} facts rest") }
}

/// Yes to forgetting.
pub(super) fn confirmed(turn: &mut Turn<'_>, question: &Pending, name: &FactName) {
    turn.close(question.id, Resolution::Approved);
    if is_needed(turn, name) {
        turn.refuse(format!("The run at hand needs {name} by now, so it stays until the run is over."));
    } else {
        take_back(turn, name);
    }
    super::settings::ask_anew(turn);
}

/// No to forgetting.
pub(super) fn kept(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Rejected);
    turn.say("Kept.", None);
    super::settings::ask_anew(turn);
    turn.note(Outcome::Applied, "Kept.");
}

fn take_back(turn: &mut Turn<'_>, name: &FactName) {
    let store = turn.state().facts();
    let statement = store.get(name).filter(|fact| fact.is_statement()).cloned();
    let mut names = vec![name.clone()];
    names.extend(store.dependants(name));
    let said = format!("Forgotten: {}. The log keeps what was said.", listed(names.iter()));
    turn.emit(Event::Knowledge(KnowledgeEvent::Forgotten { names }));
    turn.say(said, None);
    turn.note(Outcome::Applied, "Forgotten.");
    let Some(statement) = statement else { return };
    // The plan that waits says of it that it holds, which it has to no more.
    if statement.kind() == FactKind::Constraint && turn.state().phase() == Phase::AwaitingApproval {
        super::learn::redraft_at_hand(turn, |_| true);
    } else if let Some(about) = statement.body.standing.about.clone() {
        super::learn::redraft_if_about(turn, &about);
    }
}

/// Names in a sentence; of many, the first.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a FactName>) -> String {
    let rest = names.len().saturating_sub(limits::FACTS_NAMED_MAX);
    let mut said = names.take(limits::FACTS_NAMED_MAX).map(FactName::as_str).collect::<Vec<_>>().join(", ");
    if rest > 0 {
        said.push_str(&format!(" and {rest} more"));
    }
    said
}

/// The reply to the question whether to forget, by a control or in words.
pub(super) fn decided(turn: &mut Turn<'_>, question: &Pending, name: &FactName, yes: bool) {
    if yes { confirmed(turn, question, name) } else { kept(turn, question) }
}

/// "Show me the query", "what did that assume?": one part of what is known about a fact.
pub(super) fn part_of(state: &Conversation, fact: &Fact, words: &str) -> Option<String> {
    let words = text::words(words);
    let says = |list: &[&str]| words.iter().any(|word| list.iter().any(|stem| word.starts_with(stem)));
    if says(&["assum", "granted"]) {
        return Some(match assumed(state, fact).as_slice() {
            [] => format!("{} took nothing for granted.", fact.name()),
            all => format!("{} took for granted:\n  – {}", fact.name(), all.join("\n  – ")),
        });
    }
    if says(&["quer", "statement", "calculation"]) {
        return Some(match (&fact.body.query, &fact.body.value) {
            (Some(query), _) => format!("{} is the result of:\n{query}", fact.name()),
            (None, FactValue::Text(said)) => format!("{} was stated, not queried: “{said}”.", fact.name()),
            (None, FactValue::Table(_)) => format!("{} came without a query.", fact.name()),
        });
    }
    None
}

/// What the fact and those it rests on took for granted, its own first, each once.
fn assumed(state: &Conversation, fact: &Fact) -> Vec<String> {
    let mut all: Vec<String> = fact.body.assumptions.clone();
    let mut seen: BTreeSet<FactName> = BTreeSet::new();
    let mut open: VecDeque<FactName> = fact.body.derived_from.iter().cloned().collect();
    while let Some(name) = open.pop_front() {
        let Some(below) = state.facts().get(&name).filter(|_| seen.insert(name.clone())) else { continue };
        open.extend(below.body.derived_from.iter().cloned());
        for assumption in &below.body.assumptions {
            if !all.contains(assumption) {
                all.push(assumption.clone());
            }
        }
    }
    all
}

/// The ways on of the question whether to forget: each value is said like its number or its label.
pub(super) fn ways_to_forget() -> Vec<Choice> {
    let choice = |value: &str, label: &str| Choice::new(value, label);
    vec![choice("yes", "Yes, forget them"), choice("no", "No, keep them")]
}

/// Words that repeat one of the ways on. They come before any other look at the words: "forget it" drops a question
/// elsewhere, and "keep" is no "no" there.
pub(super) fn heard_to_forget(turn: &mut Turn<'_>, words: &str) -> bool {
    let Some(question) = turn.state().question().cloned() else { return false };
    let PendingKind::ConfirmForget { name } = &question.kind else { return false };
    let said = text::words(words);
    let said: Vec<&str> =
        said.iter().map(String::as_str).filter(|word| !matches!(*word, "please" | "all" | "of")).collect();
    let yes = match said.as_slice() {
        ["1"] | ["yes", "1"] => true,
        ["2"] | ["no", "2"] => false,
        ["yes", verb, what] | [verb, what] if FORGETS.contains(verb) && THEM.contains(what) => true,
        ["no", "keep", what] | ["keep", what] if THEM.contains(what) => false,
        ["no", "don't", verb, what] | ["don't", verb, what] | ["do", "not", verb, what]
            if FORGETS.contains(verb) && THEM.contains(what) =>
        {
            false
        }
        _ => return false,
    };
    if super::seen::is_unseen(turn, &question) {
        super::seen::not_taken(turn, &question);
    } else if answer::is_entitled(turn, &question) {
        let reply = if yes { crate::Reply::Approve } else { crate::Reply::Reject };
        super::message::note_reply(turn, &question, &reply);
        decided(turn, &question, name, yes);
    }
    true
}

/// The verdict of a card's buttons needs no words, so a bare look at the reply is enough here.
pub(super) fn to_forget(turn: &mut Turn<'_>, question: &Pending, name: &FactName, reply: &crate::Reply) -> bool {
    use crate::Reply;
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => decided(turn, question, name, true),
        Reply::Reject | Reply::Cancel => decided(turn, question, name, false),
        Reply::Hold => answer::hold(turn, question),
        Reply::Likely => super::say::ask_back(turn, question),
        Reply::Change { .. } | Reply::Question | Reply::Other => {
            turn.close(question.id, Resolution::Superseded);
            return false;
        }
    }
    true
}

/// Verbs for forgetting, where it is asked whether to.
const FORGETS: [&str; 4] = ["forget", "drop", "delete", "remove"];
/// What is forgotten, where that was named in the question.
const THEM: [&str; 6] = ["them", "these", "those", "both", "it", "that"];

/// Words for what was stated rather than found.
const STATEMENTS: [&str; 7] = ["definition", "meaning", "means", "decision", "constraint", "assumption", "note"];

/// Words around a fact that do not name one.
const FILLERS: [&str; 8] = ["fact", "facts", "the", "all", "about", "my", "of", "held"];
