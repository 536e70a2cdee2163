//! Reading: the selection of a behaviour (rules on words, without a model) as the engine's own acts. Whatever could end
//! in a change becomes a task, which is drafted, shown and approved; what only asks never does. Next: `draft`.

use std::sync::Arc;

use turnwise_core::selected::{Behaviour, Scope, Selected, Source};
use turnwise_core::{
    Act, Bearing, Confidence, Control, MessageReading, ModeWish, Phase, PlanKind, PointEdit, PointSort, QueryKind,
    ReadContext, Reader, Reading, Reply, Surroundings, Tier,
};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::coder::Selection;
use turnwise_intent::classify::{Classification, Context, Details, classify};

use super::draft::{also, changes_places, renamed};
use super::form::is_all;
use super::hunks::{asks, hunk_change, names_hunks};
use crate::edit::last_applied;
use crate::rules::{is_command_where_expected, orders};
use crate::workspace::Workspace;

/// The profile's reader, with the selection of behaviours.
pub(super) struct CoderReader {
    reader: IntentReader,
    workspace: Arc<Workspace>,
}

/// The label of a task that `/plan` asked for, so that drafting knows it.
pub(super) const AS_PLAN: &str = "as_plan";
/// The same for `/do`.
pub(super) const AS_CHANGE: &str = "as_change";

impl CoderReader {
    pub(super) fn new(reader: IntentReader, workspace: Arc<Workspace>) -> Self {
        Self { reader, workspace }
    }

    /// What is known around a message.
    pub(super) fn context(&self, around: &Surroundings) -> Context {
        let last_open_editor = around.front().map(str::to_owned).into_iter().collect();
        let last_applied_diff = last_applied(&self.workspace).map(|(_, _, files)| files).unwrap_or_default();
        let last_applied_diff = last_applied_diff.iter().map(ToString::to_string).collect();
        Context { last_applied_diff, last_open_editor, ..Context::default() }
    }

    /// What the conversation knows around a message that is read now.
    fn known(&self, context: &ReadContext) -> Context {
        // Only what still waits is what was proposed last: an applied diff is found in the workspace.
        let waits = context.has_plan && context.phase == Phase::AwaitingApproval;
        Context {
            phase: context.phase,
            mode: context.mode,
            plan: context.has_plan,
            result: context.has_result,
            grounding: context.grounding.clone(),
            last_artifact_proposed: waits.then(|| PROPOSED.to_owned()).into_iter().collect(),
            ..self.context(&context.around)
        }
    }

    /// What is selected for a message that is read now: an order that names all it needs is a change, whatever else its
    /// words look like. None where it is a command of the session.
    fn settled(&self, text: &str, context: &ReadContext) -> Option<(Tier, Box<Selection>)> {
        let (tier, mut selection) = selection(classify(&self.reader, text, &self.known(context)))?;
        forget_proposed(&mut selection);
        if !is_order(text.trim()) || changes(&selection) {
            return Some((tier, selection));
        }
        let scope = selection.detected_scope.unwrap_or(Scope::Small);
        let event = Selected {
            behaviour: Behaviour::QuickAction,
            confidence: Confidence::CERTAIN,
            reasoning: AN_ORDER.to_owned(),
            detected_scope: Some(scope),
            ..selection.event
        };
        let settled = Selection {
            intent: CHANGE,
            behaviour: event.behaviour,
            confidence: event.confidence.value(),
            reasoning: event.reasoning.clone(),
            is_remark: false,
            detected_scope: event.detected_scope,
            event,
            ..*selection
        };
        Some((Tier::Rule, Box::new(settled)))
    }

    /// Whether words said while a plan waits are about it, and no task of their own: what goes on with “and”, and what
    /// lacks what it is to be about, as “not in comments” does.
    fn belongs_to_plan(&self, text: &str, context: &ReadContext) -> bool {
        let words = text.trim();
        if !context.has_plan || context.phase != Phase::AwaitingApproval || words.starts_with('/') {
            return false;
        }
        let goes_on = turnwise_core::text::words(words)
            .first()
            .is_some_and(|first| matches!(first.as_str(), "and" | "then" | "plus"));
        let lacks = || self.settled(words, context).is_some_and(|(_, it)| it.behaviour == Behaviour::Clarify);
        if orders(words).is_some() { goes_on } else { lacks() }
    }

    /// The selection for `text`; none where it is a command of the session.
    pub(super) fn select(&self, text: &str, context: &Context) -> Option<Box<Selection>> {
        selection(classify(&self.reader, text, context)).map(|(_, selection)| selection)
    }
}

fn selection(found: Classification) -> Option<(Tier, Box<Selection>)> {
    match found.details {
        Details::Coder(selection) => Some((found.tier, selection)),
        _ => None,
    }
}

