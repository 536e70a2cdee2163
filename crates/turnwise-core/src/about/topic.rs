//! What a question is about, by its words. Only what plainly asks about the plan is taken; a question about the data
//! goes on to be read like any other. Next: `told`.

use crate::{PlanAspect, PlanDraft, StepId, patch, text};

/// What is asked about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// What it changes, and where.
    Effects,
    /// Whether that can be taken back.
    Undo,
    /// What a no does.
    IfNo,
    /// What becomes of a step that fails; of a run that failed, why it did.
    IfFails,
    /// How far it got.
    Progress,
    /// What it takes for granted.
    Assumptions,
    /// What it does, whole.
    Whole,
    /// What one step does.
    Step(StepId),
    /// What one step is for.
    Why(StepId),
    /// In which order it runs.
    Order,
    /// What comes of it.
    Result,
    /// Whether it speaks of something.
    Mention(String),
    /// Who may decide.
    Who,
    /// What can be said now.
    Ways,
    /// How it differs from the version before.
    Changes,
    /// What waits behind it.
    Queue,
    /// What only the assistant can tell.
    Ask(PlanAspect, Option<StepId>),
}

/// What `said` asks about the plan `draft`; `None` when it is no question, or one about something else. The assistant
/// calls what its steps run by `query_words`, beside what everyone calls it.
pub(crate) fn topic(said: &str, draft: &PlanDraft, query_words: &[String]) -> Option<Topic> {
    let question = Question::of(said, query_words)?;
    let steps = patch::mentioned(said, draft);
    let step = match steps.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    question
        .about_deciding()
        .or_else(|| question.about_assistants(step))
        .or_else(|| question.about_effects())
        .or_else(|| question.about_steps(&steps))
        .or_else(|| question.about_the_whole())
}

/// What `said` asks about a run of `draft` that goes on, waits or has failed; see [`topic`]. In few words, or
/// pointing at it, even a general question can be about nothing else.
pub(crate) fn topic_of_run(said: &str, draft: &PlanDraft, query_words: &[String], failed: bool) -> Option<Topic> {
    let question = Question::of(said, query_words)?;
    let is_about = question.points() || question.says(&RUNS);
    // Of what has just failed nothing else is asked in so few words.
    let is_bare = question.words.iter().all(|word| BARE.contains(&word.as_str()));
    if failed && is_bare && question.says(&["why", "how"]) {
        return Some(Topic::IfFails);
    }
    let went_wrong = question.says(&FAILING) || question.says(&WRONG) || question.has(&GOING_WRONG);
    if failed && is_about && went_wrong {
        return Some(Topic::IfFails);
    }
    if is_about && question.has(&PROGRESS) {
        return Some(if failed && !question.has(&HOW_FAR) { Topic::IfFails } else { Topic::Progress });
    }
    topic(said, draft, query_words)
}

/// The words of a question, between blanks.
struct Question<'a> {
    words: Vec<String>,
    padded: String,
    /// The assistant's own words for its queries.
    query_words: &'a [String],
}

impl<'a> Question<'a> {
    /// None when `said` does not ask.
    fn of(said: &str, query_words: &'a [String]) -> Option<Self> {
        let words: Vec<String> = text::words(said).into_iter().map(|word| word.replace('’', "'")).collect();
        let padded = format!(" {} ", words.join(" "));
        let question = Self { words, padded, query_words };
        let marked = said.contains(['?', '？']);
        let start = question.words.iter().position(|word| !LEADING.contains(&word.as_str())).unwrap_or_default();
        let opens = question.words.get(start).is_some_and(|word| OPENING.contains(&word.as_str()));
        let orders = question.has(&EXPLAIN) || (question.says(&SHOWING) && question.names_query());
        (marked || opens || orders).then_some(question)
    }

