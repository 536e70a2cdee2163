//! Drafting: a task in words becomes a plan, a question back, or an explanation. The honesty rule lives here: a word
//! that was not understood and could change the answer stops the plan. Next: `read`, `refine`, `steps`.

use turnwise_core::{Choice, Clarification, DraftOutcome, PlanDraft, Table, Task, lean};

use super::catalogue::Catalogue;
use super::chosen;
use super::clauses;
use super::dating;
use super::definitions::{self, Definitions};
use super::files::{self, Asked, Place, Room};
use super::followup::{self, FollowUp};
use super::form::QueryForm;
use super::lexicon::{Signal, lexicon};
use super::offered;
use super::overview;
use super::parts;
use super::read::{self, Read};
use super::refer;
use super::refine;
use super::resolve::Trouble;
use super::settle;
use super::steps;

/// Said of a question that stands by no result.
const SPEAKS_BACK: &str = "This speaks of something that was found before, and there is no such result here: say the \
                           whole question, with names in the place of “them”, “their” or “those”.";
/// Said of a question that wants data changed.
const ONLY_READ: &str = "Data is only read here: nothing can be removed from it or changed in it. What a word was said to mean \
                         is taken back with “forget what … means”.";
/// The topic of the question by what to rank.
pub const RANKING: &str = "ranking";
/// Said of a file that an earlier version of the plan wrote.
const HOLDS: &str = "holds the earlier result and is not written again.";
/// The topic of the question how to gather a number; the words follow.
pub const GATHERING: &str = "gathering: ";

/// The topic of the question which of several names is meant; the words follow.
pub const NAME_OF: &str = "name: ";

/// What is there besides the catalogue when a plan is drafted.
pub struct Surroundings<'a> {
    /// The state of the source a table is from.
    pub fingerprint: &'a dyn Fn(&str) -> String,
    /// Where results may go.
    pub place: Place<'a>,
    /// Looks at the data, for how many rows have a date.
    pub look: dating::Look<'a>,
    /// What a plan of one query gives; nothing where it is more than that, or takes too long.
    pub result: &'a dyn Fn(&PlanDraft) -> Option<Table>,
}

/// Plans `task`.
pub fn draft(catalogue: &Catalogue, task: &Task, around: &Surroundings<'_>) -> DraftOutcome {
    chosen::drafted(task, |task| once_asked(task, drafted(catalogue, task, around)))
}

fn drafted(catalogue: &Catalogue, task: &Task, around: &Surroundings<'_>) -> DraftOutcome {
    let definitions = Definitions::of_task(catalogue, task);
    let mut form = match form(catalogue, task, &definitions, around.place) {
        Ok(form) => form,
        Err(outcome) => return *outcome,
    };
    let asked = task.problem.split(steps::CHANGED).next().unwrap_or_default();
    parts::each(&mut form, |form| dating::settle(catalogue, form, asked, definitions.dates(), around.look));
    match steps::plan_in(Some(around.place.room), catalogue, &form, task, around.fingerprint) {
        Ok(plan) => DraftOutcome::Ready { plan, learned: Vec::new() },
        Err(trouble) => troubled(trouble),
    }
}

/// What becomes of a form that no plan can be made of.
pub fn troubled(trouble: Trouble) -> DraftOutcome {
    match trouble {
        Trouble::Unclear(clarification) => DraftOutcome::Unclear { clarification },
        Trouble::Impossible(explanation) => impossible(explanation),
    }
}

/// The words with how to gather them right before them; in front of all where they are not said in one piece.
fn gathered(text: &str, words: &str, how: &str) -> String {
    match text.to_lowercase().find(&words.to_lowercase()).filter(|_| text.is_ascii()) {
        Some(at) => format!("{}{how} {}", &text[..at], &text[at..]),
        None => format!("{how} {text}"),
    }
}

/// A question that was answered is not put again: the answer did not help, and would not the next time.
fn once_asked(task: &Task, outcome: DraftOutcome) -> DraftOutcome {
    let DraftOutcome::Unclear { clarification } = &outcome else { return outcome };
    let Some(answer) = task.answers.iter().rev().find(|answer| answer.topic == clarification.topic) else {
        return outcome;
    };
    let text = format!(
        "“{}” did not settle it: {} Say the whole question again with that in it.",
        answer.answer, clarification.question
    );
    impossible(text)
}

