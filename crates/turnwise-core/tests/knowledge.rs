//! What is known over a whole conversation: limits that explain themselves, pins, time, and logs of older versions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeMap;

use turnwise_core::{
    Act, AnswerOutcome, AssistantName, Clarification, Confidence, Control, Conversation, DraftOutcome, Effect,
    EffectClass, Event, FactKind, FactName, FactValue, Input, InputBody, InputKey, MessageReading, NewFact, Origin,
    PersonId, PlanDraft, PlanKind, Policy, QueryKind, ReadContext, Reader, Reading, Reply, Report, Scope, SourceKind,
    Standing, Step, StepId, Taught, Tier, Timestamp, ToolName, decide, limits,
};

/// Reads `/facts …` as the command, `count …` as a task and everything else as a statement.
struct Plain;

impl Reader for Plain {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let (act, tier, target) = match text.strip_prefix("/facts") {
            Some(rest) => (Act::Control(Control::Facts), Tier::Slash, Some(rest.trim().to_owned())),
            None if text.starts_with("count") => (Act::PlanNew(PlanKind::Plain), Tier::Rule, None),
            None => (Act::Query(QueryKind::Definition), Tier::Rule, None),
        };
        let reading = Reading {
            target: target.filter(|target| !target.is_empty()),
            ..Reading::certain(text, "any", act, tier, "")
        };
        MessageReading::single(reading)
    }

    fn reply(&self, _: &str, _: &ReadContext) -> Reply {
        Reply::Other
    }
}

struct Talk {
    conversation: Conversation,
    now: Timestamp,
}

impl Talk {
    fn new() -> Self {
        Self { conversation: Conversation::new(AssistantName::new("analyst")), now: Timestamp::from_millis(0) }
    }

    /// Takes an input in; gives what was said.
    fn turn(&mut self, body: InputBody) -> String {
        let input = Input { key: InputKey::new("k"), content_key: None, origin: Origin::default(), body };
        let decision = decide(&self.conversation, &input, &Policy::default(), &Plain, self.now);
        let mut said = String::new();
        for event in &decision.events {
            // What is stored must be what is applied.
            let stored = serde_json::to_string(event).unwrap();
            self.conversation.apply(&serde_json::from_str(&stored).unwrap()).unwrap();
            if let Event::Said { text, .. } = event {
                said.push_str(text);
                said.push('\n');
            }
        }
        said
    }

    fn say(&mut self, text: &str) -> String {
        self.turn(InputBody::Message { person: PersonId::new("ada"), text: text.into(), grounding: Vec::new() })
    }

    /// States that `about` means something, as the assistant understands it.
    fn state(&mut self, about: &str, confidence: f32, until: Option<i64>) -> String {
        self.say(about);
        let request = self.conversation.outstanding().into_iter().find_map(|effect| match effect {
            Effect::AnswerQuestion { request } => Some(request),
            _ => None,
        });
        let statement = NewFact {
            confidence: Confidence::new(confidence),
            standing: Standing {
                kind: FactKind::Constraint,
                about: Some(about.to_owned()),
                valid_to: until.map(Timestamp::from_millis),
                ..Standing::default()
            },
            ..NewFact::new(FactName::new(about), FactValue::Text(format!("the meaning of {about}")), SourceKind::Person)
        };
        let outcome =
            AnswerOutcome::Learned { statement: Box::new(statement), text: "Learned.".to_owned(), replan: false };
        self.turn(InputBody::Report(Report::Answered { request: request.unwrap(), outcome }))
    }

    /// What came of drafting the task at hand.
    fn drafted(&mut self, outcome: DraftOutcome) {
        let request = self.conversation.outstanding().into_iter().find_map(|effect| match effect {
            Effect::DraftPlan { request } => Some(request),
            _ => None,
        });
        self.turn(InputBody::Report(Report::Drafted { request: request.unwrap(), outcome }));
    }

    fn holds(&self, name: &str) -> bool {
        self.conversation.facts().contains(&FactName::new(name))
    }
}

/// A session as full as it may be; `a7` is less sure than the rest.
fn full() -> Talk {
    let mut talk = Talk::new();
    for number in 0..limits::FACTS_SESSION_MAX {
        talk.state(&format!("a{number}"), if number == 7 { 0.5 } else { 1.0 }, None);
    }
    assert_eq!(talk.conversation.facts().count(Scope::Session), limits::FACTS_SESSION_MAX);
    talk
}

#[test]
fn the_least_sure_goes_first_then_the_longest_unused_and_it_is_said() {
    let mut talk = full();
    let said = talk.state("new", 1.0, None);
    assert!(said.contains("1 fact dropped for room: a7."), "{said}");
    assert!(said.contains("keeps 50") && said.contains("/facts pin"), "{said}");
    let said = talk.state("newer", 1.0, None);
    assert!(said.contains("dropped for room: a0."), "{said}");
    assert!(!talk.holds("a0") && talk.holds("newer") && talk.holds("new"));
}

