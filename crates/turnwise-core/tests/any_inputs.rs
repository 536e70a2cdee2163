//! Random inputs thrown at `decide`: whatever comes, in whatever order, the conversation never reaches an illegal
//! state, nothing starts without an approval or after a stop, and every input of a person ends in exactly one receipt.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use turnwise_core::{
    Act, Answer, AnswerOutcome, ApprovalMode, AssistantName, Choice, Clarification, Control, Conversation, DecisionRef,
    DraftOutcome, Effect, EffectClass, Event, FactName, FactValue, Flow, HeardAs, Input, InputBody, InputKey, LookUp,
    MessageReading, Mode, ModelCall, NewFact, Origin, PendingId, PendingKind, PersonId, Phase, PlanDraft, PlanKind,
    Policy, Presentation, QueryKind, ReadContext, Reader, Reading, Reply, Report, RequestId, RunEvent, RunId,
    RunStatus, Seen, SourceKind, Step, StepId, StepOutcome, Table, Tier, Timestamp, Tokens, ToolName, Verdict, decide,
};

/// A reader for which the text itself says how it is to be read: `<act> <reply>`, both numbers.
struct ByNumber;

impl Reader for ByNumber {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let number = number(text, 0);
        match ACTS.get(number) {
            Some(act) => {
                let request = reading(text, act.clone());
                MessageReading::Understood { requests: vec![request.clone()], segments: vec![request] }
            }
            None if number == ACTS.len() => MessageReading::Empty,
            None if number == ACTS.len() + 1 => {
                MessageReading::UnknownCommand { command: "/nothing".into(), nearest: Some("/help".into()) }
            }
            None => {
                let options = vec![reading(text, Act::PlanContinue), reading(text, Act::PlanNew(PlanKind::Plain))];
                MessageReading::Unsure { options }
            }
        }
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        match number(text, 1) {
            0 => Reply::Approve,
            1 => Reply::ApproveWithNote { note: "thanks".into() },
            2 => Reply::Change { change: "only Q4".into() },
            3 => Reply::Reject,
            4 => Reply::Cancel,
            5 => Reply::Question,
            6 => Reply::Hold,
            7 => Reply::Likely,
            _ => Reply::Other,
        }
    }
}

const ACTS: [Act; 27] = [
    Act::Control(Control::Flow),
    Act::Query(QueryKind::Definition),
    Act::Control(Control::Pause),
    Act::Control(Control::RunReads),
    Act::Control(Control::AskFirst),
    Act::Control(Control::Resume),
    Act::Control(Control::Queue),
    Act::Control(Control::Receipts),
    Act::Query(QueryKind::Plain),
    Act::Query(QueryKind::Provenance),
    Act::Query(QueryKind::Summary),
    Act::PlanNew(PlanKind::Plain),
    Act::PlanNew(PlanKind::Compare),
    Act::PlanContinue,
    Act::Control(Control::SwitchMode(Mode::Proof)),
    Act::Control(Control::SwitchMode(Mode::Exploratory)),
    Act::Control(Control::Reset),
    Act::Control(Control::Redo),
    Act::Control(Control::Help),
    Act::Control(Control::Status),
    Act::Control(Control::Facts),
    Act::Control(Control::ShowPlan),
    Act::Control(Control::Exit),
    Act::Control(Control::Cancel),
    Act::Control(Control::Replan),
    Act::Control(Control::Why),
    Act::PlanNew(PlanKind::Predict),
];

fn number(text: &str, at: usize) -> usize {
    text.split(' ').nth(at).and_then(|word| word.parse().ok()).unwrap_or(usize::MAX)
}

fn reading(text: &str, act: Act) -> Reading {
    let settles = act == Act::Control(Control::Flow);
    let target = settles.then(|| SETTLED[number(text, 1) % SETTLED.len()].to_owned());
    Reading { target, ..Reading::certain(text, "any", act, Tier::Rule, "by number") }
}

/// What is said behind `/flow`.
const SETTLED: [&str; 8] = [
    "",
    "simple",
    "conversational plan_approval off",
    "approval_mode before_step",
    "approval_mode both pause_enabled off",
    "approval_mode configured",
    "configured",
    "nonsense on",
];

