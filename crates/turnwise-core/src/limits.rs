//! Every limit of the core, with what it buys. A collection, loop or retry without a limit here is a defect. Start
//! here when something is refused as too many or too large; `decide` applies most of them.

/// Longest message read, in bytes. Longer ones are refused with a hint to put the text in a file: reading is linear
/// in length and a person cannot mean one request by more.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;

/// Steps running at once (spec 1, settled choices): enough to overlap waiting, few enough to watch.
pub const STEPS_PARALLEL_MAX: usize = 5;

/// Seconds a step may take unless it says otherwise (spec 1, settled choices).
pub const STEP_TIMEOUT_SECONDS: u32 = 60;

/// Most steps in a plan: a run is held in memory and a person has to be able to approve it.
pub const PLAN_STEPS_MAX: usize = 20_000;

/// Facts of one step: what a step leaves beside its result is looked at by the next one and by nobody later.
pub const FACTS_STEP_MAX: usize = 50;
/// Facts of one session: what a person and an assistant can still oversee together; the log has all that were dropped.
pub const FACTS_SESSION_MAX: usize = 50;
/// Facts of one thread (TK-19).
pub const FACTS_THREAD_MAX: usize = 50;
/// Facts of one epic (TK-19): several threads feed it.
pub const FACTS_EPIC_MAX: usize = 200;
/// Facts of one channel (TK-19): many people feed it.
pub const FACTS_CHANNEL_MAX: usize = 300;
/// Facts of one project: it lives for years, and its facts are searched rather than read.
pub const FACTS_PROJECT_MAX: usize = 1_000;
/// Facts about one person: they follow the person everywhere, so few are worth it.
pub const FACTS_PERSON_MAX: usize = 200;

/// Superseded statements remembered, so that it can be said what was meant before; all of them stay in the log.
pub const FACTS_SUPERSEDED_MAX: usize = 50;

/// Facts named one by one when several are dropped or listed as depending on another; the rest is counted.
pub const FACTS_NAMED_MAX: usize = 5;

/// Rows of a table kept inside a fact; the count of all rows is kept beside them. Keeps a conversation's log small.
pub const FACT_ROWS_MAX: usize = 1_000;

/// Questions of a person answered in parallel; more are refused until some are done.
pub const QUESTIONS_MAX: usize = 8;

/// Attempts at clarifying one draft before the best stated assumption is used or the lack is said (BH-06).
pub const CLARIFICATIONS_MAX: usize = 2;

/// Different things that one draft may have settled by asking, beyond the attempts above: a question with three words
/// nobody knows is still a talk, one with ten is an interrogation.
pub const CLARIFIED_MAX: usize = 3;

/// Questions asked one after the other to fill in one form (CP-06 has six): longer ones nobody finishes.
pub const FORM_QUESTIONS_MAX: u8 = 12;

/// Steps of a plan that runs without being asked about although it changes something that can be taken back (FL-05).
pub const REVERSIBLE_STEPS_MAX: usize = 2;

/// How often a step without harm in repeating is started again after its process died, beyond its own retries: enough
/// for a restart or two, few enough that a step which kills its process does not do so for ever.
pub const LOST_ATTEMPTS_MAX: u32 = 3;

/// Requests that wait behind the one at hand, all of them from messages that asked for several: each wants a decision
/// of its own, and a person does not oversee more of them in one list.
pub const QUEUED_REQUESTS_MAX: usize = 7;

/// Controls queued while a plan runs; more are refused with a receipt that says so.
pub const QUEUED_CONTROLS_MAX: usize = 16;

/// What was said lately and is handed on with a task or a question (CP-12): as much as a person still has in mind.
pub const UTTERANCES_MAX: usize = 10;

/// Characters of each that are kept: an idle conversation stays small, and who refers to what was said means its gist.
pub const UTTERANCE_WIDTH: usize = 400;

/// Files that are kept of what lay open before a person: who means one of more has to name it.
pub const OPEN_FILES_MAX: usize = 8;

/// Bytes of the name of a file: what systems allow in a path.
pub const FILE_NAME_BYTES_MAX: usize = 4_096;

/// Receipts and replies kept in memory for asking back; all of them stay in the log.
pub const RECENT_TURNS_MAX: usize = 64;

/// Bytes of a message that is read for a change of a plan's structure: who writes more says more than that.
pub const PATCH_BYTES_MAX: usize = 1024;

/// Changes of structure that a plan keeps track of: each is made again when it is drafted anew.
pub const PATCHES_MAX: usize = 64;

/// Pairs of steps that are compared word by word to find a step again in a plan drafted anew: a few milliseconds.
pub const CARRY_COMPARISONS_MAX: usize = 10_000;

/// Changes asked of one plan before it is drafted anew from its problem.
pub const PLAN_CHANGES_MAX: usize = 32;

/// People who take part in one conversation; more are not let in, so that the state stays small.
pub const MEMBERS_MAX: usize = 256;

/// Depth to which a chain of provenance is followed; chains are a plan deep, so this only guards against loops.
pub const PROVENANCE_DEPTH_MAX: usize = 64;

/// Characters of a person's words quoted back in a sentence.
pub const QUOTE_WIDTH: usize = 60;

/// Characters of a reason repeated in a receipt.
pub const REASON_WIDTH: usize = 160;

/// Problems of one call of a model that are kept with it: a longer list says nothing more.
pub const CALL_PROBLEMS_MAX: usize = 8;

/// Characters of each of them.
pub const CALL_PROBLEM_WIDTH: usize = 400;

/// Characters of a plan's title shown in the status line while planning, and elsewhere (spec 1, settled choices).
pub const TITLE_WIDTH_PLANNING: usize = 40;
/// Characters of a title that a person gives a conversation: a line of a list.
pub const TITLE_GIVEN: usize = 120;
/// See [`TITLE_WIDTH_PLANNING`].
pub const TITLE_WIDTH: usize = 30;
/// Characters of an error shown in the status line (spec 1, settled choices).
pub const ERROR_WIDTH: usize = 40;
