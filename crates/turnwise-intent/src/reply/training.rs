//! Training of the head of replies, and what its probabilities are worth.
//!
//! The frames are dealt into folds; whoever judges a fold has learned neither from its frames nor from one of the
//! scenes, so that what is measured is how the head does with sentences and things it never saw. The temperature and
//! both thresholds are chosen on these held-out probabilities. Next: `lessons`.

use std::collections::BTreeSet;

use turnwise_core::Reply;

use super::learned::{Leaning, ReplyHead, probability_of_yes};
use super::lessons::{Lesson, Meaning, lessons, scenes};
use super::{by_grammar, is_left_to_the_head, veto};
use crate::calibrate::{HeldOut, temperature};
use crate::embed::{EmbedError, Embedder};
use crate::head::{Head, Origin, Sample};
use crate::lexical::FeatureWeights;
use crate::math::softmax;
use crate::words::Words;

/// How much each kind of feature weighs; chosen on the held-out folds.
const WEIGHTS: FeatureWeights = FeatureWeights { views: [0.75, 0.4, 0.4], chars: 0.2, words: 0.3, marks: true };

/// Folds of frames.
const FOLDS: usize = 8;

/// Held-out sentences that are no yes may be taken for one at most this often.
const FALSE_CONSENT_MAX: f32 = 1.0 / 2_000.0;

/// No threshold of consent is lower than this, whatever the folds say: people write what no frame foresaw.
const CONSENT_MIN: f32 = 0.9;

/// Held-out sentences that are no yes may be asked back at most this often.
const FALSE_CLOSE_MAX: f32 = 0.05;

/// How a held-out sentence was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The sentence.
    pub lesson: Lesson,
    /// Probability of a yes.
    pub likely: f32,
    /// What keeps it from being consent.
    pub veto: Option<veto::Veto>,
    /// What the grammar makes of it, which speaks first.
    pub by_grammar: Reply,
}

impl Judgement {
    /// Whether the grammar leaves it to the head.
    fn is_weighed(&self) -> bool {
        is_left_to_the_head(&self.by_grammar)
    }

    /// What becomes of it where probabilities count from these on.
    fn leaning(&self, consent: f32, close: f32) -> Leaning {
        match (&self.by_grammar, self.veto) {
            (Reply::Approve | Reply::ApproveWithNote { .. }, _) => Leaning::Consent,
            _ if !self.is_weighed() => Leaning::None,
            (_, None) if self.likely >= consent => Leaning::Consent,
            (_, Some(veto)) if veto.is_plain() => Leaning::None,
            (Reply::Other, _) if self.likely >= close => Leaning::Close,
            _ => Leaning::None,
        }
    }
}

/// What the folds say.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyFigures {
    /// Every sentence, judged by a head that knew neither its frame nor all scenes.
    pub judged: Vec<Judgement>,
    /// Share of sentences meaning yes that are taken for consent.
    pub recall: f32,
    /// Share of them that are consent or asked back.
    pub recall_asked: f32,
    /// Share of them that the grammar alone takes for consent.
    pub recall_by_grammar: f32,
    /// Sentences meaning something else that are taken for consent, by grammar or head.
    pub false_consents: usize,
    /// Those of them that the grammar takes for it.
    pub false_by_grammar: usize,
    /// Sentences meaning something else.
    pub others: usize,
    /// Share of sentences meaning something else that are asked back.
    pub false_asked: f32,
}

impl ReplyHead {
    /// Trains on the lessons and measures on held-out folds.
    ///
    /// # Errors
    /// [`EmbedError`] when the model fails.
    pub fn fit(embedder: &dyn Embedder) -> Result<(Self, ReplyFigures), EmbedError> {
        let lessons = lessons();
        let samples = lessons.iter().map(|lesson| sample(lesson, embedder)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::trained(&lessons, &samples, WEIGHTS))
    }

    fn trained(lessons: &[Lesson], samples: &[Sample], weights: FeatureWeights) -> (Self, ReplyFigures) {
        let scored: Vec<HeldOut> = held_out(lessons, samples, weights);
        let temperature = temperature(&scored);
        let known_in: Vec<BTreeSet<String>> =
            (0..FOLDS).map(|fold| known(lessons.iter().filter(|lesson| is_taught(lesson, fold, scenes())))).collect();
        let judged: Vec<Judgement> = lessons
            .iter()
            .zip(&scored)
            .map(|(lesson, scored)| Judgement {
                lesson: lesson.clone(),
                likely: probability_of_yes(&softmax(&scored.logits, temperature)),
                veto: veto::found(&lesson.text, &Words::of(&lesson.text), &known_in[lesson.frame % FOLDS]),
                by_grammar: by_grammar(&lesson.text),
            })
            .collect();
        let consent =
            threshold(judged.iter().filter(|one| one.veto.is_none() && one.is_weighed()), &judged, FALSE_CONSENT_MAX)
                .max(CONSENT_MIN);
        let close = threshold(judged.iter().filter(|one| one.by_grammar == Reply::Other), &judged, FALSE_CLOSE_MAX)
            .min(consent);
        let mut head = Head::train(samples, &classes(), weights);
        head.temperature = temperature;
        let trained = Self { head, consent, close, known: known(lessons.iter()) };
        let figures = figures(judged, &trained);
        (trained, figures)
    }
}

