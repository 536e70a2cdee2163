//! The reader: the cascade from a message to what it asks for.
//!
//! Command → for each segment: rules on words → trained head → rules that only speak when the head is unsure → the
//! likely readings as options. Then the segments are resolved into requests. Everything here is a pure function of
//! text, context and profile. Next: `rules`, `head`, `resolve`; for answers to open questions `reply`.

mod model;
mod ranking;

use std::sync::{Arc, OnceLock};

use turnwise_core::{
    Act, Bearing, Confidence, Control, MessageReading, ModeWish, Neighbour, PointEdit, PointSort, QueryKind,
    ReadContext, Reader, Reading, Reply, Routing, Tier,
};

use crate::act::{ActName, named_mode, takes_text};
use crate::builtin::{self, UnknownAssistant};
use crate::embed::{EmbedError, Embedder, shared};
use crate::exact::Known;
use crate::fitted::{Fitted, NOTHING, PLAIN, content_key};
use crate::fix;
use crate::head::Head;
use crate::limits::{OPTIONS_MAX, READ_BYTES_MAX};
use crate::math::softmax;
use crate::point;
use crate::profile::{Calibration, Label, Profile};
use crate::reply;
use crate::resolve::{Said, resolve};
use crate::rules::{self, Match};
use crate::settling;
use crate::slash::{self, Dispatch};
use crate::spelling::Spelling;
use crate::split::segments;
use crate::target;
use crate::words::{Words, prefix, visible};
use ranking::{margin, ranked, settle};

/// Reads messages with one profile. Cheap to make: weights are loaded and heads decoded when first needed.
#[derive(Clone)]
pub struct IntentReader {
    profile: Arc<Profile>,
    embedder: Arc<dyn Embedder>,
    fitted: Arc<OnceLock<Result<Fitted, EmbedError>>>,
    known: Arc<OnceLock<Known>>,
    spelling: Arc<OnceLock<Spelling>>,
    /// The bytes of a fit to decode at first use, for built-in profiles.
    asset: Option<&'static [u8]>,
    /// What the profile has that was fitted with another embedding model and is not used.
    set_aside: Option<Calibration>,
}

/// What the head makes of a segment.
struct Judged {
    /// How readily it is asked what is meant, where the conversation settled that for itself.
    routing: Option<Routing>,
    /// Every intent with its probability, best first; [`NOTHING`] among them.
    ranked: Vec<(String, f32)>,
    /// Whether the segment is like the exemplars at all; told only where there are many intents.
    is_familiar: bool,
    nearest: Vec<Neighbour>,
    /// Finer labels of the best intent, best first; empty when it has none.
    subs: Vec<(String, f32)>,
    /// Whether the words are an exemplar word for word, which is more than a likeness.
    is_known: bool,
    /// What the head read in place of the segment, where that has slips.
    levelled: Option<String>,
}

/// Scores of a message before they become probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// Of the intents, in the order of the head's classes.
    pub primary: Vec<f32>,
    /// Of the finer labels of the intent that was asked about, if it has some.
    pub sub: Option<Vec<f32>>,
}

enum Outcome {
    Said(Said),
    Unsure(Vec<Reading>),
}

