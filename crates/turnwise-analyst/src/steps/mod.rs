//! From a form to a plan: small named steps, in parallel where they can be. Facts get telling names; a step that is the
//! same as in an earlier plan gets the same name, so that what it found is used again, and a changed step a new one.
//! Next: `shape` for each kind of question, `run` for what steps do.

mod against;
mod ahead;
mod calendar;
mod cumulate;
mod explain;
mod growing;
mod ordered;
mod outliers;
mod points;
mod ratio;
mod shape;
mod share;
mod tested;
mod write;

pub use shape::capital;
pub use tested::{about, test};
pub use write::{Before, before, effect_of};

use std::collections::BTreeMap;

use turnwise_core::{
    EffectClass, Endings, Fact, FactName, NamedResult, PlanDraft, PlanKind, Presentation, SourceKind, Step, StepId,
    Task, ToolName, limits,
};

use super::catalogue::Catalogue;
use super::compute::{Calculation, Timing};
use super::coverage;
use super::definitions::{self, Stated};
use super::form::QueryForm;
use super::resolve::{Resolved, Trouble};
use super::sql;
use turnwise_assistant::Room;

/// The tool that runs a query.
pub const QUERY: &str = "query";
/// The tool that calculates from facts.
pub const COMPUTE: &str = "compute";
/// The tool that looks at the end of a file.
pub const INSPECT: &str = "inspect_file";
/// The tool that adds rows at the end of a file.
pub const APPEND: &str = "append_to_file";
/// The tool that writes a whole file.
pub const SAVE: &str = "save_file";
/// The argument with the periods of the facts that are calculated with.
pub const TIMING: &str = "timing";
/// The argument with the whole path of a file.
pub const FILE: &str = "file";
/// The argument that says what is replaced.
pub const REPLACES: &str = "replaces";
/// How the file stood when the plan was made, as [`super::files::State`] has it in words.
pub const NOW: &str = "now";
/// Between a question and the changes made to it since: "revenue by region → by month".
pub const CHANGED: &str = " → ";
/// How often a step is tried again when the data is busy.
const RETRIES: u32 = 2;
/// Longest name of a fact.
const NAME_LENGTH_MAX: usize = 60;

/// Makes the plan of `form` only to see what it would be: no file is looked at, and nobody is shown it.
///
/// # Errors
/// [`Trouble`] when a part of it is unclear or cannot be had.
pub fn plan(
    catalogue: &Catalogue,
    form: &QueryForm,
    task: &Task,
    fingerprint: &dyn Fn(&str) -> String,
) -> Result<PlanDraft, Trouble> {
    plan_in(None, catalogue, form, task, fingerprint)
}

/// Makes the plan of `form`, whose files are in `room`; `fingerprint` tells the state of the source a table is from.
///
/// # Errors
/// [`Trouble`] when a part of it is unclear or cannot be had.
pub fn plan_in(
    room: Option<&Room>,
    catalogue: &Catalogue,
    form: &QueryForm,
    task: &Task,
    fingerprint: &dyn Fn(&str) -> String,
) -> Result<PlanDraft, Trouble> {
    let form = &ordered::in_time_order(catalogue, form);
    let (steps, assumptions) = (Vec::new(), definitions::told(&form.stated, &form.notes));
    let (taken, stated) = (taken(task), &form.stated);
    let mut builder = Builder { catalogue, room, fingerprint, steps, assumptions, taken, stated };
    let (rows, presentation) = shape::named(&mut builder, form)?;
    let mut result = rows.clone();
    for write in &form.writes {
        result = builder.write(write, &rows)?;
    }
    let written = serde_json::to_string(form).map_err(|error| Trouble::Impossible(error.to_string()))?;
    let presentation = looked_at(form, presentation);
    let mut endings = beside(&mut builder, form, &result, presentation, &written)?;
    if form.beside.is_empty() && form.writes.is_empty() {
        endings.drawn = points::of_correlation(&mut builder, form)?.map(Box::new);
    }
    let first = task.problem.split(CHANGED).next().unwrap_or_default();
    let problem =
        std::iter::once(first).chain(form.applied.iter().map(String::as_str)).collect::<Vec<_>>().join(CHANGED);
    Ok(PlanDraft {
        // A question may be written over several lines; what it is called stands on one.
        title: problem.split_whitespace().collect::<Vec<_>>().join(" "),
        problem,
        kind: kind(form, task.kind),
        steps: builder.steps,
        assumptions: builder.assumptions,
        result,
        presentation,
        form: written,
        endings,
    })
}