    fn says(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(&word.as_str()))
    }

    fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.padded.contains(&format!(" {phrase} ")))
    }

    fn names_query(&self) -> bool {
        self.says(&QUERIES) || self.words.iter().any(|word| self.query_words.contains(word))
    }

    /// Whether it points at what is on the screen rather than at the data.
    fn points(&self) -> bool {
        self.says(&POINTING) || self.words.len() <= SHORT_WORDS
    }

    fn about_deciding(&self) -> Option<Topic> {
        if self.says(&["queue", "queued"]) {
            return Some(Topic::Queue);
        }
        if self.has(&IF_NO) {
            return Some(Topic::IfNo);
        }
        if self.has(&IF_YES) {
            return Some(Topic::Whole);
        }
        let who =
            self.says(&["who", "whose"]) && self.says(&["approve", "decide", "approval", "sign", "answer", "say"]);
        if who {
            return Some(Topic::Who);
        }
        if self.has(&WAYS) {
            return Some(Topic::Ways);
        }
        self.has(&CHANGES).then_some(Topic::Changes)
    }

    fn about_assistants(&self, step: Option<StepId>) -> Option<Topic> {
        let ask = |aspect| Some(Topic::Ask(aspect, step));
        if self.names_query() {
            return ask(PlanAspect::Query);
        }
        let is_cost = self.says(&COSTS) || self.has(&COST_PHRASES);
        if is_cost && self.points() && !self.says(&["total", "average", "sum", "most", "by"]) {
            return ask(PlanAspect::Cost);
        }
        if self.has(&["how many rows", "how much data"]) && self.says(&READING) && self.says(&POINTING) {
            return ask(PlanAspect::Cost);
        }
        // What there is, is a question about the data.
        if self.says(&["there", "have", "has", "available", "exist"]) || !self.points() {
            return None;
        }
        if self.says(&["column", "columns", "field", "fields"]) {
            return ask(PlanAspect::Columns);
        }
        let reads_files = self.says(&["file", "files"]) && self.says(&["read", "reads", "use", "uses", "from"]);
        let is_data = self.has(&["which data", "what data", "data does", "data will", "data do"]);
        let is_source = self.says(&["table", "tables", "source", "sources", "dataset", "datasets"]);
        // "Will it be a table?" asks for the looks of the result.
        let is_look = self.has(&["a table", "as table", "look like"]);
        ((is_source && !is_look) || is_data || reads_files).then_some(Topic::Ask(PlanAspect::Tables, step))
    }

    fn about_effects(&self) -> Option<Topic> {
        if self.says(&FAILING) || self.has(&["goes wrong", "go wrong", "went wrong"]) {
            return Some(Topic::IfFails);
        }
        if self.says(&UNDOING) || self.has(&["roll back", "rolled back", "take it back", "taken back", "go back"]) {
            return Some(Topic::Undo);
        }
        let writes =
            self.says(&["file", "files", "folder", "path", "filename"]) && (self.says(&WRITING) || self.points());
        let goes = self.says(&["where"]) && (self.says(&WRITING) || self.says(&["go", "goes", "end", "land", "put"]));
        let harm = self.says(&HARMING) && (self.says(&POINTING) || self.says(&["anything", "something", "my", "data"]));
        let kept = self.says(&WRITING) && self.says(&["anything", "something", "nothing"]);
        let safe = self.says(&SAFETY) && (self.points() || self.words.len() <= FEW_WORDS)
            || self.has(&["read only", "side effects", "side effect"]);
        (writes || goes || harm || kept || safe).then_some(Topic::Effects)
    }

    fn about_steps(&self, steps: &[StepId]) -> Option<Topic> {
        if self.has(&["how many steps"]) {
            return Some(Topic::Whole);
        }
        let in_order = self.has(&ORDERING) || (self.says(&["order"]) && self.says(&["step", "steps", "run", "runs"]));
        match steps {
            [] if in_order => Some(Topic::Order),
            [] => None,
            [only] if self.says(&PURPOSE) || self.has(&["what for", "what is it for", "waits for", "wait for"]) => {
                Some(Topic::Why(*only))
            }
            [only] => Some(Topic::Step(*only)),
            // Of two steps it is asked how they hang together.
            [first, ..] if self.says(&PURPOSE) || self.says(&["wait", "waits"]) => Some(Topic::Why(*first)),
            [..] => Some(Topic::Order),
        }
    }

    fn about_the_whole(&self) -> Option<Topic> {
        if self.says(&ASSUMING) || self.has(&["for granted", "taken as given"]) {
            return Some(Topic::Assumptions);
        }
        if self.has(&RESULT) {
            return Some(Topic::Result);
        }
        if self.has(&WHOLE) {
            return Some(Topic::Whole);
        }
        let at = self.words.iter().position(|word| INCLUDING.contains(&word.as_str()))?;
        let pointed = self.words[..at].iter().any(|word| POINTING.contains(&word.as_str()));
        let asked: Vec<&str> =
            self.words[at + 1..].iter().map(String::as_str).filter(|word| !EMPTY.contains(word)).collect();
        (pointed && !asked.is_empty()).then(|| Topic::Mention(asked.join(" ")))
    }
}