impl IntentReader {
    /// A reader of `profile` with the compiled-in embedding model. A profile without a fit (see
    /// [`IntentReader::with_fitted`]) is fitted when its head is first needed, which takes seconds.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        let embedder: Arc<dyn Embedder> = shared();
        let reader = Self {
            profile: Arc::new(profile),
            embedder,
            fitted: Arc::new(OnceLock::new()),
            known: Arc::new(OnceLock::new()),
            spelling: Arc::new(OnceLock::new()),
            asset: None,
            set_aside: None,
        };
        reader.with_own_calibration()
    }

    /// A reader of a built-in profile, whose fit is compiled in.
    ///
    /// # Errors
    /// [`UnknownAssistant`] names the nearest built-in one.
    pub fn builtin(name: &str) -> Result<Self, UnknownAssistant> {
        let (profile, asset) = builtin::assistant(name)?;
        Ok(Self { asset: Some(asset), ..Self::new(profile) })
    }

    /// Goes about its work as `flow` says, whatever its profile says.
    #[must_use]
    pub fn with_flow(mut self, flow: crate::Flow) -> Self {
        Arc::make_mut(&mut self.profile).flow = flow;
        self
    }

    /// Reads with `calibration` in place of the profile's own; the fit stays, because no exemplar changes.
    #[must_use]
    pub fn with_calibration(self, calibration: Option<Calibration>) -> Self {
        let mut profile = self.profile.as_ref().clone();
        profile.fitted = calibration;
        Self { profile: Arc::new(profile), ..self }
    }

    /// The profile it reads with.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The fit in use, decoded or made on first call.
    ///
    /// # Errors
    /// [`EmbedError`] when the profile has to be fitted and the model fails.
    pub fn fitted(&self) -> Result<&Fitted, EmbedError> {
        let fit = || match self.asset {
            Some(bytes) => Ok(decoded(&self.profile, self.embedder.model_name(), bytes)),
            None => Fitted::fit(&self.profile, self.embedder.as_ref()).map(|(fitted, _)| fitted),
        };
        self.fitted.get_or_init(fit).as_ref().map_err(Clone::clone)
    }

    /// Every intent with the calibrated probability that the head gives it for these words alone, best first;
    /// [`NOTHING`] is among them. Rules and context have no say in it: it tells what the runner-up was.
    ///
    /// # Errors
    /// [`EmbedError`] when the model fails.
    pub fn likelihoods(&self, segment: &str) -> Result<Vec<(String, f32)>, EmbedError> {
        self.judged(segment, &[], None).map(|judged| judged.ranked)
    }

    /// The scores behind a message that the head decides alone, with those of the finer labels within `intent`; `None`
    /// when a command, a rule or an exemplar word for word decides, or the message has several parts. No temperature
    /// has a part in them, so that one can be chosen by them.
    ///
    /// # Errors
    /// [`EmbedError`] when the model fails.
    pub fn scores(&self, text: &str, intent: &str, context: &ReadContext) -> Result<Option<Scores>, EmbedError> {
        let text = visible(prefix(text, READ_BYTES_MAX));
        let parts = segments(&text);
        let [segment] = parts.as_slice() else { return Ok(None) };
        let words = Words::of(segment);
        let is_settled = slash::dispatch(&self.profile, &text).is_some()
            || rules::outspoken(&self.profile, segment, &words, context).is_some()
            || self.known.get_or_init(|| Known::of(&self.profile)).label(segment).is_some();
        if is_settled || !segment.contains(char::is_alphanumeric) {
            return Ok(None);
        }
        let fitted = self.fitted()?;
        let segment = self.spelling().levelled(segment, &context.grounding);
        let embedding = self.embedder.embed(&segment)?;
        let sub = fitted.subs.get(intent).map(|head| head.logits(&segment, &embedding));
        Ok(Some(Scores { primary: fitted.primary.logits(&segment, &embedding), sub }))
    }

    fn spelling(&self) -> &Spelling {
        let texts = || self.profile.exemplars.iter().map(|exemplar| exemplar.text.as_str());
        self.spelling.get_or_init(|| Spelling::of(texts()))
    }

    fn command(&self, text: &str) -> Option<MessageReading> {
        Some(match slash::dispatch(&self.profile, text)? {
            Dispatch::Unknown { command, nearest } => MessageReading::UnknownCommand { command, nearest },
            Dispatch::Known { command: crate::profile::Command { name, asks: Some(asks), .. }, argument: None } => {
                MessageReading::Bare { command: name.clone(), asks: asks.clone() }
            }
            Dispatch::Known { command, argument } => {
                let reason = format!("the command {}", command.name);
                let act = self.act(&command.act, &Words::of(argument.as_deref().unwrap_or_default()));
                match act {
                    Some(act) => {
                        let said =
                            argument.clone().filter(|_| takes_text(&act)).unwrap_or_else(|| text.trim().to_owned());
                        let reading = certain(&said, &command.label, act, argument, Tier::Slash, reason);
                        MessageReading::single(reading)
                    }
                    None => MessageReading::Unsure { options: mode_options(text.trim(), &command.label, &[]) },
                }
            }
        })
    }

    fn segment(&self, segment: &str, context: &ReadContext) -> Outcome {
        let words = Words::of(segment);
        if let Some(found) = rules::outspoken(&self.profile, segment, &words, context) {
            return self.ruled(segment, &words, &found);
        }
        match self.judged(segment, &context.grounding, context.routing) {
            Ok(judged) => self.decided(segment, &words, &judged, context),
            Err(error) => Outcome::Unsure(self.blind_options(segment, &words, &error)),
        }
    }

    fn ruled(&self, segment: &str, words: &Words, found: &Match<'_>) -> Outcome {
        let rule = found.rule;
        let reason = format!("rule {}: {}", rule.name, rule.reason);
        let Some(act) = self.act(&rule.act, words) else {
            return Outcome::Unsure(mode_options(segment, &rule.label, &[]));
        };
        // A remark is nothing to look up: as a question it would be answered with what is not known, or planned.
        let act = if rule.remark && act == Act::Query(QueryKind::Plain) { Act::Query(QueryKind::Remark) } else { act };
        let reading = certain(segment, &rule.label, act, found.target.clone(), Tier::Rule, reason);
        Outcome::Said(Said { reading, takes_back: rule.takes_back, remark: rule.remark })
    }

    fn judged(&self, typed: &str, names: &[String], routing: Option<Routing>) -> Result<Judged, EmbedError> {
        let fitted = self.fitted()?;
        let levelled = self.spelling().levelled(typed, names);
        let segment = levelled.as_ref();
        let embedding = self.embedder.embed(segment)?;
        let spread = |head: &Head, logits: &[f32], own: Option<f32>| {
            ranked(&head.classes, &softmax(logits, own.unwrap_or(head.temperature)))
        };
        let calibration = self.profile.fitted.as_ref();
        let logits = fitted.primary.logits(segment, &embedding);
        let is_like_exemplars = Head::familiarity(&logits) >= fitted.primary.familiarity_floor;
        let mut ranked = spread(&fitted.primary, &logits, calibration.and_then(|own| own.temperature));
        let known = self.known.get_or_init(|| Known::of(&self.profile)).label(typed);
        if let Some(label) = known {
            settle(&mut ranked, &label.primary);
        }
        let best = ranked.first().map(|(best, _)| best.as_str()).unwrap_or_default();
        let own = calibration.and_then(|own| own.sub_temperatures.get(best).copied());
        let finer = |head: &Head| spread(head, &head.logits(segment, &embedding), own);
        let mut subs = fitted.subs.get(best).map_or_else(Vec::new, finer);
        if let Some(label) = known.filter(|_| !subs.is_empty()) {
            settle(&mut subs, label.sub.as_deref().unwrap_or(PLAIN));
        }
        let is_known = known.is_some();
        let nearest = fitted.nearest(&self.profile, &embedding);
        let levelled = (segment != typed).then(|| segment.to_owned());
        Ok(Judged { ranked, is_familiar: is_known || is_like_exemplars, subs, nearest, is_known, levelled, routing })
    }

    fn decided(&self, segment: &str, words: &Words, judged: &Judged, context: &ReadContext) -> Outcome {
        let best = judged.ranked.first().filter(|(name, _)| name != NOTHING);
        let reaches =
            |(name, p): &&(String, f32)| *p >= self.profile.threshold_under(&Label::primary(name), judged.routing);
        let sure = best.filter(|_| judged.is_familiar).filter(reaches);
        let reading = sure.map(|(name, _)| (name, self.exemplar_reading(segment, words, name, judged)));
        let unsaid = |reading: &Reading| match judged.is_known {
            true => reading.act == Act::PlanContinue && !rules::refers_back(context),
            false => rules::is_only_likeness(&reading.act, words, context),
        };
        let Some((name, reading)) = reading.filter(|(_, reading)| !reading.as_ref().is_some_and(unsaid)) else {
            return match rules::fallback(&self.profile, segment, words, context) {
                Some(found) => self.ruled(segment, words, &found),
                None => Outcome::Unsure(self.options(segment, words, judged)),
            };
        };
        match reading {
            Some(reading) if reading.sub.is_none() && self.profile.needs_sub(name) => {
                Outcome::Unsure(self.sub_options(segment, words, name, judged))
            }
            Some(reading) => Outcome::Said(Said { reading, takes_back: false, remark: false }),
            None => Outcome::Unsure(mode_options(segment, &Label::primary(name), &judged.nearest)),
        }
    }

    /// The likeliest finer readings of `intent`, when none of them is sure.
    fn sub_options(&self, segment: &str, words: &Words, intent: &str, judged: &Judged) -> Vec<Reading> {
        let likely = judged.subs.iter().take(OPTIONS_MAX);
        likely
            .filter_map(|(sub, p)| {
                let label = Label { primary: intent.to_owned(), sub: Some(sub.clone()) };
                self.labelled(segment, words, &label, Some(*p), judged)
            })
            .collect()
    }

    /// The reading of `intent`, with its finer label where that is sure enough; `None` when the act needs a mode that
    /// the words do not name.
    fn exemplar_reading(&self, segment: &str, words: &Words, intent: &str, judged: &Judged) -> Option<Reading> {
        let is_best = judged.ranked.first().is_some_and(|(name, _)| name == intent);
        let sub = judged.subs.first().filter(|_| is_best);
        let label = sub
            .filter(|(sub, _)| sub != PLAIN)
            .map(|(sub, p)| (Label { primary: intent.to_owned(), sub: Some(sub.clone()) }, *p))
            .filter(|(label, p)| *p >= self.profile.threshold_under(label, judged.routing))
            .map_or_else(|| Label::primary(intent), |(label, _)| label);
        self.labelled(segment, words, &label, sub.map(|(_, p)| *p), judged)
    }

    /// The reading of `label`, however sure; `None` when its act needs a mode that the words do not name.
    fn labelled(
        &self,
        segment: &str,
        words: &Words,
        label: &Label,
        sub_p: Option<f32>,
        judged: &Judged,
    ) -> Option<Reading> {
        let p = judged.ranked.iter().find(|(name, _)| *name == label.primary)?.1;
        let act = self.act(&self.profile.labels.get(label)?.act, words)?;
        Some(Reading {
            segment: segment.to_owned(),
            intent: label.primary.clone(),
            sub: label.sub.clone(),
            target: target::of(&act, segment, words),
            act,
            confidence: Confidence::new(p),
            sub_confidence: sub_p.map(Confidence::new),
            margin: margin(&judged.ranked, &label.primary),
            tier: Tier::Exemplar,
            nearest: judged.nearest.clone(),
            reason: self.exemplar_reason(label, p, judged),
        })
    }

    fn exemplar_reason(&self, label: &Label, p: f32, judged: &Judged) -> String {
        let threshold = self.profile.threshold_under(&Label::primary(&label.primary), judged.routing);
        let nearest = judged.nearest.first();
        let nearest = nearest.map_or_else(String::new, |n| format!("; nearest exemplar \"{}\" ({})", n.text, n.label));
        let compared = if p >= threshold { "reaches" } else { "is below" };
        if judged.is_known {
            return format!("is word for word an exemplar of {label}");
        }
        let unlike = if judged.is_familiar { "" } else { ", but it is unlike all exemplars" };
        let spelt = judged.levelled.as_ref().map_or_else(String::new, |text| format!("; spelt \"{text}\""));
        format!("reads as {label}: {p:.2} {compared} the threshold {threshold:.2}{unlike}{spelt}{nearest}")
    }

    fn options(&self, segment: &str, words: &Words, judged: &Judged) -> Vec<Reading> {
        let likely = judged.ranked.iter().filter(|(name, _)| name != NOTHING).take(OPTIONS_MAX);
        likely.filter_map(|(name, _)| self.exemplar_reading(segment, words, name, judged)).collect()
    }

    /// Options when the embedding model failed: every intent, with the failure as the reason.
    fn blind_options(&self, segment: &str, words: &Words, error: &EmbedError) -> Vec<Reading> {
        let offered = self.profile.primaries().filter_map(|label| {
            let act = self.act(&self.profile.labels.get(label)?.act, words)?;
            let mut reading = certain(segment, label, act, None, Tier::Exemplar, error.to_string());
            reading.confidence = Confidence::new(0.0);
            reading.margin = 0.0;
            Some(reading)
        });
        offered.take(OPTIONS_MAX).collect()
    }

    fn act(&self, name: &ActName, words: &Words) -> Option<Act> {
        match name {
            ActName::Fixed(act) => Some(act.clone()),
            ActName::SwitchMode => named_mode(words).map(|mode| Act::Control(Control::SwitchMode(mode))),
        }
    }
}

