//! What people do: they talk, click, stop, change their minds, press twice, press what is long outdated, and send
//! again what was not confirmed. What they do is chosen by what they see, which is often not what is. Next:
//! `surface`, which delivers.

use std::sync::Arc;

use turnwise_core::patch::Patch;
use turnwise_core::{
    Control, Conversation, DecisionRef, InputBody, InputKey, Mode, Pending, PendingKind, PersonId, Phase, Plan, Verdict,
};

use crate::chance::Chance;

/// Words and clicks that approve a plan.
pub(crate) const YES: [&str; 3] = ["approve", "yes", "yes thanks"];
/// Words and clicks that try a failed run again.
pub(crate) const RETRY: [&str; 3] = ["retry", "1", "again"];

/// One thing a person does.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) body: InputBody,
    /// In words, as the log will hold them.
    pub(crate) words: String,
    pub(crate) key: InputKey,
    /// The plan on the card whose approval was clicked.
    pub(crate) shown: Option<Arc<Plan>>,
}

/// A question as someone saw it once.
#[derive(Clone, Debug)]
struct Card {
    reference: DecisionRef,
    question: PendingKind,
    plan: Option<Arc<Plan>>,
}

/// The people of one conversation, with what they remember.
pub(crate) struct People {
    chance: Chance,
    cards: Vec<Card>,
    count: usize,
}

impl People {
    pub(crate) fn new(seed: u64) -> Self {
        Self { chance: Chance::new(seed, "people"), cards: Vec::new(), count: 0 }
    }

    /// How many different things were said and done.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn chance(&self) -> &Chance {
        &self.chance
    }

    /// Looks at the screen and does something.
    pub(crate) fn act(&mut self, view: &Conversation) -> Said {
        self.remember(view);
        let old = self.chance.pick(&self.cards).filter(|_| self.chance.per_mille(120)).cloned();
        let (body, shown) = match (old, view.question()) {
            (Some(card), _) => self.click(&card),
            (None, Some(question)) if self.chance.per_mille(750) => self.answer(question, view),
            (None, _) => (self.say(view), None),
        };
        self.count += 1;
        Said { words: words(&body), body, key: InputKey::new(format!("k{}", self.count)), shown }
    }

    fn remember(&mut self, view: &Conversation) {
        for pending in view.pending() {
            if self.cards.iter().all(|card| card.reference != pending.reference()) {
                let plan = match &pending.kind {
                    PendingKind::Approval { plan: id, version } => {
                        view.plan().filter(|plan| plan.id() == *id && plan.version() == *version).cloned()
                    }
                    _ => None,
                };
                self.cards.push(Card { reference: pending.reference(), question: pending.kind.clone(), plan });
            }
        }
    }

    fn answer(&self, question: &Pending, view: &Conversation) -> (InputBody, Option<Arc<Plan>>) {
        let card = self.cards.iter().find(|card| card.reference == question.reference()).cloned();
        match card {
            Some(card) if self.chance.per_mille(600) => self.click(&card),
            Some(_) | None => (self.reply(question, view), None),
        }
    }

    /// Presses a button of a card.
    fn click(&self, card: &Card) -> (InputBody, Option<Arc<Plan>>) {
        let change = || Verdict::Change { change: "by hand".to_owned() };
        let choose = |number: u64| Verdict::Choose { number: usize::try_from(number).unwrap_or(1) };
        let chance = &self.chance;
        let usual = match &card.question {
            PendingKind::Approval { .. } => {
                chance.weighted(&[(88, Verdict::Approve), (4, Verdict::Reject), (6, change()), (2, Verdict::Cancel)])
            }
            PendingKind::Clarification { .. } => {
                chance.weighted(&[(70, choose(chance.between(1, 3))), (30, Verdict::Say { text: "larger".to_owned() })])
            }
            PendingKind::Redirection => chance.weighted(&[(80, change()), (20, Verdict::Cancel)]),
            PendingKind::WhichReading { .. } => choose(chance.between(1, 3)),
            PendingKind::Failure { .. } => {
                chance.weighted(&[(60, Verdict::Retry), (20, Verdict::Replan), (20, Verdict::Abandon)])
            }
            PendingKind::Paused { .. } => {
                chance.weighted(&[(80, Verdict::Resume), (10, change()), (10, Verdict::Cancel)])
            }
            PendingKind::UnknownOutcome { .. } => choose(chance.between(1, 3)),
            PendingKind::TalkedOver { .. } => {
                chance.weighted(&[(60, Verdict::Approve), (20, change()), (10, Verdict::Reject), (10, Verdict::Cancel)])
            }
            PendingKind::Satisfaction { .. } => choose(chance.between(1, 3)),
            PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => {
                chance.weighted(&[(50, Verdict::Approve), (50, Verdict::Reject)])
            }
        };
        let verdict = if chance.per_mille(50) { Verdict::Approve } else { usual };
        let shown = card.plan.clone().filter(|_| verdict == Verdict::Approve);
        (InputBody::Decide { person: self.person(), reference: card.reference, verdict }, shown)
    }

    /// Answers in words.
    fn reply(&self, question: &Pending, view: &Conversation) -> InputBody {
        let words: &[&str] = match &question.kind {
            PendingKind::Approval { .. } => &[
                "yes",
                "yes",
                "yes",
                "yes thanks",
                "no",
                "rather less",
                "drop step 1",
                "only step 1",
                "one at a time",
                "what now?",
                "hold",
                "stop",
            ],
            PendingKind::Clarification { .. } => {
                &["1", "2", "the larger", "not the smaller", "what now?", "hold", "some", "skip", "3"]
            }
            PendingKind::Redirection => &["change it", "rather less", "no", "what now?", "hold"],
            PendingKind::WhichReading { .. } => &["1", "2", "neither", "plan again"],
            PendingKind::Failure { .. } => &["retry", "1", "replan", "abandon", "what now?", "change it"],
            PendingKind::Paused { .. } => &["resume", "resume", "yes", "stop", "rather less", "hold", "what now?"],
            PendingKind::UnknownOutcome { .. } => &["1", "2", "it happened", "it did not happen", "stop", "what now?"],
            PendingKind::TalkedOver { .. } => {
                &["implement", "do it", "don't do it yet", "plan on", "rather less", "what now?", "hold", "stop"]
            }
            PendingKind::Satisfaction { .. } => &["yes", "2", "rather less", "3", "hold", "what now?", "plan the next"],
            PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => &["yes", "no", "plan on", "hold"],
        };
        match self.chance.pick(words) {
            Some(words) => self.message(words),
            None => self.say(view),
        }
    }

    /// Says or does something that is no answer.
    fn say(&self, view: &Conversation) -> InputBody {
        let chance = &self.chance;
        let words = match view.phase() {
            Phase::Executing => chance.weighted(&[
                (18, "stop"),
                (10, "ctrl+c"),
                (12, "plan the next"),
                (12, "what is known?"),
                (12, "change it"),
                (6, "replan"),
                (8, "pause"),
                (5, "resume"),
                (5, "/queue drop"),
                (4, "/queue edit known things"),
                (4, "/redo"),
                (2, "again"),
                (4, "/proof"),
                (3, "/reset"),
                (4, "status"),
                (2, "bye"),
                (4, "press pause"),
                (3, "press resume"),
                (2, "press queue drop"),
            ]),
            Phase::Idle | Phase::Planning | Phase::AwaitingApproval | Phase::Failed => chance.weighted(&[
                (55, "plan something"),
                (4, "prove something"),
                (10, "what is known?"),
                (8, "/redo"),
                (4, "again"),
                (5, "change it"),
                (4, "ctrl+c"),
                (3, "stop"),
                (3, "hm"),
                (2, "why"),
                (2, "replan"),
                (1, "/reset"),
                (1, "/nothing"),
                (1, ""),
                (1, "mode"),
                (2, "bye"),
            ]),
        };
        match words {
            "ctrl+c" => InputBody::Stop { person: self.person() },
            "press pause" => self.press(Control::Pause, None),
            "press resume" => self.press(Control::Resume, None),
            "press queue drop" => self.press(Control::Queue, Some("drop")),
            "mode" => InputBody::SetMode { person: self.person(), mode: Mode::Exploratory },
            words => self.message(words),
        }
    }

    fn press(&self, control: Control, words: Option<&str>) -> InputBody {
        InputBody::Press { person: self.person(), control, words: words.map(str::to_owned) }
    }

    fn message(&self, words: &str) -> InputBody {
        InputBody::Message { person: self.person(), text: words.to_owned(), grounding: Vec::new() }
    }

    fn person(&self) -> PersonId {
        PersonId::new(self.chance.weighted(&[(70, "ada"), (30, "ben")]))
    }
}

