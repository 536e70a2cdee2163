//! How work is gone about, settled for one conversation while talking (FL-11): a preset, single keys, and back to what
//! is configured. What runs goes on under it from its next step. Next: `flow`, which says what there is to settle.

use std::sync::Arc;

use super::turn::Turn;
use super::{program, say};
use crate::{
    ApprovalMode, Card, Conversation, Event, Flow, FlowKey, FlowSettings, Outcome, PendingKind, Preset, Reading,
    Resolution, Routing, RunEvent, Talk,
};

impl Conversation {
    /// What this conversation settled for itself; the rest is as configured.
    #[must_use]
    pub fn settings(&self) -> FlowSettings {
        self.settings
    }

    /// How work is gone about here, where `configured` is how its assistant goes about it. Work that may not begin from
    /// a talk by configuration begins from none.
    #[must_use]
    pub fn flow_over(&self, configured: Flow) -> Flow {
        let flow = self.settings.over(configured);
        let only_talks = configured.talk() == Talk::Only;
        let allow_execution_transition = flow.allow_execution_transition && configured.allow_execution_transition;
        Flow { allow_execution_transition, conversational: flow.conversational || only_talks, ..flow }
    }

    /// Settles it; the run at hand waits between its steps as `checkpoints` says, where it says so.
    pub(crate) fn settle_flow(&mut self, settings: FlowSettings, checkpoints: Option<ApprovalMode>) {
        self.settings = settings;
        let Some(mode) = checkpoints else { return };
        if let Some(run) = self.run.as_mut() {
            Arc::make_mut(run).keep_checkpoints(Some(mode));
        }
    }

    /// How readily it is asked what is meant, as far as this conversation settled that for itself.
    pub(crate) fn own_routing(&self) -> Option<Routing> {
        self.settings.intelligent_routing.or_else(|| self.settings.preset.map(|preset| Flow::preset(preset).routing))
    }
}

/// `/flow`, `/flow KEY VALUE …`; behind `/flow PRESET` and `/flow configured` pairs may follow, too, and a value may be
/// `configured`.
pub(super) fn command(turn: &mut Turn<'_>, words: Option<&str>) {
    let words = words.unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words.split([' ', '\t', '\n', '=', ':', ',']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return list(turn);
    }
    if program::refused(turn) {
        return;
    }
    match settled(turn.state().settings(), &words).and_then(|settings| allowed(turn, settings)) {
        Ok(settings) => settle(turn, settings),
        Err(why) => turn.refuse(why),
    }
}

/// The same where the command was read, with what stands behind it.
pub(super) fn by_reading(turn: &mut Turn<'_>, reading: &Reading) {
    command(turn, reading.target.as_deref());
}

/// Settles it, says what is different from now on, and has a run that is under way keep to it.
fn settle(turn: &mut Turn<'_>, settings: FlowSettings) {
    let before = turn.flow();
    set(turn, settings);
    let after = turn.flow();
    let differs = |key: &&FlowKey| key.value(&before) != key.value(&after);
    let told: Vec<String> = FlowKey::ALL.iter().filter(differs).map(|key| key.told(&after)).collect();
    let said = match told.is_empty() {
        true => "It is so already in this conversation.".to_owned(),
        false => format!("In this conversation from now on: {}. /flow shows all of it.", told.join("; ")),
    };
    turn.say(said.clone(), None);
    tell_of_program(turn);
    super::act::remind_of_question(turn);
    turn.note(Outcome::Applied, said);
}

/// The same without a word; what is settled already changes nothing.
pub(super) fn set(turn: &mut Turn<'_>, settings: FlowSettings) {
    if turn.state().settings() == settings {
        return;
    }
    let before = turn.flow().approval_mode;
    let after = settings.over(turn.policy.flow).approval_mode;
    let person = turn.person();
    let checkpoints = Some(after).filter(|after| *after != before);
    turn.emit(Event::FlowSettled { person, settings, checkpoints });
    if let Some(mode) = checkpoints {
        pace(turn, mode);
        ask_anew(turn);
    }
}

/// A plan that waits is asked about anew, and shown as it is now: a yes that was given before is no yes to it.
pub(super) fn ask_anew(turn: &mut Turn<'_>) {
    let waits = turn.state().question().filter(|question| matches!(question.kind, PendingKind::Approval { .. }));
    let (Some(waiting), Some(plan)) = (waits.cloned(), turn.state().plan().cloned()) else { return };
    turn.close(waiting.id, Resolution::Changed);
    let asked = turn.ask(waiting.kind);
    say::offer(turn, &plan, &asked, Vec::new());
}

