//! Profiles as data: what is built in is whole and fitted, and what is misspelt is refused with the place and the
//! nearest valid name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use turnwise_core::{Confidence, MessageReading, ReadContext, Reader as _};
use turnwise_intent::{
    Calibration, Embedder, Fitted, IntentReader, Label, MiniLm, NOTHING, Profile, ProfileError, ThresholdOrigin,
    builtin, content_key, edit,
};

fn analyst_texts() -> (&'static str, &'static str) {
    builtin::texts("analyst").unwrap()
}

fn refused(assistant: &str, exemplars: &str) -> String {
    Profile::parse(assistant, exemplars).unwrap_err().to_string()
}

#[test]
fn every_built_in_fit_belongs_to_its_profile_and_model() {
    for name in builtin::names() {
        let reader = IntentReader::builtin(name).unwrap();
        let key = content_key(reader.profile(), MiniLm.model_name());
        // Fails when exemplars or features were changed without running the example `generate_assets`.
        let fitted = reader.fitted().unwrap();
        assert_eq!(fitted.key, key, "{name}: run `cargo run --release -p turnwise-intent --example generate_assets`");
    }
}

#[test]
fn the_fitted_exemplars_agree_with_the_model() {
    let reader = IntentReader::builtin("analyst").unwrap();
    let fitted = reader.fitted().unwrap();
    for exemplar in reader.profile().exemplars.iter().step_by(97) {
        let embedding = MiniLm.embed(&exemplar.text).unwrap();
        let nearest = &fitted.nearest(reader.profile(), &embedding)[0];
        assert!(nearest.score > 0.99, "{:?}: {nearest:?}", exemplar.text);
        assert_eq!(nearest.text.to_lowercase(), exemplar.text.to_lowercase());
    }
}

#[test]
fn a_fit_survives_its_bytes_and_is_refused_for_other_exemplars() {
    let reader = IntentReader::builtin("analyst").unwrap();
    let fitted = reader.fitted().unwrap();
    let bytes = fitted.to_bytes();
    assert_eq!(&Fitted::from_bytes(&bytes, &fitted.key).unwrap(), fitted);
    let (assistant, exemplars) = analyst_texts();
    let other = Profile::parse(assistant, &format!("{exemplars}\n  - one more that means nothing\n")).unwrap();
    let error = IntentReader::new(other).with_fitted(&bytes).err().unwrap();
    assert!(error.to_string().contains("other exemplars"), "{error}");
    for cut in [0, 7, 20, 60, bytes.len() / 2, bytes.len() - 1] {
        assert!(Fitted::from_bytes(&bytes[..cut], &fitted.key).is_err(), "cut at {cut}");
    }
}

#[test]
fn whoever_acts_has_exemplars_enough_for_every_label() {
    for (name, of_nothing) in [("analyst", 100), ("coder", 40), ("copilot", 20)] {
        let (assistant, exemplars) = builtin::texts(name).unwrap();
        let profile = Profile::parse(assistant, exemplars).unwrap();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        profile.exemplars.iter().for_each(|exemplar| *counts.entry(exemplar.label.to_string()).or_default() += 1);
        for label in profile.labels.keys().filter(|label| label.to_string() != "control") {
            let count = counts.get(&label.to_string()).copied().unwrap_or_default();
            assert!(count >= 50, "{name}: {label} has {count} exemplars");
        }
        assert!(counts[NOTHING] >= of_nothing, "{name}");
    }
}

#[test]
fn an_exemplar_word_for_word_means_its_label_and_a_rule_still_comes_first() {
    let (assistant, _) = analyst_texts();
    let taught = "control.cancel: [zorb the flurb, status]\ncontrol.status: [how far is it]\nquery: [why is it so]\n\
                  plan_new: [revenue by region]\nplan_continue: [only the north]\n";
    let reader = IntentReader::new(Profile::parse(assistant, taught).unwrap());
    let read = |text: &str| match reader.read(text, &ReadContext::default()) {
        MessageReading::Understood { requests, .. } => requests[0].clone(),
        other => panic!("{text}: {other:?}"),
    };
    let known = read("Zorb  the flurb!");
    assert_eq!((known.sub.as_deref(), known.confidence), (Some("cancel"), Confidence::CERTAIN));
    assert!(known.reason.contains("word for word"), "{}", known.reason);
    assert_eq!(known.nearest[0].text, "zorb the flurb");
    assert_eq!(read("status").sub.as_deref(), Some("status"), "a rule decides");
}

