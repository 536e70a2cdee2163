//! Deciding: an order to post a decision becomes a preview of the post, which is edited, approved and then posted. What
//! was decided stands in the order, or in what the thread knows; what it is about are the tickets that were created
//! here or named. Next: `decision` for where it is posted.

use serde::{Deserialize, Serialize};
use turnwise_core::{DraftOutcome, EffectClass, Plan, PlanDraft, Step, StepId, Task, ToolName, text};
use turnwise_intent::behaviour::tickets::FactKind;

use super::bot::Desk;
use super::form::{self, needed};
use super::plan::Halt;
use super::{known, overheard, steps};
use crate::context::Place;
use crate::decision::{Decision, keys_in, one_line};
use crate::tracker::TicketKey;
use crate::words::words;

/// What an order says of the decision it wants posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ordered {
    /// This one, in these words.
    Said(String),
    /// That of the review, by its number from 1.
    Numbered(usize),
    /// The one that the thread came to.
    Latest,
}

/// The form of a plan that posts a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    decision: Decision,
    /// Answers that are in it already.
    answered: usize,
    /// What of the thread it rests on, as people are told it.
    #[serde(default)]
    read: Option<String>,
}

/// What `said` orders to be posted: “post the decision: we use Postgres”, “approve decision 2”.
pub(super) fn ordered(said: &str) -> Option<Ordered> {
    let said = said.trim();
    if let Some(rest) = said.strip_prefix("/decision") {
        let rest = rest.trim();
        return Some(if rest.is_empty() { Ordered::Latest } else { Ordered::Said(rest.to_owned()) });
    }
    let (head, told) = match said.split_once(':') {
        Some((head, told)) => (head, Some(told.trim())),
        None => (said, None),
    };
    let spoken = text::words(head);
    let mut rest = spoken.iter().skip_while(|word| words().openers.contains(word));
    if !rest.next().is_some_and(|verb| POSTS.contains(&verb.as_str())) {
        return None;
    }
    // Only before it: in “the decision that we use Postgres” the word begins what was decided.
    let rest: Vec<&str> = rest.map(String::as_str).skip_while(|word| BEFORE_NOUN.contains(word)).collect();
    let (noun, behind) = rest.split_first()?;
    if !matches!(*noun, "decision" | "decisions") {
        return None;
    }
    if let Some(told) = told.filter(|told| !told.is_empty()) {
        return Some(Ordered::Said(told.to_owned()));
    }
    if let Some(number) = behind.first().and_then(|word| word.parse().ok()) {
        return Some(Ordered::Numbered(number));
    }
    // “record the decision that we use Postgres”
    if let Some((_, said)) = said.split_once(" that ").filter(|_| behind.first() == Some(&"that")) {
        return Some(Ordered::Said(said.to_owned()));
    }
    behind.iter().all(|word| AROUND.contains(word)).then_some(Ordered::Latest)
}

/// Whether a plan posts a decision.
pub(super) fn is_deciding(plan: &Plan) -> bool {
    of_plan(plan).is_some()
}

/// Whether `said` could change a decision.
pub(super) fn is_change(said: &str) -> bool {
    Decision::default().change(said)
}

fn of_plan(plan: &Plan) -> Option<Form> {
    serde_json::from_str(&plan.draft().form).ok()
}

/// What is told of a preview.
pub(super) fn told(plan: &Plan) -> Option<String> {
    of_plan(plan).map(|form| form.decision.shown())
}

pub(super) async fn draft(desk: &Desk, task: &Task, order: Option<&Ordered>) -> DraftOutcome {
    super::plan::outcome(preview(desk, task, order).await)
}

async fn preview(desk: &Desk, task: &Task, order: Option<&Ordered>) -> Result<PlanDraft, Halt> {
    let shown = task.previous.as_ref().and_then(|plan| of_plan(plan));
    let answered = shown.as_ref().map_or(0, |shown| shown.answered);
    if form::is_cancelled(task.answers.get(answered..).unwrap_or_default()) {
        return Err(Halt::Dropped);
    }
    let (mut decision, read) = match shown {
        Some(shown) => (shown.decision, shown.read),
        None => first(desk, task, order).await?,
    };
    for said in &task.changes {
        if !decision.change(said) {
            let said = text::clip(said, QUOTED);
            return Err(Halt::Cannot(format!(
                "“{said}” is no change of a decision that I know. Possible are: “decision: …”, “why: …”, “add SHOP-12”, \
                 “drop SHOP-12”."
            )));
        }
    }
    plan(desk, task, decision, read).await
}

/// The decision that is ordered.
async fn first(desk: &Desk, task: &Task, order: Option<&Ordered>) -> Result<(Decision, Option<String>), Halt> {
    let mut read = None;
    let said = match form::answer(&task.answers, WHICH) {
        Some(said) => said.to_owned(),
        None => match order {
            Some(Ordered::Said(said)) => said.clone(),
            Some(Ordered::Numbered(number)) => numbered(desk, *number)?,
            Some(Ordered::Latest) | None => {
                let talk = overheard::read(desk, &task.heard, &task.problem).await;
                known::observe(desk, &talk, None).map_err(|error| Halt::Cannot(known::unreadable(&error)))?;
                read = talk.told;
                latest(desk)?
            }
        },
    };
    // “we use Postgres because it is there already”
    let (said, why) = said.split_once(" because ").unwrap_or((said.as_str(), ""));
    let around = desk.board.around(desk.id()).await;
    let source = match around.as_ref().and_then(|around| around.link.clone()) {
        Some(link) => link,
        None => format!("conversation {}", desk.conversation()),
    };
    let mut decision = Decision { decision: one_line(said), why: one_line(why), keys: Vec::new(), source };
    let created = task.facts.iter().filter_map(|fact| match &fact.body.value {
        turnwise_core::FactValue::Text(text) => text.split_once(": ").map(|(key, _)| TicketKey::new(key)),
        turnwise_core::FactValue::Table(_) => None,
    });
    created.filter(|key| keys_in(key.as_str()).contains(key)).for_each(|key| decision.relate(key));
    let said = task.heard.recent.iter().filter(|said| said.by.is_some() && !is_change(&said.text));
    said.flat_map(|said| keys_in(&said.text)).chain(keys_in(&task.problem)).for_each(|key| decision.relate(key));
    Ok((decision, read))
}

