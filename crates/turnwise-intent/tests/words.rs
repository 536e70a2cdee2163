//! Scenarios about words that users of other systems were burnt by, under the names they are known by here, and the
//! words that the companion never says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use turnwise_core::selected::Behaviour;
use turnwise_core::{Act, Control, MessageReading, ReadContext, Reader, Reply};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::companion;
use turnwise_intent::builtin;
use turnwise_intent::classify::{Classification, Context, Details, classify};

fn of(assistant: &str, text: &str, context: &str) -> Classification {
    let context: Context = serde_json::from_str(context).unwrap();
    classify(&IntentReader::builtin(assistant).unwrap(), text, &context)
}

fn starts_work(found: &Classification) -> bool {
    match &found.details {
        Details::Copilot(judgement) => judgement.transition_to_execution,
        Details::Plain {} | Details::Coder(_) | Details::Tickets(_) | Details::Companion(_) => {
            panic!("not the copilot's")
        }
    }
}

#[test]
fn approve_is_not_prove() {
    let waiting = r#"{"phase": "awaiting_approval"}"#;
    for assistant in builtin::names() {
        assert_eq!(of(assistant, "approve", waiting).reply, Some(Reply::Approve), "{assistant}");
        assert_ne!(of(assistant, "prove it", waiting).reply, Some(Reply::Approve), "{assistant}");
    }
    assert_eq!(of("companion", "approve the draft", "{}").intent, "approve_draft");
    assert_ne!(of("companion", "prove the draft", "{}").intent, "approve_draft");
}

#[test]
fn abandoned_is_not_done() {
    let open = r#"{"review": "active"}"#;
    for text in ["abandoned", "we abandoned it", "the review was abandoned"] {
        let Details::Tickets(routing) = of("tickets", text, open).details else { panic!("not the ticket bot's") };
        assert!(!routing.review_complete, "{text}");
    }
    let Details::Tickets(routing) = of("tickets", "done", open).details else { panic!("not the ticket bot's") };
    assert!(routing.review_complete);
}

