//! What is said to a run that goes on, waits, has failed or may have had its effect, and what it does: every line of
//! `brakes.txt`, through the real reader and the real core. Next: `core::decide::braking`.

use turnwise_core::{
    AsideEvent, Conversation, Event, KnowledgeEvent, PendingKind, PlanningEvent, Policy, Reader, RunEvent, Timestamp,
    Trigger,
};

use crate::{fresh, hedged, reader, said, turn};

/// The conversation after the lines of the scene `name`.
fn scene(name: &str, reader: &dyn Reader) -> Conversation {
    let mut conversation = fresh();
    for (number, line) in hedged::list_of("brakes.txt", name).iter().enumerate() {
        let said = said::said(&conversation, line);
        let now = Timestamp::from_millis(i64::try_from(number).unwrap() * 1000);
        conversation = turn(&conversation, said, number, now, reader, &Policy::default()).state;
    }
    conversation
}

/// What an event does, in a word; `None` for what only says something.
fn deed(event: &Event) -> Option<String> {
    Some(match event {
        Event::ConversationReset => "resets".to_owned(),
        Event::PersonLeft => "leaves".to_owned(),
        Event::Run(RunEvent::Stopped { trigger: Trigger::Cancel, .. }) => "stops".to_owned(),
        Event::Run(RunEvent::Stopped { .. }) => "stops for a change".to_owned(),
        Event::Run(RunEvent::Approved { trigger, .. }) => format!("runs by {trigger}"),
        Event::Run(RunEvent::Paced { steps: Some(0), .. }) => "holds".to_owned(),
        Event::Run(RunEvent::Paced { .. }) => "goes on".to_owned(),
        Event::Run(RunEvent::StepStarted { step, .. }) => format!("starts {step}"),
        Event::Run(RunEvent::StepCompleted { step, .. }) => format!("{step} counts as done"),
        Event::Planning(PlanningEvent::TaskStarted { problem, .. }) => format!("plans “{problem}”"),
        Event::Planning(PlanningEvent::DraftRequested { change: Some(change), .. }) => format!("changes “{change}”"),
        Event::Planning(PlanningEvent::TaskDropped { .. }) => "drops the task".to_owned(),
        Event::Planning(PlanningEvent::PlanningPaused { trigger }) => format!("asks for another way by {trigger}"),
        Event::Aside(AsideEvent::TaskQueued { problem, .. }) => format!("queues “{problem}”"),
        Event::Aside(AsideEvent::ControlQueued { control, .. }) => format!("queues {control:?}"),
        Event::Aside(AsideEvent::QueueDropped { message }) => format!("drops {message}"),
        Event::Aside(AsideEvent::QuestionAsked { .. }) => "asks beside".to_owned(),
        Event::Knowledge(KnowledgeEvent::Forgotten { .. }) => "forgets".to_owned(),
        Event::PendingOpened { pending } => match pending.kind {
            PendingKind::Paused { .. } => return None,
            PendingKind::Approval { version, .. } => format!("offers version {version}"),
            _ => "asks which".to_owned(),
        },
        _ => return None,
    })
}

/// What `line` comes to in `conversation`.
fn deeds(conversation: &Conversation, line: &str, reader: &dyn Reader) -> String {
    let said = said::said(conversation, line);
    let events = turn(conversation, said, 1_000, Timestamp::from_millis(60_000), reader, &Policy::default()).events;
    let done: Vec<String> = events.iter().filter_map(deed).collect();
    if done.is_empty() { "nothing".to_owned() } else { done.join(", ") }
}

#[test]
fn words_to_a_run_do_what_they_say_and_no_more() {
    let reader = reader();
    let mut wrong = Vec::new();
    for name in ["writing", "reading", "queued", "paused", "failed", "unknown", "waiting for approval"] {
        let conversation = scene(name, &reader);
        let said = hedged::list_of("brakes.txt", &format!("said while {name}"));
        assert!(!said.is_empty(), "nothing is said while {name}");
        for line in said {
            let (words, expected) = line.rsplit_once(" => ").unwrap_or_else(|| panic!("no “ => ”: {line}"));
            let done = deeds(&conversation, &format!("> {words}"), &reader);
            if done != expected {
                wrong.push(format!("{name}: {words} => {done}\n      but expected: {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines do something else:\n{}", wrong.len(), wrong.join("\n"));
}