/// A move of the world; ids are picked relative to what exists when it is made, so that most of them fit.
#[derive(Clone, Debug)]
enum Move {
    Say { act: usize, reply: usize },
    Words(&'static str),
    Decide { pending: u64, ui_version: u32, verdict: u8 },
    DecideCurrent { verdict: u8 },
    Stop,
    SetMode,
    Leave,
    Join,
    Draft { outcome: u8, stale: bool },
    Answer { outcome: u8, stale: bool },
    StepEnds { pick: usize, outcome: u8, stale: bool },
    Wake { pick: usize },
    Lose { pick: usize },
    LookUp { pick: usize, found: u8 },
    Hear { number: usize, stale: bool },
    ModelAsked,
    Recover,
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => (0..ACTS.len() + 3, 0..8_usize).prop_map(|(act, reply)| Move::Say { act, reply }),
        2 => prop_oneof![Just("retry"), Just("2"), Just("abandon"), Just("1"), Just("the first"), Just("/1 7"), Just("drop step 4"), Just("only step 1")].prop_map(Move::Words),
        1 => (0..12_u64, 0..12_u32, 0..9_u8)
            .prop_map(|(pending, ui_version, verdict)| Move::Decide { pending, ui_version, verdict }),
        3 => (0..9_u8).prop_map(|verdict| Move::DecideCurrent { verdict }),
        1 => Just(Move::Stop),
        1 => Just(Move::SetMode),
        1 => Just(Move::Leave),
        1 => Just(Move::Join),
        5 => (0..8_u8, prop::bool::weighted(0.1)).prop_map(|(outcome, stale)| Move::Draft { outcome, stale }),
        2 => (0..3_u8, prop::bool::weighted(0.1)).prop_map(|(outcome, stale)| Move::Answer { outcome, stale }),
        2 => (0..4_usize).prop_map(|pick| Move::Lose { pick }),
        2 => (0..4_usize, 0..4_u8).prop_map(|(pick, found)| Move::LookUp { pick, found }),
        8 => (0..4_usize, 0..8_u8, prop::bool::weighted(0.1))
            .prop_map(|(pick, outcome, stale)| Move::StepEnds { pick, outcome, stale }),
        2 => (0..4_usize).prop_map(|pick| Move::Wake { pick }),
        3 => (0..4_usize, prop::bool::weighted(0.1)).prop_map(|(number, stale)| Move::Hear { number, stale }),
        1 => Just(Move::ModelAsked),
        1 => Just(Move::Recover),
    ]
}

fn body(conversation: &Conversation, step: &Move) -> InputBody {
    let person = PersonId::new("ada");
    match step {
        Move::Say { act, reply } => {
            InputBody::Message { person, text: format!("{act} {reply}"), grounding: Vec::new() }
        }
        Move::Words(words) => InputBody::Message { person, text: (*words).into(), grounding: Vec::new() },
        Move::Decide { pending, ui_version, verdict } => InputBody::Decide {
            person,
            reference: DecisionRef { pending: PendingId::new(*pending), ui_version: *ui_version },
            verdict: make_verdict(*verdict),
        },
        Move::DecideCurrent { verdict } => {
            let current = conversation.question().map(turnwise_core::Pending::reference);
            let reference = current.unwrap_or(DecisionRef { pending: PendingId::new(0), ui_version: 0 });
            InputBody::Decide { person, reference, verdict: make_verdict(*verdict) }
        }
        Move::Stop => InputBody::Stop { person },
        Move::Leave => InputBody::Leave { person },
        Move::Join => InputBody::Join { person },
        Move::SetMode => InputBody::SetMode { person, mode: Mode::Proof },
        Move::Draft { outcome, stale } => {
            let open = conversation.outstanding().into_iter().find_map(|effect| match effect {
                Effect::DraftPlan { request } if !stale => Some(request),
                _ => None,
            });
            let request = open.unwrap_or(RequestId::new(0));
            InputBody::Report(Report::Drafted { request, outcome: draft(*outcome) })
        }
        Move::Answer { outcome, stale } => {
            let open = conversation.outstanding().into_iter().find_map(|effect| match effect {
                Effect::AnswerQuestion { request } if !stale => Some(request),
                _ => None,
            });
            let request = open.unwrap_or(RequestId::new(0));
            InputBody::Report(Report::Answered { request, outcome: answer(*outcome) })
        }
        Move::StepEnds { pick, outcome, stale } => step_ends(conversation, *pick, *outcome, *stale),
        Move::Wake { pick } => {
            let waiting: Vec<_> = conversation
                .outstanding()
                .into_iter()
                .filter_map(|effect| match effect {
                    Effect::WakeAt { run, step, attempt, .. } => Some((run, step, attempt)),
                    _ => None,
                })
                .collect();
            let none = (RunId::new(0), StepId::new(1), 1);
            let (run, step, attempt) = waiting.get(pick % waiting.len().max(1)).copied().unwrap_or(none);
            InputBody::Report(Report::Woke { run, step, attempt })
        }
        Move::Lose { pick } => {
            let (run, step, attempt) = running(conversation, *pick);
            InputBody::Report(Report::StepLost { run, step, attempt })
        }
        Move::LookUp { pick, found } => look_up(conversation, *pick, *found),
        Move::Hear { number, stale } => {
            let open = conversation.outstanding().into_iter().find_map(|effect| match effect {
                Effect::Hear { pending } if !stale => Some(pending),
                _ => None,
            });
            let heard = (*number > 0).then(|| HeardAs { number: *number, by: "tiny".into() });
            InputBody::Report(Report::Heard { pending: open.unwrap_or(PendingId::new(0)), heard })
        }
        Move::ModelAsked => InputBody::Report(Report::ModelAsked { call: call(conversation) }),
        Move::Recover => InputBody::Report(Report::Recovered),
    }
}

