//! Drafting: a request that changes something becomes one step; one that lacks something is asked back; one that turns
//! out to change nothing is answered. Next: `run`.

use turnwise_core::{Answer, ClarifiedAnswer, DraftOutcome, Presentation, text};
use turnwise_intent::behaviour::companion::{
    Lasts, TextChange, change_ordered, correction, group_label, is_of_the_person, knowledge_text, lasts, new_name,
    note_edit, numbers_named, person_named, specification_text, steps_back,
};

use super::answer::Reply;
use super::brief;
use super::people::Asked;
use super::place::{About, Place, WHICH_PROJECT, meant_by_name, name_said, named, named_in_part, which};
use super::reader::{ANSWER_SETUP, CREATE_PROJECT};
use super::several::SEVERAL;
use super::steps::{self, Change};
use super::taking::grouped_topics;
use super::told::names;
use crate::store::{Counts, Project, ProjectId, ProjectState, SeedField, StoreError, Wanted};
use crate::voice::VOICE;

/// What is made of a request.
pub(super) enum Drafted {
    /// One change.
    Change(Change<'static>),
    /// No change: this is said, about that project.
    Said(String, Option<ProjectId>),
    /// It has to be asked which of these is meant.
    Which(Vec<Project>),
}

impl Place<'_> {
    /// What is made of `said`, which was read as `intent`.
    pub(super) fn draft(&self, said: &str, intent: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        match intent {
            CREATE_PROJECT => self.begin(said),
            ANSWER_SETUP => self.answer_setup(said),
            SEVERAL => Ok(self.several(said)),
            "finalize_project" => self.finalize(said, answers),
            "add_knowledge" => self.add(said, answers),
            "save_notes" => self.save_said(said, answers),
            "undo" | "take_back" if wants_all_back(said) => Ok(Drafted::Said(VOICE.undo_one_by_one.plain(), None)),
            "take_back" => self.take_back_said(said, answers),
            "undo" if self.cannot_step_back(said)? => {
                Ok(Drafted::Said(self.with_open_question(VOICE.setup_no_step_back.plain())?, None))
            }
            "undo" => Ok(change(steps::UNDO, "Undo the last change", Vec::new())),
            "edit_note" => self.edit_note(said, answers),
            "group_notes" => self.group_notes(said, answers),
            "ungroup_notes" => self.ungroup_notes(said, answers),
            "write_specification" => self.write_specification(said, answers),
            "rename_project" => self.rename_project(said, answers),
            "choose_project" => self.choose(said, answers),
            "leave_setup" => self.leave_the_setup(),
            "invite_person" => self.invite_person(said, answers),
            "withdraw_invitation" => self.withdraw_invitation(said, answers),
            "join_project" => self.answer_invitation(said, steps::JOIN, "Join a project"),
            "decline_invitation" => self.answer_invitation(said, steps::DECLINE, "Turn an invitation down"),
            "leave_project" => self.leave_project(said, answers),
            "export_project" => self.export(said, answers),
            "import_project" if !self.is_here => Ok(Drafted::Said(VOICE.import_elsewhere.plain(), None)),
            "import_project" => Ok(change(
                steps::IMPORT,
                "Read a project from a folder",
                vec![(steps::FOLDER, folder_named(said).unwrap_or_default())],
            )),
            _ => Ok(match self.answer(said, intent, answers)? {
                Reply::Said(said, project) => Drafted::Said(said, project),
                Reply::Which(projects) => Drafted::Which(projects),
            }),
        }
    }

    /// Whether somebody wants to go one question back where none was answered.
    fn cannot_step_back(&self, said: &str) -> Result<bool, StoreError> {
        let Some(project) = self.focus()?.project.filter(|_| steps_back(said)) else { return Ok(false) };
        Ok(self.store.seed(&self.person, &project)?.values.is_empty())
    }

    fn finalize(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        self.with_project(said, answers, |project| {
            change(steps::FINALIZE, "Complete the setup", vec![(steps::PROJECT, project.id.to_string())])
        })
    }