fn form(
    catalogue: &Catalogue,
    task: &Task,
    definitions: &Definitions,
    place: Place<'_>,
) -> Result<QueryForm, Box<DraftOutcome>> {
    // Said first: the words of a meaning that cannot be used are unknown ones to the reader.
    let spoken: Vec<&str> =
        std::iter::once(task.problem.as_str()).chain(task.changes.iter().map(String::as_str)).collect();
    if let Some(explanation) = definitions.broken(&spoken) {
        return Err(Box::new(impossible(explanation)));
    }
    let previous = previous(task);
    // A form that is worthless by now is read again from its words, with every change so far.
    let (mut form, earlier) = match previous {
        Some(form) if is_current(&form, catalogue, definitions, task) => (form, Vec::new()),
        Some(form) => (begun(catalogue, task, definitions, place)?, form.applied),
        None => (begun(catalogue, task, definitions, place)?, Vec::new()),
    };
    parts::forget_left_out(&mut form, task);
    parts::each(&mut form, |form| form.dated.clear());
    settle_writes(&mut form, task, place.room);
    for (at, change) in earlier.iter().chain(&task.changes).enumerate() {
        form = changed(catalogue, &form, &definitions.reword(change), task, place)
            .and_then(|mut form| definitions.settle_rows(&mut form, change).map(|()| form))
            .map_err(|explanation| Box::new(impossible(definitions.unmarked(&explanation))))?;
        form.applied.push(change.clone());
        // What was said of dates in earlier versions is among the facts, as far as it still holds.
        if at < earlier.len() {
            parts::each(&mut form, |form| form.dated.clear());
        }
    }
    for answer in task.answers.iter().filter(|answer| definitions::meant_of(&answer.topic).is_none()) {
        parts::each(&mut form, |form| {
            form.answers.insert(answer.topic.clone(), answer.answer.clone());
        });
    }
    let said: Vec<String> = std::iter::once(&task.problem).chain(&form.applied).cloned().collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    if let Some(explanation) = definitions.broken(&said) {
        return Err(Box::new(impossible(explanation)));
    }
    settle::kind(&mut form, task.kind);
    parts::each(&mut form, |form| {
        definitions.settle(form, &said);
        settle::periods(form);
    });
    Ok(form)
}

/// `form` with `change`, which may speak of the last result.
fn followed(catalogue: &Catalogue, form: &QueryForm, change: &str, task: &Task) -> Result<QueryForm, String> {
    let form = refer::before_it(form);
    if let Some(made) = refine::redated(catalogue, &form, change) {
        return Ok(made);
    }
    refine::including(catalogue, &form, change)?;
    let made = match followup::follow_up(catalogue, &form, change, task)? {
        Some(FollowUp::Form(form)) => *form,
        Some(FollowUp::Rest(form, rest)) => refine::change(catalogue, &form, &rest)?,
        None => refine::change(catalogue, &form, change)?,
    };
    refine::cut_comparison(&form, &made)?;
    Ok(made)
}

/// The form of the plan that is being changed; the changes of the task are those asked for since.
/// The form of the plan that is changed.
pub fn previous(task: &Task) -> Option<QueryForm> {
    serde_json::from_str(&task.previous.as_ref()?.draft().form).ok()
}

/// The form with one change: words about files are taken out first, the rest changes the question.
fn changed(
    catalogue: &Catalogue,
    form: &QueryForm,
    change: &str,
    task: &Task,
    place: Place<'_>,
) -> Result<QueryForm, String> {
    let asked = files::asked(change);
    if asked.wishes.is_empty() {
        return match parts::changed(catalogue, form, change, task)? {
            Some(changed) => Ok(changed),
            None => followed(catalogue, form, change, task),
        };
    }
    // "Write it to other.csv instead" changes the file and nothing else.
    let rest = turnwise_core::text::words(&asked.rest);
    let about_files = rest.iter().all(|word| ABOUT_FILES.contains(&word.as_str()));
    let mut form = if about_files { form.clone() } else { followed(catalogue, form, &asked.rest, task)? };
    if rest.iter().any(|word| matches!(word.as_str(), "instead" | "rather")) {
        form.writes.clear();
    }
    add_writes(&mut form, &asked, place)?;
    Ok(form)
}

