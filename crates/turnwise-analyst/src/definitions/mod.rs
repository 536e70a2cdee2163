//! What the person said words mean: "by revenue I mean order total without tax", "treat EU as Germany and France". Such
//! a statement is a fact of the conversation; here it is understood against the data, and every plan that uses it says
//! so. What is superseded is not among the facts any more and so can never be used again. Next: `said` for the
//! sentence, `understand` for what it comes to in this data.

mod answered;
mod formula;
mod rows;
mod said;
mod text;
mod understand;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnwise_core::{
    Answer, AnswerOutcome, Choice, Clarification, Fact, FactKind, FactName, FactValue, MessageId, NewFact,
    Presentation, Question, SourceKind, Standing, Task,
};

use super::catalogue::{Amount, Catalogue, MeasureSource};
use super::dating::{self, DateFact};
use super::form::{ColumnId, QueryForm};
use super::lexicon::lexicon;
use super::words;
use rows::Rows;
use understand::{Meaning, Misunderstood};

pub use answered::{linked, meant_of, misunderstood, taught, topic};
pub use rows::{Mark, mark};

/// What names of meanings begin with.
const NAME: &str = "meaning_of_";
/// Meanings offered when a statement was not understood.
const OFFERED_MAX: usize = 5;

/// A number of a row that a word was defined as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Defined {
    /// A column.
    Column(ColumnId),
    /// A column less others of its table.
    Difference { of: ColumnId, less: Vec<ColumnId> },
    /// Price times quantity.
    Product { price: ColumnId, quantity: ColumnId },
}

/// A definition that a form makes use of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// The fact that holds it.
    pub fact: FactName,
    /// What it says, with where it was said: an assumption of the plan.
    pub sentence: String,
    /// The stems under which the number is mentioned in the form.
    pub keys: Vec<Vec<String>>,
    /// The number; none where words were put in the place of words.
    pub amount: Option<Defined>,
    /// Whether it was said in the question itself: then no fact holds it.
    #[serde(default)]
    pub here: bool,
}

/// A definition, understood.
#[derive(Clone, Debug)]
struct Definition {
    fact: FactName,
    term: Vec<String>,
    /// The term and its meaning as the person wrote them.
    spoken: String,
    means: String,
    said: String,
    meaning: Result<Meaning, Misunderstood>,
    /// In the question: the brackets that say it.
    brackets: Option<String>,
    /// Whether it was linked to what is nearest in meaning: nobody said it, and no fact holds it.
    is_linked: bool,
}

/// The definitions that hold in a conversation.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    all: Vec<Definition>,
    /// The dates that rows are dated by.
    dates: Vec<DateFact>,
}

impl Definitions {
    /// Those among `facts`, understood against the data as it is now.
    pub fn of(catalogue: &Catalogue, facts: &[Arc<Fact>]) -> Self {
        let (mut all, mut dates): (Vec<Definition>, Vec<DateFact>) = (Vec::new(), Vec::new());
        for fact in facts {
            let (Some(term), FactValue::Text(means)) = (&fact.body.standing.about, &fact.body.value) else { continue };
            let said = where_said(fact.said_in).replacen("said so", "said", 1);
            if let Some(date) = DateFact::of(catalogue, term, means, said) {
                dates.push(date);
                continue;
            }
            all.push(Definition {
                fact: fact.name().clone(),
                term: text::stems(term),
                spoken: term.clone(),
                means: means.clone(),
                said: where_said(fact.said_in),
                meaning: understand::understand(catalogue, term, means),
                brackets: None,
                is_linked: false,
            });
        }
        Self { dates, ..Self::longest_first(all) }
    }

    /// Those of a task: what is held, and what its questions were answered with.
    pub fn of_task(catalogue: &Catalogue, task: &Task) -> Self {
        let Self { mut all, dates } = Self::of(catalogue, &task.facts);
        for answered in answered::of(&task.answers) {
            let term = text::stems(&answered.term);
            all.retain(|definition| definition.term != term);
            let meaning = match answered.is_linked {
                true => Ok(Meaning::linked(catalogue, &answered.term, &answered.means)),
                false => understand::understand(catalogue, &answered.term, &answered.means),
            };
            all.push(Definition {
                fact: name(&term),
                meaning,
                said: where_said(answered.said_in),
                spoken: answered.term,
                means: answered.means,
                term,
                brackets: None,
                is_linked: answered.is_linked,
            });
        }
        let question = task.problem.split(super::steps::CHANGED).next().unwrap_or_default();
        if let Some(said) = formula::of(catalogue, question) {
            let term = text::stems(&said.term);
            all.retain(|definition| definition.term != term);
            all.push(Definition {
                fact: name(&term),
                meaning: Ok(said.meaning),
                said: "so it stands in the question".to_owned(),
                spoken: said.term,
                means: said.means,
                term,
                brackets: Some(said.brackets),
                is_linked: false,
            });
        }
        Self { dates, ..Self::longest_first(all) }
    }

