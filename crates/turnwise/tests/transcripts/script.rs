//! The language of transcripts: what stands on a line that begins with a time mark, and what it does to a conversation.
//! The assistant's part is written into the transcript, so that a transcript shows the engine and nothing else.

use std::collections::BTreeMap;

use turnwise_core::patch::{Patch, Wish};
use turnwise_core::{
    Answer, AnswerOutcome, Choice, Clarification, Control, Conversation, DecisionRef, DraftOutcome, Effect,
    EffectClass, FactKind, FactName, FactValue, InputBody, LookUp, Mode, NewFact, PendingId, PersonId, PlanDraft,
    Presentation, Report, SourceKind, Standing, Step, StepId, StepOutcome, StepState, Table, Timestamp, ToolName,
    Verdict,
};

/// One line of a transcript that does something.
pub struct Line {
    pub at: Timestamp,
    pub text: String,
}

/// Splits a transcript into its header (comments before the first time mark) and its lines; what the engine answered
/// is indented and left out, because it is written anew.
pub fn parse(text: &str) -> (String, Vec<Line>) {
    let mut header = String::new();
    let mut lines = Vec::new();
    for raw in text.lines() {
        if raw.starts_with("    ") || raw.trim().is_empty() {
            continue;
        }
        if raw.starts_with('#') {
            assert!(lines.is_empty(), "comments stand at the top: {raw}");
            header.push_str(raw);
            header.push('\n');
            continue;
        }
        let (mark, rest) = raw.split_once(' ').unwrap_or_else(|| panic!("no time mark: {raw}"));
        let (minutes, seconds) = mark.split_once(':').unwrap_or_else(|| panic!("no time mark: {raw}"));
        let seconds = minutes.parse::<i64>().unwrap() * 60 + seconds.parse::<i64>().unwrap();
        lines.push(Line { at: Timestamp::from_millis(seconds * 1000), text: rest.to_owned() });
    }
    (header, lines)
}

/// What a line tells the conversation.
pub fn input(conversation: &Conversation, line: &str) -> InputBody {
    if let Some(said) = line.strip_prefix("> ") {
        return message(said);
    }
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    match verb {
        "stop" => InputBody::Stop { person: person() },
        "mode" => {
            let mode = if rest == "proof" { Mode::Proof } else { Mode::Exploratory };
            InputBody::SetMode { person: person(), mode }
        }
        "press" => press(rest),
        "join" => InputBody::Join { person: PersonId::new(rest) },
        "click" => click(conversation, rest),
        "draft" | "several" | "unclear" | "impossible" | "given" => drafted(conversation, verb, rest),
        "answered" | "unknown" | "needs" | "learned" | "misunderstood" => answered(conversation, verb, rest),
        "done" | "failed" | "transient" => step_ended(conversation, verb, rest),
        "lost" | "happened" | "nothing" | "cannot" => lost(conversation, verb, rest),
        "woke" => woke(conversation, rest),
        "recovered" => InputBody::Report(Report::Recovered),
        "expires" => InputBody::Report(Report::TimedOut { pending: question(rest) }),
        _ => panic!("unknown line: {line}"),
    }
}

fn person() -> PersonId {
    PersonId::new("ada")
}

/// `pause`, `resume`, or `queue` with what stands after the command.
fn press(rest: &str) -> InputBody {
    let (word, words) = rest.split_once(' ').map_or((rest, None), |(word, words)| (word, Some(words.to_owned())));
    let control = match word {
        "pause" => Control::Pause,
        "resume" => Control::Resume,
        "queue" => Control::Queue,
        _ => panic!("unknown control: {word}"),
    };
    InputBody::Press { person: person(), control, words }
}

/// `text {known, words}`: the words in braces name things the assistant knows.
fn message(said: &str) -> InputBody {
    let (text, grounding) = match said.rsplit_once(" {") {
        Some((text, known)) => (text, known.trim_end_matches('}').split(", ").map(str::to_owned).collect()),
        None => (said, Vec::new()),
    };
    let text = text.replace("\\n", "\n");
    InputBody::Message { person: person(), text, grounding }
}

/// `approve`, or `approve q1 v1` for an older card; `choose 2`, `say …`, `change …`.
fn click(conversation: &Conversation, rest: &str) -> InputBody {
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let (verdict, rest) = match word {
        "approve" => (Verdict::Approve, rest),
        "reject" => (Verdict::Reject, rest),
        "cancel" => (Verdict::Cancel, rest),
        "retry" => (Verdict::Retry, rest),
        "replan" => (Verdict::Replan, rest),
        "abandon" => (Verdict::Abandon, rest),
        "choose" => (Verdict::Choose { number: rest.parse().unwrap() }, ""),
        "say" => (Verdict::Say { text: rest.to_owned() }, ""),
        "change" => (Verdict::Change { change: rest.to_owned() }, ""),
        "noting" => (Verdict::ApproveNoting { note: rest.to_owned() }, ""),
        "because" => (Verdict::RejectBecause { reason: rest.to_owned() }, ""),
        "edit" => {
            (Verdict::Edit { patches: rest.split("; ").flat_map(|words| patch(conversation, words)).collect() }, "")
        }
        _ => panic!("unknown click: {word}"),
    };
    let current = conversation.question().map(turnwise_core::Pending::reference);
    let reference = match rest.split_once(' ') {
        Some((question, version)) => DecisionRef {
            pending: self::question(question),
            ui_version: version.trim_start_matches('v').parse().unwrap(),
        },
        None => current.expect("a question is open"),
    };
    InputBody::Decide { person: person(), reference, verdict }
}