    fn add(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        if is_denied(said) {
            return Ok(Drafted::Said(VOICE.note_unwanted.plain(), None));
        }
        if let Some((of, value)) = change_ordered(said) {
            return self.change_told(said, answers, &format!("the {of} is {value}"));
        }
        let told = knowledge_text(said);
        let text = correction(&told).map_or(told, |holds| knowledge_text(&holds));
        if text.is_empty() {
            return Ok(Drafted::Said(VOICE.note_empty.plain(), None));
        }
        let hours = match lasts(&text) {
            Lasts::ForGood => String::new(),
            Lasts::Hours(hours) => hours.to_string(),
        };
        if is_of_the_person(&text) {
            let arguments = vec![(steps::TEXT, text), (steps::HOURS, hours)];
            return Ok(change(steps::KEEP, "Keep what you told about yourself", arguments));
        }
        if let About::Project(project) = self.about(said, answers)?
            && let Some((note, text)) = self.corrected(&project, said)?
        {
            let numbers = (steps::NUMBERS, note.number.to_string());
            let arguments = vec![(steps::PROJECT, project.id.to_string()), numbers, (steps::TEXT, text)];
            return Ok(change(steps::EDIT, "Change a note", arguments));
        }
        let is_short = correction(said).is_some() && text::words(&text).len() < CORRECTION_WORDS;
        if is_short
            && let About::Project(project) = self.about(said, answers)?
            && self.store.touched_last(&self.person, &project.id)?.is_some()
        {
            return Ok(Drafted::Said(VOICE.correction_unfit.with(&[("text", &text)]), None));
        }
        self.with_project(said, answers, |project| {
            let text = without_project(&text, &project.name);
            let project = (steps::PROJECT, project.id.to_string());
            let mut arguments = vec![project, (steps::TEXT, text), (steps::HOURS, hours)];
            // Who is to be reminded must not wait for it.
            let reminds = text::words(said).windows(2).any(|pair| pair[0] == "remind" && pair[1] == "me");
            arguments.extend(reminds.then(|| (steps::REMARK, VOICE.no_reminder.plain())));
            change(steps::ADD, "Keep a note", arguments)
        })
    }

    /// What is ordered to be otherwise changes the note, or the part of the setup, that says it; where none does, it is
    /// kept as a note.
    fn change_told(&self, said: &str, answers: &[ClarifiedAnswer], holds: &str) -> Result<Drafted, StoreError> {
        self.within_project(said, answers, |project| {
            let id = (steps::PROJECT, project.id.to_string());
            if let Some((note, text)) = self.rewritten_by(project, holds)? {
                let numbers = (steps::NUMBERS, note.number.to_string());
                return Ok(change(steps::EDIT, "Change a note", vec![id, numbers, (steps::TEXT, text)]));
            }
            let seed = self.store.seed(&self.person, &project.id)?;
            let asking = seed.said(SeedField::Constraints).map(|_| SeedField::Constraints);
            let told = brief::answered(holds, asking, &seed).filter(|_| brief::changes_constraints(holds, &seed));
            if let Some(told) = told {
                return Ok(change(
                    steps::SET_UP,
                    "Change the setup",
                    [super::begin::of_project(told), vec![id]].concat(),
                ));
            }
            let none = (steps::HOURS, String::new());
            Ok(change(steps::ADD, "Keep a note", vec![id, (steps::TEXT, holds.to_owned()), none]))
        })
    }

