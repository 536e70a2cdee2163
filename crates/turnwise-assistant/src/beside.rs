//! What is told beside a reply where one person talks with an assistant about their work (CP-01): what changed, what
//! could be said next, how far something that is being set up is. Values only; the surface shows them. Next: `lib`.

/// What is told beside a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The project the talk is about, as it is named in requests.
    pub project: Option<String>,
    /// What the latest work changed.
    pub changes: Vec<Changed>,
    /// What could be said next; each works when it is sent.
    pub suggestions: Vec<Suggestion>,
    /// What is being set up, if anything is.
    pub setup: Option<Setup>,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What, as a code: `note_created`.
    pub kind: String,
    /// In which project.
    pub project: Option<String>,
    /// The number of the note it is about.
    pub note: Option<i64>,
}

/// Something that could be said next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What a button would say.
    pub label: String,
    /// What is sent.
    pub message: String,
}

/// Something that is being set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Whether it can be looked over and completed; else something has to be said yet.
    pub is_ready: bool,
    /// What was said of it so far: a code and the words, in order.
    pub said: Vec<(String, String)>,
}

/// What a request names that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The project, or the person is no member of it.
    Project,
    /// The intent; with the nearest there is.
    Intent(Option<String>),
}