fn call(conversation: &Conversation) -> ModelCall {
    ModelCall {
        message: conversation.outstanding().into_iter().find_map(|effect| conversation.message_of(effect)),
        task: "question".into(),
        version: "1".into(),
        model: "tiny".into(),
        digest: "d".into(),
        elapsed_ms: 5,
        attempts: None,
        used: Tokens { input: 10, output: 2, estimated: true },
        micros: None,
        problems: vec!["no such table".into()],
        kept: None,
    }
}

fn make_verdict(number: u8) -> Verdict {
    match number {
        0 => Verdict::Approve,
        1 => Verdict::Reject,
        2 => Verdict::Change { change: "by month".into() },
        3 => Verdict::Cancel,
        4 => Verdict::Choose { number: 1 },
        5 => Verdict::Say { text: "the total".into() },
        6 => Verdict::Retry,
        7 => Verdict::Replan,
        _ => Verdict::Abandon,
    }
}

fn draft(outcome: u8) -> DraftOutcome {
    match outcome {
        0 | 1 => DraftOutcome::Ready { plan: diamond(outcome == 1), learned: Vec::new() },
        2 => DraftOutcome::Unclear {
            clarification: Clarification {
                topic: "sales".into(),
                question: "Which sales?".into(),
                choices: vec![Choice::new("total", "the total"), Choice::new("count", "the first of two")],
                assumption: None,
                of: 0,
            },
        },
        3 => DraftOutcome::Impossible { explanation: "No.".into(), suggestions: vec!["how many".into()] },
        4 => DraftOutcome::Several { parts: vec!["sales".into(), "orders".into(), "costs".into()] },
        // Too many to be planned one after the other.
        5 => DraftOutcome::Several { parts: vec!["sales".into(); 9] },
        6 => DraftOutcome::Several { parts: vec!["sales".into(), " ".into()] },
        // A plan with a cycle: the assistant's fault, to be said and not to be run.
        _ => {
            let mut plan = diamond(false);
            plan.steps[0].after = vec![StepId::new(4)];
            DraftOutcome::Ready { plan, learned: Vec::new() }
        }
    }
}

/// 1 → (2, 3) → 4, with or without retries.
fn diamond(retries: bool) -> PlanDraft {
    let step = |number: u32, needs: &[&str], produces: &str, after: &[u32]| Step {
        id: StepId::new(number),
        description: format!("step {number}"),
        tool: ToolName::new("query"),
        arguments: BTreeMap::from([("sql".to_owned(), number.to_string())]),
        needs: needs.iter().map(|name| FactName::new(*name)).collect(),
        produces: vec![FactName::new(produces)],
        after: after.iter().map(|number| StepId::new(*number)).collect(),
        effect: if number == 3 && !retries { EffectClass::OnceOnly } else { EffectClass::Pure },
        retries: u32::from(retries),
        timeout_seconds: 60,
    };
    PlanDraft {
        title: "Diamond".into(),
        ..PlanDraft::new(
            "a diamond",
            vec![
                step(1, &[], "a", &[]),
                step(2, &["a"], "b", &[1]),
                step(3, &["a"], "c", &[1]),
                step(4, &["b", "c"], "d", &[2, 3]),
            ],
            FactName::new("d"),
        )
    }
}

