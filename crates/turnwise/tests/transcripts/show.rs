//! How a turn is written beneath its line: one short line per event and effect, then the status line.

use turnwise_core::{
    AsideEvent, Card, Conversation, Decision, Effect, Event, FactName, KnowledgeEvent, MessageReading, PendingKind,
    PlanChange, PlanningEvent, Reading, Reply, RunEvent, status,
};

/// The turn, indented.
pub fn turn(decision: &Decision, after: &Conversation) -> String {
    let mut lines: Vec<String> = decision.events.iter().flat_map(event).collect();
    lines.extend(decision.effects.iter().map(effect));
    lines.push(format!("= {}", status::line(after).text(0)));
    lines.into_iter().map(|line| format!("    {}\n", line.replace('\n', "\n      "))).collect()
}

fn event(event: &Event) -> Vec<String> {
    match event {
        Event::ConversationOpened { .. } | Event::MessageReceived { .. } => Vec::new(),
        Event::PlanApprovalSet { asks, .. } => {
            vec![format!("plans that change nothing are {}asked about", if *asks { "" } else { "not " })]
        }
        Event::FlowSettled { settings, .. } => {
            vec![format!("settled here: {}", serde_json::to_string(settings).unwrap())]
        }
        Event::Titled { title, .. } => vec![format!("called “{title}”")],
        Event::MemberJoined { person } => vec![format!("{person} takes part")],
        Event::MemberLeft { person } => vec![format!("{person} left")],
        Event::MessageRead { reading, .. } => vec![format!("read as {}", reading_of(reading))],
        Event::IntentReceived { selected, .. } => vec![format!("selected {}", selected.behaviour.code())],
        Event::ModeSet { mode, .. } => vec![format!("leads to {}", mode.code())],
        Event::ReplyRead { pending, reply, .. } => vec![format!("reply to {pending}: {}", reply_of(reply))],
        Event::ModeSwitched { mode, explicit } => {
            vec![format!("mode: {mode}{}", if *explicit { "" } else { ", inferred" })]
        }
        Event::PendingOpened { pending } => {
            vec![format!("asks {} v{}: {}", pending.id, pending.ui_version, kind_of(&pending.kind))]
        }
        Event::PendingClosed { pending, resolution, by } => {
            let surface = by.as_ref().and_then(|by| Some((&by.person, by.surface.as_ref()?)));
            let by = surface.map(|(person, surface)| format!(" by {person} ({})", surface.name)).unwrap_or_default();
            vec![format!("{pending} {}{by}", resolution.word())]
        }
        Event::PendingShown { .. } => Vec::new(),
        Event::PendingQuieted { pending } => vec![format!("{pending} is not asked again")],
        Event::ModelAsked { call } => vec![format!("model asked: {}", call.told())],
        Event::ReportDropped { reason } => vec![format!("dropped: {reason}")],
        Event::FactsEvicted { names, .. } => vec![format!("dropped for room: {}", listed(names))],
        Event::ConversationReset => vec!["reset".to_owned()],
        Event::Said { text, card } => said(text, card.as_ref()),
        Event::ReceiptGiven { receipt } => {
            vec![format!("receipt {}: {:?} – {}", receipt.message, receipt.outcome, receipt.detail)]
        }
        Event::PersonLeft => vec!["left".to_owned()],
        Event::Planning(event) => vec![planning(event)],
        Event::Run(event) => vec![run(event)],
        Event::Aside(event) => vec![aside(event)],
        Event::Knowledge(event) => vec![knowledge(event)],
    }
}

fn reading_of(reading: &MessageReading) -> String {
    let one = |reading: &Reading| {
        let sub = reading.sub.as_ref().map(|sub| format!(".{sub}")).unwrap_or_default();
        format!("{}{sub} “{}”", reading.intent, reading.segment)
    };
    match reading {
        MessageReading::Understood { requests, .. } => requests.iter().map(one).collect::<Vec<_>>().join(", then "),
        MessageReading::Unsure { options } => {
            format!("unsure: {}", options.iter().map(one).collect::<Vec<_>>().join(" or "))
        }
        MessageReading::UnknownCommand { command, .. } => format!("unknown command {command}"),
        MessageReading::Bare { command, .. } => format!("{command} without its text"),
        MessageReading::Empty => "nothing".to_owned(),
    }
}

fn reply_of(reply: &Reply) -> String {
    match reply {
        Reply::Approve => "approve".to_owned(),
        Reply::Likely => "likely".to_owned(),
        Reply::ApproveWithNote { note } => format!("approve, noting “{note}”"),
        Reply::Change { change } => format!("change “{change}”"),
        Reply::Reject => "reject".to_owned(),
        Reply::Cancel => "cancel".to_owned(),
        Reply::Question => "question".to_owned(),
        Reply::Hold => "hold".to_owned(),
        Reply::Other => "other".to_owned(),
    }
}

