//! Answers: whatever changes nothing, from what is kept. What is not known is said to be not known. Next: `past` for
//! what was told before, `told` for how things stand.

use turnwise_core::{ClarifiedAnswer, text};
use turnwise_intent::behaviour::companion::{
    Beyond, GENERAL, Mood, acknowledges, artifact_description, asks_in_hand, begins_an_order, beyond,
    intent as known_intent, is_small_talk, knowledge_text, mood, takes_leave, thanks,
};

use super::known::asks_what_waits;
use super::place::{About, Place};
use super::setup;
use super::told::{asks_who_told, names, numbered};
use crate::store::{Project, ProjectId, ProjectState, Readiness, StoreError, Wanted};
use crate::voice::VOICE;

/// What is said to a message.
pub(super) enum Reply {
    /// This, about that project.
    Said(String, Option<ProjectId>),
    /// It has to be asked first which project is meant.
    Which(Vec<Project>),
}

impl Place<'_> {
    /// What is said to `said`, which was read as `intent`.
    pub(super) fn answer(&self, said: &str, intent: &str, answers: &[ClarifiedAnswer]) -> Result<Reply, StoreError> {
        if let Some(told) = self.of_no_project(said, intent)? {
            return Ok(Reply::Said(self.with_open_question(told)?, None));
        }
        let needs_project = known_intent(intent).is_some_and(|known| known.needs_project);
        let about = self.about(said, answers)?;
        let project = match (about, needs_project) {
            (About::Unclear(projects), true) => {
                // What was told is looked for in all of them before it is asked which is meant.
                let anywhere = match intent {
                    "ask_about_past_input" => self.past_anywhere(&projects, said)?,
                    _ => None,
                };
                let Some(found) = anywhere else { return Ok(Reply::Which(projects)) };
                return Ok(Reply::Said(self.with_open_question(found.told)?, found.only));
            }
            // The same where nothing says that it was told.
            (About::Unclear(projects), false) if intent == GENERAL.label => {
                match self.known_anywhere(&projects, said)? {
                    Some(found) => return Ok(Reply::Said(self.with_open_question(found.told)?, found.only)),
                    None => None,
                }
            }
            (About::Nothing, true) => return Ok(Reply::Said(VOICE.no_project_to_tell.plain(), None)),
            (About::Project(project), _) => Some(project),
            (About::Unclear(_) | About::Nothing, false) => None,
        };
        let reply = match (intent, &project) {
            ("ask_about_progress", Some(project)) if asks_what_waits(said) => self.waiting(project)?,
            ("ask_about_progress", Some(project)) if setup::is_looked_at(said) => self.setup_told(project)?,
            ("ask_about_progress", Some(project)) => match self.content(project, said)? {
                Some(told) => told,
                None => match self.of_setup(project, said)? {
                    Some(told) => told,
                    None => self.progress(project)?,
                },
            },
            ("ask_about_past_input", Some(project)) if asks_who_told(said) => match self.who_told(project, said)? {
                Some(told) => told,
                None => self.past(project, said)?,
            },
            ("ask_about_past_input", Some(project)) => self.past(project, said)?,
            ("request_download", Some(project)) => self.download(project, said)?,
            ("show_groups", Some(project)) => self.groups_told(project)?,
            ("show_documents", Some(project)) => self.documents_told(project)?,
            ("show_members", Some(project)) => self.members_told(project)?,
            ("request_draft" | "approve_draft" | "request_revision" | "request_redirect", project) => {
                self.not_yet(intent, project.as_ref())?
            }
            // How this is used stands in no note.
            (_, Some(_)) if asks_to_undo(said) => VOICE.undo_how.plain(),
            (_, Some(project)) => match self.known(project, said)? {
                Some(told) => told,
                None if asks_in_hand(said) && self.is_document(project, said)? => self.download(project, said)?,
                None => self.talk(said)?,
            },
            (_, None) => self.talk(said)?,
        };
        Ok(Reply::Said(self.with_open_question(reply)?, project.map(|project| project.id)))
    }

    /// What is said to a message that is about no project.
    fn of_no_project(&self, said: &str, intent: &str) -> Result<Option<String>, StoreError> {
        if intent == "ask_about_past_input" && is_about_person(said) {
            return self.about_person().map(Some);
        }
        match beyond(said).filter(|_| intent == GENERAL.label) {
            Some(beyond) => Ok(Some(not_done(beyond))),
            None => self.of_oneself(said, intent),
        }
    }

    /// A reply, followed by the question that is open, where one is: the talk may go elsewhere and comes back.
    pub(super) fn with_open_question(&self, reply: String) -> Result<String, StoreError> {
        let focus = self.focus()?;
        let (Some(field), Some(project)) = (focus.asking, focus.project) else { return Ok(reply) };
        let project = self.store.project(&self.person, &project)?;
        let open = VOICE.still_open.with(&[("project", &project.name), ("question", &VOICE.ask(field))]);
        Ok(format!("{reply}\n{open}"))
    }

    /// What was said of a project when it began.
    pub(super) fn setup_told(&self, project: &Project) -> Result<String, StoreError> {
        let seed = self.store.seed(&self.person, &project.id)?;
        let listed = setup::listed(&seed);
        let values = [("project", project.name.as_str()), ("seed", listed.as_str())];
        Ok(match (project.state, seed.readiness()) {
            _ if listed.is_empty() => VOICE.setup_empty.with(&values[..1]),
            (ProjectState::Ready, _) => VOICE.setup_is.with(&values),
            (ProjectState::Drafting, Readiness::ReadyForReview) => VOICE.setup_ready.with(&values),
            (ProjectState::Drafting, Readiness::Drafting) => VOICE.setup_so_far.with(&values),
        })
    }

    /// The document that is asked for; which ones there are where it is unclear or there is none such (CP-08).
    fn download(&self, project: &Project, said: &str) -> Result<String, StoreError> {
        let documents = self.documents(project)?;
        if documents.is_empty() {
            return Ok(VOICE.download_empty.with(&[("project", &project.name)]));
        }
        let wanted = artifact_description(said).unwrap_or_default();
        let found = matching(&documents, &wanted);
        let names = |of: &[&Named]| text::listed(&of.iter().map(|one| one.name.clone()).collect::<Vec<_>>());
        match found.as_slice() {
            [one] => self.handed_over(project, one, version_named(said)),
            [] => {
                let all: Vec<&Named> = documents.iter().collect();
                Ok(VOICE.download_none.with(&[("project", &project.name), ("names", &names(&all))]))
            }
            several => Ok(VOICE.download_which.with(&[("names", &names(several))])),
        }
    }

    /// Whether what a message wants in hand is a document: one there is, or one by its sort.
    pub(super) fn is_document(&self, project: &Project, said: &str) -> Result<bool, StoreError> {
        let Some(wanted) = artifact_description(said) else { return Ok(false) };
        let is_sort = text::words(&wanted).last().is_some_and(|last| SORTS.contains(&last.as_str()));
        Ok(is_sort || !matching(&self.documents(project)?, &wanted).is_empty())
    }

    /// A document as it is told: its text, as far as a reply goes, and where the whole of it is.
    fn handed_over(&self, project: &Project, one: &Named, wanted: Option<i64>) -> Result<String, StoreError> {
        let id = &project.id;
        if one.is_specification {
            let all = self.store.specifications(&self.person, id)?;
            let found =
                all.into_iter().find(|found| found.name == one.name).ok_or(StoreError::NoSuch("specification"))?;
            let (version, content) = (found.version.to_string(), text::clip(&found.content, TOLD_CHARACTERS_MAX));
            return Ok(VOICE.download.with(&[("name", &one.name), ("version", &version), ("content", &content)]));
        }
        let found = match self.store.document(&self.person, id, &one.name, wanted) {
            Err(StoreError::NoSuch(_)) => {
                let latest = self.store.document(&self.person, id, &one.name, None)?.artefact.version;
                let values = [("name", one.name.as_str()), ("version", &wanted.unwrap_or_default().to_string())];
                return Ok(VOICE.download_no_version.with(&[&values[..], &[("latest", &latest.to_string())]].concat()));
            }
            found => found?,
        };
        let version = found.artefact.version.to_string();
        let named = [("name", one.name.as_str()), ("version", version.as_str())];
        let place = if self.is_here { String::new() } else { VOICE.download_place.with(&[("id", id.as_str())]) };
        let told = match String::from_utf8(found.content) {
            Ok(content) if content.chars().count() > TOLD_CHARACTERS_MAX => {
                let content = text::clip(&content, TOLD_CHARACTERS_MAX);
                VOICE.download_part.with(&[&named[..], &[("content", &content)]].concat())
            }
            Ok(content) => return Ok(VOICE.download.with(&[&named[..], &[("content", &content)]].concat())),
            Err(_) => {
                let (media, bytes) = (found.artefact.media, found.artefact.bytes.to_string());
                VOICE.download_file.with(&[&named[..], &[("media", &media), ("bytes", &bytes)]].concat())
            }
        };
        let place = if place.is_empty() { VOICE.download_export.plain() } else { place };
        Ok(format!("{told} {place}"))
    }

    /// The documents of a project: its specifications and its artefacts, each once.
    fn documents(&self, project: &Project) -> Result<Vec<Named>, StoreError> {
        let artefacts = self.store.artefacts(&self.person, &project.id)?;
        let mut all: Vec<Named> = Vec::new();
        for one in artefacts {
            if all.last().is_none_or(|last| last.name != one.name) {
                all.push(Named { name: one.name, kind: one.kind, is_specification: false, version: one.version });
            }
        }
        let specifications = self.store.specifications(&self.person, &project.id)?.into_iter();
        let kind = "specification".to_owned();
        all.extend(specifications.map(|one| Named {
            name: one.name,
            kind: kind.clone(),
            is_specification: true,
            version: one.version,
        }));
        Ok(all)
    }

    fn documents_told(&self, project: &Project) -> Result<String, StoreError> {
        let documents = self.documents(project)?;
        let name = ("project", project.name.as_str());
        if documents.is_empty() {
            return Ok(VOICE.documents_none.with(&[name]));
        }
        let line = |one: &Named| {
            let version = one.version.to_string();
            VOICE.document_line.with(&[("name", &one.name), ("kind", &one.kind), ("version", &version)])
        };
        let list: Vec<String> = documents.iter().map(line).collect();
        Ok(VOICE.documents.with(&[name, ("list", &list.join("\n"))]))
    }

    fn groups_told(&self, project: &Project) -> Result<String, StoreError> {
        let groups = self.store.groups(&self.person, &project.id, self.now_ms)?;
        let name = ("project", project.name.as_str());
        if groups.is_empty() {
            return Ok(VOICE.groups_none.with(&[name]));
        }
        let mut lines = Vec::new();
        for group in &groups {
            let wanted = Wanted { group: Some(group.label.clone()), ..Wanted::default() };
            let notes = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, NUMBERS_TOLD)?;
            let mut numbers: Vec<i64> = notes.iter().map(|note| note.number).collect();
            numbers.sort_unstable();
            let more = usize::try_from(group.notes).unwrap_or_default().saturating_sub(numbers.len());
            let mut told = if numbers.is_empty() { VOICE.group_empty_line.plain() } else { numbered(&numbers) };
            if more > 0 {
                told.push_str(&format!(" and {more} more"));
            }
            let summary = if group.summary.is_empty() { String::new() } else { format!(". {}", group.summary) };
            lines.push(VOICE.group_line.with(&[("label", &group.label), ("notes", &told), ("summary", &summary)]));
        }
        Ok(VOICE.groups.with(&[name, ("list", &lines.join("\n"))]))
    }

    fn not_yet(&self, intent: &str, project: Option<&Project>) -> Result<String, StoreError> {
        Ok(match intent {
            "request_draft" => {
                let material = match project {
                    Some(project) => {
                        let contents = self.contents(project)?;
                        VOICE.draft_material.with(&[("project", &project.name), ("contents", &contents)])
                    }
                    None => VOICE.draft_no_material.plain(),
                };
                VOICE.request_draft.with(&[("material", &material)])
            }
            "approve_draft" => {
                let name = project.map_or("any project", |project| project.name.as_str());
                VOICE.approve_draft.with(&[("project", name)])
            }
            "request_revision" => VOICE.request_revision.plain(),
            _ => VOICE.request_redirect.plain(),
        })
    }

    /// Talk that asks for nothing that could be done.
    fn talk(&self, said: &str) -> Result<String, StoreError> {
        let is_asking = self.focus()?.asking.is_some();
        // Where a question is open it follows, and says enough of where the talk stands.
        let standing = if is_asking { String::new() } else { self.standing()? };
        let words = text::words(said);
        let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let begins = |phrases: &[&[&str]]| {
            // Behind a greeting, too.
            let stands = |phrase: &[&str], at: usize| {
                words.iter().skip(at).map(String::as_str).take(phrase.len()).eq(phrase.iter().copied())
            };
            phrases.iter().any(|phrase| stands(phrase, 0) || stands(phrase, 1))
        };
        // The question that is open is put behind every reply.
        if says(&["question"]) && is_asking {
            return Ok(VOICE.question_again.plain());
        }
        if says(&["how", "where"]) && says(&["upload", "add", "attach", "bring"]) && says(&FILES) {
            return self.how_files_come_in();
        }
        match mood(said) {
            Mood::Forbidden(_) => return Ok(VOICE.left_alone.plain()),
            Mood::PutOff(order) if begins_an_order(&order) => return Ok(VOICE.put_off.plain()),
            Mood::PutOff(_) | Mood::Asked | Mood::Plain => {}
        }
        let text = if words.len() <= 3 && says(&["hello", "hi", "hey", "morning", "evening", "afternoon"]) {
            &VOICE.hello
        } else if thanks(said) && !takes_leave(said) {
            &VOICE.thanks
        } else if words == ["help"] || begins(&ASKS_HOW) {
            &VOICE.how_to
        } else if begins(&ASKS_WHO) {
            &VOICE.about_self
        } else if takes_leave(said) {
            &VOICE.farewell
        } else if knowledge_text(said).is_empty() {
            &VOICE.thinking
        } else if acknowledges(said) || is_small_talk(said) || words.len() <= 1 && !said.trim_end().ends_with('?') {
            &VOICE.noted
        } else if said.trim_end().ends_with('?') {
            &VOICE.opinion
        } else {
            &VOICE.general
        };
        Ok(text.with(&[("standing", &standing)]))
    }

    fn how_files_come_in(&self) -> Result<String, StoreError> {
        let place = match (self.is_here, self.about("", &[])?) {
            (false, About::Project(project)) => VOICE.file_page_here.with(&[("id", project.id.as_str())]),
            _ => VOICE.file_page.plain(),
        };
        Ok(VOICE.file_how.with(&[("place", &place)]))
    }

    /// The projects there are, and those the person is invited to.
    pub(super) fn projects(&self) -> Result<String, StoreError> {
        let projects = self.store.projects(&self.person)?;
        let mut said = match projects.is_empty() {
            true => VOICE.projects_none.plain(),
            false => VOICE.projects.with(&[("names", &names(&projects))]),
        };
        for one in self.store.invitations(&self.person)? {
            let values = [("project", one.name.as_str()), ("person", one.by.as_str())];
            said = format!("{said}\n{}", VOICE.invitation.with(&values));
        }
        Ok(said)
    }
}

