//! The one table of the companion's intents: a new label is one entry here and its examples in the profile.
//! Next: `extract` for the parameters.

/// What the companion can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The profile's label.
    pub label: &'static str,
    /// Whether it is carried out or only voiced.
    pub standing: Standing,
    /// What is taken from the message.
    pub parameter: Parameter,
    /// Whether it is about one project, so that it has to be known which.
    pub needs_project: bool,
}

/// Whether an intent is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has effects or answers of its own.
    Live,
    /// It is voiced through the whole pipeline, without effects.
    Stub,
}

/// What is taken from a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Nothing.
    None,
    /// What is to be kept.
    KnowledgeText,
    /// What is wanted in hand.
    ArtifactDescription,
}

/// Where everything unsure goes.
pub const GENERAL: Intent = live("general_conversation", Parameter::None, false);

/// All of them, live ones first.
pub const INTENTS: [Intent; 32] = [
    live("create_project", Parameter::None, false),
    live("finalize_project", Parameter::None, false),
    live("add_knowledge", Parameter::KnowledgeText, true),
    live("ask_about_progress", Parameter::None, true),
    live("ask_about_past_input", Parameter::None, true),
    live("request_download", Parameter::ArtifactDescription, true),
    live("answer_setup", Parameter::None, false),
    live("save_notes", Parameter::None, true),
    live("take_back", Parameter::None, true),
    live("undo", Parameter::None, false),
    live("edit_note", Parameter::None, true),
    live("group_notes", Parameter::None, true),
    live("ungroup_notes", Parameter::None, true),
    live("show_groups", Parameter::None, true),
    live("write_specification", Parameter::None, true),
    live("show_documents", Parameter::None, true),
    live("rename_project", Parameter::None, true),
    live("invite_person", Parameter::None, true),
    live("withdraw_invitation", Parameter::None, true),
    live("show_members", Parameter::None, true),
    live("join_project", Parameter::None, false),
    live("decline_invitation", Parameter::None, false),
    live("leave_project", Parameter::None, true),
    live("leave_setup", Parameter::None, false),
    live("choose_project", Parameter::None, false),
    live("export_project", Parameter::None, true),
    live("import_project", Parameter::None, false),
    GENERAL,
    stub("request_draft"),
    stub("approve_draft"),
    stub("request_revision"),
    stub("request_redirect"),
];

/// The intent of this label.
#[must_use]
pub fn intent(label: &str) -> Option<&'static Intent> {
    INTENTS.iter().find(|intent| intent.label == label)
}

const fn live(label: &'static str, parameter: Parameter, needs_project: bool) -> Intent {
    Intent { label, standing: Standing::Live, parameter, needs_project }
}

const fn stub(label: &'static str) -> Intent {
    Intent { label, standing: Standing::Stub, parameter: Parameter::None, needs_project: false }
}