fn kind_of(kind: &PendingKind) -> String {
    match kind {
        PendingKind::Approval { plan, version } => format!("approval of {plan} version {version}"),
        PendingKind::Clarification { clarification } => format!("clarification of {}", clarification.topic),
        PendingKind::Redirection => "what should be different".to_owned(),
        PendingKind::WhichReading { .. } => "which reading".to_owned(),
        PendingKind::Failure { run } => format!("retry, replan or abandon {run}"),
        PendingKind::Paused { run } => format!("resume, change or stop {run}"),
        PendingKind::UnknownOutcome { step, .. } => format!("did {step} have its effect"),
        PendingKind::ConfirmForget { name } => format!("really forget {name} and what rests on it"),
        PendingKind::Satisfaction { run } => format!("whether {run} met the need"),
        PendingKind::TalkedOver { points, .. } => format!("what was talked over, {} points", points.len()),
        PendingKind::ConfirmExit => "really leave".to_owned(),
    }
}

fn said(text: &str, card: Option<&Card>) -> Vec<String> {
    let mut lines = vec![format!("“{text}”")];
    match card {
        Some(Card::Plan(card)) => {
            for step in card.plan.steps() {
                let after: Vec<String> = step.after.iter().map(|id| id.number().to_string()).collect();
                let after = if after.is_empty() { String::new() } else { format!(" (after {})", after.join(", ")) };
                let reused = if card.reused.contains(&step.id) { " (reused)" } else { "" };
                lines.push(format!("  {}. {}{after}{reused}", step.id.number(), step.description));
            }
            lines.extend(card.changes.iter().map(|change| match change {
                PlanChange::Added { description } => format!("  + {description}"),
                PlanChange::Removed { description } => format!("  - {description}"),
                PlanChange::Kept { description } => format!("  = {description}"),
                PlanChange::Moved { description, after } => {
                    let after: Vec<String> = after.iter().map(|step| step.number().to_string()).collect();
                    format!("  ~ {description}, now after {}", after.join(", "))
                }
                PlanChange::Edited { part, before, after } => format!("  ~ {}: {before} → {after}", part.word()),
            }));
        }
        Some(Card::Question { choices, .. } | Card::Failure { choices, .. }) => {
            let numbered = (1..).zip(choices).map(|(number, choice)| format!("  {number}. {}", choice.label));
            lines.extend(numbered);
        }
        Some(Card::Steps { steps, ways }) => {
            lines.extend(steps.iter().map(|line| format!("  {} {}", line.state.mark(), line.description)));
            lines.extend((1..).zip(ways).map(|(number, way)| format!("  {number}. {}", way.label)));
        }
        Some(Card::Provenance { tree }) => {
            lines.push(format!("  {}: {}", tree.name, tree.query.as_deref().unwrap_or("no query")));
        }
        Some(Card::Facts { facts }) => {
            lines.extend(facts.iter().map(|fact| format!("  {} = {}", fact.name(), fact.in_short(40))));
        }
        Some(Card::Result { provenance: Some(tree), .. }) => lines.push(format!("  chain: {}", tree.name)),
        Some(Card::Result { .. } | Card::Help { .. } | Card::Why { .. }) | None => {}
    }
    lines
}

fn planning(event: &PlanningEvent) -> String {
    match event {
        PlanningEvent::TaskStarted { problem, .. } => format!("task: {problem}"),
        PlanningEvent::TaskAnswered { .. } => "answered without a plan".to_owned(),
        PlanningEvent::DraftRequested { trigger, change, answer, .. } => {
            let change = change.as_ref().map(|change| format!(", change: {change}")).unwrap_or_default();
            let answer =
                answer.as_ref().map(|given| format!(", {} is {}", given.topic, given.answer)).unwrap_or_default();
            format!("planning again by {trigger}{change}{answer}")
        }
        PlanningEvent::ChangeTried { change, answer, .. } => {
            let change = change.as_ref().map(|change| format!(": {change}")).unwrap_or_default();
            let answer =
                answer.as_ref().map(|given| format!(", {} is {}", given.topic, given.answer)).unwrap_or_default();
            format!("planning a change beside the run{change}{answer}")
        }
        PlanningEvent::ChangeDropped => "the change is dropped".to_owned(),
        PlanningEvent::FailureKept { .. } => "the failed run is at hand again".to_owned(),
        PlanningEvent::PlanningPaused { trigger } => format!("planning waits, by {trigger}"),
        PlanningEvent::TaskSplit { requests, .. } => {
            let words: Vec<&str> = requests.iter().map(|part| part.problem.as_str()).collect();
            format!("several requests: {}", words.join(" | "))
        }
        PlanningEvent::DraftUnclear { .. } => "the draft needs an answer".to_owned(),
        PlanningEvent::PlanDrafted { plan, .. } => format!("drafted {} version {}", plan.id(), plan.version()),
        PlanningEvent::PlanningFailed { explanation, .. } => format!("cannot be planned: {explanation}"),
        PlanningEvent::TaskDropped { trigger } => format!("task dropped by {trigger}"),
    }
}

