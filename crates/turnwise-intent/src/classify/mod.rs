//! One entry from a message to what its assistant makes of it: the reading, the behaviour, and what the assistant's own
//! rules add (scope, complexity, scope gate, parameters). What a surface or a command line prints.
//!
//! ```
//! use turnwise_intent::IntentReader;
//! use turnwise_intent::classify::{Context, classify};
//!
//! let coder = IntentReader::builtin("coder")?;
//! let context = Context { last_open_editor: vec!["src/index.ts".to_owned()], ..Context::default() };
//! let found = classify(&coder, "Fix the typo in this file", &context);
//! assert_eq!(found.reason, "Scope: trivial (trivial action verb detected)");
//! # Ok::<(), turnwise_intent::UnknownAssistant>(())
//! ```
//!
//! Next: `context` for what may be known around a message, `behaviour` for the rules.

mod context;
mod loose;

use serde::Serialize;
use turnwise_core::selected::Behaviour;
use turnwise_core::{MessageReading, Neighbour, Reader, Reading, Reply, Tier};

pub use self::context::{Context, ContextError, ReviewState, RunState};
use crate::behaviour::{Choice, Clarification, coder, companion, copilot, tickets};
use crate::limits::READ_BYTES_MAX;
use crate::nearest::nearest;
use crate::profile::{Label, Profile};
use crate::reader::IntentReader;
use crate::resolve::principal;
use crate::slash::{Dispatch, dispatch};
use crate::words::{Words, prefix, visible};

/// What an assistant makes of one message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Classification {
    /// The assistant.
    pub assistant: String,
    /// Its label for what is meant.
    pub intent: String,
    /// The finer label within it.
    pub sub: Option<String>,
    /// What it is about, in the person's words.
    pub target: Option<String>,
    /// What the system does with it.
    pub behaviour: Behaviour,
    /// Probability of `intent`.
    pub confidence: f32,
    /// Distance to the runner-up.
    pub margin: f32,
    /// Who decided.
    pub tier: Tier,
    /// The nearest exemplars; empty when a rule or command decided.
    pub nearest: Vec<Neighbour>,
    /// One readable sentence: why.
    pub reason: String,
    /// What it says to the open question, when one is open.
    #[serde(flatten)]
    pub reply: Option<Reply>,
    /// The message, segment by segment.
    pub segments: Vec<SegmentRead>,
    /// What is asked back when no reading is sure enough; absent where the assistant's own rules ask.
    #[serde(rename = "clarification", skip_serializing_if = "Option::is_none")]
    pub choices: Option<Clarification>,
    /// What the assistant's own rules add.
    #[serde(flatten)]
    pub details: Details,
}

/// One segment as read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SegmentRead {
    /// Its words.
    pub text: String,
    /// Its label.
    pub intent: String,
    /// The finer label.
    pub sub: Option<String>,
    /// What it is about.
    pub target: Option<String>,
    /// Probability of the label.
    pub confidence: f32,
}

/// What an assistant's own rules add to a reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Details {
    /// The reading says it all.
    Plain {},
    /// The coder's selection.
    Coder(Box<coder::Selection>),
    /// The copilot's judgement.
    Copilot(copilot::Judgement),
    /// The ticket bot's routing.
    Tickets(tickets::Routing),
    /// The companion's understanding.
    Companion(companion::Understanding),
}

/// Classifies `text` for the assistant whose profile `reader` reads with.
#[must_use]
pub fn classify(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let text = visible(prefix(text, READ_BYTES_MAX));
    let text = text.trim();
    let mut found = match reader.profile().name.as_str() {
        "coder" => coder(reader, text, context),
        "copilot" => copilot(reader, text, context),
        "tickets" => tickets(reader, text, context),
        "companion" => companion(reader, text, context),
        _ => read(reader, text, context),
    };
    let is_open = context.awaits_approval() || context.pending_action.is_some();
    found.reply = is_open.then(|| reader.reply(text, &context.for_reading()));
    found
}