    /// "gross revenue" is found before "revenue" in it.
    fn longest_first(mut all: Vec<Definition>) -> Self {
        all.sort_by(|one, other| other.term.len().cmp(&one.term.len()).then_with(|| one.term.cmp(&other.term)));
        Self { all, dates: Vec::new() }
    }

    /// What the words of `said` mean. It changes when that does: what was read under other definitions has to be read
    /// again.
    pub fn mark(&self, said: &[&str]) -> String {
        let is_said = |definition: &&Definition| said.iter().any(|said| text::contains(said, &definition.term));
        let marks = self.all.iter().filter(is_said);
        marks.map(|definition| format!("{}={};", definition.spoken, definition.means)).collect()
    }

    /// `said` with words in the place of words that were defined by them, and marks in the place of those that stand
    /// for rows: what is read of it has to be settled.
    pub fn reword(&self, said: &str) -> String {
        self.put(said, |one, meaning, around| meaning.marked(&one.spoken, around))
    }

    /// `said` with words in the place of all words that were defined.
    pub fn spelt_out(&self, said: &str) -> String {
        self.put(said, |_, _, _| None)
    }

    fn put(&self, said: &str, first: impl Fn(&Definition, &Meaning, &text::Around<'_>) -> Option<String>) -> String {
        let brackets = self.all.iter().filter_map(|definition| definition.brackets.as_ref());
        let mut reworded = brackets.fold(said.to_owned(), |said, brackets| said.replace(brackets, ""));
        for definition in &self.all {
            if let Ok(meaning @ Meaning { instead: Some(instead), .. }) = &definition.meaning {
                let put = |around: &text::Around<'_>| {
                    first(definition, meaning, around)
                        .or_else(|| meaning.put(around))
                        .unwrap_or_else(|| instead.clone())
                };
                reworded = text::replace_with(&reworded, &definition.term, put);
            }
        }
        reworded
    }

    /// The words that stand for rows, with those.
    fn rows(&self) -> impl Iterator<Item = (&Definition, &Rows)> {
        self.all.iter().filter_map(|one| Some((one, one.meaning.as_ref().ok()?.rows.as_ref()?)))
    }

    /// Makes tests of the marks that were read into `form` from `said`.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn settle_rows(&self, form: &mut QueryForm, said: &str) -> Result<(), String> {
        for (definition, rows) in self.rows().filter(|(one, _)| text::contains(said, &one.term)) {
            if rows.settle(form) != Ok(true) {
                return Err(format!(
                    "“{}” stands for rows that pass a test ({}), and it could not be read here as which rows are \
                     meant: ask about them alone, as in “number of {}”.",
                    definition.spoken, definition.means, definition.spoken
                ));
            }
        }
        Ok(())
    }

    /// What is told to people, without marks.
    pub fn unmarked(&self, told: &str) -> String {
        let amounts = self.all.iter().filter_map(|one| Some((one, one.meaning.as_ref().ok()?.carrier?)));
        let told = amounts
            .fold(told.to_owned(), |told, (one, column)| told.replace(&rows::amount(column, &one.spoken), &one.spoken));
        self.rows().fold(told, |told, (one, rows)| rows.plain(&told, &one.spoken))
    }

    /// Why one that is spoken of in `said` cannot be used any more.
    pub fn broken(&self, said: &[&str]) -> Option<String> {
        let is_said = |definition: &&Definition| said.iter().any(|said| text::contains(said, &definition.term));
        self.all.iter().filter(is_said).find_map(|definition| match &definition.meaning {
            Ok(_) => None,
            Err(why) => Some(format!(
                "“{}” was said to mean “{}”: {} ({}). Say what it means in this data, or forget it with /facts forget {}.",
                definition.spoken, definition.means, why.explanation, definition.said, definition.fact
            )),
        })
    }

    /// The dates that rows are dated by.
    pub fn dates(&self) -> &[DateFact] {
        &self.dates
    }

    /// Notes in `form` which of them it uses; `said` are the words it was made from.
    pub fn settle(&self, form: &mut QueryForm, said: &[&str]) {
        form.meanings = self.mark(said);
        let is_said = |definition: &&Definition| said.iter().any(|said| text::contains(said, &definition.term));
        form.stated = self.all.iter().filter(is_said).filter_map(stated).collect();
    }
}