#[test]
fn a_fitted_section_is_checked_like_the_rest_and_gives_way_to_what_was_written_by_hand() {
    let (assistant, exemplars) = analyst_texts();
    let label = |name: &str| Label::parse(name);
    let calibration = Calibration {
        temperature: Some(0.5),
        thresholds: BTreeMap::from([(label("query"), 0.6), (label("control.reset"), 0.1)]),
        ..Calibration::default()
    };
    let with = edit::with_calibration(assistant, &calibration).unwrap();
    let profile = Profile::parse(&with, exemplars).unwrap();
    assert_eq!(profile.fitted.as_ref(), Some(&calibration));
    let threshold = |name: &str| (profile.threshold(&label(name)), profile.threshold_origin(&label(name)));
    assert_eq!(threshold("query"), (0.6, ThresholdOrigin::Fitted));
    assert_eq!(threshold("control.reset"), (0.8, ThresholdOrigin::Written));
    assert_eq!(threshold("plan_new"), (0.8, ThresholdOrigin::Default));
    let key = |profile: &Profile| content_key(profile, MiniLm.model_name());
    assert_eq!(key(&profile), key(&builtin::analyst()), "what was fitted leaves the kept heads valid");

    let error = refused(&with.replacen("\"query\": 0.6", "\"qury\": 0.6", 1), exemplars);
    assert!(error.contains("there is no label `qury`; did you mean `query`?"), "{error}");
    let error = refused(&with.replacen("temperature: 0.5", "temperature: 900", 1), exemplars);
    assert!(error.contains("`fitted.temperature` is 900"), "{error}");
    let error = refused(&with.replacen("  seed: 0", "  sede: 0", 1), exemplars);
    assert!(error.contains("unknown key `sede`; did you mean `seed`?"), "{error}");
}

#[test]
fn a_misspelt_key_is_refused_with_its_line_and_the_nearest_key() {
    let (assistant, exemplars) = analyst_texts();
    let misspelt = assistant.replacen("thresholds:", "treshholds:", 1);
    let line = misspelt.lines().position(|line| line.starts_with("treshholds")).unwrap() + 1;
    let expected = format!("assistant.yaml, line {line}: unknown key `treshholds`; did you mean `thresholds`?");
    assert_eq!(refused(&misspelt, exemplars), expected);
}

#[test]
fn names_that_do_not_exist_are_refused_with_the_nearest() {
    let (assistant, exemplars) = analyst_texts();
    let error = refused(assistant, "qeury.detail: [tell me more]");
    assert_eq!(error, "exemplars.yaml, line 1: there is no label `qeury.detail`; did you mean `query.detail`?");
    let error = refused(&assistant.replacen("act: query.detail", "act: query.detial", 1), exemplars);
    assert!(error.contains("there is no act `query.detial`; did you mean `query.detail`?"), "{error}");
    let error = refused(&assistant.replacen("label: plan_continue", "label: plan_continu", 1), exemplars);
    assert!(error.contains("did you mean `plan_continue`?"), "{error}");
}

#[test]
fn values_out_of_range_broken_patterns_and_doubles_are_refused() {
    let (assistant, exemplars) = analyst_texts();
    let error = refused(&assistant.replacen("primary: 0.80", "primary: 80", 1), exemplars);
    assert_eq!(error, "assistant.yaml: `thresholds.primary` is 80, it has to lie between 0 and 1");
    let error = refused(&assistant.replacen("say: [\"stop\"", "say: [\"(stop\"", 1), exemplars);
    assert!(error.contains("rule `stop_at_idle`") && error.contains("not closed"), "{error}");
    let error = refused(assistant, "query: [hello there]\nplan_new: [Hello there]");
    assert!(error.contains("stands under"), "{error}");
    let error = refused(&assistant.replacen("name: /redo", "name: /help", 1), exemplars);
    assert!(error.contains("command `/help` is there twice"), "{error}");
}

#[test]
fn text_that_is_no_yaml_is_refused_with_its_place() {
    let (_, exemplars) = analyst_texts();
    let error = Profile::parse("name: [analyst\nthresholds: 3", exemplars).unwrap_err();
    assert!(matches!(error, ProfileError::Malformed { file: "assistant.yaml", line, .. } if line > 0), "{error}");
}

#[test]
fn an_unknown_assistant_is_refused_with_the_nearest() {
    let error = IntentReader::builtin("analist").err().unwrap().to_string();
    assert!(error.contains("there is no assistant `analist`") && error.contains("did you mean analyst?"), "{error}");
}