impl Reader for CoderReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let words = text.trim();
        let Some((tier, selection)) = self.settled(text, context) else {
            return match is_order(words) {
                true => MessageReading::single(Reading::certain(words, CHANGE, TASK, Tier::Rule, AN_ORDER)),
                false => self.reader.read(text, context),
            };
        };
        let only_looks = matches!(selection.behaviour, Behaviour::Answer | Behaviour::Clarify | Behaviour::ContinueRun);
        if selection.user_override.is_none() && (only_looks || selection.behaviour == Behaviour::Command) {
            // “stop”, “help” and their like are the engine's own.
            let plain = self.reader.read(text, context);
            if controls(&plain) || selection.behaviour == Behaviour::Command {
                return plain;
            }
        }
        match (&selection.user_override, &selection.prompt) {
            (Some(_), None) if selection.behaviour != Behaviour::ContinueRun => self.reader.read(text, context),
            _ => {
                let mut reading = reading(words, tier, &selection);
                if context.phase == Phase::Idle && selection.behaviour == Behaviour::ContinueRun {
                    reading.segment = as_command(reading.segment);
                }
                MessageReading::single(reading)
            }
        }
    }

    fn selected(&self, text: &str, context: &ReadContext) -> Option<Selected> {
        self.settled(text, context).map(|(_, selection)| selection.event)
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        // “Hunk 2 should be …” is about the diff that waits, whatever else its words may say; what asks changes
        // nothing.
        let is_about_diff = hunk_change(text).is_some()
            || names_hunks(text)
            || changes_places(text)
            || also(text).is_some()
            || is_all(text);
        if context.has_plan && is_about_diff && !asks(text) {
            return Reply::Change { change: text.trim().to_owned() };
        }
        match self.reader.reply(text, context) {
            Reply::Other if self.belongs_to_plan(text, context) => Reply::Change { change: text.trim().to_owned() },
            reply => reply,
        }
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    /// An order that names all it needs is one of its own, whatever was asked; and “call it bar” means what is renamed.
    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        let bearing = self.reader.bearing(text, context);
        Bearing { asks: bearing.asks || orders(text).is_some(), names: renamed(text).is_some(), ..bearing }
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
}

/// Whether it is an order that names all it needs: whatever its words look like, it is a task.
fn is_order(words: &str) -> bool {
    !words.starts_with('/') && orders(words).is_some()
}

fn changes(selection: &Selection) -> bool {
    matches!(selection.behaviour, Behaviour::QuickAction | Behaviour::Plan)
}

/// A plan that waits is referred to, but it is no file: none is told where files are.
fn forget_proposed(selection: &mut Selection) {
    let forget = |files: &mut Vec<String>| files.retain(|file| file != PROPOSED);
    let Selection { context_source, referenced_files, event, .. } = selection;
    for source in [context_source, &mut event.context_source] {
        match source {
            Source::FollowUp { files, .. } | Source::ExplicitReference { files } => forget(files),
            Source::Fresh => {}
        }
    }
    forget(referenced_files);
    forget(&mut event.referenced_files);
}

/// The label of a change in the profile.
const CHANGE: &str = "change";
/// Why such an order is a task.
const AN_ORDER: &str = "It is an order that names all it needs.";
/// What a plan that waits is called among the things a message may refer to.
const PROPOSED: &str = "the plan";

/// A task, as it is planned.
const TASK: Act = Act::PlanNew(PlanKind::Plain);

fn reading(words: &str, tier: Tier, selection: &Selection) -> Reading {
    let prompt = selection.prompt.as_deref().unwrap_or(words);
    let (act, segment) = match selection.behaviour {
        Behaviour::Answer if selection.is_remark => (Act::Query(QueryKind::Remark), prompt.to_owned()),
        Behaviour::Answer => (Act::Query(QueryKind::Plain), prompt.to_owned()),
        Behaviour::ContinueRun => (Act::Control(Control::Status), prompt.to_owned()),
        Behaviour::QuickAction | Behaviour::Plan | Behaviour::Clarify | Behaviour::Command => (TASK, prompt.to_owned()),
    };
    let label = match selection.behaviour {
        Behaviour::QuickAction if selection.user_override.is_some() => AS_CHANGE,
        Behaviour::Plan if selection.user_override.is_some() => AS_PLAN,
        _ => selection.intent,
    };
    let confidence = Confidence::new(selection.confidence);
    Reading { confidence, ..Reading::certain(segment, label, act, tier, selection.reasoning.clone()) }
}

/// What stands behind `/run` where no run goes on: a command without its verb is one to be run.
fn as_command(rest: String) -> String {
    // What stands in backticks is a command, whether its program is known or not.
    let is_marked = rest.len() > 2 && rest.starts_with('`') && rest.ends_with('`');
    match orders(&rest).is_none() && (is_marked || is_command_where_expected(&rest)) {
        true => format!("run {rest}"),
        false => rest,
    }
}

/// Whether a rule read a command of the session.
fn controls(reading: &MessageReading) -> bool {
    let is_control = |reading: &Reading| {
        matches!(reading.act, Act::Control(_)) && reading.tier != Tier::Exemplar && reading.intent == "control"
    };
    matches!(reading, MessageReading::Understood { requests, .. } if requests.iter().all(is_control))
}
