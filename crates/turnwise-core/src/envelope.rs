//! The decision envelope: everything a decision on a question is bound to, as canonical bytes. Core says what they are;
//! the shell digests and signs them. Whatever would run differently gives other bytes, so a reference that was issued
//! for one thing can never decide on another. Next: `driver::reference`, which signs.

use crate::{
    ApprovalMode, Choice, Conversation, ConversationId, DecisionRef, Pending, PendingKind, PersonId, Plan, PlanVersion,
    Presentation, Reading, Run, Step, Timestamp,
};

/// What a decision on a question is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The conversation.
    pub conversation: ConversationId,
    /// The question and its version.
    pub reference: DecisionRef,
    /// The version of the plan it is about; absent for questions that are about none.
    pub plan: Option<PlanVersion>,
    /// Who may answer; empty for anyone.
    pub approvers: Vec<PersonId>,
    /// From when on it cannot be answered any more.
    pub expires: Option<Timestamp>,
    /// Where the run would wait between its steps.
    pub checkpoints: Option<ApprovalMode>,
    /// What is decided on, whole: the plan as it would run, or the question with its choices.
    pub subject: Vec<u8>,
}

impl Envelope {
    /// That of the open question `pending` of `conversation`, which is kept under `id`.
    #[must_use]
    pub fn of(id: &ConversationId, conversation: &Conversation, pending: &Pending) -> Self {
        let plan = plan_of(conversation, &pending.kind);
        let mut subject = Bytes::default();
        question(&mut subject, &pending.kind);
        if let Some(plan) = plan {
            whole_plan(&mut subject, plan);
        }
        Self {
            conversation: id.clone(),
            reference: pending.reference(),
            plan: plan.map(PlanVersion::of),
            approvers: pending.approvers.clone(),
            expires: pending.expires,
            checkpoints: pending.checkpoints,
            subject: subject.0,
        }
    }

    /// What is signed: every part, with `digest` in place of the subject.
    #[must_use]
    pub fn canonical(&self, digest: &[u8; 32]) -> Vec<u8> {
        let mut bytes = Bytes::default();
        bytes.text("turnwise decision 1");
        bytes.text(self.conversation.as_str());
        bytes.number(self.reference.pending.number());
        bytes.number(self.reference.ui_version.into());
        bytes.list(self.plan.as_slice(), |bytes, plan| {
            bytes.number(plan.plan.number());
            bytes.number(plan.version.into());
        });
        bytes.list(&self.approvers, |bytes, person| bytes.text(person.as_str()));
        bytes.list(self.expires.as_slice(), |bytes, at| bytes.number(at.as_millis().cast_unsigned()));
        bytes.list(self.checkpoints.as_slice(), |bytes, mode| bytes.text(checkpoint(*mode)));
        bytes.0.extend(digest);
        bytes.0
    }
}

fn checkpoint(mode: ApprovalMode) -> &'static str {
    match mode {
        ApprovalMode::None => "none",
        ApprovalMode::BeforeStep => "before step",
        ApprovalMode::AfterStep => "after step",
        ApprovalMode::Both => "both",
    }
}

/// The plan the question is about.
fn plan_of<'a>(conversation: &'a Conversation, kind: &PendingKind) -> Option<&'a Plan> {
    match kind {
        PendingKind::Approval { plan, version } => conversation
            .plan()
            .map(AsRef::as_ref)
            .filter(|at_hand| at_hand.id() == *plan && at_hand.version() == *version),
        PendingKind::Failure { run } | PendingKind::Paused { run } | PendingKind::UnknownOutcome { run, .. } => {
            conversation.run().filter(|at_hand| at_hand.id() == *run).map(Run::plan).map(AsRef::as_ref)
        }
        PendingKind::Clarification { .. }
        | PendingKind::Redirection
        | PendingKind::WhichReading { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::TalkedOver { .. }
        | PendingKind::Satisfaction { .. }
        | PendingKind::ConfirmExit => None,
    }
}

fn question(bytes: &mut Bytes, kind: &PendingKind) {
    match kind {
        PendingKind::Approval { .. } => bytes.text("approval"),
        PendingKind::Clarification { clarification } => {
            bytes.text("clarification");
            bytes.text(&clarification.topic);
            bytes.text(&clarification.question);
            bytes.list(&clarification.offered(), choice);
        }
        PendingKind::Redirection => bytes.text("redirection"),
        PendingKind::WhichReading { text, options, grounding } => {
            bytes.text("which reading");
            bytes.text(text);
            bytes.list(options, reading);
            bytes.list(grounding, |bytes, word| bytes.text(word));
        }
        PendingKind::Failure { run } => {
            bytes.text("failure");
            bytes.number(run.number());
        }
        PendingKind::Paused { run } => {
            bytes.text("paused");
            bytes.number(run.number());
        }
        PendingKind::UnknownOutcome { run, step, attempt, reason } => {
            bytes.text("unknown outcome");
            bytes.number(run.number());
            bytes.number(step.number().into());
            bytes.number((*attempt).into());
            bytes.text(reason);
        }
        PendingKind::ConfirmForget { name } => {
            bytes.text("confirm forget");
            bytes.text(name.as_str());
        }
        PendingKind::TalkedOver { points, own, sorts, .. } => {
            bytes.text("talked over");
            bytes.list(points, |bytes, point| bytes.text(point));
            own.iter().for_each(|at| bytes.text(&at.to_string()));
            sorts.iter().for_each(|sort| bytes.text(&format!("{sort:?}")));
        }
        PendingKind::Satisfaction { run } => {
            bytes.text("satisfaction");
            bytes.number(run.number());
        }
        PendingKind::ConfirmExit => bytes.text("confirm exit"),
    }
}

