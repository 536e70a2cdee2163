//! The coder's selection (spec 2): what should be done, before anything is done. Rules only, well under a millisecond.
//!
//! In this order (BH-02): a command or a control decides; an active run; a plain question; missing information, asked
//! for at most twice; the scope. Next: `signals` for what is seen in the words, `scope`, `reference`, `clarify`.

mod clarify;
mod files;
mod reference;
mod scope;
mod scope_signs;
mod signals;
mod vocabulary;

use serde::Serialize;
use turnwise_core::Confidence;
use turnwise_core::selected::{Behaviour, DerivedMode, Scope, Selected, Source};

pub use self::clarify::Missing;
pub use self::files::files_in;
pub use self::reference::{Reference, resolve};
pub use self::scope::ScopeFinding;
use self::signals::Signals;
use super::{Choice, Clarification};
use crate::classify::Context;

/// Clarifications of one request before it goes on with the best stated assumption (BH-06).
pub const CLARIFICATIONS_MAX: u32 = turnwise_core::limits::CLARIFICATIONS_MAX as u32;

/// How sure each kind of decision is. Selection is by rules, so these are fixed; the first two are those of the
/// spec's examples, and a question or override leaves less room for error than a guess at a scope.
const SURE_OVERRIDE: f32 = 1.0;
const SURE_TRIVIAL: f32 = 0.9;
const SURE_SMALL: f32 = 0.85;
const SURE_PLAN: f32 = 0.85;
const SURE_QUESTION: f32 = 0.9;
const SURE_RUN: f32 = 0.95;
const SURE_ASSUMPTION: f32 = 0.5;
const SURE_CLARIFY: f32 = 0.8;

/// What selection came to (BH-04).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Selection {
    /// The profile's label.
    #[serde(skip)]
    pub intent: &'static str,
    /// What the system does.
    #[serde(skip)]
    pub behaviour: Behaviour,
    /// The mode that follows from it.
    pub derived_mode: DerivedMode,
    /// How sure the rules are.
    #[serde(skip)]
    pub confidence: f32,
    /// One readable sentence.
    pub reasoning: String,
    /// Whether it is a courtesy that asks for nothing.
    #[serde(skip)]
    pub is_remark: bool,
    /// What the request rests on.
    pub context_source: Source,
    /// How much it concerns; absent for questions and runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected_scope: Option<Scope>,
    /// The files it names or refers to.
    pub referenced_files: Vec<String>,
    /// The command that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_override: Option<String>,
    /// What was said behind the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What is asked back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Clarification>,
    /// What was asked for often enough and is still missing, so that something had to be assumed.
    #[serde(skip)]
    pub assumed: Option<Missing>,
    /// What can be done with the run that is shown (BH-10), in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Choice>,
    /// The first thing that happens next.
    pub next_action: &'static str,
    /// The event for the log (BH-11).
    pub event: Selected,
}

/// A decision before references and events are filled in.
struct Verdict {
    intent: &'static str,
    behaviour: Behaviour,
    confidence: f32,
    reasoning: String,
    missing: Option<Missing>,
    /// What is missing and not asked for any more.
    assumed: Option<Missing>,
}

/// What a command or control settled before the words are looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// As typed, or the name of the control.
    pub by: String,
    /// What it stands for.
    pub behaviour: Behaviour,
    /// What was said behind it.
    pub prompt: Option<String>,
}

/// Selects the behaviour for `text`. `guess` is asked for a behaviour only when the words hold no sign at all.
#[must_use]
pub fn select(
    text: &str,
    settled: Option<&Override>,
    context: &Context,
    guess: impl FnOnce() -> Option<(Behaviour, f32)>,
) -> Selection {
    let prompt = settled.map_or(text, |settled| settled.prompt.as_deref().unwrap_or_default());
    let files = files_in(prompt);
    let signals = Signals::of(prompt, &files);
    let reference = resolve(&signals, &files, context);
    let scope = scope::detect(&signals, &files, reference.as_ref(), context);
    let verdict = match settled {
        Some(settled) => overridden(settled),
        None => verdict(&signals, &files, reference.as_ref(), &scope, context, guess),
    };
    let assembled = Assembly { verdict, scope, files, reference, context, signals: &signals };
    assembled.selection(settled)
}