    fn edit_note(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let Some(edit) = note_edit(said) else { return Ok(Drafted::Said(VOICE.note_edit_empty.plain(), None)) };
        self.within_project(said, answers, |project| {
            let name = ("project", project.name.as_str());
            let wanted = Wanted { before: edit.number.map(|number| number.saturating_add(1)), ..Wanted::default() };
            let latest = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, 1)?;
            let found = latest.first().filter(|note| edit.number.is_none_or(|number| note.number == number));
            let id = Some(project.id.clone());
            let Some(note) = found else { return Ok(Drafted::Said(VOICE.notes_not_there.with(&[name]), id)) };
            let text = match &edit.change {
                TextChange::To(text) => text.clone(),
                TextChange::Replace(old, new) => match replaced(&note.text, old, new) {
                    Some(text) => text,
                    None => {
                        let number = note.number.to_string();
                        let values = [name, ("number", number.as_str()), ("text", &note.text), ("words", old)];
                        return Ok(Drafted::Said(VOICE.note_edit_unfound.with(&values), id));
                    }
                },
            };
            let numbers = (steps::NUMBERS, note.number.to_string());
            let arguments = vec![(steps::PROJECT, project.id.to_string()), numbers, (steps::TEXT, text)];
            Ok(change(steps::EDIT, "Change a note", arguments))
        })
    }

    fn group_notes(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let Some(label) = group_label(said) else { return Ok(Drafted::Said(VOICE.group_empty.plain(), None)) };
        // A number in the label is none of a note.
        let rest = said.replacen(&label, "", 1);
        let numbers = numbers_named(&rest);
        self.within_project(said, answers, |project| {
            let (numbers, topics) = match grouped_topics(&rest) {
                topics if numbers.is_empty() => (self.numbers_about(project, &topics)?, topics),
                _ => (numbers, Vec::new()),
            };
            if let (true, Some(topic)) = (numbers.is_empty(), topics.first()) {
                let values = [("project", project.name.as_str()), ("topic", topic)];
                return Ok(Drafted::Said(VOICE.notes_not_found.with(&values), Some(project.id.clone())));
            }
            let numbers = (steps::NUMBERS, steps::listed(&numbers));
            let arguments = vec![(steps::PROJECT, project.id.to_string()), numbers, (steps::LABEL, label)];
            Ok(change(steps::GROUP, "Put notes into a group", arguments))
        })
    }

    fn ungroup_notes(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let label = group_label(said).unwrap_or_default();
        let numbers = numbers_named(&if label.is_empty() { said.to_owned() } else { said.replacen(&label, "", 1) });
        if numbers.is_empty() && label.is_empty() {
            return Ok(Drafted::Said(VOICE.ungroup_empty.plain(), None));
        }
        self.with_project(said, answers, |project| {
            let (project, numbers) =
                ((steps::PROJECT, project.id.to_string()), (steps::NUMBERS, steps::listed(&numbers)));
            change(steps::UNGROUP, "Take notes out of a group", vec![project, numbers, (steps::LABEL, label)])
        })
    }

    fn write_specification(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let Some((name, text)) = specification_text(said) else {
            return Ok(Drafted::Said(VOICE.specification_empty.plain(), None));
        };
        self.with_project(said, answers, |project| {
            let project = (steps::PROJECT, project.id.to_string());
            change(steps::SPECIFY, "Write a specification", vec![project, (steps::LABEL, name), (steps::TEXT, text)])
        })
    }

    fn rename_project(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let Some(name) = new_name(said) else { return Ok(Drafted::Said(VOICE.rename_empty.plain(), None)) };
        // The new name may be that of another project, which is not the one that is meant.
        let rest = said.rfind(&name).map_or(said, |at| &said[..at]).to_owned();
        self.of_the_named(&rest, answers, |project| {
            let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::LABEL, name)];
            Ok(change(steps::RENAME, "Give the project another name", arguments))
        })
    }

    fn choose(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let projects = self.store.projects(&self.person)?;
        let turn_to = |project: &Project| {
            change(steps::TURN_TO, "Turn to a project", vec![(steps::PROJECT, project.id.to_string())])
        };
        if let (false, About::Project(project)) = (answers.is_empty(), self.about(said, answers)?) {
            return Ok(turn_to(&project));
        }
        let goes_on = said.to_lowercase().contains("setup");
        Ok(match named(&projects, said).as_slice() {
            [project] => turn_to(project),
            [] if goes_on => {
                // The one that is talked about, where it is being set up; else whichever is.
                let is_open = |project: &Project| project.state == ProjectState::Drafting;
                let open: Vec<Project> = projects.into_iter().filter(is_open).collect();
                match (self.about(said, &[])?, open.as_slice()) {
                    (About::Project(project), _) if is_open(&project) => turn_to(&project),
                    (_, [project]) => turn_to(project),
                    (_, []) => Drafted::Said(VOICE.setup_nothing.plain(), None),
                    (_, _) => Drafted::Which(open),
                }
            }
            [] => match named_in_part(&projects, said).as_slice() {
                [project] => turn_to(project),
                [] => Drafted::Said(self.with_open_question(self.projects()?)?, None),
                several => Drafted::Which(several.iter().map(|project| (*project).clone()).collect()),
            },
            several => Drafted::Which(several.iter().map(|project| (*project).clone()).collect()),
        })
    }

    fn leave_the_setup(&self) -> Result<Drafted, StoreError> {
        let focus = self.focus()?;
        let (Some(project), Some(_)) = (focus.project, focus.asking) else {
            return Ok(Drafted::Said(VOICE.setup_nothing.plain(), None));
        };
        Ok(change(steps::LEAVE_SETUP, "Leave the setup for later", vec![(steps::PROJECT, project.to_string())]))
    }

    fn invite_person(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let Some(guest) = person_named(said) else { return Ok(Drafted::Said(VOICE.invite_empty.plain(), None)) };
        self.with_project(said, answers, |project| {
            let description = format!("Invite {guest} to {}, to see and change all that is in it", project.name);
            let warning = VOICE.asked_invite.with(&[("person", &guest)]);
            let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::GUEST, guest)];
            asked_about(steps::INVITE, description, warning, arguments)
        })
    }

    fn withdraw_invitation(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let named = person_named(said);
        self.within_project(said, answers, |project| {
            let invited = self.store.invited(&self.person, &project.id)?;
            let by_name = invited.iter().find(|one| named.as_deref() == Some(one.as_str()));
            let guest = match (by_name, invited.as_slice()) {
                (Some(guest), _) => guest.to_string(),
                (None, [only]) if named.is_none() => only.to_string(),
                _ => named.unwrap_or_default(),
            };
            let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::GUEST, guest)];
            Ok(change(steps::WITHDRAW, "Take an invitation back", arguments))
        })
    }

    fn answer_invitation(&self, said: &str, tool: &'static str, description: &str) -> Result<Drafted, StoreError> {
        Ok(match self.invitation(said)? {
            Asked::To(one) => {
                change(tool, description, vec![(steps::PROJECT, one.project.to_string()), (steps::LABEL, one.name)])
            }
            Asked::Several(names) => Drafted::Said(VOICE.invitations_several.with(&[("names", &names)]), None),
            Asked::None => Drafted::Said(VOICE.invitations_none.plain(), None),
        })
    }

    fn leave_project(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        self.of_the_named(said, answers, |project| Ok(Drafted::Change(self.leaving(project)?)))
    }

    /// Leaving a project as it is now: what would be deleted, or that it stays with the others.
    pub(super) fn leaving(&self, project: &Project) -> Result<Change<'static>, StoreError> {
        let is_last = self.store.members(&self.person, &project.id)?.len() == 1;
        let description = match is_last {
            true if self.store.counts(&self.person, &project.id, self.now_ms)? == Counts::default() => {
                format!("Delete {} for good", project.name)
            }
            true => format!("Delete {} for good: {}", project.name, self.contents(project)?),
            false => format!("Leave {}, which stays with the others", project.name),
        };
        let warning = if is_last { VOICE.asked_delete.plain() } else { VOICE.asked_leave.plain() };
        let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::LABEL, description.clone())];
        Ok(Change { tool: steps::LEAVE, description, arguments, warning: Some(warning) })
    }

    fn export(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        self.with_project(said, answers, |project| {
            if !self.is_here {
                let values = [("project", project.name.as_str()), ("id", project.id.as_str())];
                return Drafted::Said(VOICE.export_packed.with(&values), Some(project.id.clone()));
            }
            let folder = folder_named(said).unwrap_or_else(|| crate::folder::name_for(&project.name));
            let description = format!("Write {} to the folder “{folder}”", project.name);
            let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::FOLDER, folder)];
            asked_about(steps::EXPORT, description, VOICE.asked_export.plain(), arguments)
        })
    }

    /// What is drafted for the project that is named, where one is; never for another in its place.
    fn of_the_named(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        drafted: impl FnOnce(&Project) -> Result<Drafted, StoreError>,
    ) -> Result<Drafted, StoreError> {
        let projects = self.store.projects(&self.person)?;
        let answered = answers.iter().rev().find(|answer| answer.topic == WHICH_PROJECT);
        let name = answered.map_or_else(|| name_said(said), |answer| Some(answer.answer.trim().to_owned()));
        let Some(name) = name.filter(|_| !projects.is_empty()) else {
            return self.within_project(said, answers, drafted);
        };
        Ok(match meant_by_name(&projects, &name).as_slice() {
            [project] => drafted(project)?,
            [] => {
                let names = names(&projects);
                Drafted::Said(VOICE.project_unknown.with(&[("name", &name), ("names", &names)]), None)
            }
            several => Drafted::Which(several.iter().map(|project| (*project).clone()).collect()),
        })
    }

    /// The same where what is drafted has to be looked up.
    pub(super) fn within_project(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        drafted: impl FnOnce(&Project) -> Result<Drafted, StoreError>,
    ) -> Result<Drafted, StoreError> {
        self.of_project(said, answers, VOICE.no_project_to_tell.plain(), drafted)
    }

    /// The same where nothing is kept without a project.
    pub(super) fn with_project_of(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        drafted: impl FnOnce(&Project) -> Result<Drafted, StoreError>,
    ) -> Result<Drafted, StoreError> {
        self.of_project(said, answers, VOICE.no_project.plain(), drafted)
    }

    fn of_project(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        without: String,
        drafted: impl FnOnce(&Project) -> Result<Drafted, StoreError>,
    ) -> Result<Drafted, StoreError> {
        match self.about(said, answers)? {
            About::Project(project) => drafted(&project),
            About::Unclear(projects) => Ok(Drafted::Which(projects)),
            About::Nothing => Ok(Drafted::Said(without, None)),
        }
    }

    fn with_project(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        drafted: impl FnOnce(&Project) -> Drafted,
    ) -> Result<Drafted, StoreError> {
        Ok(match self.about(said, answers)? {
            About::Project(project) => drafted(&project),
            About::Unclear(projects) => Drafted::Which(projects),
            About::Nothing => Drafted::Said(VOICE.no_project.plain(), None),
        })
    }
}