fn choice(bytes: &mut Bytes, choice: &Choice) {
    bytes.text(&choice.value);
    bytes.text(&choice.label);
}

/// What taking a reading would do; how sure it was read does not matter to that.
fn reading(bytes: &mut Bytes, reading: &Reading) {
    bytes.text(&reading.segment);
    bytes.text(&reading.intent);
    bytes.list(reading.sub.as_slice(), |bytes, sub| bytes.text(sub));
    bytes.list(reading.target.as_slice(), |bytes, target| bytes.text(target));
}

fn whole_plan(bytes: &mut Bytes, plan: &Plan) {
    let draft = plan.draft();
    bytes.text(&draft.title);
    bytes.text(&draft.problem);
    bytes.list(&draft.steps, step);
    bytes.list(&draft.assumptions, |bytes, assumption| bytes.text(assumption));
    bytes.text(draft.result.as_str());
    bytes.text(presentation(draft.presentation));
    bytes.text(&draft.form);
    // Nothing is written of endings that are plain: references to such plans from before there were any stay good.
    if !draft.endings.are_plain() {
        bytes.list(&draft.endings.results, |bytes, named| {
            bytes.text(named.fact.as_str());
            bytes.list(named.title.as_slice(), |bytes, title| bytes.text(title));
            bytes.text(presentation(named.presentation));
            bytes.text(&named.form);
        });
        bytes.list(&draft.endings.left_out, |bytes, description| bytes.text(description));
        // Nothing is written where there is none, as above.
        if let Some(drawn) = &draft.endings.drawn {
            bytes.text(drawn.as_str());
        }
    }
}

fn presentation(presentation: Presentation) -> &'static str {
    match presentation {
        Presentation::Value => "value",
        Presentation::Table => "table",
        Presentation::Bars => "bars",
        Presentation::Line => "line",
        Presentation::Stacked => "stacked",
        Presentation::Scatter => "scatter",
    }
}

fn step(bytes: &mut Bytes, step: &Step) {
    bytes.number(step.id.number().into());
    bytes.text(&step.description);
    bytes.text(step.tool.as_str());
    bytes.number(step.arguments.len() as u64);
    for (name, value) in &step.arguments {
        bytes.text(name);
        bytes.text(value);
    }
    bytes.list(&step.needs, |bytes, name| bytes.text(name.as_str()));
    bytes.list(&step.produces, |bytes, name| bytes.text(name.as_str()));
    bytes.list(&step.after, |bytes, earlier| bytes.number(earlier.number().into()));
    bytes.text(match step.effect {
        crate::EffectClass::Pure => "pure",
        crate::EffectClass::Idempotent => "idempotent",
        crate::EffectClass::Reversible => "reversible",
        crate::EffectClass::OnceOnly => "once only",
    });
    bytes.number(step.retries.into());
    bytes.number(step.timeout_seconds.into());
}

/// Bytes in which no part can pass for another: every text and list stands behind its length.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| each(self, item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AssistantName, Clarification, PendingId, Sequence};

    fn pending(choices: &[(&str, &str)]) -> Pending {
        let choices = choices.iter().map(|(value, label)| Choice::new(*value, *label));
        let question = "Which?".to_owned();
        let clarification =
            Clarification { topic: "t".into(), question, choices: choices.collect(), assumption: None, of: 0 };
        Pending {
            id: PendingId::new(1),
            ui_version: 1,
            opened: Sequence::new(4),
            quiet: false,
            digressed: false,
            since: None,
            approvers: Vec::new(),
            expires: None,
            checkpoints: None,
            is_fixable: false,
            kind: PendingKind::Clarification { clarification },
        }
    }

    fn bytes(id: &str, pending: &Pending) -> Vec<u8> {
        let conversation = Conversation::new(AssistantName::new("analyst"));
        let envelope = Envelope::of(&ConversationId::new(id), &conversation, pending);
        [envelope.canonical(&[0; 32]), envelope.subject].concat()
    }

    #[test]
    fn whatever_is_bound_changes_the_bytes() {
        let first = pending(&[("a", "A"), ("b", "B")]);
        let mut others = vec![bytes("c", &pending(&[("b", "B"), ("a", "A")])), bytes("d", &first)];
        let edits: [fn(&mut Pending); 6] = [
            |pending| pending.checkpoints = Some(ApprovalMode::BeforeStep),
            |pending| pending.id = PendingId::new(2),
            |pending| pending.ui_version = 2,
            |pending| pending.approvers = vec![PersonId::new("anna")],
            |pending| pending.expires = Some(Timestamp::from_millis(1)),
            |pending| pending.kind = PendingKind::Redirection,
        ];
        for edit in edits {
            let mut other = first.clone();
            edit(&mut other);
            others.push(bytes("c", &other));
        }
        for other in others {
            assert_ne!(other, bytes("c", &first));
        }
        assert_eq!(bytes("c", &first), bytes("c", &first));
    }

    #[test]
    fn no_part_can_pass_for_another() {
        assert_ne!(bytes("c", &pending(&[("ab", "c")])), bytes("c", &pending(&[("a", "bc")])));
        assert_ne!(bytes("c", &pending(&[("a", "b"), ("c", "d")])), bytes("c", &pending(&[("a", "b")])));
    }

    #[test]
    fn what_only_the_conversation_remembers_does_not_count() {
        let mut shown = pending(&[("a", "A")]);
        let before = bytes("c", &shown);
        (shown.quiet, shown.digressed) = (true, true);
        assert_eq!(bytes("c", &shown), before);
    }
}
