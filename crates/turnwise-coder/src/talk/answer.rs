//! Answers: questions about the code and about a plan, from the files alone. What is quoted has its file and line; what
//! would take understanding is not made up, the places that speak of it are shown instead. Next: `look`.

use turnwise_core::{Answer, AnswerOutcome, Plan, PlanAspect, Presentation, QueryKind, Question};

use super::{look, steps};
use crate::workspace::Workspace;

pub(super) use look::look;

pub(super) fn answer(workspace: &Workspace, question: &Question) -> AnswerOutcome {
    let found = match question.kind {
        QueryKind::Plan { aspect, .. } => of_plan(question.plan.as_deref(), aspect),
        QueryKind::Definition => Err("What words mean is not kept here; say what should be changed.".to_owned()),
        QueryKind::Chart => Err("There is nothing here that could be drawn.".to_owned()),
        QueryKind::Plain
        | QueryKind::Detail
        | QueryKind::Provenance
        | QueryKind::Summary
        | QueryKind::Lookup
        | QueryKind::Remark => look(workspace, &question.text, &question.heard.around),
    };
    match found {
        Ok(text) => AnswerOutcome::Known { answer: plain(text) },
        Err(explanation) => AnswerOutcome::Unknown { explanation },
    }
}

/// An answer in words.
pub(super) fn plain(text: String) -> Answer {
    Answer { text, table: None, presentation: Presentation::Value }
}

fn of_plan(plan: Option<&Plan>, aspect: PlanAspect) -> Result<String, String> {
    let Some(plan) = plan else { return Err("There is no plan.".to_owned()) };
    let told = |told: &mut dyn Iterator<Item = String>, nothing: &str| {
        let told: Vec<String> = told.collect();
        if told.is_empty() { Err(nothing.to_owned()) } else { Ok(told.join("\n")) }
    };
    let proposals = || plan.steps().iter().filter_map(|step| steps::proposal_of(step).ok());
    match aspect {
        PlanAspect::Query => {
            let diffs = plan.steps().iter().filter_map(|step| step.arguments.get(steps::DIFF).cloned());
            told(&mut { diffs }, "The plan changes no file.")
        }
        PlanAspect::Tables | PlanAspect::Columns => {
            let mut files: Vec<String> =
                proposals().flat_map(|proposal| proposal.paths()).map(|p| p.to_string()).collect();
            files.dedup();
            told(&mut files.into_iter(), "The plan is about no file.")
        }
        PlanAspect::Cost => {
            let lines: usize = proposals().map(|proposal| proposal.lines()).sum();
            Ok(format!("{} lines are added or removed; it takes moments.", lines))
        }
    }
}