fn verdict(
    signals: &Signals,
    files: &[String],
    reference: Option<&Reference>,
    scope: &ScopeFinding,
    context: &Context,
    guess: impl FnOnce() -> Option<(Behaviour, f32)>,
) -> Verdict {
    if let Some(verdict) = during_a_run(signals, context) {
        return verdict;
    }
    let missing = clarify::missing(signals, files, reference, context);
    if signals.is_question && missing.is_none() {
        return plain(
            "question",
            Behaviour::Answer,
            SURE_QUESTION,
            "Question: nothing is asked to be changed".to_owned(),
        );
    }
    if signals.is_remark && signals.actions == 0 {
        return plain("question", Behaviour::Answer, SURE_QUESTION, "Remark: nothing is asked for".to_owned());
    }
    let may_ask = context.clarification_attempts < CLARIFICATIONS_MAX;
    match missing {
        Some(Missing::Aim) => match guess().filter(|(behaviour, _)| *behaviour != Behaviour::Clarify) {
            Some((behaviour, confidence)) => guessed(behaviour, confidence, scope),
            None if may_ask => asked(Missing::Aim),
            None => assumed(Missing::Aim, scope),
        },
        Some(missing) if may_ask => asked(missing),
        Some(missing) => assumed(missing, scope),
        None if signals.is_command => {
            plain("command", Behaviour::QuickAction, SURE_SMALL, "Command: it is asked to be run".to_owned())
        }
        None => by_scope(scope),
    }
}

fn plain(intent: &'static str, behaviour: Behaviour, confidence: f32, reasoning: String) -> Verdict {
    Verdict { intent, behaviour, confidence, reasoning, missing: None, assumed: None }
}

fn intent_of(behaviour: Behaviour) -> &'static str {
    match behaviour {
        Behaviour::Answer => "question",
        Behaviour::Clarify => "unclear",
        Behaviour::QuickAction => "change",
        Behaviour::Plan => "plan",
        Behaviour::ContinueRun => "run",
        Behaviour::Command => "control",
    }
}

fn overridden(settled: &Override) -> Verdict {
    let code = settled.behaviour.code();
    let reasoning = format!("Override: {} means {code}", settled.by);
    plain(intent_of(settled.behaviour), settled.behaviour, SURE_OVERRIDE, reasoning)
}

/// With an active run a plain question and a command are still what they are; all else is about the run.
fn during_a_run(signals: &Signals, context: &Context) -> Option<Verdict> {
    if !context.has_active_run() {
        let nothing = "Run: no run is active, so there is nothing to go on with";
        return signals.about_run.then(|| plain("run", Behaviour::Answer, SURE_QUESTION, nothing.to_owned()));
    }
    if signals.about_run {
        return Some(plain("run", Behaviour::ContinueRun, SURE_RUN, "Run: it is about the active run".to_owned()));
    }
    if signals.is_question && signals.actions == 0 {
        let reasoning = "Question: nothing is asked to be changed; the active run goes on".to_owned();
        return Some(plain("question", Behaviour::Answer, SURE_QUESTION, reasoning));
    }
    if signals.is_command {
        let reasoning = "Command: it is asked to be run; it waits for the active run".to_owned();
        return Some(plain("command", Behaviour::QuickAction, SURE_SMALL, reasoning));
    }
    Some(plain("run", Behaviour::ContinueRun, SURE_RUN, "Run: a run is active, so it comes first".to_owned()))
}

fn asked(missing: Missing) -> Verdict {
    let reasoning = format!("Missing: {}", missing.reason());
    Verdict {
        intent: "unclear",
        behaviour: Behaviour::Clarify,
        confidence: SURE_CLARIFY,
        reasoning,
        missing: Some(missing),
        assumed: None,
    }
}

