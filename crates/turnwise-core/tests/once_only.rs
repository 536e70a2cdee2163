//! What must not run twice: it is let finish whatever is said meanwhile, and is done again only where what it works on
//! is no longer what it worked on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use turnwise_core::{
    Act, AssistantName, Control, Conversation, DraftOutcome, Effect, EffectClass, Event, FactName, FactValue, Input,
    InputBody, InputKey, MessageReading, NewFact, Origin, PersonId, Phase, PlanDraft, PlanKind, Policy, ReadContext,
    Reader, Reading, Reply, Report, RunEvent, SourceKind, Step, StepId, StepOutcome, Tier, Timestamp, ToolName, decide,
};

/// `y` is a yes, `change …` a change, a word with a slash that command, and all else a task.
struct Plain;

impl Reader for Plain {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let (act, target) = match text.split_once(' ') {
            Some(("/flow", settled)) => (Act::Control(Control::Flow), Some(settled.to_owned())),
            _ if text == "/pause" => (Act::Control(Control::Pause), None),
            _ if text == "/resume" => (Act::Control(Control::Resume), None),
            _ if text.starts_with("change") => (Act::PlanContinue, None),
            _ => (Act::PlanNew(PlanKind::Plain), None),
        };
        let tier = if text.starts_with('/') { Tier::Slash } else { Tier::Rule };
        MessageReading::single(Reading { target, ..Reading::certain(text, "any", act, tier, "") })
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        match text {
            "y" => Reply::Approve,
            _ if text.starts_with("change") => Reply::Change { change: text.to_owned() },
            _ => Reply::Other,
        }
    }
}

struct Talk {
    conversation: Conversation,
    effects: Vec<Effect>,
    events: Vec<Event>,
}

impl Talk {
    /// A run of `draft`, whose first steps have started.
    fn running(draft: PlanDraft) -> Self {
        let conversation = Conversation::new(AssistantName::new("copilot"));
        let mut talk = Self { conversation, effects: Vec::new(), events: Vec::new() };
        talk.say("do it all");
        talk.drafted(draft);
        talk.say("y");
        talk
    }

    fn turn(&mut self, body: InputBody) {
        let input = Input { key: InputKey::new("k"), content_key: None, origin: Origin::default(), body };
        let now = Timestamp::from_millis(0);
        let decision = decide(&self.conversation, &input, &Policy::default(), &Plain, now);
        for event in &decision.events {
            // What is stored must be what is applied.
            let stored = serde_json::to_string(event).unwrap();
            self.conversation.apply(&serde_json::from_str(&stored).unwrap()).unwrap();
        }
        (self.events, self.effects) = (decision.events, decision.effects);
    }

    fn say(&mut self, text: &str) {
        let text = text.to_owned();
        self.turn(InputBody::Message { person: PersonId::new("ada"), text, grounding: Vec::new() });
    }

    fn drafted(&mut self, plan: PlanDraft) {
        let open = self.conversation.outstanding().into_iter().find_map(|effect| match effect {
            Effect::DraftPlan { request } => Some(request),
            _ => None,
        });
        let outcome = DraftOutcome::Ready { plan, learned: Vec::new() };
        self.turn(InputBody::Report(Report::Drafted { request: open.expect("a draft is asked for"), outcome }));
    }

    fn done(&mut self, step: u32) {
        let run = self.conversation.run().unwrap();
        let (id, step) = (run.id(), run.plan().step(StepId::new(step)).unwrap().clone());
        let fact = |name: &FactName| NewFact::new(name.clone(), FactValue::Text("x".into()), SourceKind::Document);
        let outcome = StepOutcome::Done { facts: step.produces.iter().map(fact).collect(), answer: None };
        self.turn(InputBody::Report(Report::StepEnded { run: id, step: step.id, attempt: 1, outcome }));
    }

    fn asks_to(&self, wanted: impl Fn(&Effect) -> bool) -> bool {
        self.effects.iter().any(wanted)
    }

    fn starts(&self, number: u32) -> bool {
        self.asks_to(|effect| matches!(effect, Effect::StartStep { step, .. } if *step == StepId::new(number)))
    }
}