impl Reader for IntentReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let text = visible(prefix(text, READ_BYTES_MAX));
        if let Some(command) = self.command(&text) {
            return command;
        }
        let outcomes: Vec<Outcome> = segments(&text)
            .into_iter()
            .filter(|segment| segment.contains(char::is_alphanumeric) || !Words::of(segment).all.is_empty())
            .map(|segment| self.segment(segment, context))
            .collect();
        message(outcomes, context)
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        reply::read(text, &context.asked)
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.profile.modes.wished(prefix(task, READ_BYTES_MAX))
    }

    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        self.profile.apart.bearing(prefix(text, READ_BYTES_MAX), &context.grounding)
    }

    fn point(&self, text: &str) -> PointSort {
        point::sort(prefix(text, READ_BYTES_MAX))
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        point::edit(prefix(text, READ_BYTES_MAX))
    }

    fn settles(&self, text: &str) -> Option<String> {
        let settles = ActName::Fixed(Act::Control(Control::Flow));
        let is_known = self.profile.commands.iter().any(|command| command.act == settles);
        let settled = is_known.then(|| settling::settled(prefix(text, READ_BYTES_MAX)))?;
        settled.map(str::to_owned)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        fix::is_asked_for(prefix(text, READ_BYTES_MAX))
    }
}