fn answer(outcome: u8) -> AnswerOutcome {
    match outcome {
        0 => AnswerOutcome::NeedsPlan,
        1 => AnswerOutcome::Unknown { explanation: "I do not know.".into() },
        _ => AnswerOutcome::Known {
            answer: Answer { text: "42".into(), table: Some(FactName::new("d")), presentation: Presentation::Value },
        },
    }
}

fn running(conversation: &Conversation, pick: usize) -> (RunId, StepId, u32) {
    let running: Vec<_> = conversation
        .outstanding()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::StartStep { run, step, attempt } => Some((run, step, attempt)),
            _ => None,
        })
        .collect();
    let none = (RunId::new(1), StepId::new(1), 1);
    running.get(pick % running.len().max(1)).copied().unwrap_or(none)
}

fn new_fact(name: &str) -> NewFact {
    NewFact::new(FactName::new(name), FactValue::Table(Table::default()), SourceKind::Data)
}

fn look_up(conversation: &Conversation, pick: usize, found: u8) -> InputBody {
    let open: Vec<_> = conversation
        .outstanding()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::LookUpStep { run, step, attempt } => Some((run, step, attempt)),
            _ => None,
        })
        .collect();
    let none = (RunId::new(1), StepId::new(1), 1);
    let (run, step, attempt) = open.get(pick % open.len().max(1)).copied().unwrap_or(none);
    let found = match found {
        0 => LookUp::Happened { facts: vec![new_fact("c")], answer: None },
        1 => LookUp::Happened { facts: Vec::new(), answer: None },
        2 => LookUp::DidNotHappen,
        _ => LookUp::CannotTell { reason: "the server keeps no list".into() },
    };
    InputBody::Report(Report::LookedUp { run, step, attempt, found })
}

fn step_ends(conversation: &Conversation, pick: usize, outcome: u8, stale: bool) -> InputBody {
    let (run, step, attempt) = running(conversation, pick);
    let attempt = if stale { attempt + 7 } else { attempt };
    let name = ["a", "b", "c", "d"][(step.number() as usize - 1).min(3)];
    let outcome = match outcome {
        0 => StepOutcome::Transient { error: "busy".into() },
        1 => StepOutcome::Failed { error: "broken".into() },
        2 => StepOutcome::Cancelled,
        3 => StepOutcome::Done { facts: vec![new_fact("something else")], answer: None },
        4 => StepOutcome::Unknown { reason: "the connection broke".into() },
        _ => StepOutcome::Done { facts: vec![new_fact(name)], answer: None },
    };
    InputBody::Report(Report::StepEnded { run, step, attempt, outcome })
}

fn check(conversation: &Conversation) {
    let approvals =
        conversation.pending().iter().filter(|open| matches!(open.kind, PendingKind::Approval { .. })).count();
    let failures =
        conversation.pending().iter().filter(|open| matches!(open.kind, PendingKind::Failure { .. })).count();
    let awaited = conversation
        .pending()
        .iter()
        .any(|open| matches!(open.kind, PendingKind::Clarification { .. } | PendingKind::Redirection));
    let drafting = conversation.outstanding().iter().any(|effect| matches!(effect, Effect::DraftPlan { .. }));
    let active = conversation.run().is_some_and(|run| run.status() == RunStatus::Active);
    assert_eq!(
        approvals,
        usize::from(conversation.phase() == Phase::AwaitingApproval),
        "one approval while awaiting one"
    );
    assert_eq!(failures, usize::from(conversation.phase() == Phase::Failed), "one way on from a failure");
    assert_eq!(active, conversation.phase() == Phase::Executing, "a run is active exactly while executing");
    // A change of a run is planned beside it, while it runs, waits or has failed.
    let beside = matches!(conversation.phase(), Phase::Executing | Phase::Failed);
    let plans = conversation.phase() == Phase::Planning;
    assert!(!plans || drafting || awaited, "planning waits for a draft or for the person");
    assert!(plans || beside || !(drafting || awaited), "nothing is drafted or asked for no plan");
    assert!(!(drafting && awaited), "planning waits for one of both");
    if conversation.phase() == Phase::Executing {
        let run = conversation.run().unwrap();
        let paused = PendingKind::Paused { run: run.id() };
        let waits = conversation.pending().iter().any(|open| open.kind == paused);
        assert!(
            run.running() > 0 || waits || drafting || awaited,
            "an executing conversation has something under way or waits for the person"
        );
        assert_eq!(waits, run.is_waiting(), "a run that waits is asked about, and no other");
    }
    let text = serde_json::to_string(conversation).unwrap();
    assert_eq!(&serde_json::from_str::<Conversation>(&text).unwrap(), conversation, "a snapshot is the conversation");
}