fn where_said(message: Option<MessageId>) -> String {
    match message {
        Some(message) => format!("you said so on message {}", message.number()),
        None => "you said so".to_owned(),
    }
}

fn stated(definition: &Definition) -> Option<Stated> {
    let meaning = definition.meaning.as_ref().ok()?;
    let keys = vec![definition.term.clone()];
    Some(Stated {
        fact: definition.fact.clone(),
        sentence: match definition.is_linked {
            true => format!("{}: {}, which is nearest in meaning here.", definition.spoken, definition.means),
            false => format!("{} ({}).", meaning.sentence, definition.said),
        },
        keys,
        amount: meaning.amount.clone(),
        here: definition.brackets.is_some() || definition.is_linked,
    })
}

/// What a plan or step takes for granted: the definitions first. What a defined word is, they say better.
pub fn told(stated: &[Stated], assumptions: &[String]) -> Vec<String> {
    let is_defined = |sentence: &&String| {
        let word = sentence.strip_prefix('“').and_then(|rest| rest.split_once("” is "));
        word.is_some_and(|(word, _)| stated.iter().any(|stated| stated.keys.contains(&text::stems(word))))
    };
    let is_stated = |sentence: &String| stated.iter().any(|stated| stated.sentence == *sentence);
    let own = assumptions.iter().filter(|sentence| !is_defined(sentence) && !is_stated(sentence));
    stated.iter().map(|stated| &stated.sentence).chain(own).cloned().collect()
}

impl QueryForm {
    /// The number that the mention `words` was defined as.
    pub fn defined(&self, catalogue: &Catalogue, words: &str) -> Option<MeasureSource> {
        let stems = text::stems(words);
        let stated = self.stated.iter().find(|stated| stated.amount.is_some() && stated.keys.contains(&stems))?;
        Some(stated.amount.as_ref()?.source(catalogue))
    }
}

impl Stated {
    /// A number that a question makes of columns, by the words it is mentioned by.
    pub fn of_question(catalogue: &Catalogue, words: &str, amount: Defined) -> Self {
        let sentence = format!("“{words}” is {}.", amount.label(catalogue));
        let keys = vec![text::stems(words)];
        Self { fact: FactName::new("calculation"), sentence, keys, amount: Some(amount), here: true }
    }
}

impl Defined {
    /// As the planner gathers it.
    pub fn source(&self, catalogue: &Catalogue) -> MeasureSource {
        let (table, amount) = match self {
            Self::Column(column) => (column.table, Amount::Column(*column)),
            Self::Difference { of, less } => (of.table, Amount::Difference { of: *of, less: less.clone() }),
            Self::Product { price, quantity } => {
                let (price, quantity) = (*price, *quantity);
                (quantity.table, Amount::Product { price, price_via: None, quantity, discount: None })
            }
        };
        MeasureSource { table, amount, score: 100, label: self.label(catalogue) }
    }

    /// For people: `orders.total − orders.tax`.
    fn label(&self, catalogue: &Catalogue) -> String {
        match self {
            Self::Column(column) => catalogue.column_label(*column),
            Self::Difference { of, less } => {
                let less = less.iter().map(|column| format!(" − {}", catalogue.column_label(*column)));
                catalogue.column_label(*of) + &less.collect::<String>()
            }
            Self::Product { price, quantity } => {
                format!("{} × {}", catalogue.column_label(*price), catalogue.column_label(*quantity))
            }
        }
    }
}

/// "What does revenue mean?", answered by what the person said.
pub fn meaning(catalogue: &Catalogue, question: &Question) -> Option<AnswerOutcome> {
    let asks =
        text::stems(&question.text).iter().any(|stem| matches!(stem.as_str(), "mean" | "definition" | "defined"));
    let definitions = Definitions::of(catalogue, &question.facts);
    let mut asked = definitions.all.iter().filter(|one| asks && text::contains(&question.text, &one.term));
    let definition = asked.find_map(stated)?;
    let answer = Answer { text: definition.sentence, table: None, presentation: Presentation::Value };
    Some(AnswerOutcome::Known { answer })
}

/// The question with the words that were defined put in the place of their terms.
pub fn reworded(catalogue: &Catalogue, question: &Question) -> Question {
    let text = Definitions::of(catalogue, &question.facts).spelt_out(&question.text);
    Question { text, ..question.clone() }
}

