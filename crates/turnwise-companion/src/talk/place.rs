//! Where a message is said: by whom, in which conversation, about which project. All that is read or changed goes
//! through one of these, so nothing is done without a person in whose name it is. Next: `draft`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, ConversationId, PersonId, text};
use turnwise_intent::behaviour::companion::{
    GENERAL, asks_to_begin, begun_plainly, change_ordered, correction, takes_it_back, wishes,
};

use super::begin::UNNAMED;
use super::reader::{CREATE_PROJECT, CompanionReader, KNOWLEDGE};
use crate::store::{Counts, Focus, Project, ProjectId, ProjectState, Store, StoreError};
use crate::voice::VOICE;

/// Where something is said.
pub(super) struct Place<'a> {
    pub(super) store: &'a Store,
    pub(super) conversation: &'a ConversationId,
    pub(super) person: PersonId,
    pub(super) now_ms: i64,
    /// What reads what is said, where several requests in one message are read one by one.
    pub(super) reader: Option<&'a CompanionReader>,
    /// Whether the person sits at this machine and writes where they say.
    pub(super) is_here: bool,
}

/// The project a message is about.
pub(super) enum About {
    /// This one.
    Project(Project),
    /// It could be any of these.
    Unclear(Vec<Project>),
    /// The person has none.
    Nothing,
}

/// What is asked under this topic.
pub(super) const WHICH_PROJECT: &str = "project";

impl Place<'_> {
    pub(super) fn focus(&self) -> Result<Focus, StoreError> {
        self.store.focus(self.conversation, &self.person)
    }

    /// What a message read as `intent` comes to for this person. Who has no project and wishes for something begins
    /// one; of who has one, what is needed or planned is told, unless it says in plain words that another begins.
    pub(super) fn meant<'a>(&self, said: &str, intent: &'a str) -> Result<&'a str, StoreError> {
        if let Some(corrects) = self.corrects_or_takes_back(said, intent)? {
            return Ok(corrects);
        }
        let asks_for_nothing = [GENERAL.label, "ask_about_past_input", "ask_about_progress"].contains(&intent);
        if asks_for_nothing && wishes(said) && self.store.projects(&self.person)?.is_empty() {
            return Ok(CREATE_PROJECT);
        }
        // “Change the budget to 500 euros” is about what was told, and no document.
        let changes = || ["request_revision", GENERAL.label].contains(&intent) && change_ordered(said).is_some();
        if changes() || self.only_tells(said, intent)? {
            return Ok(KNOWLEDGE);
        }
        let tells = intent == CREATE_PROJECT && begun_plainly(said).is_none() && !asks_to_begin(said);
        Ok(if tells && !self.store.projects(&self.person)?.is_empty() { KNOWLEDGE } else { intent })
    }

    /// Whether what reads as an order tells something instead: to join planks where nobody is invited to anything, what
    /// “we need to download” of what is no document here, or how something is wanted.
    fn only_tells(&self, said: &str, intent: &str) -> Result<bool, StoreError> {
        let words = text::words(said);
        let begins = |all: &[&str]| words.iter().map(String::as_str).take(all.len()).eq(all.iter().copied());
        let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let is_question = said.trim_end().ends_with('?');
        Ok(match intent {
            "join_project" => {
                let is_thing = words.len() > 2 && !says(&["project", "invitation", "team"]);
                is_thing && self.store.invitations(&self.person)?.is_empty()
            }
            "request_download" => begins(&["we", "need", "to"]) && !is_question && !self.has_document(said)?,
            _ if intent == GENERAL.label => {
                let wants = begins(&["i", "want", "the"]) || begins(&["we", "want", "the"]);
                wants && words.len() > 4 && !is_question && !self.has_document(said)?
            }
            _ => false,
        })
    }

    /// Whether a message wants a document of the project the talk is about.
    fn has_document(&self, said: &str) -> Result<bool, StoreError> {
        match self.about(said, &[])? {
            About::Project(project) => self.is_document(&project, said),
            About::Unclear(_) | About::Nothing => Ok(false),
        }
    }

    /// What a message comes to that is only understood from the note before it: one that corrects it, or takes it back.
    fn corrects_or_takes_back(&self, said: &str, intent: &str) -> Result<Option<&'static str>, StoreError> {
        let takes_back = takes_it_back(said);
        let is_open = [GENERAL.label, "take_back", "request_download"].contains(&intent)
            || takes_back && intent == "add_knowledge";
        if !is_open || self.focus()?.asking.is_some() || !takes_back && correction(said).is_none() {
            return Ok(None);
        }
        let About::Project(project) = self.about(said, &[])? else { return Ok(None) };
        if self.store.touched_last(&self.person, &project.id)?.is_none() {
            return Ok(None);
        }
        if takes_back {
            return Ok(Some("undo"));
        }
        Ok(self.corrected(&project, said)?.map(|_| "add_knowledge"))
    }

    /// The person's projects of which something is known; all of them where nothing is of any.
    fn projects_at_work(&self) -> Result<Vec<Project>, StoreError> {
        let (mut at_work, mut untouched) = (Vec::new(), Vec::new());
        for project in self.store.projects(&self.person)? {
            let is_untouched = self.is_untouched(&project)?;
            if is_untouched { untouched.push(project) } else { at_work.push(project) }
        }
        Ok(if at_work.is_empty() { untouched } else { at_work })
    }

    /// Whether a project was only begun: nothing was said of it, not even its name.
    pub(super) fn is_untouched(&self, project: &Project) -> Result<bool, StoreError> {
        // Most are known by their name alone, without a look at what they hold.
        if project.given != UNNAMED || project.state != ProjectState::Drafting {
            return Ok(false);
        }
        let (person, id) = (&self.person, &project.id);
        let is_alone = self.store.members(person, id)?.len() == 1 && self.store.invited(person, id)?.is_empty();
        let is_empty = self.store.counts(person, id, self.now_ms)? == Counts::default();
        Ok(is_alone && is_empty && self.store.seed(person, id)?.values.is_empty())
    }

    /// The project that is meant: the one that is named, else the one the talk is about, else the only one.
    pub(super) fn about(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<About, StoreError> {
        let projects = self.store.projects(&self.person)?;
        let answered = answers.iter().rev().find(|answer| answer.topic == WHICH_PROJECT);
        if let Some(project) = answered.and_then(|answer| chosen(&projects, answer.answer.trim())) {
            return Ok(About::Project(project.clone()));
        }
        let focus = self.focus()?.project;
        let in_focus = |of: &[Project]| of.iter().find(|project| Some(&project.id) == focus.as_ref()).cloned();
        let named: Vec<Project> = named(&projects, said).into_iter().cloned().collect();
        Ok(match named.as_slice() {
            [] => match (in_focus(&projects), projects.as_slice()) {
                (Some(project), _) => About::Project(project),
                (None, []) => About::Nothing,
                (None, [only]) => About::Project(only.clone()),
                (None, _) => match self.projects_at_work()?.as_slice() {
                    [only] => About::Project(only.clone()),
                    several => About::Unclear(several.to_vec()),
                },
            },
            [one] => About::Project(one.clone()),
            // Of several of one name the one the talk is about is meant; else only the person knows.
            several => in_focus(several).map_or_else(|| About::Unclear(named.clone()), About::Project),
        })
    }
}