/// The reading alone.
fn read(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let profile = reader.profile();
    match reader.read(text, &context.for_reading()) {
        MessageReading::Understood { requests, segments } => {
            let Some(chosen) = principal(&requests) else { return nothing(profile, "nothing is asked for") };
            let behaviour = behaviour_of(profile, chosen);
            let mut found = of_reading(profile, chosen, behaviour);
            found.segments = segments.iter().map(segment_read).collect();
            found
        }
        MessageReading::Unsure { options } => unsure(profile, &options),
        MessageReading::UnknownCommand { command, nearest } => {
            let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"));
            let mut found = nothing(profile, &format!("there is no command {command}{hint}"));
            found.intent = "unknown_command".to_owned();
            found.tier = Tier::Slash;
            found
        }
        MessageReading::Bare { command, asks } => {
            let mut found = nothing(profile, &format!("the command {command} without its text: {asks}"));
            if let Some(known) = profile.commands.iter().find(|known| known.name == command) {
                found.intent.clone_from(&known.label.primary);
            }
            found.tier = Tier::Slash;
            found
        }
        MessageReading::Empty => nothing(profile, "nothing readable was said"),
    }
}

fn behaviour_of(profile: &Profile, reading: &Reading) -> Behaviour {
    let label = Label { primary: reading.intent.clone(), sub: reading.sub.clone() };
    profile.labels.get(&label).map_or(Behaviour::Clarify, |meaning| meaning.behaviour)
}

fn of_reading(profile: &Profile, reading: &Reading, behaviour: Behaviour) -> Classification {
    Classification {
        assistant: profile.name.clone(),
        intent: reading.intent.clone(),
        sub: reading.sub.clone(),
        target: reading.target.clone(),
        behaviour,
        confidence: reading.confidence.value(),
        margin: reading.margin,
        tier: reading.tier,
        nearest: reading.nearest.clone(),
        reason: reading.reason.clone(),
        reply: None,
        segments: vec![segment_read(reading)],
        choices: None,
        details: Details::Plain {},
    }
}

fn segment_read(reading: &Reading) -> SegmentRead {
    SegmentRead {
        text: reading.segment.clone(),
        intent: reading.intent.clone(),
        sub: reading.sub.clone(),
        target: reading.target.clone(),
        confidence: reading.confidence.value(),
    }
}

fn unsure(profile: &Profile, options: &[Reading]) -> Classification {
    let Some(best) = options.first() else { return nothing(profile, "it reads like nothing this assistant knows") };
    let offered = |reading: &Reading| {
        let label = Label { primary: reading.intent.clone(), sub: reading.sub.clone() };
        let offer = profile.labels.get(&label).map_or_else(|| label.to_string(), |meaning| meaning.offer.clone());
        Choice::new(offer, "confirm_intent")
    };
    let mut found = of_reading(profile, best, Behaviour::Clarify);
    found.choices = Some(Clarification {
        question: "Which of these do you mean?".to_owned(),
        options: options.iter().map(offered).collect(),
    });
    found
}

fn nothing(profile: &Profile, reason: &str) -> Classification {
    Classification {
        assistant: profile.name.clone(),
        intent: "none".to_owned(),
        sub: None,
        target: None,
        behaviour: Behaviour::Clarify,
        confidence: 0.0,
        margin: 0.0,
        tier: Tier::Rule,
        nearest: Vec::new(),
        reason: reason.to_owned(),
        reply: None,
        segments: Vec::new(),
        choices: None,
        details: Details::Plain {},
    }
}

/// A sure reading, none of the options of an unsure one.
fn is_sure(found: &Classification) -> bool {
    found.choices.is_none() && found.confidence > 0.0
}

fn coder(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let profile = reader.profile();
    let settled = match dispatch(profile, text) {
        Some(Dispatch::Known { command, argument }) => {
            let behaviour = profile.labels.get(&command.label).map_or(Behaviour::Command, |meaning| meaning.behaviour);
            if behaviour == Behaviour::Command {
                return read(reader, text, context);
            }
            Some(coder::Override { by: command.name.clone(), behaviour, prompt: argument })
        }
        Some(Dispatch::Unknown { .. }) => return read(reader, text, context),
        None => context.chosen.map(|behaviour| coder::Override {
            by: "the chosen option".to_owned(),
            behaviour,
            prompt: Some(text.to_owned()),
        }),
    };
    // Only asked for when the words hold no sign, so that selection stays under a millisecond.
    let mut likeness = None;
    let selection = coder::select(text, settled.as_ref(), context, || {
        let found = read(reader, text, context);
        let guess = (is_sure(&found) && found.tier == Tier::Exemplar).then_some((found.behaviour, found.confidence));
        likeness = Some(found);
        guess
    });
    let mut found = likeness.unwrap_or_else(|| nothing(profile, ""));
    found.intent = selection.intent.to_owned();
    found.sub = None;
    found.choices = None;
    found.behaviour = selection.behaviour;
    let by_likeness = found.confidence > 0.0 && (found.confidence - selection.confidence).abs() < f32::EPSILON;
    if !by_likeness {
        found.tier = if selection.user_override.is_none() { Tier::Rule } else { override_tier(text) };
        found.margin = 1.0;
    }
    found.confidence = selection.confidence;
    found.target = selection.prompt.clone().or(found.target);
    found.reason.clone_from(&selection.reasoning);
    found.details = Details::Coder(Box::new(selection));
    found
}