/// A document by its name.
struct Named {
    name: String,
    kind: String,
    is_specification: bool,
    version: i64,
}

/// The version that a message names: “version 2 of the report”.
fn version_named(said: &str) -> Option<i64> {
    let words = text::words(said);
    let at = words.iter().position(|word| word == "version")?;
    words.get(at + 1)?.parse().ok()
}

/// The documents whose name or sort holds what is wanted: all of it, else one of its words. “the latest artefact” is
/// the only one there is.
fn matching<'a>(documents: &'a [Named], wanted: &str) -> Vec<&'a Named> {
    let wanted = wanted.to_lowercase();
    let holds =
        |one: &Named, part: &str| one.name.to_lowercase().contains(part) || one.kind.to_lowercase().contains(part);
    // A name that is said in full is meant, whatever else holds it.
    let named = |name: &dyn Fn(&Named) -> String| {
        let stands = documents.iter().filter(|one| stands_in(&name(one), &wanted));
        let longest = stands.clone().map(|one| name(one).len()).max();
        stands.filter(|one| Some(name(one).len()) == longest).collect::<Vec<_>>()
    };
    let exact = named(&|one| one.name.to_lowercase());
    if !exact.is_empty() {
        return exact;
    }
    // “the report” is “report.txt”, and not “report-2024.txt”.
    let stem = |one: &Named| one.name.rsplit_once('.').map_or(&*one.name, |(stem, _)| stem).to_lowercase();
    let words_said = text::words(&wanted).into_iter().filter(|word| !GENERIC.contains(&word.as_str()));
    let plain = words_said.filter(|word| word.parse::<i64>().is_err()).collect::<Vec<_>>().join(" ");
    let by_stem: Vec<&Named> = documents.iter().filter(|one| stem(one) == plain).collect();
    if !by_stem.is_empty() {
        return by_stem;
    }
    let whole: Vec<&Named> = documents.iter().filter(|one| !wanted.is_empty() && holds(one, &wanted)).collect();
    if !whole.is_empty() {
        return whole;
    }
    let is_generic = |word: &String| GENERIC.contains(&word.as_str()) || word.parse::<i64>().is_ok();
    let words: Vec<String> = text::words(&wanted).into_iter().filter(|word| !is_generic(word)).collect();
    if words.is_empty() {
        return documents.iter().filter(|one| !one.is_specification).collect();
    }
    let count = |one: &Named| words.iter().filter(|word| holds(one, word)).count();
    let most = documents.iter().map(count).max().unwrap_or(0);
    documents.iter().filter(|one| most > 0 && count(one) == most).collect()
}

