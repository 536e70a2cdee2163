//! No content word disappears. A plan that is ready is held against the words it was asked with: each is used, or named
//! on the plan as not used, or the plan is not offered. First the plan is asked whether it says the word back
//! (`attribution`); only where it does not, the message is planned again without the word, and once more with a word
//! that nobody knows in its place. Where one of those makes the same plan, the word did nothing. Next: `content` for
//! which words count, `misread` for words that were put to the wrong use, `answered` for plans that answer another
//! question, `bounds` for tests that nothing passes.

mod amounts;
mod answered;
mod attribution;
mod bounds;
mod content;
mod misread;
mod parts;

use turnwise_core::{Clarification, PlanDraft, Task};

use super::catalogue::Catalogue;
use super::clauses;
use super::dating::Look;
use super::files;
use super::form::QueryForm;
use super::lexicon::{Role, lexicon};
use super::period::NO_DATA;
use super::steps::CHANGED;
use attribution::Attribution;
use content::Token;

pub use parts::{Unaccounted, asks_several, content_words, unaccounted};

/// How a note about words that are not used begins.
const NOT_USED: &str = "Not used: ";
/// Words of one message that are tried: each costs planning twice, and a person waits.
const TRIED_MAX: usize = 24;

/// What became of the words of a task.
pub enum Coverage {
    /// Each is used.
    Whole,
    /// What is said of those that are not.
    Noted(Vec<String>),
    /// What has to be asked first.
    Open(Clarification),
    /// The plan would answer something else: why.
    Lost(String),
}

/// A plan with what it was made from.
pub struct Asked<'a> {
    /// What the data has.
    pub catalogue: &'a Catalogue,
    /// The task.
    pub task: &'a Task,
    /// The question as understood.
    pub form: &'a QueryForm,
    /// The plan of the task.
    pub plan: &'a PlanDraft,
    /// Looks at the data, for what a test can be passed by.
    pub look: Look<'a>,
    /// Plans another task.
    pub planned: &'a dyn Fn(&Task) -> Option<PlanDraft>,
}

/// Whether an assumption of a plan says that a word is not used: then every fact of the plan says so as well.
pub fn is_note(assumption: &str) -> bool {
    assumption.starts_with(NOT_USED)
}

/// Why a test of a form that somebody else read says nothing.
pub fn says_nothing(catalogue: &Catalogue, form: &QueryForm, look: Look<'_>) -> Option<String> {
    bounds::explained(catalogue, form, look)
}

/// Why a plan that was put together from what words may mean answers another question than its message asks.
pub fn answers_otherwise(catalogue: &Catalogue, form: &QueryForm, plan: &PlanDraft, message: &str) -> Option<String> {
    answered::explained(catalogue, form, plan, &content::tokens(catalogue, message))
}

/// Whether a message asks what is done, and not for what there is: "what did we invoice in March".
pub fn asks_what_is_done(catalogue: &Catalogue, message: &str) -> bool {
    answered::asks_what_is_done(&content::tokens(catalogue, message))
}

/// The note about words that a plan read by somebody else does not use.
pub fn not_used(words: &[String]) -> Option<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    (!quoted.is_empty()).then(|| format!("{NOT_USED}{}.", quoted.join(", ")))
}

/// Where words of a task stand.
#[derive(Clone, Copy)]
enum Place {
    Question,
    Change(usize),
}