/// `text` with `new` where `old` stands, in whatever letters; none where it does not.
fn replaced(text: &str, old: &str, new: &str) -> Option<String> {
    let exact = text.find(old);
    let at = exact.or_else(|| text.to_ascii_lowercase().find(&old.to_ascii_lowercase()))?;
    Some(format!("{}{new}{}", text.get(..at)?, text.get(at + old.len()..)?))
}

pub(super) fn change(tool: &'static str, description: &str, arguments: Vec<(&'static str, String)>) -> Drafted {
    Drafted::Change(Change { tool, description: description.to_owned(), arguments, warning: None })
}

/// A change that the person is asked about, with what they should know before they say yes.
pub(super) fn asked_about(
    tool: &'static str,
    description: String,
    warning: String,
    arguments: Vec<(&'static str, String)>,
) -> Drafted {
    Drafted::Change(Change { tool, description, arguments, warning: Some(warning) })
}

/// What is to be kept without the project it is told for: “in Kitchen, note that the oven is broken”.
fn without_project(told: &str, project: &str) -> String {
    let lower = told.to_ascii_lowercase();
    let named = project.to_ascii_lowercase();
    let signs =
        ["in", "for", "on", "to"].into_iter().flat_map(|word| ["", "the ", "project "].map(|more| (word, more)));
    let begun = signs
        .map(|(word, more)| format!("{word} {more}{named}"))
        .chain([named.clone()])
        .find_map(|begun| lower.starts_with(&begun).then_some(begun.len()));
    let rest = begun.and_then(|end| told.get(end..)).and_then(|rest| behind_a_name(rest.trim_start()));
    rest.map(knowledge_text).filter(|text| !text.is_empty()).unwrap_or_else(|| told.to_owned())
}

/// What is told behind the name of a project: “, the oven is broken”, “that the oven is broken”.
fn behind_a_name(rest: &str) -> Option<&str> {
    rest.strip_prefix([',', ':']).or_else(|| rest.strip_prefix("that "))
}

/// The folder that a message names: what stands in quotes, or its last word where that looks like a path.
fn folder_named(said: &str) -> Option<String> {
    let quoted = said.split(['"', '“', '”', '`']).nth(1).map(str::trim).filter(|name| !name.is_empty());
    let last = || said.split_whitespace().last().map(|word| word.trim_end_matches(['.', '?', '!']));
    let is_path = |word: &&str| word.contains('/') || word.contains('\\');
    quoted.or_else(|| last().filter(is_path)).map(str::to_owned)
}

impl Drafted {
    /// As the engine takes it.
    pub(super) fn outcome(self, said: &str, intent: &str) -> DraftOutcome {
        match self {
            Self::Change(change) => DraftOutcome::Ready { plan: change.plan(said, intent), learned: Vec::new() },
            Self::Said(text, _) => DraftOutcome::Answered { answer: plain(text) },
            Self::Which(projects) => DraftOutcome::Unclear { clarification: which(&projects) },
        }
    }
}

/// Whether all that was told is to be taken back at once.
fn wants_all_back(said: &str) -> bool {
    let words = text::words(said);
    let last = words.iter().rfind(|word| *word != "please");
    last.is_some_and(|word| ["everything", "anything", "all"].contains(&word.as_str()))
}

/// An answer in words.
pub(super) fn plain(text: String) -> Answer {
    Answer { text, table: None, presentation: Presentation::Value }
}

/// Whether the words begin by saying that something is not to be kept.
fn is_denied(said: &str) -> bool {
    let words = text::words(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["never", "mind", ..] => true,
        [first, rest @ ..] if matches!(*first, "don't" | "don’t" | "dont" | "do") => {
            let rest = if *first == "do" { rest.strip_prefix(&["not"]) } else { Some(rest) };
            rest.and_then(<[&str]>::first).is_some_and(|verb| KEEPING.contains(verb))
        }
        _ => false,
    }
}

/// Words of a correction that can stand as a note of its own where it corrects none.
const CORRECTION_WORDS: usize = 3;

/// What keeps something, as an order.
const KEEPING: [&str; 8] = ["remember", "keep", "note", "save", "write", "record", "store", "add"];