/// What is said of something that is not done here: that, and what is possible.
fn not_done(beyond: Beyond) -> String {
    match beyond {
        Beyond::Pin => VOICE.cannot_pin.plain(),
        Beyond::Merge => VOICE.cannot_merge.plain(),
        Beyond::Translate => VOICE.cannot_translate.plain(),
        Beyond::Archive => VOICE.cannot_archive.plain(),
        Beyond::RenameGroup => VOICE.cannot_rename_group.plain(),
        Beyond::DeleteDocument => VOICE.cannot_delete_document.plain(),
        Beyond::ChangeLater => VOICE.changed_later.plain(),
        Beyond::Wrong => VOICE.wrong_how.plain(),
        Beyond::AskedOrder => VOICE.how_to_order.plain(),
    }
}

/// Sorts of documents.
const SORTS: [&str; 16] = [
    "report",
    "document",
    "file",
    "pdf",
    "specification",
    "spec",
    "handbook",
    "manual",
    "guide",
    "brochure",
    "plan",
    "drawing",
    "slides",
    "presentation",
    "spreadsheet",
    "summary",
];

/// Whether a name stands in what is wanted, as words of its own.
fn stands_in(name: &str, wanted: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || ['.', '-', '_'].contains(&letter);
    wanted.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&wanted[..at], &wanted[at + name.len()..]);
        !before.ends_with(is_part) && !behind.trim_end_matches('.').starts_with(is_part)
    })
}