/// A typed command, or a control that a person used.
fn override_tier(text: &str) -> Tier {
    if text.starts_with('/') { Tier::Slash } else { Tier::Person }
}

/// A likeness to "build it" builds nothing: only a rule on words moves a conversation to execution.
fn copilot(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let mut found = read(reader, text, context);
    if found.behaviour == Behaviour::Command || found.intent == "unknown_command" {
        return found;
    }
    let likeness_to_build = found.intent == "implement" && found.tier == Tier::Exemplar;
    if !is_sure(&found) || likeness_to_build {
        "converse".clone_into(&mut found.intent);
        found.choices = None;
    }
    let judgement = copilot::judge(text, &found.intent, reader.profile().flow.routing, context);
    if found.intent == "implement" && !judgement.transition_to_execution {
        "task".clone_into(&mut found.intent);
    }
    found.behaviour = match judgement.route {
        copilot::Route::Converse => Behaviour::Answer,
        copilot::Route::Clarify => Behaviour::Clarify,
        copilot::Route::Direct => Behaviour::QuickAction,
        copilot::Route::Plan | copilot::Route::Transition => Behaviour::Plan,
    };
    found.details = Details::Copilot(judgement);
    found
}

fn tickets(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let mut found =
        if tickets::is_forget_command(text) { forget(reader.profile()) } else { read(reader, text, context) };
    if found.intent == "unknown_command" {
        return found;
    }
    if !is_sure(&found) {
        "ambiguous".clone_into(&mut found.intent);
        found.sub = None;
        found.choices = None;
    }
    // An order among several sentences is what is wanted; the others say of what. Alone they would mean nothing sure.
    let ordered =
        |segment: &&SegmentRead| segment.confidence >= 1.0 && matches!(segment.intent.as_str(), "ticket" | "review");
    if matches!(found.intent.as_str(), "ambiguous" | "discussion")
        && let Some(order) = found.segments.iter().find(ordered).cloned()
    {
        found.reason = format!("“{}” orders it, and what stands beside it says of what", order.text);
        (found.intent, found.tier, found.confidence) = (order.intent, Tier::Rule, order.confidence);
        found.nearest.clear();
    }
    let reply = match context.pending_action {
        Some(_) => reader.reply(text, &context.for_reading()),
        None => Reply::Other,
    };
    let routing = tickets::route(text, &found.intent, &reply, context);
    if routing.intent != found.intent {
        found.reason = format!("{:?} decided over the reading {}", routing.routed_by, found.intent);
    }
    found.intent.clone_from(&routing.intent);
    found.behaviour = match (found.intent.as_str(), routing.flow) {
        ("ticket", Some(tickets::TicketFlow::MultiTicket)) => Behaviour::Plan,
        ("ticket", _) => Behaviour::QuickAction,
        ("meta", _) => Behaviour::Command,
        ("ambiguous", _) => Behaviour::Clarify,
        _ => Behaviour::Answer,
    };
    found.details = Details::Tickets(routing);
    found
}

/// `/<bot> forget`, whatever the bot is called.
fn forget(profile: &Profile) -> Classification {
    let mut found = nothing(profile, "the command that clears what the thread remembers");
    "meta".clone_into(&mut found.intent);
    found.sub = Some("forget".to_owned());
    found.confidence = 1.0;
    found.margin = 1.0;
    found.tier = Tier::Slash;
    found
}