fn message(outcomes: Vec<Outcome>, context: &ReadContext) -> MessageReading {
    let mut said: Vec<Said> = Vec::new();
    for outcome in &outcomes {
        match outcome {
            Outcome::Said(one) => said.push(one.clone()),
            Outcome::Unsure(options) => belongs_to_task(&mut said, options),
        }
    }
    let asks_something = said.iter().any(|one| !one.remark);
    let unsure = outcomes.iter().rev().find_map(|outcome| match outcome {
        Outcome::Said(_) => None,
        Outcome::Unsure(options) => Some(options),
    });
    match unsure {
        Some(options) if !asks_something => MessageReading::Unsure { options: options.clone() },
        _ if said.is_empty() => MessageReading::Empty,
        _ => MessageReading::Understood {
            requests: resolve(&said, context.phase),
            segments: outcomes.into_iter().filter_map(as_read).collect(),
        },
    }
}

/// Behind a task, what is likeliest more of it and not sure to be anything else belongs to it: who plans the task sees
/// all of it, or asks about the rest, and nothing is lost.
fn belongs_to_task(said: &mut [Said], options: &[Reading]) {
    let Some(task) = said.last_mut().filter(|one| !one.remark && matches!(one.reading.act, Act::PlanNew(_))) else {
        return;
    };
    let more = options.first().filter(|option| matches!(option.act, Act::PlanNew(_) | Act::PlanContinue));
    if let Some(more) = more {
        let mark = if task.reading.segment.ends_with(['?', '!', '.']) { "" } else { "." };
        task.reading.segment = format!("{}{mark} {}", task.reading.segment, more.segment);
    }
}

