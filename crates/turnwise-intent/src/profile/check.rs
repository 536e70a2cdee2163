//! From the texts to a checked profile: every name resolved, every pattern compiled, every number in range. Whoever
//! holds a profile need not check again. Next: `profile`.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use super::file::{
    ASSISTANT, AssistantFile, BinFile, CommandFile, EXEMPLARS, FiguresFile, FittedFile, IntentFile, RuleFile,
    ThresholdsFile,
};
use super::{
    Approval, Calibration, Command, Exemplar, FitFigures, Flow, Label, Meaning, Profile, ProfileError, Rule, Thresholds,
};
use crate::act::ActName;
use crate::calibrate::{Bin, TEMPERATURES};
use crate::fitted::NOTHING;
use crate::limits::EXEMPLARS_MAX;
use crate::nearest::nearest;
use crate::pattern::Pattern;

pub(super) fn profile(
    file: AssistantFile,
    text: &str,
    exemplars: BTreeMap<String, Vec<String>>,
    exemplars_text: &str,
) -> Result<Profile, ProfileError> {
    let labels = labels(file.intents, text)?;
    let thresholds = thresholds(file.thresholds, &labels, text)?;
    let commands = file.commands.into_iter().map(|c| command(c, &labels, text)).collect::<Result<Vec<_>, _>>()?;
    let rules =
        file.rules.into_iter().map(|rule| compiled(rule, &file.lists, &labels, text)).collect::<Result<Vec<_>, _>>()?;
    unique(commands.iter().flat_map(|c| std::iter::once(&c.name).chain(&c.also)), "command")?;
    unique(rules.iter().map(|rule| &rule.name), "rule")?;
    let older_labels = file
        .older_labels
        .into_iter()
        .map(|(old, new)| Ok((old, label(&new, &labels, ASSISTANT, text)?)))
        .collect::<Result<BTreeMap<_, _>, ProfileError>>()?;
    let fitted = file.fitted.map(|fitted| calibration(fitted, &labels, text)).transpose()?;
    let exemplars = exemplars_of(exemplars, &labels, exemplars_text)?;
    Ok(Profile {
        name: file.name,
        greeting: file.greeting,
        thresholds,
        flow: file.flow.over(Flow::default()),
        fitted,
        embedder: file.embedder,
        labels,
        commands,
        rules,
        older_labels,
        approval: Approval {
            only: file.approval.only,
            expires_after_seconds: file.approval.expires_after_seconds.map(NonZeroU32::get),
        },
        modes: file.modes,
        apart: file.apart,
        exemplars,
    })
}

fn labels(intents: BTreeMap<String, IntentFile>, text: &str) -> Result<BTreeMap<Label, Meaning>, ProfileError> {
    let mut labels = BTreeMap::new();
    for (name, intent) in intents {
        let primary = Label::primary(&name);
        let meaning = Meaning { act: act(&intent.act, text)?, behaviour: intent.behaviour, offer: intent.offer };
        for (sub, file) in intent.subs {
            let behaviour = file.behaviour.unwrap_or(intent.behaviour);
            let meaning = Meaning { act: act(&file.act, text)?, behaviour, offer: file.offer };
            labels.insert(Label { primary: name.clone(), sub: Some(sub) }, meaning);
        }
        labels.insert(primary, meaning);
    }
    Ok(labels)
}

fn thresholds(file: ThresholdsFile, labels: &BTreeMap<Label, Meaning>, text: &str) -> Result<Thresholds, ProfileError> {
    Ok(Thresholds {
        primary: in_range("thresholds.primary", file.primary)?,
        sub: in_range("thresholds.sub", file.sub)?,
        overrides: by_label(file.overrides, labels, text)?,
    })
}

fn by_label(
    written: BTreeMap<String, f32>,
    labels: &BTreeMap<Label, Meaning>,
    text: &str,
) -> Result<BTreeMap<Label, f32>, ProfileError> {
    let checked = |(name, value): (String, f32)| Ok((label(&name, labels, ASSISTANT, text)?, in_range(&name, value)?));
    written.into_iter().map(checked).collect()
}

fn in_range(key: &str, value: f32) -> Result<f32, ProfileError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(ProfileError::OutOfRange { key: key.to_owned(), value: value.to_string() })
}

fn calibration(file: FittedFile, labels: &BTreeMap<Label, Meaning>, text: &str) -> Result<Calibration, ProfileError> {
    let temperature = |key: &str, value: f32| {
        let fits = TEMPERATURES.contains(&value);
        if fits { Ok(value) } else { Err(no_temperature(key, value)) }
    };
    let sub_temperatures = file
        .sub_temperatures
        .into_iter()
        .map(|(name, value)| {
            label(&name, labels, ASSISTANT, text)?;
            let value = temperature(&format!("fitted.sub_temperatures.{name}"), value)?;
            Ok((name, value))
        })
        .collect::<Result<BTreeMap<_, _>, ProfileError>>()?;
    let FiguresFile { messages, accuracy, coverage, accuracy_covered, calibration_error, reliability } = file.figures;
    let bin = |BinFile { answers, confidence, accuracy }| Bin { answers, confidence, accuracy };
    let reliability = reliability.into_iter().map(bin).collect();
    Ok(Calibration {
        temperature: file.temperature.map(|value| temperature("fitted.temperature", value)).transpose()?,
        sub_temperatures,
        thresholds: by_label(file.thresholds, labels, text)?,
        cost: file.cost,
        sub_cost: file.sub_cost,
        seed: file.seed,
        data: file.data,
        exemplars: file.exemplars,
        embedder: file.embedder,
        figures: FitFigures { messages, accuracy, coverage, accuracy_covered, calibration_error, reliability },
    })
}