impl Asked<'_> {
    /// What became of the words.
    pub fn coverage(&self) -> Coverage {
        if let Some(explanation) = misread::explained(self) {
            return Coverage::Lost(explanation);
        }
        if let Some(explanation) = self.unanswered() {
            return Coverage::Lost(explanation);
        }
        if let Some(clarification) = misread::open(self) {
            return Coverage::Open(clarification);
        }
        let mut notes = misread::notes(self);
        for place in self.places() {
            match self.of(place) {
                Coverage::Whole => {}
                Coverage::Noted(own) => notes.extend(own),
                other @ (Coverage::Open(_) | Coverage::Lost(_)) => return other,
            }
        }
        if notes.is_empty() { Coverage::Whole } else { Coverage::Noted(notes) }
    }

    /// Why the plan is none of what the message asks for; a change was looked at when it was made.
    fn unanswered(&self) -> Option<String> {
        self.task.previous.is_none().then_some(())?;
        let tokens = content::tokens(self.catalogue, self.text(Place::Question));
        let mut forms = std::iter::once(self.form).chain(&self.form.beside);
        answered::explained(self.catalogue, self.form, self.plan, &tokens)
            .or_else(|| forms.find_map(|form| bounds::explained(self.catalogue, form, self.look)))
    }

    /// The texts that are new: a question was looked at when it was first planned.
    fn places(&self) -> Vec<Place> {
        let changes = (0..self.task.changes.len()).map(Place::Change);
        let question = self.task.previous.is_none().then_some(Place::Question);
        question.into_iter().chain(changes).collect()
    }

    fn text(&self, place: Place) -> &str {
        match place {
            Place::Question => self.task.problem.split(CHANGED).next().unwrap_or_default(),
            Place::Change(at) => self.task.changes.get(at).map_or("", String::as_str),
        }
    }

    /// What the steps do where `text` stands in that place; nothing where there is no plan.
    fn does(&self, place: Place, text: String) -> Option<Vec<String>> {
        let mut task = self.task.clone();
        match place {
            Place::Question => task.problem = text,
            Place::Change(at) => *task.changes.get_mut(at)? = text,
        }
        (self.planned)(&task).as_ref().map(clauses::done_by)
    }

    fn of(&self, place: Place) -> Coverage {
        let said = files::asked(self.text(place));
        let text = said.rest.as_str();
        let own = match said.wishes.is_empty() {
            true => Some(clauses::done_by(self.plan)),
            // What is written where is its own clause and was put to use as such.
            false => self.does(place, text.to_owned()),
        };
        let Some(own) = own else { return Coverage::Whole };
        let mut tokens = content::tokens(self.catalogue, text);
        let changes = matches!(place, Place::Change(_));
        // “No, by month” turns down what was shown; it denies nothing of what follows.
        let denies = |token: &Token| matches!(token.role(), Some(Role::Not | Role::Without));
        if let Some(first) = tokens.first_mut().filter(|first| changes && first.pause && denies(first)) {
            first.content = false;
        }
        let attribution = Attribution::of(self.catalogue, self.form, self.plan, changes);
        let mut used = attribution.said(&tokens);
        // Rows that hold now were told apart, and the plan says by what.
        let holds_now = self.plan.assumptions.iter().any(|assumed| assumed.contains("current"));
        used.iter_mut().zip(&tokens).for_each(|(used, token)| *used |= holds_now && token.says_now());
        let open = |used: &[bool]| -> Vec<usize> {
            let open = |at: &usize| tokens[*at].content && !used[*at] && !attribution.goes_with(&tokens, used, *at);
            (0..tokens.len()).filter(open).collect()
        };
        let does_nothing = |token: &Token| {
            let same = |text: String| self.does(place, text).is_some_and(|other| other == own);
            same(content::without(text, token))
                || same(content::unknown_instead(text, token))
                || content::without_phrase(text, &tokens, token).is_some_and(same)
        };
        for at in open(&used).into_iter().take(TRIED_MAX) {
            used[at] = !does_nothing(&tokens[at]);
        }
        let open = open(&used);
        if let Some(lost) = lost(text, &tokens, &used, &open) {
            return Coverage::Lost(lost);
        }
        let unused: Vec<&Token> = open.into_iter().take(TRIED_MAX).map(|at| &tokens[at]).collect();
        match unused.as_slice() {
            [] => Coverage::Whole,
            unused => {
                if let Some(lost) = self.means_more(place, text, &tokens, unused) {
                    return Coverage::Lost(lost);
                }
                let words: Vec<String> = unused.iter().map(|token| format!("“{}”", token.raw(text))).collect();
                Coverage::Noted(vec![format!("{NOT_USED}{}. The plan is the same without.", words.join(", "))])
            }
        }
    }
}

impl Asked<'_> {
    /// Why words that are not used must mean something here: nothing is dated so, or what rows do is asked for and not
    /// the rows.
    fn means_more(&self, place: Place, text: &str, tokens: &[Token], unused: &[&Token]) -> Option<String> {
        matches!(place, Place::Question).then_some(())?;
        let word = unused.first()?.raw(text);
        // A date that somebody chose is the one that is meant.
        let is_chosen = !self.task.answers.is_empty();
        let empty = self.plan.assumptions.iter().find(|assumed| assumed.starts_with(NO_DATA) && !is_chosen);
        if let Some(nothing) = empty {
            return Some(format!(
                "“{word}” could not be put to use here, and it may say which date is meant. {nothing} Name what was dated, or \
                 the date."
            ));
        }
        let lists = self.form.measures.is_empty() && self.form.subject.is_some() && self.form.ranking.is_none();
        (lists && answered::asks_what_is_done(tokens)).then(|| {
            format!(
                "“{word}” says what is asked of them and could not be put to use here, so they would only be listed: name \
                 the number that is wanted, as in “total …” or “number of …”."
            )
        })
    }
}

/// Whether an unused word says at the end which rows are meant: "which films are *sold* out". A verb that only links
/// says nothing by itself.
fn is_predicate(tokens: &[Token], used: &[bool], at: usize) -> bool {
    let token = &tokens[at];
    let before = tokens[..at].iter().rev().find(|token| !token.telling);
    let verb = lexicon().is_linking(&token.folded) || token.span.as_ref().is_some_and(|span| span.verb);
    let says = |(token, used): (&Token, &bool)| *used && token.content && !token.telling;
    before.is_some_and(|before| super::asked::is_be(&before.folded))
        && !token.is_tolerated()
        && !verb
        && !tokens[at + 1..].iter().zip(&used[at + 1..]).any(says)
}

/// Why a plan that leaves out the words at `open` would answer another question.
fn lost(text: &str, tokens: &[Token], used: &[bool], open: &[usize]) -> Option<String> {
    let unused: Vec<&Token> = open.iter().take(TRIED_MAX).map(|at| &tokens[*at]).collect();
    if let Some(lost) = unused.iter().find(|token| matches!(token.role(), Some(Role::Not | Role::Without))) {
        return Some(format!(
            "“{}” could not be put to use here, and without it the answer would be another one: say it in another way, \
             as in “customers without orders” or “orders that are not paid”.",
            lost.raw(text)
        ));
    }
    if let Some(lost) = answered::half_asked(tokens, &unused) {
        return Some(format!(
            "“{}” could not be put to use here, and without it the answer would be another one: ask for that by \
             itself, or say it in another way.",
            lost.raw(text)
        ));
    }
    let at = open.iter().find(|at| is_predicate(tokens, used, **at))?;
    Some(format!(
        "“{}” says which rows are meant and could not be put to use here: say by what of the data they are told, as in \
         “films whose stock is 0”.",
        tokens[*at].raw(text)
    ))
}