fn companion(reader: &IntentReader, text: &str, context: &Context) -> Classification {
    let profile = reader.profile();
    let hint = context.intent_hint.as_deref();
    // “…, you know?” asks nothing.
    let text = companion::without_tag(text);
    let mut found = match hint.filter(|hint| companion::intent(hint).is_some()) {
        Some(hint) => by_rule(profile, hint, "the intent was given with the message", Tier::Person),
        None => match companion::by_what_exists(text, context) {
            Some(label) => by_rule(profile, label, "a document is asked for; what exists decides", Tier::Rule),
            None if companion::beyond(text).is_some() => {
                by_rule(profile, companion::GENERAL.label, "it is not done here, or only asked", Tier::Rule)
            }
            None if begins_a_project(text) => {
                by_rule(profile, companion::CREATE, "it begins a project, and tells of it", Tier::Rule)
            }
            None if companion::takes_leave(text) => {
                by_rule(profile, companion::GENERAL.label, "somebody takes their leave", Tier::Rule)
            }
            None if companion::saves_what_was_said(text) => {
                by_rule(profile, "save_notes", "it saves what was said before", Tier::Rule)
            }
            None => of_segments(profile, read(reader, text, context)),
        },
    };
    if found.behaviour == Behaviour::Command || found.intent == "unknown_command" {
        return found;
    }
    let said = if text.starts_with('/') { found.target.clone().unwrap_or_default() } else { text.to_owned() };
    let likeness_to_consent = found.intent == "approve_draft" && found.tier == Tier::Exemplar;
    // Nobody asks to have a question kept; "can you note that …" is a request and does not count as one.
    let question_as_note = found.intent == "add_knowledge" && found.tier == Tier::Exemplar && Words::of(&said).asks;
    let is_known = !likeness_to_consent && !question_as_note;
    let read_as = is_known.then_some((found.intent.as_str(), found.confidence));
    let understood = companion::understand(&said, read_as, context);
    if question_as_note {
        found.reason = "it asks, so it is nothing to keep: general conversation".to_owned();
    } else if likeness_to_consent {
        found.reason = "it is like an approval, but approves nothing in words: general conversation".to_owned();
    } else if understood.intent != found.intent {
        let (was, p) = (&found.intent, found.confidence);
        found.reason =
            format!("reads as {was} at {p:.2}, below {:.2}: general conversation", companion::CONFIDENCE_THRESHOLD);
    }
    if let Some(hint) = hint.filter(|hint| companion::intent(hint).is_none()) {
        let known = nearest(hint, companion::INTENTS.iter().map(|intent| intent.label));
        let known = known.map_or_else(String::new, |name| format!(" (did you mean {name}?)"));
        found.reason =
            format!("the given intent {hint} does not exist{known}, so the message was read; {}", found.reason);
    }
    understood.intent.clone_into(&mut found.intent);
    found.confidence = understood.confidence;
    found.choices = None;
    found.behaviour = profile.labels.get(&Label::primary(understood.intent)).map_or(Behaviour::Answer, |m| m.behaviour);
    found.target = understood.parameters.artifact_description.clone().or(found.target);
    found.details = Details::Companion(understood);
    found
}

/// Whether a message begins a project in plain words and goes on to tell of it: what is told there is no note.
fn begins_a_project(text: &str) -> bool {
    let begun = companion::begun_plainly(text).and_then(|at| text.get(at..));
    begun.is_some_and(companion::names_something)
}

fn by_rule(profile: &Profile, label: &str, reason: &str, tier: Tier) -> Classification {
    let mut found = nothing(profile, reason);
    label.clone_into(&mut found.intent);
    found.behaviour = Behaviour::Answer;
    found.confidence = 1.0;
    found.margin = 1.0;
    found.tier = tier;
    found
}

/// The last sure segment that asks for something: "Thanks! Move it, please." is about moving.
fn of_segments(profile: &Profile, found: Classification) -> Classification {
    let sure = |segment: &&SegmentRead| {
        segment.intent != companion::GENERAL.label && segment.confidence >= companion::CONFIDENCE_THRESHOLD
    };
    let Some(segment) = found.segments.iter().rev().find(sure).cloned() else { return found };
    if segment.intent == found.intent || found.behaviour == Behaviour::Command {
        return found;
    }
    let mut better = by_rule(profile, &segment.intent, "another sentence of the message asks for it", Tier::Rule);
    better.confidence = segment.confidence;
    better.target = segment.target;
    better.segments = found.segments;
    better
}
