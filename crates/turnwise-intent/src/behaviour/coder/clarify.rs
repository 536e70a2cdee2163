//! What a request lacks, and how it is asked for (BH-06 and the settled choices of spec 2).
//! Next: `mod`, which decides when to ask.

use super::reference::Reference;
use super::signals::Signals;
use crate::behaviour::{Choice, Clarification};
use crate::classify::Context;

/// What is missing before anything can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It asks to explain and to change.
    Conflict,
    /// "this" or "it" points to nothing known.
    Reference,
    /// What to do is said, where is not.
    Where,
    /// Neither is said.
    Aim,
}

impl Missing {
    /// The end of the sentence "Missing: …".
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Conflict => "it asks for an explanation and for a change",
            Self::Reference => "what it refers to is not known",
            Self::Where => "which files or components are meant is not said",
            Self::Aim => "what should be done is not said",
        }
    }

    /// What holds when nobody answered.
    #[must_use]
    pub fn assumption(self) -> &'static str {
        match self {
            Self::Conflict => "an explanation does no harm",
            Self::Reference => "what it refers to is still not known",
            Self::Where => "the entire project is meant",
            Self::Aim => "what should be done is still not known",
        }
    }

    /// The question with its options. The open file is offered only when there is one.
    pub(super) fn clarification(self, context: &Context) -> Clarification {
        let open_file = context.last_open_editor.first();
        let open_choice = open_file.map(|_| Choice::new("Currently open file", "provide_file"));
        let cancel = Choice::new("Cancel", "cancel");
        let (question, options) = match self {
            Self::Conflict => (
                "Do you want a fix, an explanation, or a plan?",
                vec![intent("Explain only"), intent("Make a quick fix"), intent("Create a plan"), cancel],
            ),
            Self::Reference => {
                let mut options: Vec<Choice> = open_choice.into_iter().collect();
                options.extend([Choice::new("Specify file path", "provide_file"), cancel]);
                ("What file or component are you referring to?", options)
            }
            Self::Where => {
                let mut options: Vec<Choice> = open_choice.into_iter().collect();
                options.push(Choice::new("Specify file(s)", "provide_file"));
                options.extend([Choice::new("Apply to entire project", "provide_scope"), cancel]);
                ("Which file(s) or component(s) should be modified?", options)
            }
            Self::Aim => (
                "What would you like me to do?",
                vec![
                    intent("Just explain/discuss"),
                    intent("Make a small change"),
                    intent("Create a full plan"),
                    cancel,
                ],
            ),
        };
        Clarification { question: question.to_owned(), options }
    }
}

fn intent(label: &str) -> Choice {
    Choice::new(label, "confirm_intent")
}

/// What the message lacks.
pub(super) fn missing(
    signals: &Signals,
    files: &[String],
    reference: Option<&Reference>,
    context: &Context,
) -> Option<Missing> {
    if signals.is_question {
        return (signals.actions > 0).then_some(Missing::Conflict);
    }
    if signals.is_command {
        return None;
    }
    let stated = context.scope.is_some() || context.files.is_some();
    if signals.actions == 0 {
        return (!stated).then_some(Missing::Aim);
    }
    let everywhere = signals.content == 0 && signals.names_surroundings();
    if !files.is_empty() || stated || (reference.is_some() && !everywhere) {
        return None;
    }
    if signals.needs_reference {
        return Some(Missing::Reference);
    }
    (signals.content == 0).then_some(Missing::Where)
}