/// What a person would say: `drop step 2`, `call it X`.
fn patch(conversation: &Conversation, words: &str) -> Vec<Patch> {
    let plan = conversation.plan().expect("a plan waits");
    match Wish::read(words, plan.draft()) {
        Some(Ok(Wish::Structure(patches))) => patches,
        other => panic!("no patch: {words}: {other:?}"),
    }
}

fn question(words: &str) -> PendingId {
    PendingId::new(words.trim_start_matches('q').parse().unwrap())
}

fn drafted(conversation: &Conversation, verb: &str, rest: &str) -> InputBody {
    let open = conversation.outstanding().into_iter().find_map(|effect| match effect {
        Effect::DraftPlan { request } => Some(request),
        _ => None,
    });
    let request = open.expect("a draft is awaited");
    let outcome = match verb {
        "draft" => DraftOutcome::Ready { plan: plan(rest), learned: Vec::new() },
        "unclear" => DraftOutcome::Unclear { clarification: clarification(rest) },
        "given" => DraftOutcome::Answered {
            answer: Answer { text: unquote(rest).0, table: None, presentation: Presentation::Value },
        },
        "several" => DraftOutcome::Several { parts: rest.split(" | ").map(str::to_owned).collect() },
        _ => DraftOutcome::Impossible { explanation: unquote(rest).0, suggestions: Vec::new() },
    };
    InputBody::Report(Report::Drafted { request, outcome })
}

/// `"Title": first step; second step after 1 retries 2; …`. A step produces the fact named like it.
fn plan(rest: &str) -> PlanDraft {
    let (title, rest) = unquote(rest);
    let parts: Vec<&str> = rest.trim_start_matches(':').split(';').map(str::trim).collect();
    let mut steps: Vec<Step> = Vec::new();
    for (number, part) in (1_u32..).zip(parts) {
        let (part, retries) = match part.split_once(" retries ") {
            Some((part, count)) => (part, count.parse().unwrap()),
            None => (part, 0),
        };
        // `!` before a step: it must not run twice; `~`: it can be taken back.
        let (part, effect) = match (part.strip_prefix('!'), part.strip_prefix('~')) {
            (Some(part), _) => (part, EffectClass::OnceOnly),
            (None, Some(part)) => (part, EffectClass::Reversible),
            (None, None) => (part, EffectClass::Pure),
        };
        let (description, after) = match part.split_once(" after ") {
            Some((description, list)) => (description, list.split(' ').map(|id| id.parse().unwrap()).collect()),
            None => (part, Vec::new()),
        };
        let needs = after.iter().map(|id: &u32| steps[*id as usize - 1].produces[0].clone()).collect();
        steps.push(Step {
            id: StepId::new(number),
            description: description.to_owned(),
            tool: ToolName::new("query"),
            arguments: BTreeMap::new(),
            needs,
            produces: vec![FactName::new(description.replace(' ', "_"))],
            after: after.into_iter().map(StepId::new).collect(),
            effect,
            retries,
            timeout_seconds: 60,
        });
    }
    let result = steps.last().expect("a plan has steps").produces[0].clone();
    PlanDraft::new(title.clone(), steps, result)
}

/// `topic "question": first choice | second choice = what is assumed without an answer`.
fn clarification(rest: &str) -> Clarification {
    let (topic, rest) = rest.split_once(' ').unwrap();
    let (question, choices) = unquote(rest);
    let (choices, assumption) = match choices.split_once(" = ") {
        Some((choices, assumed)) => (choices, Some(assumed.to_owned())),
        None => (choices, None),
    };
    let choices = choices.trim_start_matches(':').split('|').map(str::trim).filter(|choice| !choice.is_empty());
    Clarification {
        topic: topic.to_owned(),
        question,
        choices: choices.map(|label| Choice::new(label.to_owned(), label.to_owned())).collect(),
        assumption,
        of: 0,
    }
}

fn answered(conversation: &Conversation, verb: &str, rest: &str) -> InputBody {
    let open = conversation.outstanding().into_iter().find_map(|effect| match effect {
        Effect::AnswerQuestion { request } => Some(request),
        _ => None,
    });
    let outcome = match verb {
        "answered" => AnswerOutcome::Known {
            answer: Answer { text: unquote(rest).0, table: None, presentation: Presentation::Value },
        },
        "unknown" => AnswerOutcome::Unknown { explanation: unquote(rest).0 },
        "learned" => learned(rest),
        "misunderstood" => AnswerOutcome::Unclear { clarification: clarification(rest) },
        _ => AnswerOutcome::NeedsPlan,
    };
    InputBody::Report(Report::Answered { request: open.expect("an answer is awaited"), outcome })
}