/// A decision of the review.
fn numbered(desk: &Desk, number: usize) -> Result<String, Halt> {
    let review = known::thread(desk).map_err(Halt::Cannot)?.review;
    let decisions = review.map(|review| review.decisions).unwrap_or_default();
    number.checked_sub(1).and_then(|at| decisions.get(at)).cloned().ok_or_else(|| {
        let there = text::count(decisions.len(), "decision");
        Halt::Cannot(format!("There is no decision {number}; the review has {there}. Nothing was posted."))
    })
}

/// What the thread decided: one is taken, of several it is asked which.
fn latest(desk: &Desk) -> Result<String, Halt> {
    let place = Place::thread(desk.conversation());
    let context = desk.contexts.read(&place).map_err(|error| Halt::Cannot(known::unreadable(&error)))?;
    let decided: Vec<String> = context.of(FactKind::Decision).iter().map(|known| known.text.clone()).collect();
    match decided.as_slice() {
        [] => {
            let question = "What was decided, in one sentence? “… because …” says why.".to_owned();
            Err(Halt::Ask(needed(WHICH, question, Vec::new())))
        }
        [only] => Ok(only.clone()),
        several => {
            let offered = several.iter().take(OFFERED_MAX);
            let mut choices: Vec<_> = offered.map(|decided| form::choice(decided.clone(), decided.clone())).collect();
            choices.push(form::cancel());
            let question = "Which decision is to be posted? Or say it in your own words.".to_owned();
            Err(Halt::Ask(needed(WHICH, question, choices)))
        }
    }
}

async fn plan(desk: &Desk, task: &Task, decision: Decision, read: Option<String>) -> Result<PlanDraft, Halt> {
    if text::words(&decision.decision).len() < DECISION_WORDS_MIN {
        let question = "What was decided, in one sentence? “… because …” says why.".to_owned();
        return Err(Halt::Ask(needed(WHICH, question, Vec::new())));
    }
    let place = desk.board.told(desk.id()).await?;
    let mut step = Step::new(StepId::new(1), format!("Post the decision to {place}"), ToolName::new(steps::POST));
    let posted = decision.clone().fitting().map_err(Halt::Cannot)?;
    step.arguments = steps::posting(&posted);
    step.effect = EffectClass::OnceOnly;
    step.produces = vec![turnwise_core::FactName::new("decision")];
    step.timeout_seconds = POST_SECONDS;
    let result = turnwise_core::FactName::new("decision");
    let title = format!("Decision: {}", text::clip(&decision.decision, TITLE_WIDTH));
    let mut assumptions = vec![format!("It goes to {place}, and nowhere before somebody approves it.")];
    assumptions.extend(read.clone());
    let form = Form { decision, answered: task.answers.len(), read };
    // Texts and lists of them: there is nothing in them that could not be written.
    let form = serde_json::to_string(&form).unwrap_or_default();
    Ok(PlanDraft { title, assumptions, form, ..PlanDraft::new(&task.problem, vec![step], result) })
}

/// The topic of the question what was decided.
const WHICH: &str = "decision";
/// Verbs that post.
const POSTS: [&str; 9] = ["post", "record", "log", "announce", "publish", "share", "approve", "note", "write"];
/// Words between such a verb and its noun.
const BEFORE_NOUN: [&str; 8] = ["the", "this", "that", "our", "a", "new", "down", "up"];
/// Words around an order that add nothing to it.
const AROUND: [&str; 11] = ["to", "the", "in", "channel", "please", "here", "now", "for", "everyone", "all", "team"];
/// Decisions that are offered.
const OFFERED_MAX: usize = 8;
/// A decision of fewer words says nothing.
const DECISION_WORDS_MIN: usize = 2;
/// Characters of the title.
const TITLE_WIDTH: usize = 80;
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 80;
/// Seconds that posting may take.
const POST_SECONDS: u32 = 120;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_ordered_in_words_that_say_so_and_in_no_others() {
        let said = |text: &str| Some(Ordered::Said(text.to_owned()));
        for (order, meant) in [
            ("post the decision: we use Postgres", said("we use Postgres")),
            ("please record our decision that we use Postgres", said("we use Postgres")),
            ("/decision we use Postgres", said("we use Postgres")),
            ("approve decision 2", Some(Ordered::Numbered(2))),
            ("Post this decision to the channel", Some(Ordered::Latest)),
            ("the decision was ours", None),
            ("post a photo: of the decision", None),
            ("record the decision process somewhere", None),
            ("create a ticket for the decision", None),
        ] {
            assert_eq!(ordered(order), meant, "{order}");
        }
    }
}