fn policies() -> impl Strategy<Value = Policy> {
    let modes = prop_oneof![
        4 => Just(ApprovalMode::None),
        1 => Just(ApprovalMode::BeforeStep),
        1 => Just(ApprovalMode::AfterStep),
        1 => Just(ApprovalMode::Both),
    ];
    (
        modes,
        prop::bool::weighted(0.8),
        prop_oneof![5 => Just(0_usize), 1 => Just(9)],
        prop_oneof![3 => Just(None), 1 => Just(Some(3))],
    )
        .prop_map(|(approval_mode, pause_enabled, steps, seconds)| Policy {
            flow: Flow {
                approval_mode,
                pause_enabled,
                plan_approval: steps == 0,
                enable_planning: steps % 2 == 0,
                conversational: seconds.is_some(),
                ..Flow::default()
            },
            approval_seconds_max: seconds,
            hears: true,
            ..Policy::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_input_leads_to_an_illegal_state(steps in prop::collection::vec(moves(), 1..60), policy in policies()) {
        let mut conversation = Conversation::new(AssistantName::new("analyst"));
        let mut log: Vec<Event> = Vec::new();
        let mut views: Vec<Seen> = Vec::new();
        let mut stopped: Vec<RunId> = Vec::new();
        let mut approved: Vec<RunId> = Vec::new();
        let mut lost: Vec<(RunId, StepId)> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let body = body(&conversation, step);
            // Some words come from someone who looked away a few turns ago.
            let seen = views.iter().rev().nth(at % 5).copied().filter(|_| at % 3 == 0);
            views.push(Seen::at(&conversation, conversation.sequence()));
            let origin = Origin { seen, ..Origin::default() };
            let input = Input { key: InputKey::new(at.to_string()), content_key: None, origin, body };
            let from_person =
                !matches!(input.body, InputBody::Report(_) | InputBody::Join { .. } | InputBody::Leave { .. });
            let now = Timestamp::from_millis(at as i64 * 1000);
            let decision = decide(&conversation, &input, &policy, &ByNumber, now);
            for event in &decision.events {
                conversation.apply(event).unwrap();
                match event {
                    Event::Run(RunEvent::Approved { run, .. }) => approved.push(*run),
                    Event::Run(RunEvent::Stopped { run, .. }) => stopped.push(*run),
                    Event::Run(RunEvent::StepLost { run, step, .. }) => lost.push((*run, *step)),
                    Event::Run(RunEvent::StepStarted { run, step, .. }) => {
                        let is_known = matches!(
                            input.body,
                            InputBody::Report(Report::LookedUp { found: LookUp::DidNotHappen, .. })
                        );
                        prop_assert!(!lost.contains(&(*run, *step)) || is_known || from_person, "{step} may run twice");
                        prop_assert!(approved.contains(run), "{run} was never approved");
                        prop_assert!(!stopped.contains(run), "{run} was stopped before");
                    }
                    _ => {}
                }
            }
            for effect in &decision.effects {
                if let Effect::StartStep { run, step, attempt } = effect {
                    prop_assert!(conversation.step_task(*run, *step, *attempt).is_ok());
                }
            }
            let asked = decision.events.iter().find_map(|event| match event {
                Event::MessageReceived { message, .. } => Some(*message),
                _ => None,
            });
            // What was queued earlier may get a further one that says what became of it after all.
            let is_own = |event: &&Event| match event {
                Event::ReceiptGiven { receipt } => Some(receipt.message) == asked,
                _ => false,
            };
            let receipts = decision.events.iter().filter(is_own).count();
            prop_assert_eq!(receipts, usize::from(from_person));
            prop_assert_eq!(&decision.state, &conversation, "what is handed over is what the events fold to");
            log.extend(decision.events);
            check(&conversation);
        }
        let mut replayed = Conversation::new(AssistantName::new("analyst"));
        for event in &log {
            let stored = serde_json::from_str::<Event>(&serde_json::to_string(event).unwrap()).unwrap();
            replayed.apply(&stored).unwrap();
        }
        prop_assert_eq!(replayed, conversation);
    }
}