/// The steps of the further questions, and then all results by the names of their steps.
fn beside(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    main: &FactName,
    presentation: Presentation,
    written: &str,
) -> Result<Endings, Trouble> {
    if form.beside.is_empty() {
        return Ok(Endings::default());
    }
    let named = |fact: FactName, presentation, form: String| NamedResult { fact, title: None, presentation, form };
    let mut results = vec![named(main.clone(), presentation, written.to_owned())];
    for other in &form.beside {
        for note in &other.notes {
            builder.assume(note);
        }
        let (fact, presentation) = shape::named(builder, other)?;
        results.push(named(fact, looked_at(other, presentation), json(other)?));
    }
    results.dedup_by(|one, other| one.fact == other.fact);
    Ok(Endings { results, ..Endings::default() })
}

/// As the person said; a chart of whatever kind fits is bars where the plan would show rows.
fn looked_at(form: &QueryForm, planned: Presentation) -> Presentation {
    match (form.look, planned) {
        (Some(wanted), _) => wanted,
        (None, Presentation::Table) if form.drawn => Presentation::Bars,
        (None, planned) => planned,
    }
}

fn kind(form: &QueryForm, asked: PlanKind) -> PlanKind {
    use super::form::Analysis;
    match form.analysis {
        Analysis::Compare => PlanKind::Compare,
        Analysis::Forecast(_) => PlanKind::Predict,
        Analysis::Plain
        | Analysis::Share
        | Analysis::Trend
        | Analysis::Growth
        | Analysis::Explain
        | Analysis::Outliers
        | Analysis::Cumulative
        | Analysis::Ratio => asked,
    }
}

/// Names already given, with what they stand for.
fn taken(task: &Task) -> BTreeMap<FactName, String> {
    let facts = task.facts.iter().map(|fact| (fact.name().clone(), known_text(fact)));
    let steps = task.previous.iter().flat_map(|plan| plan.steps()).flat_map(|step| {
        step.produces.iter().map(move |name| (name.clone(), identity(&step.tool, &step.arguments, &step.needs)))
    });
    steps.chain(facts).collect()
}

fn known_text(fact: &Fact) -> String {
    let query = fact.body.query.clone().unwrap_or_default();
    let mut sources: Vec<&str> = fact.body.stamps.iter().map(|stamp| stamp.fingerprint.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    if fact.body.source == SourceKind::Derived || sources.is_empty() {
        return query;
    }
    let sources: Vec<String> = sources.iter().map(|source| format!("\"{source}\"")).collect();
    format!("{query}\n-- sources: [{}]", sources.join(","))
}

/// What a step finds, in one text: what it does, and the state of the sources it reads.
fn identity(tool: &ToolName, arguments: &BTreeMap<String, String>, needs: &[FactName]) -> String {
    let text = step_text(tool, arguments, needs);
    match arguments.get("sources").filter(|sources| sources.as_str() != "[]") {
        Some(sources) => format!("{text}\n-- sources: {sources}"),
        None => text,
    }
}

/// What a step does, in one text: two steps with the same text find the same.
pub fn step_text(tool: &ToolName, arguments: &BTreeMap<String, String>, needs: &[FactName]) -> String {
    let argument = |name: &str| arguments.get(name).map_or("", String::as_str);
    if tool.as_str() == QUERY {
        let parameters = argument("parameters");
        let sql = argument("sql");
        return if parameters == "[]" { sql.to_owned() } else { format!("{sql}\n-- values: {parameters}") };
    }
    let needs: Vec<&str> = needs.iter().map(FactName::as_str).collect();
    match tool.as_str() {
        COMPUTE if argument(TIMING).is_empty() => format!("{} of {}", argument("calculation"), needs.join(", ")),
        COMPUTE => format!("{} of {}, over {}", argument("calculation"), needs.join(", "), argument(TIMING)),
        INSPECT => format!("look at the end of {} ({})", argument(FILE), argument("now")),
        APPEND => format!("append {} to {}", needs.join(", "), argument(FILE)),
        SAVE => format!("save {} as {}, replacing {}", needs.join(", "), argument(FILE), argument(REPLACES)),
        other => format!("{other} of {}", needs.join(", ")),
    }
}

/// A plan being made.
pub struct Builder<'a> {
    /// What the data has.
    pub catalogue: &'a Catalogue,
    /// Where files are; without it none is looked at.
    room: Option<&'a Room>,
    /// What a table's source is like now: the same query over changed data is another fact.
    fingerprint: &'a dyn Fn(&str) -> String,
    steps: Vec<Step>,
    assumptions: Vec<String>,
    taken: BTreeMap<FactName, String>,
    /// The definitions the plan uses.
    stated: &'a [Stated],
}

