//! A plan as text that a person edits, and what their edit asks for. Structure (title, which steps, in which order) is
//! changed as it is written; words (what a step does, what the plan must keep to) go to the assistant, which drafts
//! anew: a step whose text said one thing while its query did another would be a lie. Next: `revise`, which opens the
//! editor.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Deserialize;
use turnwise_core::patch::{Patch, reworded};
use turnwise_core::{FactName, Plan, Step, StepId};

use turnwise_assistant::nearest_of;

/// What an edited text asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing.
    Unchanged,
    /// Another structure of the same plan.
    Structure(Vec<Patch>),
    /// Another plan, drafted with these words in mind.
    Words(String),
}

/// Why a text is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct EditError {
    /// Where, from 1; absent where it is the text as a whole.
    pub line: Option<u64>,
    /// What is wrong, and what to do.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    title: String,
    steps: Vec<StepForm>,
    #[serde(default)]
    one_at_a_time: bool,
    #[serde(default)]
    constraints: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepForm {
    step: u32,
    does: String,
}

/// `plan` as text. Everything in it that is no comment can be edited.
#[must_use]
pub fn render(plan: &Plan) -> String {
    let mut text = HEAD.replace("{version}", &plan.version().to_string());
    let _ = writeln!(text, "title: {}\nsteps:", scalar(&plan.draft().title));
    for step in plan.steps() {
        let _ = writeln!(text, "  - step: {}\n    does: {}", step.id.number(), scalar(&step.description));
        for (name, value) in &step.arguments {
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "    # {name}: {value}");
        }
    }
    text.push_str(FOOT);
    text
}

/// What `text`, made from `plan` by [`render`] and edited, asks for. `known` are the facts that steps may need without
/// producing them.
///
/// # Errors
/// [`EditError`], with the line, when it is no plan.
pub fn parse(text: &str, plan: &Plan, known: &BTreeSet<FactName>) -> Result<Edit, EditError> {
    let form: Form = serde_saphyr::from_str(text).map_err(|error| malformed(&error))?;
    let order = order(&form, text, plan)?;
    let (reworded, constraints) = words(&form, plan);
    let words = reworded::asked(&reworded, &constraints);
    let patches = patches(&form, &order, plan);
    match (patches.is_empty(), words.is_empty()) {
        (true, true) => Ok(Edit::Unchanged),
        (true, false) if reworded.is_empty() => Ok(Edit::Words(constraints.join(", "))),
        (true, false) => Ok(Edit::Words(words)),
        (false, true) => {
            check(&patches, plan, known)?;
            Ok(Edit::Structure(patches))
        }
        (false, false) => Err(whole(format!(
            "the structure (title, steps, order) and the wording (“{}”) are both changed. Words make a new plan with \
             steps of its own, so change one first and the other when you see what came of it",
            reworded::in_words(&words)
        ))),
    }
}