#[test]
fn pinned_facts_stay_and_a_store_full_of_them_refuses() {
    let mut talk = full();
    talk.say("/facts pin a0");
    let said = talk.state("new", 1.0, None) + &talk.state("newer", 1.0, None);
    assert!(talk.holds("a0") && said.contains("a1."), "{said}");
    let names: Vec<String> = talk.conversation.facts().keys().map(ToString::to_string).collect();
    for name in names {
        talk.say(&format!("/facts pin {name}"));
    }
    let said = talk.state("last", 1.0, None);
    assert!(said.contains("That was not kept") && said.contains("/facts unpin NAME"), "{said}");
    assert!(!talk.holds("last"));
    talk.say("/facts unpin a2");
    talk.state("last", 1.0, None);
    assert!(talk.holds("last") && !talk.holds("a2"));
}

#[test]
fn a_fact_goes_when_its_time_is_over_and_it_is_said() {
    let mut talk = Talk::new();
    talk.state("parking", 1.0, Some(5_000));
    talk.now = Timestamp::from_millis(4_999);
    talk.say("/facts");
    assert!(talk.holds("parking"));
    talk.now = Timestamp::from_millis(5_000);
    let said = talk.say("/facts");
    assert!(said.contains("The time of 1 fact is over, so it was dropped: parking."), "{said}");
    assert!(!talk.holds("parking"));
}

#[test]
fn a_snapshot_brings_pins_and_superseded_meanings_back() {
    let mut talk = Talk::new();
    talk.state("revenue", 1.0, None);
    talk.say("/facts pin revenue");
    let stored = serde_json::to_string(&talk.conversation).unwrap();
    let back: Conversation = serde_json::from_str(&stored).unwrap();
    assert_eq!(back, talk.conversation);
    assert!(back.facts().is_pinned(&FactName::new("revenue")));
}

/// Events and a snapshot as version 0.1.0 first wrote them.
#[test]
fn logs_and_snapshots_from_before_facts_had_kinds_are_read() {
    let events = [
        r#"{"event":"conversation_opened","assistant":"analyst","at":0}"#,
        r#"{"event":"message_received","message":1,"person":"ada","text":"hello","at":0}"#,
        r#"{"event":"aside","is":"question_asked","request":1,"text":"hello","kind":"plain","target":null}"#,
        r#"{"event":"aside","is":"question_closed","request":1}"#,
        r#"{"event":"facts_evicted","names":["sales"]}"#,
    ];
    let mut conversation = Conversation::new(AssistantName::new("analyst"));
    for event in events {
        conversation.apply(&serde_json::from_str(event).expect(event)).unwrap();
    }
    let mut older = serde_json::to_value(&conversation).unwrap();
    older["facts"] = serde_json::json!({"sales": {
        "id": 1, "plan": 1, "resolved_at": 0, "recorded": 9,
        "body": {
            "name": "sales", "value": {"text": "many"}, "source": "data", "confidence": 1.0, "derived_from": [],
            "query": null, "stamps": [], "assumptions": []
        }
    }});
    let back: Conversation = serde_json::from_value(older).unwrap();
    assert!(back.facts().contains(&FactName::new("sales")));
}

/// An answer that states what a word means, as the assistant hands it over with the plan.
fn taught(topic: &str, about: Option<&str>, source: SourceKind) -> Taught {
    let name = about.unwrap_or("nameless");
    let standing = Standing { kind: FactKind::Decision, about: about.map(str::to_owned), ..Standing::default() };
    let statement = NewFact { standing, ..NewFact::new(FactName::new(name), FactValue::Text("boats".into()), source) };
    Taught { topic: topic.to_owned(), statement }
}

#[test]
fn only_what_a_person_answered_in_this_task_is_taken_from_an_assistant() {
    let mut talk = Talk::new();
    talk.say("count zorgs");
    let (topic, question) = ("meaning: zorgs".to_owned(), "What does “zorgs” mean?".to_owned());
    talk.drafted(DraftOutcome::Unclear {
        clarification: Clarification { topic, question, choices: Vec::new(), assumption: None, of: 0 },
    });
    talk.say("count boats");
    let step = Step {
        id: StepId::new(1),
        description: "count".into(),
        tool: ToolName::new("query"),
        arguments: BTreeMap::new(),
        needs: Vec::new(),
        produces: vec![FactName::new("number")],
        after: Vec::new(),
        effect: EffectClass::Pure,
        retries: 0,
        timeout_seconds: 60,
    };
    let plan =
        PlanDraft { title: "zorgs".into(), ..PlanDraft::new("count zorgs", vec![step], FactName::new("number")) };
    let learned = vec![
        taught("meaning: zorgs", Some("zorgs"), SourceKind::Person),
        taught("meaning: blips", Some("blips"), SourceKind::Person),
        taught("meaning: zorgs", Some("quonks"), SourceKind::Model),
        taught("meaning: zorgs", None, SourceKind::Person),
    ];
    talk.drafted(DraftOutcome::Ready { plan, learned });
    assert!(talk.holds("zorgs"), "what was asked and answered is held");
    for other in ["blips", "quonks", "nameless"] {
        assert!(!talk.holds(other), "{other} was not answered by anybody");
    }
}
