//! `turnwise exemplars fit`: chooses temperatures and thresholds by labelled messages, measures them on parts that had
//! no say, and writes them with those figures into the person's own profile. The messages are read from the file twice
//! and not kept, so that there may be many. Next: `turnwise_intent::tuning` for the choice, `fit_report`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use turnwise_core::Reader as _;
use turnwise_intent::evaluate::{Answer, Evaluation, Judged, OUT_OF_SCOPE, Truth, evaluate};
use turnwise_intent::tuning::{Classes, Costs, FIT_FOLDS, Scored, Tuned, dealt, tune};
use turnwise_intent::{
    Calibration, EmbedError, Embedder, Embedding, FitFigures, HeldOut, IntentReader, NOTHING, Profile, rounded,
};

use super::args::FitArguments;
use super::fit_report::{Report, report};
use crate::cli::labelled::{Labelled, Messages};
use crate::cli::own::{Own, ProfileFile};
use crate::cli::profiles::{fit_key, measured};
use crate::cli::tell;
use turnwise_assistant::{Failure, FailureKind};

/// Fits, reports, and writes unless it is a dry run.
///
/// # Errors
/// When there is no such assistant, a line cannot be used, all messages mean the same, or the profile cannot be
/// written.
pub fn fit(arguments: &FitArguments) -> Result<ExitCode, Failure> {
    let own = Own::of(&arguments.assistant)?;
    let today = remembering(&measured(&arguments.assistant)?)?;
    let plain = today.clone().with_calibration(None);
    let costs = costs(arguments, plain.profile())?;
    let read = first_pass(arguments, &plain)?;
    let classes = classes(&plain)?;
    let chosen = tune(&read.scored, &classes, costs, None);
    let by_fold: Vec<IntentReader> = (0..FIT_FOLDS)
        .map(|fold| plain.clone().with_calibration(Some(of(&tune(&read.scored, &classes, costs, Some(fold))))))
        .collect();
    let (before, after) = second_pass(arguments, &read, &today, &by_fold)?;
    let calibration = Calibration {
        cost: costs.primary,
        sub_cost: costs.sub,
        seed: arguments.seed,
        data: read.digest.clone(),
        exemplars: fit_key(&plain),
        embedder: (!plain.is_compiled_in()).then(|| plain.embedder().model_name().to_owned()),
        figures: figures(read.folds.len(), &after),
        ..of(&chosen)
    };
    let told = report(&Report {
        arguments,
        classes: &classes,
        calibration: &calibration,
        chosen: &chosen,
        profile: plain.profile(),
        before: &before,
        after: &after,
    });
    tell(told.trim_end_matches('\n'))?;
    if arguments.dry_run {
        tell("\nNothing was written (--dry-run).")?;
        return Ok(ExitCode::SUCCESS);
    }
    write(&own, &calibration)
}