/// The projects whose name, or id, stands in `said`: those with the longest name, of which there may be several of the
/// same.
pub(super) fn named<'a>(projects: &'a [Project], said: &str) -> Vec<&'a Project> {
    let written = said;
    let said = text::words(said);
    let by_id = projects.iter().find(|project| said.iter().any(|word| word == project.id.as_str()));
    if let Some(project) = by_id {
        return vec![project];
    }
    let stands = |name: &str| {
        let words = text::words(name);
        let at = (0..said.len()).find(|at| !words.is_empty() && said[*at..].starts_with(&words));
        // “beta radiation” does not speak of the project Beta; “in beta” and “Beta” do.
        let leads = |at: usize| at == 0 || NAMING.contains(&said[at - 1].as_str());
        at.is_some_and(|at| words.len() > 1 || written.contains(name) || leads(at))
    };
    // “FarmGuard (2)” is that one, and “FarmGuard” may be each of the two.
    let exact: Vec<&Project> =
        projects.iter().filter(|project| project.name != project.given && stands(&project.name)).collect();
    let found = match exact.is_empty() {
        true => projects.iter().filter(|project| stands(&project.given)).collect(),
        false => exact,
    };
    let longest = found.iter().map(|project| project.given.len()).max();
    found.into_iter().filter(|project| Some(project.given.len()) == longest).collect()
}

/// The projects of whose name the last word stands in `said`, which asks to turn to one: “back to the thesis”. Short
/// words are in too many names.
pub(super) fn named_in_part<'a>(projects: &'a [Project], said: &str) -> Vec<&'a Project> {
    let last = text::words(said).into_iter().rev().find(|word| word.chars().count() >= PART_LETTERS);
    let names = |project: &&Project| last.as_ref().is_some_and(|last| text::words(&project.name).contains(last));
    projects.iter().filter(names).collect()
}