/// Words around a file that say nothing about the question.
const ABOUT_FILES: [&str; 8] = ["instead", "rather", "but", "please", "and", "then", "it", "just"];

/// Adds the files that the words name to what is written.
pub fn add_writes(form: &mut QueryForm, asked: &Asked, place: Place<'_>) -> Result<(), String> {
    for wish in &asked.wishes {
        let write = files::resolve(wish, place)?;
        if form.writes.iter().any(|other| other.path == write.path) {
            return Err(format!("“{}” is named twice: a plan writes to a file once.", write.path));
        }
        form.writes.push(write);
    }
    Ok(())
}

/// What an earlier version of the plan wrote already is not written again with a later result, unless it is asked for
/// again; and where a run was stopped in the middle of it, nobody is left to guess.
fn settle_writes(form: &mut QueryForm, task: &Task, room: &Room) {
    let Some(previous) = &task.previous else { return };
    let steps = previous.steps();
    let (mut open, mut notes) = (Vec::new(), Vec::new());
    for write in std::mem::take(&mut form.writes) {
        let step = steps
            .iter()
            .find(|step| files::is_effect(step.tool.as_str()) && step.arguments.get(steps::FILE) == Some(&write.path));
        match step.map_or(steps::Before::NotWritten, |step| steps::before(room, task, step)) {
            steps::Before::NotWritten => open.push(write),
            steps::Before::Written => {
                notes.push(format!("“{}” {HOLDS}", write.path));
            }
            steps::Before::Unknown => {
                notes.push(format!("Whether “{}” was written by the run that was stopped is not known.", write.path));
                open.push(write);
            }
        }
    }
    form.writes = open;
    form.notes.retain(|note| !note.ends_with(HOLDS));
    form.notes.extend(notes);
}

/// Data that changed its tables, or words that mean something else since, make a form worthless.
fn is_current(form: &QueryForm, catalogue: &Catalogue, definitions: &Definitions, task: &Task) -> bool {
    let said: Vec<&str> = std::iter::once(&task.problem).chain(&form.applied).map(String::as_str).collect();
    form.catalogue == catalogue.fingerprint() && form.meanings == definitions.mark(&said)
}

/// The question ranked by what was answered: behind all of it, or right behind the word that ranks, wherever it then is
/// what is ranked by and no further group.
fn ranked(catalogue: &Catalogue, text: &str, by: &str) -> String {
    let whole = text.trim_end_matches(['?', '.', '!', ' ']);
    let behind = format!("{whole} by {by}");
    let words = read::question(catalogue, text).unranked;
    let within = words.and_then(|words| {
        let at = whole.to_lowercase().find(&words.to_lowercase()).filter(|_| whole.is_ascii())? + words.len();
        Some(format!("{} in {by}{}", &whole[..at], &whole[at..]))
    });
    let ranks = |text: &String| offered::ranks_by(catalogue, &read::question(catalogue, text).form, by);
    std::iter::once(behind.clone()).chain(within).find(ranks).unwrap_or(behind)
}

/// The question with what was answered about its words.
fn with_answers(catalogue: &Catalogue, definitions: &Definitions, asked: &str, task: &Task) -> String {
    let mut text = definitions.reword(asked);
    if let Some(answer) = task.answers.iter().rev().find(|answer| answer.topic == RANKING) {
        text = ranked(catalogue, &text, &definitions.reword(&answer.answer));
    }
    for answer in &task.answers {
        if let Some(said) = answer.topic.strip_prefix(clauses::CLAUSE) {
            text = clauses::settled(&text, said, &answer.answer);
        }
        if let Some(words) = answer.topic.strip_prefix(read::SINCE) {
            text = text.replacen(words, &format!("{words} {}", answer.answer), 1);
        }
        if let Some(verb) = answer.topic.strip_prefix(read::DEED) {
            text = text.replacen(verb, &answer.answer, 1);
        }
        if let Some(words) = answer.topic.strip_prefix(NAME_OF) {
            text = text.replacen(words, &format!("\"{}\"", answer.answer), 1);
        }
        if let Some(words) = answer.topic.strip_prefix(GATHERING) {
            text = gathered(&text, words, &answer.answer);
        }
    }
    text
}