/// What the log will hold of an input.
fn words(body: &InputBody) -> String {
    match body {
        InputBody::Message { text, .. } => text.clone(),
        InputBody::Rename { title, .. } => title.clone(),
        InputBody::Stop { .. } => "stop".to_owned(),
        InputBody::SetMode { mode, .. } => format!("mode {mode}"),
        InputBody::Decide { verdict, .. } => match verdict {
            Verdict::Approve => "approve".to_owned(),
            Verdict::ApproveNoting { note } => format!("approve: {note}"),
            Verdict::Reject => "reject".to_owned(),
            Verdict::RejectBecause { reason } => format!("reject: {reason}"),
            Verdict::Edit { patches } => {
                let words: Vec<String> = patches.iter().map(Patch::in_words).collect();
                format!("edit: {}", words.join(", "))
            }
            Verdict::Change { change } => change.clone(),
            Verdict::Cancel => "cancel".to_owned(),
            Verdict::Choose { number } => number.to_string(),
            Verdict::Say { text } => text.clone(),
            Verdict::Resume => "resume".to_owned(),
            Verdict::Retry => "retry".to_owned(),
            Verdict::Replan => "replan".to_owned(),
            Verdict::Abandon => "abandon".to_owned(),
        },
        InputBody::Press { control: Control::Pause, .. } => "Pause at the next step boundary".to_owned(),
        InputBody::Press { control: Control::Resume, .. } => "Go on after the pause".to_owned(),
        InputBody::Press { .. } => "/queue drop".to_owned(),
        InputBody::Join { .. } | InputBody::Leave { .. } | InputBody::Report(_) => String::new(),
    }
}