/// The project that an order about a whole project names: what is called just so; else those that have the name, or,
/// where none does, those whose name it is a part of.
pub(super) fn meant_by_name<'a>(projects: &'a [Project], name: &str) -> Vec<&'a Project> {
    let (lower, words) = (name.to_lowercase(), text::words(name));
    let of = |fits: &dyn Fn(&Project) -> bool| projects.iter().filter(|one| fits(one)).collect::<Vec<_>>();
    let exact = of(&|one| one.name.to_lowercase() == lower || one.id.as_str() == name);
    // Of “My App” an order has “App” left without what may stand around a name.
    let is_called = |called: &str| {
        let called = text::words(called);
        called == words || without_frame(&called).is_some_and(|called| called == words)
    };
    let by_words = || of(&|one| is_called(&one.name) || is_called(&one.given));
    let in_part = || {
        let has = |one: &Project| words.iter().all(|word| text::words(&one.name).contains(word));
        if words.iter().any(|word| word.chars().count() >= PART_LETTERS) { of(&has) } else { Vec::new() }
    };
    let first = |found: Vec<&'a Project>, next: &dyn Fn() -> Vec<&'a Project>| {
        if found.is_empty() { next() } else { found }
    };
    first(first(exact, &by_words), &in_part)
}

/// The name that stands in an order about a whole project, as it was written; none where only “the project” is said.
pub(super) fn name_said(said: &str) -> Option<String> {
    let quoted = said.split(['"', '“', '”']).nth(1).map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = quoted {
        return Some(name.to_owned());
    }
    let order = said.split([',', ';', '\n']).next().unwrap_or_default();
    let plain = |word: &str| word.trim_matches(['.', '!', '?', ':', '\'']).to_owned();
    let words: Vec<String> = order.split_whitespace().map(plain).collect();
    let end = words.iter().position(|word| GIVES_A_REASON.contains(&word.to_lowercase().as_str()));
    without_frame(&words[..end.unwrap_or(words.len())]).map(|words| words.join(" "))
}

/// The words without those that stand around a name; none where there are no others.
fn without_frame(words: &[String]) -> Option<&[String]> {
    let is_frame = |word: &String| AROUND_A_NAME.contains(&word.to_lowercase().as_str());
    let begin = words.iter().position(|word| !is_frame(word))?;
    let end = words.iter().rposition(|word| !is_frame(word))? + 1;
    Some(&words[begin..end])
}

/// What stands around the name of a project in an order about the whole of it.
const AROUND_A_NAME: [&str; 51] = [
    "please",
    "now",
    "ok",
    "yes",
    "no",
    "i",
    "i'd",
    "we",
    "want",
    "would",
    "will",
    "like",
    "to",
    "can",
    "could",
    "you",
    "let's",
    "delete",
    "remove",
    "drop",
    "get",
    "rid",
    "of",
    "throw",
    "away",
    "leave",
    "quit",
    "take",
    "me",
    "off",
    "out",
    "rename",
    "change",
    "set",
    "call",
    "name",
    "title",
    "give",
    "the",
    "this",
    "that",
    "my",
    "our",
    "it",
    "whole",
    "entire",
    "project",
    "project's",
    "for",
    "good",
    "as",
];
/// What a reason begins with, which names nothing.
const GIVES_A_REASON: [&str; 7] = ["because", "since", "when", "again", "completely", "forever", "permanently"];

/// Letters of a word that stands for a name.
const PART_LETTERS: usize = 4;

/// Words that a name stands behind.
const NAMING: [&str; 16] = [
    "in", "on", "of", "for", "about", "to", "from", "with", "project", "into", "under", "is", "does", "how's", "open",
    "called",
];

fn chosen<'a>(projects: &'a [Project], answer: &str) -> Option<&'a Project> {
    let by_id = projects.iter().find(|project| project.id == ProjectId::new(answer));
    let by_name = || projects.iter().find(|project| project.name.to_lowercase() == answer.to_lowercase());
    by_id.or_else(by_name).or_else(|| match named(projects, answer).as_slice() {
        [only] => Some(*only),
        _ => None,
    })
}

/// Asks which of the person's projects is meant.
pub(super) fn which(projects: &[Project]) -> Clarification {
    let choice = |project: &Project| Choice::new(project.id.to_string(), project.name.clone());
    Clarification {
        topic: WHICH_PROJECT.to_owned(),
        question: VOICE.which_project.plain(),
        choices: projects.iter().take(CHOICES_MAX).map(choice).collect(),
        assumption: None,
        of: 0,
    }
}

/// Projects that a question shows; any other can be named.
const CHOICES_MAX: usize = 12;