/// One step behind the other, each with what the one before it found.
fn plan(steps: &[(&str, EffectClass)]) -> PlanDraft {
    let step = |(at, (does, effect)): (usize, &(&str, EffectClass))| {
        let number = u32::try_from(at + 1).unwrap();
        let mut step = Step::new(StepId::new(number), *does, ToolName::new("run"));
        step.arguments.insert("command".to_owned(), (*does).to_owned());
        step.produces = vec![FactName::new(format!("fact_{number}"))];
        step.effect = *effect;
        if at > 0 {
            step.after = vec![StepId::new(number - 1)];
            step.needs = vec![FactName::new(format!("fact_{}", number - 1))];
        }
        step
    };
    let result = FactName::new(format!("fact_{}", steps.len()));
    PlanDraft::new("do it all", steps.iter().enumerate().map(step).collect(), result)
}

const SEND: (&str, EffectClass) = ("send", EffectClass::OnceOnly);
const TELL: (&str, EffectClass) = ("tell", EffectClass::Pure);

/// The plan with another feeder takes the place of one whose middle step was sent: it is sent again, because it sends
/// something else; behind the same feeder it is not.
#[test]
fn what_was_done_once_is_done_again_only_behind_a_changed_feeder() {
    let load = ("load", EffectClass::Idempotent);
    for (feeder, is_sent_again) in [(load, false), (("load another", EffectClass::Idempotent), true)] {
        let mut talk = Talk::running(plan(&[load, SEND, TELL]));
        talk.say("/pause");
        talk.done(1);
        talk.say("/resume");
        talk.say("/pause");
        talk.done(2);
        talk.say("change it");
        talk.drafted(plan(&[feeder, SEND, ("tell more", EffectClass::Pure)]));
        assert_eq!(talk.conversation.phase(), Phase::AwaitingApproval);
        let next = talk.conversation.plan().unwrap();
        let kept = talk.conversation.reusable_steps(next);
        assert_eq!(!kept.contains(&StepId::new(2)), is_sent_again, "{feeder:?}: {kept:?}");
        talk.say("y");
        assert_eq!(talk.starts(1), is_sent_again, "{feeder:?}");
    }
}

#[test]
fn what_runs_once_is_let_finish_before_a_change_takes_its_place() {
    let mut talk = Talk::running(plan(&[SEND, TELL]));
    talk.say("change it");
    let changed = plan(&[SEND, ("tell more", EffectClass::Pure)]);
    talk.drafted(changed.clone());
    assert!(!talk.asks_to(|effect| matches!(effect, Effect::StopRun { .. })), "{:?}", talk.effects);
    assert_eq!(talk.conversation.phase(), Phase::Executing);
    assert!(talk.conversation.outstanding().iter().all(|effect| !matches!(effect, Effect::DraftPlan { .. })));
    talk.done(1);
    // The step behind it waits for the change, which is planned now.
    assert!(!talk.starts(2) && talk.asks_to(|effect| matches!(effect, Effect::DraftPlan { .. })));
    talk.drafted(changed);
    assert_eq!(talk.conversation.phase(), Phase::AwaitingApproval);
    talk.say("y");
    assert!(talk.starts(2) && !talk.starts(1), "what was sent is not sent again: {:?}", talk.effects);
}

/// The last step: the change is one of the result.
#[test]
fn a_change_said_while_the_last_step_runs_is_planned_behind_it() {
    let mut talk = Talk::running(plan(&[SEND]));
    talk.say("change it");
    talk.drafted(plan(&[SEND, TELL]));
    talk.done(1);
    assert_eq!(talk.conversation.phase(), Phase::Planning);
    talk.drafted(plan(&[SEND, TELL]));
    assert_eq!(talk.conversation.phase(), Phase::AwaitingApproval);
}

#[test]
fn a_pause_said_by_a_person_outlives_a_change_of_how_work_is_gone_about() {
    for settled in ["/flow approval_mode after_step", "/flow approval_mode configured"] {
        let mut talk = Talk::running(plan(&[SEND, TELL]));
        talk.say("/flow approval_mode before_step");
        talk.say("/pause");
        talk.say(settled);
        let paced = |event: &Event| matches!(event, Event::Run(RunEvent::Paced { .. }));
        assert!(!talk.events.iter().any(paced), "{settled}: {:?}", talk.events);
        talk.done(1);
        assert!(!talk.starts(2), "{settled}");
        talk.say("/resume");
        assert!(talk.starts(2), "{settled}");
    }
    // What only waits because of its settings goes on when they say so.
    let mut talk = Talk::running(plan(&[SEND, TELL]));
    talk.say("/flow approval_mode before_step");
    talk.say("/flow approval_mode none");
    talk.done(1);
    assert!(talk.starts(2));
}