/// A question of so few words can only be about what was just shown.
const SHORT_WORDS: usize = 3;

/// Whether something is safe is asked in so few words of nothing else.
const FEW_WORDS: usize = 5;

const LEADING: [&str; 31] = [
    "ok", "okay", "yes", "yeah", "no", "but", "and", "so", "wait", "hmm", "hm", "well", "oh", "fine", "sure", "good",
    "looks", "sounds", "great", "first", "before", "then", "now", "please", "hold", "on", "actually", "just", "one",
    "question", "nice",
];
const OPENING: [&str; 31] = [
    "what", "what's", "which", "why", "how", "who", "whose", "where", "when", "is", "are", "does", "do", "did", "will",
    "would", "can", "could", "may", "must", "should", "isn't", "aren't", "won't", "doesn't", "explain", "describe",
    "where's", "who's", "how's", "whats",
];
const EXPLAIN: [&str; 5] = ["tell me", "explain", "describe", "walk me through", "list the assumptions"];
const SHOWING: [&str; 6] = ["show", "see", "print", "give", "display", "view"];
/// Words for what a step runs, whatever assistant it is of; each adds its own.
const QUERIES: [&str; 4] = ["query", "queries", "command", "commands"];
const POINTING: [&str; 14] =
    ["it", "this", "that", "plan", "step", "steps", "you", "they", "these", "those", "its", "your", "anything", "here"];
const IF_NO: [&str; 14] = [
    "say no",
    "say n",
    "i reject",
    "i decline",
    "i refuse",
    "i don't approve",
    "i do not approve",
    "i don't",
    "i do not",
    "i cancel",
    "i do nothing",
    "i say nothing",
    "i don't answer",
    "i ignore",
];
const IF_YES: [&str; 12] = [
    "if i say yes",
    "if i say y",
    "when i say yes",
    "if i approve",
    "after i approve",
    "when i approve",
    "once i approve",
    "after approval",
    "if approved",
    "i say yes",
    "if i agree",
    "if i accept",
];
const WAYS: [&str; 18] = [
    "what can i say",
    "what can i do",
    "what can i type",
    "what do i type",
    "what do i do",
    "what do i say",
    "my options",
    "the options",
    "what now",
    "how do i approve",
    "how can i approve",
    "how do i reject",
    "can i change",
    "how do i change",
    "how can i change",
    "can i edit",
    "can it be changed",
    "could i change",
];
const CHANGES: [&str; 10] = [
    "what changed",
    "what has changed",
    "what is different",
    "what's different",
    "what is new",
    "what's new",
    "did you change",
    "have you changed",
    "the difference",
    "differ from",
];
const COSTS: [&str; 12] =
    ["expensive", "cheap", "cost", "costs", "costly", "slow", "fast", "heavy", "quick", "eta", "duration", "runtime"];
const COST_PHRASES: [&str; 12] = [
    "how long",
    "take long",
    "takes long",
    "long will",
    "long does",
    "much time",
    "take forever",
    "take ages",
    "when will it",
    "when is it done",
    "how much work",
    "how big",
];
const READING: [&str; 12] =
    ["read", "reads", "scan", "scans", "look", "looks", "process", "touch", "use", "uses", "go", "load"];