impl Builder<'_> {
    /// Adds a step that runs a query.
    pub fn query(&mut self, description: &str, name: &str, resolved: &Resolved) -> Result<FactName, Trouble> {
        let statement = sql::write(self.catalogue, &resolved.query);
        let tables: Vec<&str> =
            resolved.query.sources.iter().map(|source| self.catalogue.table(source.table).name.as_str()).collect();
        let mut assumptions = definitions::told(self.stated, &resolved.assumptions);
        assumptions.extend(self.assumptions.iter().filter(|said| coverage::is_note(said)).cloned());
        let rests_on: Vec<&FactName> =
            self.stated.iter().filter(|stated| !stated.here).map(|stated| &stated.fact).collect();
        let mut sources: Vec<String> = tables.iter().map(|table| (self.fingerprint)(table)).collect();
        sources.sort_unstable();
        sources.dedup();
        let arguments = BTreeMap::from([
            ("sources".to_owned(), json(&sources)?),
            ("sql".to_owned(), statement.text),
            ("parameters".to_owned(), json(&statement.parameters)?),
            ("tables".to_owned(), json(&tables)?),
            ("assumes".to_owned(), json(&assumptions)?),
            ("rests_on".to_owned(), json(&rests_on)?),
        ]);
        for assumption in &assumptions {
            self.assume(assumption);
        }
        Ok(self.step(description, name, QUERY, arguments, Vec::new()))
    }

    /// Adds a step that calculates from facts of earlier steps.
    pub fn compute(
        &mut self,
        description: &str,
        name: &str,
        calculation: &Calculation,
        needs: Vec<FactName>,
    ) -> Result<FactName, Trouble> {
        self.compute_over(description, name, calculation, needs, &Timing::default())
    }

    /// The same over series whose periods are known.
    pub fn compute_over(
        &mut self,
        description: &str,
        name: &str,
        calculation: &Calculation,
        needs: Vec<FactName>,
        timing: &Timing,
    ) -> Result<FactName, Trouble> {
        let mut arguments = BTreeMap::from([("calculation".to_owned(), json(calculation)?)]);
        if *timing != Timing::default() {
            arguments.insert(TIMING.to_owned(), json(timing)?);
        }
        Ok(self.step(description, name, COMPUTE, arguments, needs))
    }

    /// Says what is taken for granted.
    pub fn assume(&mut self, sentence: &str) {
        if !self.assumptions.iter().any(|known| known == sentence) {
            self.assumptions.push(sentence.to_owned());
        }
    }

    fn step(
        &mut self,
        description: &str,
        name: &str,
        tool: &str,
        arguments: BTreeMap<String, String>,
        needs: Vec<FactName>,
    ) -> FactName {
        let effect = effect_of(tool);
        let tool = ToolName::new(tool);
        let text = identity(&tool, &arguments, &needs);
        // The same question twice in one plan is one step.
        if let Some(known) = self.steps.iter().find(|step| identity(&step.tool, &step.arguments, &step.needs) == text)
            && let Some(produced) = known.produces.first()
        {
            return produced.clone();
        }
        let produced = self.name(name, &text);
        let after = self
            .steps
            .iter()
            .filter(|step| step.produces.iter().any(|name| needs.contains(name)))
            .map(|step| step.id)
            .collect();
        let number = u32::try_from(self.steps.len() + 1).unwrap_or(u32::MAX);
        self.steps.push(Step {
            id: StepId::new(number),
            description: description.to_owned(),
            tool,
            arguments,
            needs,
            produces: vec![produced.clone()],
            after,
            effect,
            // Only what changes nothing is tried again without being asked.
            retries: if effect == EffectClass::Pure { RETRIES } else { 0 },
            timeout_seconds: limits::STEP_TIMEOUT_SECONDS,
        });
        produced
    }

    /// The name wanted, or with a number behind it when it stands for something else.
    fn name(&mut self, wanted: &str, text: &str) -> FactName {
        let base = slug(wanted);
        // What an earlier version called by a number keeps it, or each version would seem to be another step.
        let is_of_base = |name: &str| {
            let number = name.strip_prefix(&base).and_then(|rest| rest.strip_prefix('_'));
            number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let known = self.taken.iter().find(|(name, known)| known.as_str() == text && is_of_base(name.as_str()));
        if let Some((name, _)) = known {
            return name.clone();
        }
        let mut name = FactName::new(base.clone());
        let mut number = 2;
        while self.taken.get(&name).is_some_and(|known| known != text) {
            name = FactName::new(format!("{base}_{number}"));
            number += 1;
        }
        self.taken.insert(name.clone(), text.to_owned());
        name
    }
}

fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, Trouble> {
    serde_json::to_string(value).map_err(|error| Trouble::Impossible(format!("This cannot be written down: {error}.")))
}

/// A name for people and machines: small letters, digits and underscores.
fn slug(text: &str) -> String {
    let folded = super::words::fold(text);
    let mut slug = String::new();
    for c in folded.chars() {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    let cut: String = slug.chars().take(NAME_LENGTH_MAX).collect();
    let trimmed = cut.trim_end_matches('_');
    if trimmed.is_empty() { "result".to_owned() } else { trimmed.to_owned() }
}