/// Whether somebody asks whether, or how, something can be undone.
fn asks_to_undo(said: &str) -> bool {
    let is_undoing = |word: &String| ["undo", "revert"].contains(&word.as_str());
    mood(said) == Mood::Asked && text::words(said).iter().any(is_undoing)
}

/// Characters of a document that a reply holds.
const TOLD_CHARACTERS_MAX: usize = 8_000;
/// Numbers of notes that are named for a group.
const NUMBERS_TOLD: usize = 20;

/// What asks how this is used.
const ASKS_HOW: [&[&str]; 7] = [
    &["help", "me", "with", "this"],
    &["what", "can", "i"],
    &["what", "should", "i", "say"],
    &["how", "do", "i"],
    &["how", "can", "i"],
    &["how", "does", "this", "work"],
    &["how", "do", "you", "work"],
];

/// What asks who speaks here.
const ASKS_WHO: [&[&str]; 5] = [
    &["who", "are", "you"],
    &["what", "can", "you"],
    &["what", "do", "you", "do"],
    &["what", "is", "this"],
    &["what's", "this"],
];

/// What is brought in as a file.
const FILES: [&str; 10] =
    ["file", "files", "document", "documents", "image", "images", "picture", "pdf", "artefact", "artifact"];

/// Words that name no artefact in particular.
const GENERIC: [&str; 23] = [
    "version",
    "the",
    "a",
    "an",
    "my",
    "our",
    "of",
    "it",
    "them",
    "that",
    "this",
    "latest",
    "newest",
    "final",
    "finished",
    "current",
    "artifact",
    "artefact",
    "artifacts",
    "artefacts",
    "file",
    "files",
    "document",
];

/// Whether it is about the person themselves and not about a project.
fn is_about_person(said: &str) -> bool {
    let said = text::words(said).join(" ");
    ["about me", "about myself"].iter().any(|sign| said.contains(sign))
}