#[test]
fn should_we_build_it_triggers_nothing() {
    for text in ["should we build it?", "should we build it", "Shall we implement it?", "do we build it now?"] {
        assert!(!starts_work(&of("copilot", text, r#"{"conversation": true}"#)), "{text}");
    }
}

#[test]
fn dont_build_it_yet_triggers_nothing() {
    for text in ["don't build it yet", "do not build it", "dont go ahead", "never do it", "he said \"build it\""] {
        assert!(!starts_work(&of("copilot", text, r#"{"conversation": true}"#)), "{text}");
    }
    assert!(starts_work(&of("copilot", "build it", r#"{"conversation": true}"#)));
}

#[test]
fn run_the_tests_is_no_slash_run() {
    for context in ["{}", r#"{"run": "executing"}"#] {
        let found = of("coder", "run the tests", context);
        assert_eq!((found.intent.as_str(), found.behaviour), ("command", Behaviour::QuickAction), "{context}");
    }
    assert_eq!(of("coder", "/run the tests", "{}").behaviour, Behaviour::ContinueRun);
}

#[test]
fn do_not_worry_about_errors_is_a_remark_not_control() {
    for name in builtin::names() {
        let reader = IntentReader::builtin(name).unwrap();
        let reading = reader.read("do not worry about errors", &ReadContext::default());
        let MessageReading::Understood { requests, .. } = reading else { continue };
        let ends_something = |act: &Act| matches!(act, Act::Control(Control::Cancel | Control::Exit | Control::Reset));
        assert!(!requests.iter().any(|request| ends_something(&request.act)), "{name}: {requests:?}");
    }
}

#[test]
fn plan_b_is_better_is_no_slash_plan() {
    let found = of("coder", "plan b is better", "{}");
    assert!(!matches!(found.behaviour, Behaviour::Plan | Behaviour::QuickAction), "{found:?}");
}

#[test]
fn a_command_that_does_not_exist_is_named_with_the_nearest() {
    let found = of("coder", "/misson add tests", "{}");
    assert_eq!(found.intent, "unknown_command");
    assert!(found.reason.contains("did you mean /mission"), "{}", found.reason);
}

#[test]
fn a_given_intent_that_does_not_exist_is_said_and_the_message_is_read() {
    let found = of("companion", "download the report", r#"{"intent_hint": "request_downlod"}"#);
    assert_eq!(found.intent, "request_download");
    assert!(found.reason.contains("did you mean request_download"), "{}", found.reason);
}

#[test]
fn the_companion_never_says_a_word_from_behind_the_wall() {
    let persona = include_str!("../../../assistants/companion/persona.md");
    assert_eq!(companion::forbidden(persona), Vec::<&str>::new());
    let reader = IntentReader::builtin("companion").unwrap();
    let profile = reader.profile();
    let offers = profile.labels.values().map(|meaning| meaning.offer.as_str());
    let helps = profile.commands.iter().map(|command| command.help.as_str());
    for said in offers.chain(helps).chain([profile.greeting.as_str(), companion::RESPONSE_FAILED]) {
        assert_eq!(companion::forbidden(said), Vec::<&str>::new(), "{said}");
    }
}

#[test]
fn every_intent_of_the_companions_table_has_examples_and_the_other_way_round() {
    let reader = IntentReader::builtin("companion").unwrap();
    for intent in &companion::INTENTS {
        let examples = reader.profile().exemplars.iter().filter(|one| one.label.primary == intent.label).count();
        // What works on notes and projects as such is said in few ways: rules read it, and no likeness sets it off. An
        // answer to an open question has no words of its own.
        let by_rules = reader.profile().rules.iter().any(|rule| rule.label.primary == intent.label);
        let by_question = matches!(intent.label, "answer_setup" | "leave_setup");
        let is_read = examples >= 15 || (examples == 0 && (by_rules || by_question));
        assert!(is_read, "{} has only {examples}", intent.label);
    }
    for label in reader.profile().primaries() {
        assert!(companion::intent(&label.primary).is_some(), "{label} stands in the profile, not in the table");
    }
}

#[test]
fn odd_text_is_read_without_harm() {
    let long = "fix the bug in src/a.rs and ".repeat(40_000);
    for text in
        ["", "   ", "\u{200b}", "🙂🙂", "إصلاح الخطأ", "\u{0}\u{7}", "/", "???", "\"", "`", "修复", long.as_str()]
    {
        for assistant in builtin::names() {
            let found = of(assistant, text, "{}");
            assert!((0.0..=1.0).contains(&found.confidence) && !found.reason.is_empty(), "{assistant}: {found:?}");
        }
    }
}

#[test]
fn every_key_is_printed_once() {
    for (assistant, text) in [
        ("analyst", "hmm what about it"),
        ("coder", "fix this"),
        ("copilot", "build an app"),
        ("tickets", "create an epic with 5 stories"),
        ("companion", "download the report"),
    ] {
        let printed = serde_json::to_string(&of(assistant, text, r#"{"phase": "awaiting_approval"}"#)).unwrap();
        for key in ["behaviour", "reply", "clarification", "reason"] {
            let count = printed.matches(&format!("\"{key}\":")).count();
            assert!(count <= 1, "{assistant} prints {key} {count} times: {printed}");
        }
        println!("{printed}");
    }
}

#[test]
fn the_coder_asks_in_the_words_that_were_settled() {
    let asked = |text: &str, context: &str| {
        let Details::Coder(selection) = of("coder", text, context).details else { panic!("not the coder's") };
        let card = selection.clarification.expect(text);
        let labels: Vec<String> = card.options.into_iter().map(|option| option.label).collect();
        format!("{} [{}]", card.question, labels.join(" | "))
    };
    let open = r#"{"last_open_editor": "src/a.rs"}"#;
    let conflict =
        "Do you want a fix, an explanation, or a plan? [Explain only | Make a quick fix | Create a plan | Cancel]";
    assert_eq!(asked("explain this and fix it", open), conflict);
    let reference = "What file or component are you referring to? [Specify file path | Cancel]";
    assert_eq!(asked("fix this", "{}"), reference);
    let place = "Which file(s) or component(s) should be modified? [Currently open file | Specify file(s) | \
                 Apply to entire project | Cancel]";
    assert_eq!(asked("improve the project", open), place);
    let aim =
        "What would you like me to do? [Just explain/discuss | Make a small change | Create a full plan | Cancel]";
    assert_eq!(asked("src/a.rs", "{}"), aim);
}