/// `revenue = gross revenue`: what a word means from here on.
fn learned(rest: &str) -> AnswerOutcome {
    let (about, means) = rest.split_once(" = ").unwrap_or_else(|| panic!("no “ = ”: {rest}"));
    // `use revenue = …`: a choice about what is at hand, rather than a definition.
    let (kind, about) = match about.strip_prefix("use ") {
        Some(about) => (FactKind::Decision, about),
        None => (FactKind::Constraint, about),
    };
    let standing = Standing { kind, about: Some(about.to_owned()), ..Standing::default() };
    let name = FactName::new(format!("meaning_of_{}", about.replace(' ', "_")));
    let value = FactValue::Text(means.to_owned());
    let statement = NewFact { value, source: SourceKind::Person, query: None, standing, ..fact(&name) };
    AnswerOutcome::Learned {
        statement: Box::new(statement),
        text: format!("From now on “{about}” means {means}."),
        replan: false,
    }
}

fn step_ended(conversation: &Conversation, verb: &str, rest: &str) -> InputBody {
    let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let step = StepId::new(number.parse().unwrap());
    let run = conversation.run().expect("there is a run");
    let attempt = match run.state(step) {
        Some(StepState::Running { attempt }) => attempt,
        // A report that comes late is part of some stories.
        Some(_) | None => 1,
    };
    let work = run.plan().step(step).expect("the plan has the step");
    let outcome = match verb {
        "done" => {
            let concludes = run.plan().draft().concludes(work);
            let said = if rest.is_empty() { "42".to_owned() } else { unquote(rest).0 };
            let table = work.produces.first().cloned();
            let answer = concludes.then_some(Answer { text: said, table, presentation: Presentation::Value });
            let problem = run.plan().draft().problem.to_lowercase();
            let stated = conversation.facts().values().filter(|fact| {
                fact.body.standing.about.as_ref().is_some_and(|about| problem.contains(&about.to_lowercase()))
            });
            let inputs: Vec<FactName> = work.needs.iter().chain(stated.map(|fact| fact.name())).cloned().collect();
            let found = |name: &FactName| NewFact { derived_from: inputs.clone(), ..fact(name) };
            StepOutcome::Done { facts: work.produces.iter().map(found).collect(), answer }
        }
        "failed" => StepOutcome::Failed { error: unquote(rest).0 },
        _ => StepOutcome::Transient { error: unquote(rest).0 },
    };
    InputBody::Report(Report::StepEnded { run: run.id(), step, attempt, outcome })
}

fn fact(name: &FactName) -> NewFact {
    let cell = turnwise_core::Cell::Integer(42);
    NewFact {
        query: Some(format!("SELECT {name}")),
        ..NewFact::new(
            name.clone(),
            FactValue::Table(Table::whole(vec![name.to_string()], vec![vec![cell]])),
            SourceKind::Data,
        )
    }
}

/// `lost 1`; then what the tool finds: `happened 1`, `nothing 1`, `cannot 1 "why"`.
fn lost(conversation: &Conversation, verb: &str, rest: &str) -> InputBody {
    let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let step = StepId::new(number.parse().unwrap());
    let run = conversation.run().expect("there is a run");
    let (Some(StepState::Running { attempt } | StepState::Unknown { attempt }), id) = (run.state(step), run.id())
    else {
        panic!("{step} neither runs nor is unknown")
    };
    if verb == "lost" {
        return InputBody::Report(Report::StepLost { run: id, step, attempt });
    }
    let work = run.plan().step(step).expect("the plan has the step");
    let found = match verb {
        "happened" => LookUp::Happened { facts: work.produces.iter().map(fact).collect(), answer: None },
        "nothing" => LookUp::DidNotHappen,
        _ => LookUp::CannotTell { reason: unquote(rest).0 },
    };
    InputBody::Report(Report::LookedUp { run: id, step, attempt, found })
}

fn woke(conversation: &Conversation, rest: &str) -> InputBody {
    let step = StepId::new(rest.parse().unwrap());
    let due = conversation.outstanding().into_iter().find_map(|effect| match effect {
        Effect::WakeAt { run, step: waiting, attempt, .. } if waiting == step => Some((run, attempt)),
        _ => None,
    });
    let (run, attempt) = due.expect("the step waits");
    InputBody::Report(Report::Woke { run, step, attempt })
}

/// The text in quotes at the start, and what follows it.
fn unquote(text: &str) -> (String, &str) {
    let inner = text.strip_prefix('"').unwrap_or_else(|| panic!("expected a quoted text: {text}"));
    let (quoted, rest) = inner.split_once('"').unwrap_or_else(|| panic!("the quote does not end: {text}"));
    (quoted.to_owned(), rest)
}