/// The form of the question, with what was defined in its place.
fn begun(
    catalogue: &Catalogue,
    task: &Task,
    definitions: &Definitions,
    place: Place<'_>,
) -> Result<QueryForm, Box<DraftOutcome>> {
    let mut form =
        first(catalogue, task, definitions, place).map_err(|outcome| Box::new(unmarked(definitions, *outcome)))?;
    let said = task.problem.split(steps::CHANGED).next().unwrap_or_default();
    definitions.settle_rows(&mut form, said).map_err(|explanation| Box::new(impossible(explanation)))?;
    Ok(form)
}

/// What is told to people, without what only the reader knows.
fn unmarked(definitions: &Definitions, outcome: DraftOutcome) -> DraftOutcome {
    match outcome {
        DraftOutcome::Unclear { clarification } => {
            let question = definitions.unmarked(&clarification.question);
            DraftOutcome::Unclear { clarification: Clarification { question, ..clarification } }
        }
        DraftOutcome::Impossible { explanation, suggestions } => {
            DraftOutcome::Impossible { explanation: definitions.unmarked(&explanation), suggestions }
        }
        other @ (DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. }) => other,
    }
}

/// Nothing, where one thing is asked for; else the requests there are, or what is to be asked about them.
fn one_request(found: Option<clauses::Requests>) -> Result<(), Box<DraftOutcome>> {
    match found {
        Some(clauses::Requests::Several(parts)) => Err(Box::new(DraftOutcome::Several { parts })),
        Some(clauses::Requests::Open(clarification)) => Err(Box::new(DraftOutcome::Unclear { clarification })),
        None => Ok(()),
    }
}

