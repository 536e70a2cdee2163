//! Who says a line, where, and about what: `as ben on "command line" about q1 v1 > yes`. Without, it is Ada, on a
//! surface that does not say what stood on it. The header may settle a policy: `# policy: expires 60, only anna ben`.
//! Next: `script` for what a line says.

use turnwise_core::{
    Conversation, DecisionRef, InputBody, Origin, PendingId, PersonId, PlanId, PlanVersion, Policy, Seen, Surface,
    SurfaceName, SurfaceSession,
};

use crate::script;

/// An input with its origin.
#[derive(Clone)]
pub struct Said {
    pub body: InputBody,
    pub origin: Origin,
}

pub fn said(conversation: &Conversation, line: &str) -> Said {
    let mut origin = Origin::default();
    let mut person = None;
    let mut rest = line;
    loop {
        if let Some(after) = rest.strip_prefix("as ") {
            let (name, after) = after.split_once(' ').unwrap();
            (person, rest) = (Some(PersonId::new(name)), after);
        } else if let Some(after) = rest.strip_prefix("on \"") {
            let (name, after) = after.split_once("\" ").unwrap();
            origin.surface =
                Some(Surface { name: SurfaceName::new(name), session: SurfaceSession::new(name), is_program: false });
            rest = after;
        } else if let Some(after) = rest.strip_prefix("about ") {
            let at = after.find('>').unwrap_or_else(|| panic!("words are said about something: {line}"));
            (origin.seen, rest) = (Some(seen(&after[..at])), &after[at..]);
        } else {
            let mut body = script::input(conversation, rest);
            if let Some(speaker) = person {
                by(&mut body, speaker);
            }
            return Said { body, origin };
        }
    }
}

/// `nothing`, or `q1 v1`, `plan-1 v1`, or both.
fn seen(words: &str) -> Seen {
    let mut seen = Seen::default();
    let words: Vec<&str> = words.split_whitespace().filter(|word| *word != "nothing").collect();
    for pair in words.chunks(2) {
        let [what, version] = pair else { panic!("a version belongs to {pair:?}") };
        let version = version.trim_start_matches('v').parse().unwrap();
        match what.strip_prefix("plan-") {
            Some(plan) => seen.plan = Some(PlanVersion { plan: PlanId::new(plan.parse().unwrap()), version }),
            None => {
                let pending = PendingId::new(what.trim_start_matches('q').parse().unwrap());
                seen.question = Some(DecisionRef { pending, ui_version: version });
            }
        }
    }
    seen
}

fn by(body: &mut InputBody, speaker: PersonId) {
    match body {
        InputBody::Message { person, .. }
        | InputBody::Decide { person, .. }
        | InputBody::Stop { person }
        | InputBody::Join { person }
        | InputBody::Leave { person }
        | InputBody::Press { person, .. }
        | InputBody::Rename { person, .. }
        | InputBody::SetMode { person, .. } => *person = speaker,
        InputBody::Report(_) => panic!("{speaker} reports nothing"),
    }
}

/// What the header settles.
pub fn policy(header: &str) -> Policy {
    let mut policy = Policy::default();
    let settled = header.lines().filter_map(|line| line.strip_prefix("# policy: "));
    for setting in settled.flat_map(|line| line.split(", ")) {
        let (name, value) = setting.split_once(' ').unwrap_or_else(|| panic!("no value: {setting}"));
        match name {
            "expires" => policy.approval_seconds_max = Some(value.parse().unwrap()),
            "unasked" if value == "simple" => policy.flow.auto_approve_simple = true,
            "unasked" => policy.flow.plan_approval = false,
            "talk" => {
                (policy.flow.conversational, policy.flow.allow_execution_transition) = (true, value == "first");
            }
            "at" if value == "once" => {
                (policy.flow.enable_planning, policy.flow.satisfaction) = (false, true);
            }
            "only" => policy.approvers = value.split(' ').map(PersonId::new).collect(),
            _ => panic!("no such setting: {name}"),
        }
    }
    policy
}