fn classes() -> Vec<String> {
    Meaning::ALL.iter().map(|meaning| meaning.name().to_owned()).collect()
}

fn sample(lesson: &Lesson, embedder: &dyn Embedder) -> Result<Sample, EmbedError> {
    Ok(Sample {
        text: lesson.text.clone(),
        embedding: embedder.embed(&lesson.text)?,
        class: Meaning::ALL.iter().position(|meaning| *meaning == lesson.meaning).unwrap_or_default(),
        origin: Origin::Exemplar,
    })
}

/// Whether who judges `fold` may learn from `lesson`.
fn is_taught(lesson: &Lesson, fold: usize, scenes: usize) -> bool {
    lesson.frame % FOLDS != fold && lesson.scene != fold % scenes.max(1)
}

fn held_out(lessons: &[Lesson], samples: &[Sample], weights: FeatureWeights) -> Vec<HeldOut> {
    let (scenes, classes) = (scenes(), classes());
    let mut scored: Vec<HeldOut> =
        samples.iter().map(|sample| HeldOut { logits: Vec::new(), class: sample.class }).collect();
    for fold in 0..FOLDS {
        let taught = lessons.iter().zip(samples).filter(|(lesson, _)| is_taught(lesson, fold, scenes));
        let taught: Vec<Sample> = taught.map(|(_, sample)| sample.clone()).collect();
        let head = Head::train(&taught, &classes, weights);
        for (at, lesson) in lessons.iter().enumerate().filter(|(_, lesson)| lesson.frame % FOLDS == fold) {
            scored[at].logits = head.logits(&lesson.text, &samples[at].embedding);
        }
    }
    scored
}

/// The words that stand in a yes.
fn known<'l>(lessons: impl Iterator<Item = &'l Lesson>) -> BTreeSet<String> {
    let yes = lessons.filter(|lesson| lesson.meaning == Meaning::Yes);
    yes.flat_map(|lesson| Words::of(&lesson.text).all).map(|word| word.text).collect()
}

/// The least probability from which on no more than `share` of all that mean something else are among `candidates`.
fn threshold<'j>(candidates: impl Iterator<Item = &'j Judgement>, all: &[Judgement], share: f32) -> f32 {
    let others = all.iter().filter(|one| one.lesson.meaning != Meaning::Yes).count();
    let mut likely: Vec<f32> =
        candidates.filter(|one| one.lesson.meaning != Meaning::Yes).map(|one| one.likely).collect();
    likely.sort_by(|a, b| b.total_cmp(a));
    // Strictly fewer than the share may reach it.
    let allowed = ((others as f32 * share).ceil() as usize).saturating_sub(1);
    let highest = likely.get(allowed).copied().unwrap_or_default();
    // Between the last that must not count and certainty, a little above the former.
    highest + (1.0 - highest) * MARGIN
}

/// How far above the highest probability that must not count a threshold lies, as a share of what is left to one.
const MARGIN: f32 = 0.1;

fn figures(judged: Vec<Judgement>, trained: &ReplyHead) -> ReplyFigures {
    let leans = |one: &&Judgement, to: Leaning| one.leaning(trained.consent, trained.close) == to;
    let share = |part: usize, all: usize| part as f32 / all.max(1) as f32;
    let (yes, others): (Vec<&Judgement>, Vec<&Judgement>) =
        judged.iter().partition(|one| one.lesson.meaning == Meaning::Yes);
    let count = |of: &[&Judgement], to: Leaning| of.iter().filter(|one| leans(one, to)).count();
    let (taken, asked) = (count(&yes, Leaning::Consent), count(&yes, Leaning::Close));
    let by_grammar = |one: &&&Judgement| matches!(one.by_grammar, Reply::Approve | Reply::ApproveWithNote { .. });
    ReplyFigures {
        recall: share(taken, yes.len()),
        recall_asked: share(taken + asked, yes.len()),
        recall_by_grammar: share(yes.iter().filter(by_grammar).count(), yes.len()),
        false_consents: count(&others, Leaning::Consent),
        false_by_grammar: others.iter().filter(by_grammar).count(),
        others: others.len(),
        false_asked: share(count(&others, Leaning::Close), others.len()),
        judged,
    }
}