const FAILING: [&str; 7] = ["fail", "fails", "failed", "failure", "crash", "crashes", "breaks"];
const WRONG: [&str; 10] =
    ["error", "errors", "problem", "wrong", "cause", "caused", "broke", "broken", "failing", "fault"];
const GOING_WRONG: [&str; 3] = ["goes wrong", "go wrong", "went wrong"];
const BARE: [&str; 9] = ["why", "but", "how", "come", "so", "and", "is", "that", "what"];
const RUNS: [&str; 4] = ["run", "running", "execution", "failure"];
/// Questions of how it stands.
const PROGRESS: [&str; 17] = [
    "what happened",
    "what has happened",
    "how far",
    "how much is left",
    "what is left",
    "what's left",
    "what is done",
    "what's done",
    "which steps are done",
    "what remains",
    "still to do",
    "left to do",
    "has been done",
    "was done",
    "already done",
    "is done so far",
    "is finished",
];
const HOW_FAR: [&str; 8] =
    ["how far", "how much is left", "what is left", "what's left", "is done", "are done", "remains", "to do"];
const UNDOING: [&str; 8] =
    ["undo", "undone", "revert", "reverted", "reversible", "irreversible", "rollback", "reversed"];
const WRITING: [&str; 11] =
    ["write", "writes", "written", "save", "saved", "saves", "store", "stored", "output", "create", "created"];
const HARMING: [&str; 26] = [
    "change",
    "changes",
    "changed",
    "modify",
    "modifies",
    "modified",
    "overwrite",
    "overwrites",
    "overwritten",
    "delete",
    "deletes",
    "deleted",
    "destroy",
    "alter",
    "altered",
    "touch",
    "damage",
    "replace",
    "replaced",
    "replaces",
    "write",
    "writes",
    "send",
    "sends",
    "break",
    "update",
];
const SAFETY: [&str; 9] =
    ["safe", "dangerous", "risky", "risk", "risks", "harmful", "harmless", "readonly", "destructive"];
const ORDERING: [&str; 9] = [
    "in parallel",
    "at the same time",
    "what order",
    "which order",
    "simultaneously",
    "one at a time",
    "one after the other",
    "runs first",
    "comes first",
];
const PURPOSE: [&str; 16] = [
    "why",
    "for",
    "purpose",
    "reason",
    "need",
    "needs",
    "needed",
    "necessary",
    "depend",
    "depends",
    "rely",
    "relies",
    "required",
    "use",
    "dependent",
    "optional",
];
const ASSUMING: [&str; 8] =
    ["assume", "assumes", "assumed", "assuming", "assumption", "assumptions", "presume", "presumed"];
const RESULT: [&str; 20] = [
    "what will i get",
    "what do i get",
    "what would i get",
    "result look",
    "results look",
    "it look",
    "what comes out",
    "what will come out",
    "what does it give",
    "what will it show",
    "what will it give",
    "what is the result",
    "be the result",
    "kind of result",
    "do i get",
    "will i get",
    "will it be a",
    "will there be a",
    "is it a table",
    "is it a chart",
];
const WHOLE: [&str; 36] = [
    "what will you do",
    "what are you going to do",
    "what are you about to do",
    "what would you do",
    "what does it do",
    "what will it do",
    "what would it do",
    "what would that do",
    "what does that do",
    "what does this do",
    "what will this do",
    "what will that do",
    "what exactly",
    "explain the plan",
    "explain it",
    "explain this",
    "explain your plan",
    "explain that",
    "what's the plan",
    "what is the plan",
    "walk me through",
    "what happens",
    "what will happen",
    "what would happen",
    "going to happen",
    "how does it work",
    "how does this work",
    "how will you do",
    "how do you do",
    "how would you do",
    "describe the plan",
    "describe it",
    "about the plan",
    "what is this plan",
    "what steps",
    "which steps",
];
const INCLUDING: [&str; 14] = [
    "include",
    "includes",
    "including",
    "contain",
    "contains",
    "cover",
    "covers",
    "consider",
    "considers",
    "exclude",
    "excludes",
    "ignore",
    "ignores",
    "count",
];
const EMPTY: [&str; 8] = ["the", "a", "an", "any", "all", "also", "too", "as"];
