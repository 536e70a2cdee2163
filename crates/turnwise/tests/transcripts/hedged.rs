//! What cannot be taken back is never done on words that hedge, ask, deny or put off: every such order, in every phase,
//! with every wrapping of `hedges.txt`, through the real reader and the real core. Next: `core::decide::doubt`.

use std::path::PathBuf;

use turnwise_core::{
    AsideEvent, Conversation, Event, KnowledgeEvent, Phase, PlanningEvent, Policy, Reader, RunEvent, Timestamp, Trigger,
};

use crate::{fresh, reader, said, turn};

/// One list of `hedges.txt`: the lines below its `[name]`.
fn list(name: &str) -> Vec<String> {
    list_of("hedges.txt", name)
}

/// The same of another file beside it.
pub fn list_of(file: &str, name: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    let own = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty() && !line.starts_with('#'));
    own.map(str::to_owned).collect()
}

/// The conversation after the lines of the scene `name`.
fn scene(name: &str, reader: &dyn Reader) -> Conversation {
    let mut conversation = fresh();
    for (number, line) in list(name).iter().enumerate() {
        let said = said::said(&conversation, line);
        let now = Timestamp::from_millis(i64::try_from(number).unwrap() * 1000);
        conversation = turn(&conversation, said, number, now, reader, &Policy::default()).state;
    }
    conversation
}

/// What words come to, said once in `conversation`.
fn events(conversation: &Conversation, words: &str, reader: &dyn Reader) -> Vec<Event> {
    let said = said::said(conversation, &format!("> {words}"));
    turn(conversation, said, 1_000, Timestamp::from_millis(60_000), reader, &Policy::default()).events
}

/// Whether something is lost, ended or begun that nobody can take back.
fn acts(event: &Event) -> bool {
    // To wait is no act: going on takes one word.
    if matches!(event, Event::Run(RunEvent::Paced { steps: Some(0), .. })) {
        return false;
    }
    // "Don't run it" is a no to the plan that waits, and a no asks what should be different.
    if matches!(event, Event::Planning(PlanningEvent::PlanningPaused { trigger: Trigger::Reject })) {
        return false;
    }
    matches!(
        event,
        Event::ConversationReset
            | Event::PersonLeft
            | Event::Run(RunEvent::Stopped { .. } | RunEvent::Approved { .. } | RunEvent::Paced { .. })
            | Event::Planning(
                PlanningEvent::TaskDropped { .. }
                    | PlanningEvent::TaskStarted { .. }
                    | PlanningEvent::PlanningPaused { .. }
            )
            | Event::Knowledge(KnowledgeEvent::Forgotten { .. })
            | Event::Aside(AsideEvent::QueueDropped { .. } | AsideEvent::ControlQueued { .. })
    )
}

fn wrapped(hedge: &str, order: &str) -> String {
    hedge.replace('*', order)
}

const SCENES: [(&str, Phase); 6] = [
    ("idle", Phase::Idle),
    ("planning", Phase::Planning),
    ("awaiting approval", Phase::AwaitingApproval),
    ("executing", Phase::Executing),
    ("paused", Phase::Executing),
    ("failed", Phase::Failed),
];

/// The wordings that act in the scene `name`, of every order with every wrapping.
fn acting(name: &str, phase: Phase, reader: &dyn Reader) -> Vec<String> {
    let conversation = scene(name, reader);
    assert_eq!(conversation.phase(), phase, "{name}");
    let (hedges, mut wrong) = (list("hedges"), Vec::new());
    for order in list("orders").iter().chain(&list(&format!("orders while {name}"))) {
        for hedge in &hedges {
            let words = wrapped(hedge, order);
            let events = events(&conversation, &words, reader);
            if let Some(acted) = events.iter().find(|event| acts(event)) {
                let acted: String = format!("{acted:?}").chars().take(90).collect();
                wrong.push(format!("{name}: “{words}” → {acted}"));
            }
        }
    }
    wrong
}

#[test]
fn what_cannot_be_taken_back_is_never_done_on_hedged_words() {
    let reader = reader();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let scenes = SCENES.map(|(name, phase)| {
            scope.spawn({
                let reader = &reader;
                move || acting(name, phase, reader)
            })
        });
        scenes.into_iter().flat_map(|scene| scene.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} wordings act:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn said_plainly_each_of_these_orders_is_done_somewhere() {
    let reader = reader();
    for order in list("orders") {
        let done = SCENES.iter().any(|(name, _)| {
            let conversation = scene(name, &reader);
            ["*", "please *", "* now"].iter().all(|hedge| {
                let events = events(&conversation, &wrapped(hedge, &order), &reader);
                events.iter().any(|event| acts(event) || matches!(event, Event::PendingOpened { .. }))
            })
        });
        assert!(done, "“{order}” is no order anywhere, so it shows nothing");
    }
}