fn run(event: &RunEvent) -> String {
    match event {
        RunEvent::Approved { person, run, plan, kept, trigger, .. } => {
            let kept: Vec<String> = kept.iter().map(|id| id.number().to_string()).collect();
            let kept = if kept.is_empty() { String::new() } else { format!(", keeping {}", kept.join(", ")) };
            format!("{run} of {} version {} allowed by {person} ({trigger}){kept}", plan.id(), plan.version())
        }
        RunEvent::Paced { run, steps: Some(steps), .. } => format!("{run} may start {steps} more steps"),
        RunEvent::Paced { run, steps: None, .. } => format!("{run} may start all its steps"),
        RunEvent::StepLost { run, step, reason, .. } => format!("{run} {step} has an unknown outcome: {reason}"),
        RunEvent::StepStarted { run, step, attempt } => format!("{run} {step} started, attempt {attempt}"),
        RunEvent::StepCompleted { run, step, .. } => format!("{run} {step} completed"),
        RunEvent::StepPostponed { run, step, error, until, .. } => {
            format!("{run} {step} failed for now ({error}); again at {} s", until.as_millis() as f64 / 1000.0)
        }
        RunEvent::StepFailed { run, step, error } => format!("{run} {step} failed: {error}"),
        RunEvent::Completed { run } => format!("{run} completed"),
        RunEvent::Failed { run } => format!("{run} failed"),
        RunEvent::Stopped { run, trigger } => format!("{run} stopped by {trigger}"),
    }
}

fn aside(event: &AsideEvent) -> String {
    match event {
        AsideEvent::QuestionAsked { text, .. } => format!("question: {text}"),
        AsideEvent::KeepingAsked { fact, keeping, .. } => format!("drawing of {fact} to be kept as {}", keeping.file),
        AsideEvent::HearingBegun { pending, .. } => format!("a model hears beside {pending}"),
        AsideEvent::HearingOver { .. } => "heard".to_owned(),
        AsideEvent::QuestionClosed { .. } => "question closed".to_owned(),
        AsideEvent::TaskQueued { problem, .. } => format!("queued: {problem}"),
        AsideEvent::ControlQueued { control, .. } => format!("queued: {control:?}"),
        AsideEvent::QueueDropped { message } => format!("dropped from the queue: {message}"),
        AsideEvent::QueueTaken => "queue taken up".to_owned(),
        AsideEvent::RequestTaken { message, number } => format!("request {message}.{number} taken up"),
        AsideEvent::RequestDropped { message, number } => format!("request {message}.{number} dropped"),
        AsideEvent::RequestEdited { message, number, problem, .. } => format!("request {message}.{number}: {problem}"),
    }
}

fn knowledge(event: &KnowledgeEvent) -> String {
    match event {
        KnowledgeEvent::Learned { fact } => {
            let said = fact.said_in.map_or_else(String::new, |message| format!(", said in {message}"));
            format!("learned {}: {}{said}", fact.name(), fact.in_short(60))
        }
        KnowledgeEvent::Pinned { name } => format!("pinned {name}"),
        KnowledgeEvent::Unpinned { name } => format!("unpinned {name}"),
        KnowledgeEvent::Forgotten { names } => format!("forgotten: {}", listed(names)),
    }
}

fn listed(names: &[FactName]) -> String {
    names.iter().map(FactName::as_str).collect::<Vec<_>>().join(", ")
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::DraftPlan { request } => format!("→ draft {request}"),
        Effect::AnswerQuestion { request } => format!("→ answer {request}"),
        Effect::Hear { pending } => format!("→ hear beside {pending}"),
        Effect::StartStep { run, step, attempt } => format!("→ start {run} {step}, attempt {attempt}"),
        Effect::LookUpStep { run, step, attempt } => format!("→ look up {run} {step}, attempt {attempt}"),
        Effect::StopRun { run } => format!("→ stop {run}"),
        Effect::WakeAt { at, step, .. } => format!("→ wake {step} at {} s", at.as_millis() as f64 / 1000.0),
        Effect::ExpireAt { at, pending } => format!("→ expire {pending} at {} s", at.as_millis() as f64 / 1000.0),
        Effect::CloseSurface => "→ close the surface".to_owned(),
    }
}
