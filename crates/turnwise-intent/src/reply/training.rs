//! Training of the head of replies, and what its probabilities are worth.
//!
//! The frames are dealt into folds; whoever judges a fold has learned neither from its frames nor from some of the
//! scenes nor from one of the styles, so that what is measured is how the head does with sentences, things and people
//! it never saw. The temperature and all thresholds are chosen on these held-out probabilities. Next: `lessons`.

use std::collections::BTreeSet;

use turnwise_core::{Reply, Stakes};

use super::learned::consent_by_levelled_grammar;
use super::learned::{Leaning, ReplyHead};
use super::lessons::{Lesson, Meaning, lessons};
use super::odds::Odds;
use super::styles::Style;
use super::{by_grammar, is_left_to_the_head, veto, wording};
use crate::calibrate::{HeldOut, calibration_error};
use crate::embed::{EmbedError, Embedder};
use crate::head::{Head, Origin, Sample};
use crate::lexical::FeatureWeights;
use crate::spelling::Spelling;
use crate::words::Words;

/// How much each kind of feature weighs; chosen on the held-out folds.
const WEIGHTS: FeatureWeights = FeatureWeights { views: [0.6, 0.3, 0.3], chars: 0.6, words: 1.0, marks: true };

/// Folds of frames.
const FOLDS: usize = 8;

/// Held-out sentences that are no yes may be taken for one at most this often.
const FALSE_CONSENT_MAX: f32 = 1.0 / 2_000.0;

/// The same where a yes only has things looked at: the worst of it is a look nobody wanted.
const FALSE_CONSENT_TO_LOOK_MAX: f32 = 1.0 / 500.0;

/// No threshold of consent is lower than this, whatever the folds say: people write what no frame foresaw.
const CONSENT_MIN: f32 = 0.8;
/// The same for what only looks at things.
const CONSENT_TO_LOOK_MIN: f32 = 0.6;

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

    /// Whether its probability alone decides whether it is consent.
    fn is_free(&self) -> bool {
        self.veto.is_none() && self.is_weighed()
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
    /// How far the probability of a yes is from how often it is one.
    pub calibration_error: f32,
}

impl ReplyHead {
    /// Trains on the lessons and measures on held-out folds.
    ///
    /// # Errors
    /// [`EmbedError`] when the model fails.
    pub fn fit(embedder: &dyn Embedder) -> Result<(Self, ReplyFigures), EmbedError> {
        let lessons: Vec<Lesson> = lessons().into_iter().map(as_read).collect();
        let samples = lessons.iter().map(|lesson| sample(lesson, embedder)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::trained(&lessons, &samples, WEIGHTS))
    }

    fn trained(lessons: &[Lesson], samples: &[Sample], weights: FeatureWeights) -> (Self, ReplyFigures) {
        let scored: Vec<HeldOut> = held_out(lessons, samples, weights);
        let answers =
            scored.iter().zip(lessons).map(|(one, lesson)| (one.logits.as_slice(), lesson.meaning == Meaning::Yes));
        let odds = Odds::fit(&answers.collect::<Vec<_>>());
        let judged = judged(lessons, &scored, odds);
        let free = || judged.iter().filter(|one| one.is_free());
        let consent = threshold(free(), &judged, FALSE_CONSENT_MAX).max(CONSENT_MIN);
        let consent_to_look =
            threshold(free(), &judged, FALSE_CONSENT_TO_LOOK_MAX).max(CONSENT_TO_LOOK_MIN).min(consent);
        let close = threshold(judged.iter().filter(|one| one.by_grammar == Reply::Other), &judged, FALSE_CLOSE_MAX)
            .min(consent_to_look);
        let known = known(lessons.iter());
        let spelling = Spelling::of(known.iter().map(String::as_str));
        let head = Head::train(samples, &classes(), weights);
        let trained = Self { head, odds, consent, consent_to_look, close, known, spelling };
        let figures = figures(judged, &trained);
        (trained, figures)
    }
}

