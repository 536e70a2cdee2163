//! What a turn costs in the core alone: `cargo bench -p turnwise-core`. Every figure stands beside a baseline of the
//! same run, the JSON encoding of the same turn's events, so that machines can be compared by the ratio.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a benchmark measures time"
)]

use std::time::{Duration, Instant};

use turnwise_core::{
    Act, AssistantName, Control, Conversation, Decision, DraftOutcome, Effect, Event, FactName, FactValue, Input,
    InputBody, InputKey, MessageReading, NewFact, Origin, PersonId, PlanDraft, PlanKind, Policy, ReadContext, Reader,
    Reading, Reply, Report, SourceKind, Step, StepId, StepOutcome, Table, Tier, Timestamp, ToolName, decide,
};

/// Reads by the first letter, so that only the engine is measured.
struct ByLetter;

impl Reader for ByLetter {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let act = if text.starts_with('s') { Act::Control(Control::Status) } else { Act::PlanNew(PlanKind::Plain) };
        let reading = Reading::certain(text, "any", act, Tier::Rule, "");
        MessageReading::single(reading)
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        if text.starts_with('y') { Reply::Approve } else { Reply::Other }
    }
}

/// One turn, whose state is taken over as the driver does.
fn turn(conversation: &mut Conversation, body: InputBody) -> (Vec<Event>, Vec<Effect>) {
    let input = Input { key: InputKey::new("k"), content_key: None, origin: Origin::default(), body };
    let decision = decide(conversation, &input, &Policy::default(), &ByLetter, Timestamp::default());
    let Decision { events, effects, state } = decision;
    *conversation = state;
    (events, effects)
}

fn say(text: &str) -> InputBody {
    InputBody::Message { person: PersonId::new("ada"), text: text.into(), grounding: Vec::new() }
}

fn name(number: u32) -> FactName {
    FactName::new(format!("fact_{number}"))
}

/// `count` steps: a root, a wide middle that waits for it, and a last step that waits for the middle's last.
fn plan(count: u32) -> PlanDraft {
    let step = |number: u32| {
        let after: Vec<u32> = match number {
            1 => Vec::new(),
            _ if number == count => vec![number - 1],
            _ => vec![1],
        };
        Step {
            needs: after.iter().map(|&before| name(before)).collect(),
            produces: vec![name(number)],
            after: after.into_iter().map(StepId::new).collect(),
            ..Step::new(StepId::new(number), format!("step {number}"), ToolName::new("query"))
        }
    };
    PlanDraft { title: "Wide".into(), ..PlanDraft::new("wide", (1..=count).map(step).collect(), name(count)) }
}

fn done(effect: &Effect) -> Option<InputBody> {
    let Effect::StartStep { run, step, attempt } = effect else { return None };
    let fact = NewFact::new(name(step.number()), FactValue::Table(Table::default()), SourceKind::Data);
    let outcome = StepOutcome::Done { facts: vec![fact], answer: None };
    Some(InputBody::Report(Report::StepEnded { run: *run, step: *step, attempt: *attempt, outcome }))
}

fn drafted(conversation: &mut Conversation, steps: u32) {
    let (_, effects) = turn(conversation, say("go"));
    let Some(Effect::DraftPlan { request }) = effects.first() else { panic!("a draft is asked for") };
    let outcome = DraftOutcome::Ready { plan: plan(steps), learned: Vec::new() };
    turn(conversation, InputBody::Report(Report::Drafted { request: *request, outcome }));
}

/// The whole run of a plan; gives the time per step and the events.
fn run(steps: u32) -> (Duration, Vec<Event>) {
    let mut conversation = Conversation::new(AssistantName::new("analyst"));
    drafted(&mut conversation, steps);
    let mut events = Vec::new();
    let begun = Instant::now();
    let (_, effects) = turn(&mut conversation, say("y"));
    let mut open: Vec<InputBody> = effects.iter().filter_map(done).collect();
    while let Some(report) = open.pop() {
        let (new, effects) = turn(&mut conversation, report);
        open.extend(effects.iter().filter_map(done));
        events.extend(new);
    }
    let spent = begun.elapsed() / steps;
    assert!(conversation.result().is_some(), "the run came to its end");
    (spent, events)
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) * percent / 100]
}

fn row(what: &str, measured: Duration, baseline: Duration) {
    let ratio = measured.as_secs_f64() / baseline.as_secs_f64().max(1e-12);
    println!("{what:<48} {:>10.2} µs   {ratio:>8.2} × baseline", measured.as_secs_f64() * 1e6);
}

fn main() {
    const ROUNDS: usize = 20_000;
    let mut conversation = Conversation::new(AssistantName::new("analyst"));
    drafted(&mut conversation, 3);
    let mut times = Vec::with_capacity(ROUNDS);
    let mut encoding = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let (events, _) = turn(&mut conversation, say("status"));
        times.push(begun.elapsed());
        let begun = Instant::now();
        std::hint::black_box(serde_json::to_vec(&events).unwrap());
        encoding.push(begun.elapsed());
    }
    let baseline = percentile(&mut encoding, 50);
    println!("baseline: JSON encoding of one turn's events, {:.2} µs", baseline.as_secs_f64() * 1e6);
    row("decide + apply, rules-only turn, p50", percentile(&mut times, 50), baseline);
    row("decide + apply, rules-only turn, p99", percentile(&mut times, 99), baseline);
    for steps in [10, 1_000, 10_000] {
        let (spent, events) = run(steps);
        row(&format!("scheduling per step, {steps}-step DAG"), spent, baseline);
        let (folded, count) = replay(&events, steps);
        row(&format!("replay per event, {count} events"), folded, baseline);
    }
}

/// Folds the log of a run again.
fn replay(events: &[Event], steps: u32) -> (Duration, usize) {
    let mut conversation = Conversation::new(AssistantName::new("analyst"));
    drafted(&mut conversation, steps);
    turn(&mut conversation, say("y"));
    let begun = Instant::now();
    for event in events {
        conversation.apply(event).unwrap();
    }
    (begun.elapsed() / u32::try_from(events.len()).unwrap(), events.len())
}