fn write(own: &Own, calibration: &Calibration) -> Result<ExitCode, Failure> {
    let wrong = |error: turnwise_intent::ProfileError| {
        Failure::new(FailureKind::Usage, format!("{}: {error}", own.folder.display())).caused_by(error)
    };
    let text = turnwise_intent::edit::with_calibration(own.text(ProfileFile::Assistant), calibration).map_err(wrong)?;
    let changed = own.with(ProfileFile::Assistant, text);
    // What would not be read back as it was meant is not written.
    if changed.profile()?.fitted.as_ref() != Some(calibration) {
        return Err(Failure::new(FailureKind::Defect, "what was fitted is not read back as it was written")
            .hint("nothing was written; please report this with your assistant.yaml"));
    }
    tell("")?;
    let path = own.write(ProfileFile::Assistant, &changed)?;
    tell(&format!("Written to {}, between two marks; the rest of the file is as it was.", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn costs(arguments: &FitArguments, profile: &Profile) -> Result<Costs, Failure> {
    match arguments.cost {
        None => Ok(Costs::stated_by(profile.thresholds.primary, profile.thresholds.sub)),
        Some(cost) if (COST_MIN..=COST_MAX).contains(&cost) => Ok(Costs { primary: rounded(cost), sub: rounded(cost) }),
        Some(cost) => Err(Failure::new(FailureKind::Usage, format!("--cost {cost} is not between 1.1 and 100"))
            .hint("5 says that one wrong act is worth five needless questions")),
    }
}

/// What the first pass over the file keeps.
struct FirstPass {
    scored: Vec<Scored>,
    /// The part of each message.
    folds: Vec<usize>,
    digest: String,
}

fn first_pass(arguments: &FitArguments, plain: &IntentReader) -> Result<FirstPass, Failure> {
    let classes = classes(plain)?;
    let mut messages = Messages::open(&arguments.data, plain.profile())?;
    let (mut scored, mut labels) = (Vec::new(), Vec::new());
    while let Some(message) = messages.next()? {
        scored.extend(score(plain, &classes, &message, labels.len())?);
        labels.push(label_of(&message));
    }
    if labels.iter().all(|label| *label == labels[0]) {
        let problem =
            format!("all {} messages of {} have the label {}", labels.len(), arguments.data.display(), labels[0]);
        return Err(Failure::new(FailureKind::Usage, problem)
            .hint("what is sure can only be told from messages with different meanings; add some of other labels"));
    }
    let folds = dealt(&labels, arguments.seed);
    scored.iter_mut().for_each(|one: &mut Scored| one.fold = folds[one.at]);
    Ok(FirstPass { scored, folds, digest: messages.digest() })
}

fn label_of(message: &Labelled) -> String {
    match &message.truth {
        Truth::Meant(label) => label.to_string(),
        Truth::OutOfScope => OUT_OF_SCOPE.to_owned(),
    }
}

fn score(plain: &IntentReader, classes: &Classes, message: &Labelled, at: usize) -> Result<Option<Scored>, Failure> {
    let (intent, sub) = match &message.truth {
        Truth::Meant(label) => (label.primary.as_str(), label.sub.as_ref()),
        Truth::OutOfScope => (NOTHING, None),
    };
    let Some(scores) = plain.scores(&message.text, intent, &message.context).map_err(no_model)? else {
        return Ok(None);
    };
    let within = sub.and_then(|sub| classes.subs.get(intent)?.0.iter().position(|name| name == sub));
    let sub = scores.sub.zip(within).map(|(logits, class)| HeldOut { logits, class });
    let class = classes.primary.iter().position(|name| name == intent);
    Ok(Some(Scored { at, fold: 0, logits: scores.primary, class, sub }))
}

/// Every message read by what the other parts gave, beside how it is read today.
fn second_pass(
    arguments: &FitArguments,
    read: &FirstPass,
    today: &IntentReader,
    by_fold: &[IntentReader],
) -> Result<(Evaluation, Evaluation), Failure> {
    let mut messages = Messages::open(&arguments.data, today.profile())?;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut folds = read.folds.iter();
    while let Some(Labelled { text, truth, context }) = messages.next()? {
        let Some(reader) = folds.next().and_then(|fold| by_fold.get(*fold)) else { break };
        let judged = |reader: &IntentReader| {
            let answer = Answer::of(&reader.read(&text, &context));
            Judged { text: text.clone(), truth: truth.clone(), answer }.forgetful()
        };
        before.push(judged(today));
        after.push(judged(reader));
    }
    if messages.digest() != read.digest {
        let problem = format!("{} was changed while it was read", arguments.data.display());
        return Err(Failure::new(FailureKind::Usage, problem).hint("run the command again"));
    }
    Ok((evaluate(&before), evaluate(&after)))
}

fn classes(reader: &IntentReader) -> Result<Classes, Failure> {
    let fitted = reader.fitted().map_err(no_model)?;
    let subs = fitted.subs.iter().map(|(intent, head)| (intent.clone(), (head.classes.clone(), head.temperature)));
    Ok(Classes {
        primary: fitted.primary.classes.clone(),
        temperature: fitted.primary.temperature,
        subs: subs.collect(),
    })
}

fn of(tuned: &Tuned) -> Calibration {
    Calibration {
        temperature: tuned.temperature,
        sub_temperatures: tuned.sub_temperatures.clone(),
        thresholds: tuned.thresholds.clone(),
        ..Calibration::default()
    }
}

fn figures(messages: usize, found: &Evaluation) -> FitFigures {
    let share = |share: Option<f32>| rounded(share.unwrap_or_default());
    let mut reliability = found.reliability.clone();
    for bin in &mut reliability {
        bin.confidence = rounded(bin.confidence);
        bin.accuracy = rounded(bin.accuracy);
    }
    FitFigures {
        messages,
        accuracy: share(found.accuracy),
        coverage: share(found.coverage),
        accuracy_covered: share(found.accuracy_covered),
        calibration_error: share(found.calibration_error),
        reliability,
    }
}

fn no_model(error: EmbedError) -> Failure {
    Failure::new(FailureKind::Defect, error.to_string()).caused_by(error)
}

/// The same reader with a model that remembers: each message is read three times.
fn remembering(reader: &IntentReader) -> Result<IntentReader, Failure> {
    let bytes = reader.fitted().map_err(no_model)?.to_bytes();
    let remembering = Remembering { model: Arc::clone(reader.embedder()), known: Mutex::new(BTreeMap::new()) };
    reader.clone().with_embedder(Arc::new(remembering)).with_fitted(&bytes).map_err(|error| {
        Failure::new(FailureKind::Defect, format!("the fit in use cannot be taken over: {error}")).caused_by(error)
    })
}

struct Remembering {
    model: Arc<dyn Embedder>,
    known: Mutex<BTreeMap<String, Embedding>>,
}

impl Embedder for Remembering {
    fn model_name(&self) -> &str {
        self.model.model_name()
    }

    fn embed(&self, text: &str) -> Result<Embedding, EmbedError> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(known.clone());
        }
        let embedding = self.model.embed(text)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < REMEMBERED_MAX {
            known.insert(text.to_owned(), embedding.clone());
        }
        Ok(embedding)
    }
}

/// Embeddings kept between the passes, 1.5 kB each; beyond, texts are embedded again.
const REMEMBERED_MAX: usize = 20_000;

/// Below, a wrong act would cost as little as a question, and nothing would ever be asked.
const COST_MIN: f32 = 1.1;
/// Above, nothing would ever be acted on.
const COST_MAX: f32 = 100.0;