/// Understands a statement of what a word means.
pub fn learn(catalogue: &Catalogue, question: &Question) -> AnswerOutcome {
    let statement = question.text.as_str();
    let Some(said) = said::parse(statement) else {
        let explanation = "That seems to say what a word means, but not clearly which word or what. Say it like “by \
                           revenue I mean gross revenue”, or “treat EU as Germany and France”."
            .to_owned();
        return AnswerOutcome::Unknown { explanation };
    };
    if let Some(date) = dating::statement(catalogue, &said.term, &said.means) {
        let replan = question.plan.as_ref().is_some_and(|plan| dating::concerns(catalogue, plan, date));
        let text =
            format!("From now on: {} are dated by {}.", catalogue.plural(date.table), catalogue.column(date).name);
        return AnswerOutcome::Learned { statement: Box::new(dating::fact(catalogue, date)), text, replan };
    }
    match understand::understand(catalogue, &said.term, &said.means) {
        Ok(meaning) if is_lasting_test(&said, &meaning) => {
            let explanation = format!(
                "“{}” is a condition, and conditions are not kept from one question to the next: nothing was changed. \
                 Say it with each question, as in “revenue by region, only {}”.",
                said.means, said.means
            );
            AnswerOutcome::Unknown { explanation }
        }
        Ok(meaning) => {
            let text = format!("From now on: {}.", meaning.sentence);
            AnswerOutcome::Learned { statement: Box::new(fact(&said)), text, replan: false }
        }
        // Asked to be remembered, it is: what uses the word then says what it was said to mean, and what is missing.
        Err(why) if said::is_to_be_kept(statement) && why.choices.is_empty() => {
            let text = format!(
                "Noted: {} means {}. {}, so a question that uses it is not planned until that is said in words of the \
                 data.",
                said.term, said.means, why.explanation
            );
            let mut statement = fact(&said);
            statement.standing.kind = FactKind::Note;
            AnswerOutcome::Learned { statement: Box::new(statement), text, replan: false }
        }
        Err(why) => AnswerOutcome::Unclear { clarification: ask(catalogue, &said, why) },
    }
}

/// "Use only 2024 from now on": it gives no word a meaning, but wants a test of all that is asked later.
fn is_lasting_test(said: &said::Said, meaning: &Meaning) -> bool {
    let (term, means) = (text::stems(&said.term), text::stems(&said.means));
    said.is_choice && meaning.amount.is_none() && (term == means || !meaning.names)
}

fn name(term: &[String]) -> FactName {
    FactName::new(format!("{NAME}{}", term.join("_")))
}

fn fact(said: &said::Said) -> NewFact {
    let name = name(&text::stems(&said.term));
    let kind = if said.is_choice { FactKind::Decision } else { FactKind::Constraint };
    NewFact {
        standing: Standing { kind, about: Some(said.term.clone()), ..Standing::default() },
        ..NewFact::new(name, FactValue::Text(said.means.clone()), SourceKind::Person)
    }
}

/// Says what was not understood and offers what the word could mean.
fn ask(catalogue: &Catalogue, said: &said::Said, why: Misunderstood) -> Clarification {
    let offered = if why.choices.is_empty() { likely(catalogue, &said.term) } else { why.choices };
    let choice = |label: String| {
        Choice::new(
            format!("by {} I mean {}", said.term, label.replace('.', " ")),
            format!("“{}” means {label}", said.term),
        )
    };
    let choices: Vec<Choice> = offered.into_iter().take(OFFERED_MAX).map(choice).collect();
    let ask = if choices.is_empty() {
        "Name a column, a value or a table of the data."
    } else {
        "Which of these is meant? Or say it in other words."
    };
    Clarification {
        topic: said.term.clone(),
        question: format!("{}, so nothing was learned. {ask}", why.explanation),
        choices,
        assumption: None,
        of: 0,
    }
}

/// The columns the word is most likely to mean.
fn likely(catalogue: &Catalogue, term: &str) -> Vec<String> {
    let stems = words::split_name(term).join(" ");
    let Some(concept) = lexicon().concept(&stems) else { return Vec::new() };
    let columns = catalogue.measures(concept).iter().filter_map(|source| match &source.amount {
        Amount::Column(column) => Some(catalogue.column_label(*column)),
        Amount::Product { .. } | Amount::Difference { .. } => None,
    });
    columns.collect()
}

#[cfg(test)]
mod tests;