/// A segment's reading for the record; of an unsure one its likeliest, whose confidence shows that it was not used.
fn as_read(outcome: Outcome) -> Option<Reading> {
    match outcome {
        Outcome::Said(said) => Some(said.reading),
        Outcome::Unsure(options) => options.into_iter().next(),
    }
}

fn decoded(profile: &Profile, model_name: &str, bytes: &[u8]) -> Fitted {
    #[expect(clippy::expect_used, reason = "the asset is compiled in beside its profile, and a test reads every one")]
    Fitted::from_bytes(bytes, &content_key(profile, model_name))
        .expect("BUG: a built-in asset does not fit its profile")
}

fn certain(segment: &str, label: &Label, act: Act, target: Option<String>, tier: Tier, reason: String) -> Reading {
    Reading {
        sub: label.sub.clone(),
        target,
        sub_confidence: label.sub.as_ref().map(|_| Confidence::CERTAIN),
        ..Reading::certain(segment, label.primary.clone(), act, tier, reason)
    }
}

/// A switch of mode that names no mode: both are offered.
fn mode_options(segment: &str, label: &Label, nearest: &[Neighbour]) -> Vec<Reading> {
    use turnwise_core::Mode::{Exploratory, Proof};
    let option = |mode| {
        let act = Act::Control(Control::SwitchMode(mode));
        let reason = "asks for another mode without naming it".to_owned();
        let mut reading = certain(segment, label, act, None, Tier::Exemplar, reason);
        reading.confidence = Confidence::new(0.5);
        reading.margin = 0.0;
        reading.nearest = nearest.to_vec();
        reading
    };
    vec![option(Proof), option(Exploratory)]
}