/// After the last attempt: a change goes on with a stated assumption, anything less is answered with what is lacking.
fn assumed(missing: Missing, scope: &ScopeFinding) -> Verdict {
    let assumption = missing.assumption();
    let (behaviour, next) = match missing {
        Missing::Aim | Missing::Reference => (Behaviour::Answer, "so only what is lacking is said"),
        Missing::Conflict => (Behaviour::Answer, "so it is explained first"),
        Missing::Where => (scope.scope.behaviour(), "so that is assumed"),
    };
    let reasoning = format!("Asked {CLARIFICATIONS_MAX} times: {assumption}, {next}");
    Verdict { assumed: Some(missing), ..plain(intent_of(behaviour), behaviour, SURE_ASSUMPTION, reasoning) }
}

/// The head's guess, used when the words hold no sign. Its scope still decides between a small change and a plan.
fn guessed(behaviour: Behaviour, confidence: f32, scope: &ScopeFinding) -> Verdict {
    let reasoning = match behaviour {
        Behaviour::QuickAction | Behaviour::Plan => scope.reasoning(),
        Behaviour::Answer | Behaviour::Clarify | Behaviour::ContinueRun | Behaviour::Command => {
            format!("Likeness: it reads like the examples of {}", behaviour.code())
        }
    };
    plain(intent_of(behaviour), behaviour, confidence, reasoning)
}

fn by_scope(scope: &ScopeFinding) -> Verdict {
    let confidence = match scope.scope {
        Scope::Trivial => SURE_TRIVIAL,
        Scope::Small => SURE_SMALL,
        Scope::Medium | Scope::Large => SURE_PLAN,
    };
    let behaviour = scope.scope.behaviour();
    plain(intent_of(behaviour), behaviour, confidence, scope.reasoning())
}

struct Assembly<'a> {
    verdict: Verdict,
    scope: ScopeFinding,
    files: Vec<String>,
    reference: Option<Reference>,
    context: &'a Context,
    signals: &'a Signals,
}

impl Assembly<'_> {
    fn selection(self, settled: Option<&Override>) -> Selection {
        let Verdict { intent, behaviour, confidence, reasoning, missing, assumed } = self.verdict;
        let concerns_files = matches!(behaviour, Behaviour::QuickAction | Behaviour::Plan | Behaviour::Clarify);
        let context_source = reference::source(self.reference.as_ref(), self.signals.is_pointing());
        let mut referenced_files = self.files;
        let more = self.reference.map(|reference| reference.files).unwrap_or_default();
        referenced_files.extend(more.into_iter().filter(|_| concerns_files || self.signals.is_pointing()));
        referenced_files.dedup();
        let detected_scope = concerns_files.then_some(self.scope.scope);
        let event = Selected {
            behaviour,
            context_source: context_source.clone(),
            confidence: Confidence::new(confidence),
            reasoning: reasoning.clone(),
            detected_scope,
            referenced_files: referenced_files.clone(),
        };
        let signals = self.signals;
        Selection {
            is_remark: signals.is_remark && signals.actions == 0 && !signals.is_question,
            intent,
            behaviour,
            derived_mode: DerivedMode::of(behaviour),
            confidence,
            reasoning,
            context_source,
            detected_scope,
            referenced_files,
            user_override: settled.map(|settled| settled.by.clone()),
            prompt: settled.and_then(|settled| settled.prompt.clone()),
            clarification: missing.map(|missing| missing.clarification(self.context)),
            assumed,
            offers: offers(behaviour, self.context),
            next_action: next_action(behaviour),
            event,
        }
    }
}

/// A run is shown with its controls whenever there is one, whatever else is done.
fn offers(behaviour: Behaviour, context: &Context) -> Vec<Choice> {
    if behaviour != Behaviour::ContinueRun && !context.has_active_run() {
        return Vec::new();
    }
    [("Resume", "resume"), ("Pause", "pause"), ("Abort", "abort"), ("Propose fix", "propose_fix")]
        .into_iter()
        .map(|(label, action)| Choice::new(label, action))
        .collect()
}

fn next_action(behaviour: Behaviour) -> &'static str {
    match behaviour {
        Behaviour::Answer => "answer",
        Behaviour::Clarify => "ask",
        Behaviour::QuickAction => "propose_diff",
        Behaviour::Plan => "draft_plan",
        Behaviour::ContinueRun => "show_run",
        Behaviour::Command => "command",
    }
}