/// A run under way waits before its next step, or waits no more. One that waits already is gone on with by "resume".
fn pace(turn: &mut Turn<'_>, mode: ApprovalMode) {
    let Some(run) = turn.state().active_run().filter(|run| !run.is_waiting()) else { return };
    // Where a person said to wait, it is theirs to say “resume”.
    if run.is_paused_by_hand() {
        return;
    }
    let run = run.id();
    let steps = if mode == ApprovalMode::None { None } else { Some(0) };
    turn.emit(Event::Run(RunEvent::Paced { run, steps, by_hand: false }));
}

/// What `words` settle, in place of what was settled.
fn settled(before: FlowSettings, words: &[&str]) -> Result<FlowSettings, String> {
    let preset = |word: &str| PRESETS.iter().find(|(name, _)| *name == word).map(|(_, preset)| *preset);
    let anew = |preset| FlowSettings { preset, ..FlowSettings::default() };
    // A preset stands by itself before the pairs; `conversational` is the name of a key, too.
    let (mut settings, pairs) = match words {
        [first, pairs @ ..] if pairs.len() % 2 == 0 && *first == AS_CONFIGURED => (anew(None), pairs),
        [first, pairs @ ..] if pairs.len() % 2 == 0 && preset(first).is_some() => (anew(preset(first)), pairs),
        pairs => (before, pairs),
    };
    for pair in pairs.chunks(2) {
        let key = FlowKey::ALL.iter().find(|key| key.name() == pair[0]);
        let key = key.ok_or_else(|| format!("“{}” is nothing to settle here. {}", pair[0], usage()))?;
        let known = match pair.get(1) {
            None => false,
            Some(value) => key.settle(&mut settings, Some(value).filter(|value| **value != AS_CONFIGURED).copied()),
        };
        if !known {
            let values = key.values().join(", ");
            return Err(format!("{} is one of {values}, or {AS_CONFIGURED}. Nothing was settled.", key.name()));
        }
    }
    Ok(settings)
}

/// What may not be loosened by talking stays as it was configured, and that is said.
fn allowed(turn: &Turn<'_>, settings: FlowSettings) -> Result<FlowSettings, String> {
    let configured = turn.policy.flow;
    let wished = settings.over(configured);
    let begins_work = settings.allow_execution_transition == Some(true) && !configured.allow_execution_transition;
    // A preset leaves it as it is configured.
    if begins_work || (settings.conversational == Some(false) && configured.talk() == Talk::Only) {
        return Err("This assistant starts no work from a talk, and that is settled in its configuration alone \
                    (allow_execution_transition). Nothing was settled."
            .to_owned());
    }
    let runs_unasked = |flow: &Flow| flow.unasked_steps_max() > 0 || flow.does_at_once();
    if !turn.policy.approvers.is_empty() && runs_unasked(&wished) && !runs_unasked(&configured) {
        return Err("Here every plan needs the yes of somebody who may give it, so none runs unasked. Nothing was \
                    settled."
            .to_owned());
    }
    Ok(settings)
}

fn list(turn: &mut Turn<'_>) {
    let (configured, flow) = (turn.policy.flow, turn.flow());
    let line = |key: &FlowKey| {
        let from = match (key.value(&configured), key.value(&flow)) {
            (configured, here) if configured == here => String::new(),
            (configured, _) => format!(" (configured: {configured})"),
        };
        (format!("{} {}", key.name(), key.value(&flow)), format!("{}{from}", key.told(&flow)))
    };
    let lines = FlowKey::ALL.iter().map(line).collect();
    turn.say("How work is gone about in this conversation:", Some(Card::Help { lines }));
    tell_of_program(turn);
    turn.say(usage(), None);
    super::act::remind_of_question(turn);
    turn.note(Outcome::Answered, "Shown.");
}

/// What is settled is not all there is to it where a program speaks.
fn tell_of_program(turn: &mut Turn<'_>) {
    if turn.state().hears_program() && turn.flow().does_at_once() {
        turn.say(program::ASKED_ABOUT, None);
    }
}

fn usage() -> String {
    let presets: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
    format!(
        "“/flow KEY VALUE” settles one of these, “/flow {}” all at once, and “/flow {AS_CONFIGURED}” takes it back.",
        presets.join("”, “/flow ")
    )
}

/// The presets by their names.
const PRESETS: [(&str, Preset); 3] =
    [("complex", Preset::Complex), ("simple", Preset::Simple), ("conversational", Preset::Conversational)];
/// In place of a value: what the configuration says.
const AS_CONFIGURED: &str = "configured";