fn first(
    catalogue: &Catalogue,
    task: &Task,
    definitions: &Definitions,
    place: Place<'_>,
) -> Result<QueryForm, Box<DraftOutcome>> {
    // The changes behind the arrow are made one by one, not read as a part of the question.
    let first = task.problem.split(steps::CHANGED).next().unwrap_or_default();
    let asked = files::asked(first);
    if asked.rest.is_empty() && !asked.wishes.is_empty() {
        let explanation =
            "There is no result yet that could be written. Ask for one together with the file.".to_owned();
        return Err(Box::new(impossible(explanation)));
    }
    let explains = followup::asks_why(&asked.rest);
    // A change is one request, whatever it says; so is what was planned before.
    if !explains && task.previous.is_none() {
        let found = (clauses::Asked { catalogue, definitions, task }).requests(first);
        one_request(found)?;
    }
    let text = with_answers(catalogue, definitions, &asked.rest, task);
    let apart = if explains { None } else { clauses::apart(catalogue, &text, task) };
    let joined = match apart {
        Some(Err(clarification)) => return Err(Box::new(DraftOutcome::Unclear { clarification: *clarification })),
        Some(Ok(read)) => Some(read),
        None if explains => None,
        None => clauses::joined(catalogue, &text, task),
    };
    let named = read::names_in(catalogue, &text);
    let words = turnwise_core::text::words(&text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if joined.is_none() && lean::speaks_back(&words, &named) {
        return Err(Box::new(impossible(SPEAKS_BACK.to_owned())));
    }
    let parted = joined.is_none() && !explains;
    let mut read = match joined {
        Some(joined) => joined,
        None if explains => read::read(catalogue, &followup::changed_what(&text)),
        None => read::question(catalogue, &text),
    };
    if read.manner.remove {
        return Err(Box::new(impossible(ONLY_READ.to_owned())));
    }
    check(catalogue, &read)?;
    read::listed_by_flag(catalogue, &mut read);
    if is_empty(&read.form) {
        let explanation = "There is nothing in this that names the data: no table, column or value.".to_owned();
        return Err(Box::new(impossible(explanation)));
    }
    let mut form = read.form;
    if let Some(clarification) = clauses::lost(catalogue, &text, &form, task).filter(|_| parted) {
        return Err(Box::new(DraftOutcome::Unclear { clarification }));
    }
    refer::show_places(catalogue, &words, &mut form).map_err(|explanation| Box::new(impossible(explanation)))?;
    if explains {
        form = followup::why(catalogue, &form, &text).map_err(|explanation| Box::new(impossible(explanation)))?;
    }
    add_writes(&mut form, &asked, place).map_err(|explanation| Box::new(impossible(explanation)))?;
    Ok(form)
}

/// Whether a form asks for nothing.
pub fn is_empty(form: &QueryForm) -> bool {
    form.measures.is_empty() && form.dimensions.is_empty() && form.subject.is_none()
}

/// Whether a reading is whole; else what to ask or say.
pub fn check(catalogue: &Catalogue, read: &Read) -> Result<(), Box<DraftOutcome>> {
    if let Some((words, names)) = &read.several {
        let question = match names.as_slice() {
            [only] => format!("No name is just “{words}”; one begins so, “{only}”. Is it meant?"),
            _ => format!("Several names begin with “{words}”. Which do you mean?"),
        };
        return Err(Box::new(unclear(&format!("{NAME_OF}{words}"), question, names.clone())));
    }
    if let Some(open) = &read.open {
        return Err(Box::new(unclear(&open.topic, open.question.clone(), open.choices.clone())));
    }
    if let Some(explanation) = not_understood(read) {
        return Err(Box::new(impossible(explanation)));
    }
    if read.of_them {
        let text = "“Of them” speaks of an earlier result, and which rows those were is not known here: say the question \
                    with its tests, as in “how many orders in 2024 are paid”.";
        return Err(Box::new(impossible(text.to_owned())));
    }
    if let Some(words) = &read.unranked {
        let question = format!("“{words}” by what?");
        let mut choices = overview::measures(catalogue, &read.form);
        // What a word says of a property, as "cheapest" does of a price, is not told by how many rows there are.
        let of_property = matches!(lexicon().signal(&words.to_lowercase()), Some(Signal::Superlative(..)));
        if choices.is_empty() && !of_property {
            choices = overview::measures_of_rows(catalogue, &read.form);
        }
        return Err(Box::new(unclear(RANKING, question, choices)));
    }
    if let Some(words) = &read.ungathered {
        let question = format!("What is wanted of “{words}”: its total, its average, or an extreme?");
        let choices = ["total", "average", "highest", "lowest", "median"].map(str::to_owned).to_vec();
        return Err(Box::new(unclear(&format!("{GATHERING}{words}"), question, choices)));
    }
    Ok(())
}

/// What an outcome that is no plan says to people.
pub fn told(outcome: DraftOutcome) -> String {
    match outcome {
        DraftOutcome::Impossible { explanation, .. } => explanation,
        DraftOutcome::Unclear { clarification } => {
            format!("{} Say the whole question with that in it.", clarification.question)
        }
        DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => String::new(),
    }
}

/// Why a reading cannot be relied on.
pub fn not_understood(read: &Read) -> Option<String> {
    if !read.unknown.is_empty() {
        let words: Vec<String> = read.unknown.iter().map(|word| format!("“{word}”")).collect();
        let verb = if words.len() == 1 { "does" } else { "do" };
        let list = words.join(", ");
        return Some(format!(
            "{list} {verb} not stand for anything in this data, and leaving it out could change the answer, so nothing was planned."
        ));
    }
    read.open.as_ref().map(|open| open.question.clone()).or_else(|| read.doubt.clone())
}

fn unclear(topic: &str, question: String, choices: Vec<String>) -> DraftOutcome {
    let choices = choices.into_iter().map(|choice| Choice::new(choice.clone(), choice)).collect();
    DraftOutcome::Unclear {
        clarification: Clarification { topic: topic.to_owned(), question, choices, assumption: None, of: 0 },
    }
}

/// What could be asked instead is found where it is known that nothing else helps: see `asked`.
fn impossible(explanation: String) -> DraftOutcome {
    DraftOutcome::Impossible { explanation, suggestions: Vec::new() }
}