fn malformed(error: &serde_saphyr::Error) -> EditError {
    let error = error.without_snippet();
    if let serde_saphyr::Error::SerdeUnknownField { field, expected, location } = error {
        let near = nearest_of(field, expected.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let problem = format!("there is no `{field}` here{}", near.unwrap_or_default());
        return EditError { line: Some(location.line()), problem };
    }
    let told = error.to_string();
    // The place is told in front.
    let problem = told.split_once(" at line ").map_or(told.as_str(), |(problem, _)| problem).to_owned();
    EditError { line: error.location().map(|at| at.line()), problem }
}

/// The steps that are left, in the order they stand in now.
fn order(form: &Form, text: &str, plan: &Plan) -> Result<Vec<StepId>, EditError> {
    let mut order = Vec::new();
    for (at, step) in form.steps.iter().enumerate() {
        let id = StepId::new(step.step);
        let line = || line_of_step(text, at);
        if plan.step(id).is_none() {
            let count = plan.steps().len();
            let problem = format!(
                "the plan has no step {}; it has 1 to {count}. What is to be added goes under `constraints`",
                step.step
            );
            return Err(EditError { line: line(), problem });
        }
        if order.contains(&id) {
            return Err(EditError { line: line(), problem: format!("step {} stands here twice", step.step) });
        }
        order.push(id);
    }
    if order.is_empty() {
        return Err(whole("no step is left; n rejects the plan".to_owned()));
    }
    Ok(order)
}

/// The line of the `at`th step of the list.
fn line_of_step(text: &str, at: usize) -> Option<u64> {
    let is_step = |(_, line): &(u64, &str)| line.trim_start().trim_start_matches('-').trim_start().starts_with("step:");
    (1..).zip(text.lines()).filter(is_step).nth(at).map(|(number, _)| number)
}

/// The steps whose words are others now, and what the plan is to keep to.
fn words(form: &Form, plan: &Plan) -> (Vec<(StepId, String)>, Vec<String>) {
    let described: BTreeMap<u32, &Step> = plan.steps().iter().map(|step| (step.id.number(), step)).collect();
    let is_other = |step: &&StepForm| {
        described.get(&step.step).is_some_and(|before| before.description.trim() != step.does.trim())
    };
    let said = |step: &StepForm| (StepId::new(step.step), step.does.trim().to_owned());
    let reworded = form.steps.iter().filter(is_other).map(said).filter(|(_, words)| !words.is_empty());
    let constraints = form.constraints.iter().flatten().map(|words| words.trim().to_owned());
    (reworded.collect(), constraints.filter(|words| !words.is_empty()).collect())
}

/// The structure as patches, in the order they are applied in: what drops comes last, because it numbers steps anew.
fn patches(form: &Form, order: &[StepId], plan: &Plan) -> Vec<Patch> {
    let mut patches = Vec::new();
    let title = form.title.trim();
    if !title.is_empty() && title != plan.draft().title.trim() {
        patches.push(Patch::Rename(title.to_owned()));
    }
    if form.one_at_a_time {
        let neighbours = order.windows(2).map(|pair| Patch::Order { later: pair[1], earlier: pair[0] });
        patches.extend(neighbours);
    } else {
        for (at, earlier) in order.iter().enumerate() {
            let overtaken = order[at + 1..].iter().filter(|later| *later < earlier);
            patches.extend(overtaken.map(|later| Patch::Order { later: *later, earlier: *earlier }));
        }
    }
    let dropped: Vec<StepId> = plan.steps().iter().map(|step| step.id).filter(|id| !order.contains(id)).collect();
    if !dropped.is_empty() {
        patches.push(Patch::Drop(dropped));
    }
    patches
}

fn check(patches: &[Patch], plan: &Plan, known: &BTreeSet<FactName>) -> Result<(), EditError> {
    let draft = Patch::apply_all(patches, plan.draft()).map_err(|error| whole(error.to_string()))?;
    Plan::check(plan.id(), plan.version() + 1, draft, known)
        .map_err(|error| whole(format!("that cannot be: {error}")))?;
    Ok(())
}

fn whole(problem: String) -> EditError {
    EditError { line: None, problem }
}

/// As YAML reads it back: bare where that is safe, else in quotes, whose escapes are those of JSON.
fn scalar(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '_' | '(' | ')' | '.' | '/' | '%');
    let begins_with_letter = text.chars().next().is_some_and(char::is_alphabetic);
    let is_word =
        matches!(text.to_lowercase().as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    if begins_with_letter && !is_word && text.chars().all(is_plain) && !text.ends_with(' ') {
        return text.to_owned();
    }
    // A string always has a form in JSON.
    serde_json::to_string(text).unwrap_or_default()
}

const HEAD: &str = "\
# The plan that waits, version {version}. Save and close to propose a new version; nothing runs until you approve that.
# Left as it is, or emptied, it changes nothing.
#
# Delete a step to drop it. Move it up or down to run it before or after others.
# Reword what a step does, or add constraints, and the plan is drafted anew with your words.
";
const FOOT: &str = "\
one_at_a_time: false
constraints:
  # - only 2024
";

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use turnwise_core::patch::Patch;
    use turnwise_core::{FactName, Plan, PlanDraft, PlanId, Step, StepId, ToolName};

    use super::{Edit, parse, render};

    /// 1 and 2 are independent; 3 needs 1.
    fn plan() -> Plan {
        let step = |number: u32, description: &str, needs: &[&str], produces: &str, after: &[u32]| Step {
            arguments: BTreeMap::from([("sql".to_owned(), "SELECT 1\n  FROM t".to_owned())]),
            needs: needs.iter().map(|name| FactName::new(*name)).collect(),
            produces: vec![FactName::new(produces)],
            after: after.iter().map(|number| StepId::new(*number)).collect(),
            ..Step::new(StepId::new(number), description, ToolName::new("query"))
        };
        let steps = vec![
            step(1, "Load: orders \"all\"", &[], "a", &[]),
            step(2, "Load regions", &[], "b", &[]),
            step(3, "Total by region", &["a"], "c", &[1]),
        ];
        let draft = PlanDraft { title: "Sales # by region".into(), ..PlanDraft::new("p", steps, FactName::new("c")) };
        Plan::check(PlanId::new(1), 1, draft, &BTreeSet::new()).unwrap()
    }

    /// The text with `from` replaced by `to`.
    fn edited(from: &str, to: &str) -> Result<Edit, String> {
        let text = render(&plan());
        assert!(text.contains(from), "{text}");
        parse(&text.replacen(from, to, 1), &plan(), &BTreeSet::new()).map_err(|error| error.to_string())
    }

    fn id(number: u32) -> StepId {
        StepId::new(number)
    }

    #[test]
    fn untouched_it_asks_for_nothing() {
        assert_eq!(edited("title", "title"), Ok(Edit::Unchanged));
        assert_eq!(edited("# Delete", "# I wonder. Delete"), Ok(Edit::Unchanged));
    }

    #[test]
    fn a_deleted_step_is_dropped_and_a_moved_one_waits() {
        let second = "  - step: 2\n    does: Load regions\n    # sql: SELECT 1 FROM t\n";
        assert_eq!(edited(second, ""), Ok(Edit::Structure(vec![Patch::Drop(vec![id(2)])])));
        let first = "  - step: 1\n    does: \"Load: orders \\\"all\\\"\"\n    # sql: SELECT 1 FROM t\n";
        let moved = edited(&format!("{first}{second}"), &format!("{second}{first}"));
        assert_eq!(moved, Ok(Edit::Structure(vec![Patch::Order { later: id(1), earlier: id(2) }])));
    }

    #[test]
    fn a_new_title_and_one_at_a_time_are_structure() {
        assert_eq!(
            edited("Sales # by", "Sales by"),
            Ok(Edit::Structure(vec![Patch::Rename("Sales by region".into())]))
        );
        let chained = edited("one_at_a_time: false", "one_at_a_time: true");
        let pair = |later, earlier| Patch::Order { later: id(later), earlier: id(earlier) };
        assert_eq!(chained, Ok(Edit::Structure(vec![pair(2, 1), pair(3, 2)])));
    }

    #[test]
    fn words_go_to_the_assistant() {
        let reworded = edited("Load regions", "Load regions of 2024");
        assert_eq!(reworded, Ok(Edit::Words("reword step 2: Load regions of 2024".into())));
        assert_eq!(
            edited("# - only 2024", "- only 2024\n  - no refunds"),
            Ok(Edit::Words("only 2024, no refunds".into()))
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let error = |from: &str, to: &str| edited(from, to).unwrap_err();
        assert_eq!(error("title:", "titel:"), "line 6: there is no `titel` here; did you mean `title`?");
        assert!(error("step: 2", "step: 9").starts_with("line 11: the plan has no step 9; it has 1 to 3."));
        assert_eq!(error("step: 2", "step: 1"), "line 11: step 1 stands here twice");
        assert!(error("steps:", "steps: [").starts_with("line "));
        assert_eq!(error("# - only 2024", "- - only 2024"), "line 19: expected string scalar");
        assert!(error("  - step: 1\n    does: \"Load: orders \\\"all\\\"\"\n", "").contains("Step 3 needs `a`"));
        let both = edited("title: \"Sales # by region\"", "title: Sales").unwrap();
        assert!(matches!(both, Edit::Structure(_)));
    }

    #[test]
    fn structure_and_words_at_once_are_asked_apart() {
        let text = render(&plan()).replace("Sales # by region", "Sales").replace("# - only 2024", "- only 2024");
        let error = parse(&text, &plan(), &BTreeSet::new()).unwrap_err();
        assert!(error.problem.contains("“only 2024”"), "{error}");
    }

    #[test]
    fn an_order_against_the_needs_is_refused() {
        let text = render(&plan());
        let third = "  - step: 3\n    does: Total by region\n    # sql: SELECT 1 FROM t\n";
        let text = text.replace(third, "").replace("steps:\n", &format!("steps:\n{third}"));
        let error = parse(&text, &plan(), &BTreeSet::new()).unwrap_err();
        assert!(error.problem.contains("already waits for step"), "{error}");
    }
}