fn no_temperature(key: &str, value: f32) -> ProfileError {
    let problem = format!(
        "`{key}` is {value}, it has to lie between {} and {}; fit again, or remove the section `fitted`",
        TEMPERATURES.start(),
        TEMPERATURES.end()
    );
    ProfileError::Inconsistent { file: ASSISTANT, problem }
}

fn command(file: CommandFile, labels: &BTreeMap<Label, Meaning>, text: &str) -> Result<Command, ProfileError> {
    if let Some(name) = std::iter::once(&file.name).chain(&file.also).find(|name| !name.starts_with('/')) {
        let problem = format!("command `{name}` has to begin with `/`");
        return Err(ProfileError::Inconsistent { file: ASSISTANT, problem });
    }
    let label = label(&file.label, labels, ASSISTANT, text)?;
    let act = file.act.map_or_else(|| Ok(labels[&label].act.clone()), |name| act(&name, text))?;
    Ok(Command { name: file.name, also: file.also, label, act, asks: file.asks, says: file.says, help: file.help })
}

fn compiled(
    file: RuleFile,
    lists: &BTreeMap<String, Vec<String>>,
    labels: &BTreeMap<Label, Meaning>,
    text: &str,
) -> Result<Rule, ProfileError> {
    let patterns = |written: &[String]| {
        written
            .iter()
            .map(|pattern| Pattern::compile(pattern, lists))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| ProfileError::Pattern { rule: file.id.clone(), problem: error.to_string() })
    };
    let (say, unless) = (patterns(&file.say)?, patterns(&file.unless)?);
    let label = label(&file.label, labels, ASSISTANT, text)?;
    let act = file.act.map_or_else(|| Ok(labels[&label].act.clone()), |name| act(&name, text))?;
    Ok(Rule {
        name: file.id,
        reason: file.reason,
        label,
        act,
        phases: file.phases,
        form: file.form,
        grounded: file.grounded,
        refers_back: file.refers_back,
        leans: file.leans,
        takes_back: file.takes_back,
        remark: file.remark,
        when_unsure: file.when_unsure,
        say,
        unless,
    })
}

fn exemplars_of(
    written: BTreeMap<String, Vec<String>>,
    labels: &BTreeMap<Label, Meaning>,
    text: &str,
) -> Result<Vec<Exemplar>, ProfileError> {
    let mut all = Vec::new();
    let mut seen: BTreeMap<String, Label> = BTreeMap::new();
    for (name, texts) in written {
        // What means nothing needs no meaning: `none` is learned from, and never offered or acted on.
        let label = if name == NOTHING { Label::primary(NOTHING) } else { label(&name, labels, EXEMPLARS, text)? };
        for exemplar in texts {
            let key = exemplar.to_lowercase();
            if let Some(other) = seen.insert(key, label.clone()) {
                let problem = format!("exemplar `{exemplar}` stands under `{other}` and under `{label}`; keep one");
                return Err(ProfileError::Inconsistent { file: EXEMPLARS, problem });
            }
            all.push(Exemplar { text: exemplar, label: label.clone() });
        }
    }
    if all.len() > EXEMPLARS_MAX {
        let problem = format!("{} exemplars are more than the {EXEMPLARS_MAX} a profile may have", all.len());
        return Err(ProfileError::Inconsistent { file: EXEMPLARS, problem });
    }
    Ok(all)
}

fn act(name: &str, text: &str) -> Result<ActName, ProfileError> {
    ActName::parse(name).ok_or_else(|| ProfileError::UnknownName {
        file: ASSISTANT,
        line: line_of(text, name),
        kind: "act",
        name: name.to_owned(),
        nearest: nearest(name, ActName::names()).map(str::to_owned),
    })
}

fn label(name: &str, labels: &BTreeMap<Label, Meaning>, file: &'static str, text: &str) -> Result<Label, ProfileError> {
    let label = Label::parse(name);
    if labels.contains_key(&label) {
        return Ok(label);
    }
    let known: Vec<String> = labels.keys().map(Label::to_string).collect();
    Err(ProfileError::UnknownName {
        file,
        line: line_of(text, name),
        kind: "label",
        name: name.to_owned(),
        nearest: nearest(name, known.iter().map(String::as_str)).map(str::to_owned),
    })
}

/// The line on which `name` stands first; names are rare enough for that to be the place that is meant.
fn line_of(text: &str, name: &str) -> u64 {
    (1..).zip(text.lines()).find(|(_, line)| line.contains(name)).map_or(0, |(number, _)| number)
}

fn unique<'a>(names: impl Iterator<Item = &'a String>, kind: &str) -> Result<(), ProfileError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let problem = format!("{kind} `{name}` is there twice");
            return Err(ProfileError::Inconsistent { file: ASSISTANT, problem });
        }
    }
    Ok(())
}