/// The held-out sentences as they would be judged; each by what the head of its fold knows.
fn judged(lessons: &[Lesson], scored: &[HeldOut], odds: Odds) -> Vec<Judgement> {
    let known_in: Vec<(BTreeSet<String>, Spelling)> = (0..FOLDS)
        .map(|fold| known(lessons.iter().filter(|lesson| is_taught(lesson, fold))))
        .map(|known| (known.clone(), Spelling::of(known.iter().map(String::as_str))))
        .collect();
    let one = |(lesson, scored): (&Lesson, &HeldOut)| {
        let (known, spelling) = &known_in[lesson.frame % FOLDS];
        let text = spelling.levelled(&lesson.text, &[]);
        Judgement {
            lesson: lesson.clone(),
            likely: odds.of(&scored.logits),
            veto: veto::found(&text, &Words::of(&text), known),
            by_grammar: consent_by_levelled_grammar(&text, known).unwrap_or_else(|| by_grammar(&lesson.text)),
        }
    };
    lessons.iter().zip(scored).map(one).collect()
}

/// A lesson as it is read: with short forms written out.
fn as_read(lesson: Lesson) -> Lesson {
    Lesson { text: wording::written_out(&lesson.text).into_owned(), ..lesson }
}

fn classes() -> Vec<String> {
    Meaning::ALL.iter().map(|meaning| meaning.name().to_owned()).collect()
}

fn sample(lesson: &Lesson, embedder: &dyn Embedder) -> Result<Sample, EmbedError> {
    let text = wording::levelled(&lesson.text);
    Ok(Sample {
        embedding: embedder.embed(&text)?,
        text: text.into_owned(),
        class: Meaning::ALL.iter().position(|meaning| *meaning == lesson.meaning).unwrap_or_default(),
        origin: Origin::Exemplar,
    })
}

/// Whether who judges `fold` may learn from `lesson`.
fn is_taught(lesson: &Lesson, fold: usize) -> bool {
    let style = Style::ALL[fold % Style::ALL.len()];
    lesson.frame % FOLDS != fold && lesson.scene % FOLDS != fold && lesson.style != style
}

fn held_out(lessons: &[Lesson], samples: &[Sample], weights: FeatureWeights) -> Vec<HeldOut> {
    let classes = classes();
    let mut scored: Vec<HeldOut> =
        samples.iter().map(|sample| HeldOut { logits: Vec::new(), class: sample.class }).collect();
    for fold in 0..FOLDS {
        let taught = lessons.iter().zip(samples).filter(|(lesson, _)| is_taught(lesson, fold));
        let taught: Vec<Sample> = taught.map(|(_, sample)| sample.clone()).collect();
        let head = Head::train(&taught, &classes, weights);
        for (at, _) in lessons.iter().enumerate().filter(|(_, lesson)| lesson.frame % FOLDS == fold) {
            scored[at].logits = head.logits(&samples[at].text, &samples[at].embedding);
        }
    }
    scored
}

/// The words that stand in a yes, but for harmless phrases.
fn known<'l>(lessons: impl Iterator<Item = &'l Lesson>) -> BTreeSet<String> {
    let yes = lessons.filter(|lesson| lesson.meaning == Meaning::Yes && lesson.style != Style::Slip);
    let mut known: BTreeSet<String> = wording::alike().map(str::to_owned).collect();
    for lesson in yes {
        let words = Words::of(&lesson.text).all;
        known.extend(veto::weighty(&words).into_iter().flatten().map(|word| word.text.clone()));
    }
    known
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
    let leans = |one: &&Judgement, to: Leaning| one.leaning(trained.consent_from(Stakes::Acts), trained.close) == to;
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
        calibration_error: calibration_error(
            &judged.iter().map(|one| (one.likely, one.lesson.meaning == Meaning::Yes)).collect::<Vec<_>>(),
        ),
        judged,
    }
}
