//! Steps: the tools of the companion, and how a step is put together and read again. Each is one change that can be
//! taken back, made once however often it is attempted. Next: `run`.

use std::collections::BTreeMap;

use turnwise_core::{EffectClass, FactName, PlanDraft, Step, StepId, ToolName};

use crate::store::{ProjectId, SeedField};

/// Begins a project.
pub(super) const START: &str = "start_project";
/// Begins a project where it is in doubt that one is wished for, so that it is asked first.
pub(super) const OFFER: &str = "offer_project";
/// Keeps an answer about a project that is being set up.
pub(super) const SET_UP: &str = "set_up_project";
/// Completes the setup of a project.
pub(super) const FINALIZE: &str = "finalize_project";
/// Makes a note.
pub(super) const ADD: &str = "add_note";
/// Keeps something about the person.
pub(super) const KEEP: &str = "keep_about_person";
/// Forgets something about the person.
pub(super) const FORGET: &str = "forget_about_person";
/// Saves notes.
pub(super) const SAVE: &str = "save_notes";
/// Takes notes back.
pub(super) const TAKE_BACK: &str = "take_notes_back";
/// Undoes the last change.
pub(super) const UNDO: &str = "undo_last_change";
/// Changes what a note says.
pub(super) const EDIT: &str = "edit_note";
/// Puts notes into a group.
pub(super) const GROUP: &str = "group_notes";
/// Takes notes out of their group, or gives up a group.
pub(super) const UNGROUP: &str = "ungroup_notes";
/// Writes a specification.
pub(super) const SPECIFY: &str = "write_specification";
/// Gives a project another name.
pub(super) const RENAME: &str = "rename_project";
/// Turns the talk to a project.
pub(super) const TURN_TO: &str = "turn_to_project";
/// Leaves the setup of a project for later.
pub(super) const LEAVE_SETUP: &str = "leave_setup";
/// Invites somebody to a project.
pub(super) const INVITE: &str = "invite_person";
/// Takes an invitation back.
pub(super) const WITHDRAW: &str = "withdraw_invitation";
/// Joins a project.
pub(super) const JOIN: &str = "join_project";
/// Turns an invitation down.
pub(super) const DECLINE: &str = "decline_invitation";
/// Leaves a project.
pub(super) const LEAVE: &str = "leave_project";
/// Writes a project to a folder.
pub(super) const EXPORT: &str = "export_project";
/// Reads a project from a folder.
pub(super) const IMPORT: &str = "import_project";

/// Does several requests of one message, one after the other.
pub(super) const SEVERAL: &str = "several_requests";

/// The requests of a message, as a list.
pub(super) const PARTS: &str = "parts";
/// The project.
pub(super) const PROJECT: &str = "project";
/// What is kept; of what is asked about, what the person should know before they say yes: whoever shows the plan shows
/// it in place of how it is done.
pub(super) const TEXT: &str = "text";
/// Numbers of notes, with commas between.
pub(super) const NUMBERS: &str = "numbers";
/// Hours that something counts.
pub(super) const HOURS: &str = "hours";
/// A folder.
pub(super) const FOLDER: &str = "folder";
/// A label, or a name.
pub(super) const LABEL: &str = "label";
/// Somebody.
pub(super) const GUEST: &str = "person";
/// What the person said.
pub(super) const SAID: &str = "said";
/// How it was read.
pub(super) const INTENT: &str = "intent";
/// What a model made of what was told, for the reply.
pub(super) const REMARK: &str = "remark";

/// What a tool may do to the world. What lies outside of the store can be written over, and what others have seen
/// cannot be unseen, nor a project come back that was left: so these are asked about. So is a project that only
/// might be wished for.
pub(super) fn effect_of(tool: &str) -> EffectClass {
    match tool {
        EXPORT | INVITE | LEAVE | OFFER => EffectClass::OnceOnly,
        _ => EffectClass::Reversible,
    }
}

/// Whether the person is asked before it is done.
pub(super) fn is_asked_about(tool: &ToolName) -> bool {
    effect_of(tool.as_str()) == EffectClass::OnceOnly
}

/// A plan of one step.
pub(super) struct Change<'a> {
    pub(super) tool: &'a str,
    /// What people read while it is done.
    pub(super) description: String,
    pub(super) arguments: Vec<(&'a str, String)>,
    /// What the person should know before they say yes, where they are asked.
    pub(super) warning: Option<String>,
}

impl Change<'_> {
    /// Whether the person is asked before it is done.
    pub(super) fn is_asked_about(&self) -> bool {
        is_asked_about(&ToolName::new(self.tool))
    }

    /// What the person is asked.
    pub(super) fn question(&self) -> String {
        format!("{}?", self.description)
    }

    /// The project it is about.
    pub(super) fn project(&self) -> Option<ProjectId> {
        let named = self.arguments.iter().find(|(name, _)| *name == PROJECT);
        named.map(|(_, id)| ProjectId::new(id.as_str()))
    }

    /// As a plan for what was `said`, read as `intent`.
    pub(super) fn plan(self, said: &str, intent: &str) -> PlanDraft {
        let mut step = Step::new(StepId::new(1), self.description.clone(), ToolName::new(self.tool));
        let result = FactName::new("outcome");
        let warning = self.warning.map(|text| (TEXT, text));
        let around = [(SAID, said.to_owned()), (INTENT, intent.to_owned())];
        let arguments = self.arguments.into_iter().chain(warning).chain(around);
        step.arguments = arguments.map(|(name, value)| (name.to_owned(), value)).collect();
        step.produces = vec![result.clone()];
        step.effect = effect_of(self.tool);
        PlanDraft { title: self.description, ..PlanDraft::new(said, vec![step], result) }
    }
}

/// The arguments of a step.
pub(super) struct Arguments<'a>(pub(super) &'a BTreeMap<String, String>);

impl Arguments<'_> {
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub(super) fn project(&self) -> ProjectId {
        ProjectId::new(self.text(PROJECT))
    }

    pub(super) fn numbers(&self) -> Option<Vec<i64>> {
        let numbers: Vec<i64> = self.text(NUMBERS).split(',').filter_map(|number| number.parse().ok()).collect();
        (!numbers.is_empty()).then_some(numbers)
    }
}

/// What is said of a project, each under the code of its field; empty for what is passed over.
pub(super) fn fields(arguments: &Arguments<'_>) -> Vec<(SeedField, String)> {
    let said = |field: SeedField| Some((field, arguments.0.get(field.code())?.clone()));
    SeedField::ALL.into_iter().filter_map(said).collect()
}

/// Numbers as an argument.
pub(super) fn listed(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}
