//! The command line, declared once: parser, help and completion read the same definitions. Next: `mod` for what the
//! commands do.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use turnwise_core::Mode;

use super::acp::AcpArguments;
use super::attach::ServerArguments;
use super::conversations::ConversationsArguments;
use super::doctor::DoctorArguments;
use super::exemplars::args::ExemplarsCommand;
use super::mcp::McpArguments;
use super::model::ModelArguments;
use super::models::ModelsArguments;
use super::proof::ProofArguments;
use super::retention::RetentionArguments;
use super::sample::SampleArguments;
use super::schema::SchemaArguments;
use super::serve::ServeArguments;
use super::shell::{CompletionArguments, ManArguments};
use super::tokens::TokenArguments;
use super::traces::TraceArguments;
use super::upkeep::{BackupArguments, RestoreArguments};
use super::verify::VerifyArguments;
use super::why::WhyArguments;
use crate::assistant::DEFAULT;

/// The turn controller for assistants that act: ask in plain words, see the plan, approve it, get the answer and its
/// proof.
#[derive(Debug, Parser)]
#[command(name = "turnwise", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub embedder: super::embedder::EmbedderArguments,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Talk with an assistant: on a terminal interactively, in a pipe line by line
    ///
    /// With --server the conversation is held on a server, over its data; everything else is as here.
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Chat(ChatArguments),
    /// Ask one question and exit
    ///
    /// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a plan needs approval and nothing was executed, 4 something has
    /// to be clarified first, 5 cancelled.
    Ask(AskArguments),
    /// List your conversations, the one used last first
    ///
    /// In a chat, /conversations shows the same and takes one up.
    Conversations(ConversationsArguments),
    /// List what waits for a decision: plans, questions, failed runs
    Pending(PendingArguments),
    /// Approve what waits, run it and print its answer
    ///
    /// REF is the reference of the question, or the short id that `turnwise pending` shows. A chat that has the
    /// conversation open sees the decision and the answer too. Exit codes as those of ask.
    Approve(ApproveArguments),
    /// Reject what waits; nothing of it is executed
    Reject(RejectArguments),
    /// Answer what waits: with the number of a choice, or in words
    ///
    /// A failed run takes retry, replan or abandon; a paused one resume, stop or what to change.
    Answer(AnswerArguments),
    /// Read messages without acting on them: JSON lines in, JSON lines out
    ///
    /// A line in is {"text": "…", "context": {…}}; the context may carry phase, plan, run, review, last_open_editor,
    /// last_applied_diff and last_artifact_proposed.
    Classify(ClassifyArguments),
    /// Measure how well an assistant reads labelled messages
    ///
    /// A line of the data is {"text": "…", "label": "…", "context": {…}}. The label is an intent, an intent with its
    /// finer label ("query.detail") or "oos" for what means nothing to the assistant; the context is that of classify
    /// and may be left out. A label without a finer one is judged by the intent alone.
    Eval(EvalArguments),
    /// Show why a message is or was read as it is
    ///
    /// With --text: how these words are read now. Without: how a message of a kept conversation was read then, by
    /// default the last message of the last conversation.
    Why(WhyArguments),
    /// Let an assistant learn from past conversations and labelled messages; you decide what it learns
    #[command(subcommand)]
    Exemplars(ExemplarsCommand),
    /// Read the messages of past conversations again with other exemplars, and show what would change
    ///
    /// Each message is read where it was said, once with today's profile and once with the exemplars of the file.
    Replay(ReplayArguments),
    /// Write how a conclusion was found as a file that others can verify
    Proof(ProofArguments),
    /// Check a proof: that it was not edited and, with the data, that every query still gives the same
    ///
    /// Exit codes: 0 all the same, 1 edited or changed, 2 wrong usage.
    Verify(VerifyArguments),
    /// Write the sample data: a small shop over four years, the same for the same seed
    Sample(SampleArguments),
    /// Serve conversations over HTTP: an API for programs, and the page
    ///
    /// Without tokens it can be reached from this machine only, and whoever reaches it is you.
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Serve(ServeArguments),
    /// Serve conversations to another program, by the Model Context Protocol over standard input and output, or HTTP
    ///
    /// Its tools are ask, pending, decide, facts and proof. Plans wait for a person, who decides elsewhere: on the
    /// page, in a chat, or with turnwise approve.
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Mcp(McpArguments),
    /// Be an agent of an editor, by the Agent Client Protocol over standard input and output
    ///
    /// Each session works in the folder the editor opened. What would change something waits for a permission of the
    /// editor; nothing else is a yes.
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Acp(AcpArguments),
    /// Make a token for a person who may use the server
    ///
    /// The token is printed once; the file keeps only its SHA-256.
    Token(TokenArguments),
    /// Show every setting, its value, and where that is from
    ///
    /// An option of a command comes before its variable (TURNWISE_PORT for --port), that before turnwise.yaml in this
    /// folder or one above it, and that before turnwise.yaml in turnwise of the system's folder for configuration.
    Config,
    /// Write the JSON schema that a model's answer is held to, as “question”
    Schema(SchemaArguments),
    /// List the language models that are configured, and check that they answer
    ///
    /// Each is asked for one word; --list sends nothing. Exit codes: 0 all is well, 1 something is wrong.
    Models(ModelsArguments),
    /// Check conversations, data, assistant and port, and say how to mend what is wrong
    ///
    /// Nothing is changed by it. Exit codes: 0 all is well, 1 something is wrong.
    Doctor(DoctorArguments),
    /// Copy all conversations into a new file, while they may be in use
    Backup(BackupArguments),
    /// Put the conversations of a backup back
    Restore(RestoreArguments),
    /// Forget conversations at rest that are old; what runs, waits or failed stays
    Retention(RetentionArguments),
    /// Write an assistant's built-in profile where your own is looked for, ready to be changed
    ///
    /// The folder is TURNWISE_ASSISTANTS, or turnwise/assistants in the system's folder for configuration. Each file
    /// found there takes the place of the built-in one.
    Profile(ProfileArguments),
    /// Write what completes commands, options and their values in a shell
    ///
    /// For example, in ~/.bashrc: source <(turnwise completions bash)
    Completions(CompletionArguments),
    /// Write the manual page, or with --out one for every command
    Man(ManArguments),
}

/// Over which data.
#[derive(Clone, Debug, Args)]
pub struct DataArguments {
    /// CSV, TSV, .xlsx, Parquet, JSON or SQLite files, documents (Markdown, text, HTML, PDF), folders of them, or
    /// postgres://user:password@host/database, or mysql://user:password@host/database; may be given several times. For
    /// an assistant that works in a project: its folder
    #[arg(long, visible_alias = "workspace", value_name = "PATH", conflicts_with = "sample")]
    pub data: Vec<PathBuf>,
    /// Use the sample data, generated on first use
    #[arg(long)]
    pub sample: bool,
    /// Begin in this mode
    #[arg(long, value_name = "MODE")]
    pub mode: Option<ModeArgument>,
    #[command(flatten)]
    pub model: ModelArguments,
}

/// Where conversations are kept.
#[derive(Clone, Debug, Args)]
pub struct StoreArguments {
    /// Keep conversations in this file instead of the state folder
    #[arg(long, value_name = "FILE", conflicts_with = "ephemeral")]
    pub db: Option<PathBuf>,
    /// Keep nothing
    #[arg(long)]
    pub ephemeral: bool,
}

/// `turnwise chat`.
#[derive(Clone, Debug, Args)]
pub struct ChatArguments {
    #[command(flatten)]
    pub server: ServerArguments,
    /// The assistant
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    /// Take up a conversation again: the named one; without ID one you choose from the list, in a pipe the latest
    ///
    /// Without --data it is over what it was begun over.
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with_all = ["new", "ephemeral", "goes_on"])]
    pub resume: Option<Option<String>>,
    /// Take up your latest conversation again; with --data the latest over this data
    #[arg(long = "continue", conflicts_with_all = ["new", "ephemeral"])]
    pub goes_on: bool,
    /// Begin a new conversation, even if the last one over this data is unfinished
    #[arg(long)]
    pub new: bool,
    #[command(flatten)]
    pub flow: FlowArguments,
    #[command(flatten)]
    pub traces: TraceArguments,
}

/// How the assistant goes about its work, in place of its profile's `flow`. Nothing of it can make a plan with effects
/// run without being approved.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct FlowArguments {
    /// Settings that go together: ask about every plan, run small ones that change nothing, or talk first
    #[arg(long, value_enum, value_name = "PRESET")]
    pub preset: Option<PresetArgument>,
    /// Where a run waits for you between its steps
    #[arg(long, value_enum, value_name = "WHERE")]
    pub approval_mode: Option<ApprovalModeArgument>,
}

/// The presets, in their own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PresetArgument {
    /// Every plan is shown and approved before it runs
    Complex,
    /// One or two steps that change nothing, or only what can be taken back, run without asking
    Simple,
    /// A task is talked over first, and planned when you say "implement"
    Conversational,
}

/// The places where a run may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ApprovalModeArgument {
    /// Nowhere: the approved plan simply runs
    None,
    /// Before each step
    BeforeStep,
    /// After each step
    AfterStep,
    /// Before the first step and after each one
    Both,
}

/// `turnwise ask`.
#[derive(Clone, Debug, Args)]
pub struct AskArguments {
    /// The assistant
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    /// Whether plans are approved: all, or never (the plan is shown and nothing is executed)
    #[arg(long, value_enum, default_value_t = Approve::Never)]
    pub approve: Approve,
    /// Answer as one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub chart: ChartArguments,
    #[command(flatten)]
    pub traces: TraceArguments,
    /// The question; - reads it from standard input
    #[arg(value_name = "QUESTION", required = true, allow_hyphen_values = true)]
    pub question: String,
}

/// `turnwise pending`.
#[derive(Clone, Debug, Args)]
pub struct PendingArguments {
    /// Only of this conversation, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    pub conversation: Option<String>,
    /// As one JSON array
    #[arg(long)]
    pub json: bool,
    /// The file the conversations are kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// What is decided on, by whom, and where it is found.
#[derive(Clone, Debug, Args)]
pub struct TargetArguments {
    /// The reference of the question, or its short id
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Who decides; by default the person logged in
    #[arg(long = "as", value_name = "NAME")]
    pub person: Option<String>,
    /// The conversation's data, where it is not what it was when the conversation began
    #[arg(long, value_name = "PATH", conflicts_with = "sample")]
    pub data: Vec<PathBuf>,
    /// The conversation is over the sample data
    #[arg(long)]
    pub sample: bool,
    /// The file the conversation is kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Answer as one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub traces: TraceArguments,
}

/// `turnwise approve`.
#[derive(Clone, Debug, Args)]
pub struct ApproveArguments {
    #[command(flatten)]
    pub target: TargetArguments,
    /// A remark that is kept with the approval and changes nothing
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub note: Option<String>,
}

/// `turnwise reject`.
#[derive(Clone, Debug, Args)]
pub struct RejectArguments {
    #[command(flatten)]
    pub target: TargetArguments,
    /// Why; kept with the rejection
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
}

/// `turnwise answer`.
#[derive(Clone, Debug, Args)]
pub struct AnswerArguments {
    #[command(flatten)]
    pub target: TargetArguments,
    /// The answer
    #[arg(value_name = "TEXT", required = true)]
    pub words: Vec<String>,
}

/// Whether and how the result is drawn into a file.
#[derive(Clone, Debug, Args)]
pub struct ChartArguments {
    /// Draw the result into this file, too: .svg or .png
    ///
    /// The question decides what is drawn: a course as a line, a ranking as bars, shares as a stacked bar, two numbers
    /// as a scatter plot; say "as a line" and the like for another. A file that holds something else stays as it is.
    #[arg(long = "chart", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The ground the chart is made for; without it an .svg follows the viewer, and a .png is light
    #[arg(long, value_enum, requires = "file")]
    pub theme: Option<Theme>,
    /// Replace the chart's file if it is there
    #[arg(long, requires = "file")]
    pub replace: bool,
}

/// `--theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// `turnwise classify`.
#[derive(Clone, Debug, Args)]
pub struct ClassifyArguments {
    /// The assistant whose profile reads
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    /// JSON lines on standard input and output; the only form there is
    #[arg(long, required = true)]
    pub jsonl: bool,
    /// Read on so many threads; 0 means one for each core. The output is the same, in the order of the input
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
}

/// `turnwise eval`.
#[derive(Clone, Debug, Args)]
pub struct EvalArguments {
    /// The assistant whose profile reads
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    /// Labelled messages, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// How the figures are written
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    pub format: EvalFormat,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How `eval` writes its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvalFormat {
    /// For reading in a terminal.
    Text,
    /// One object.
    Json,
    /// One page with the matrix and the reliability curve drawn.
    Html,
}

/// `turnwise replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayArguments {
    /// The exemplars to try, written like exemplars.yaml
    #[arg(long, value_name = "FILE")]
    pub exemplars: PathBuf,
    /// Add them to today's instead of taking their place
    #[arg(long)]
    pub add: bool,
    /// The assistant whose conversations are read again
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    /// Answer as one JSON object
    #[arg(long)]
    pub json: bool,
    /// End with exit code 1 when a message would be read differently
    #[arg(long)]
    pub fail_on_change: bool,
    /// The file the conversations are kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// `turnwise profile`.
#[derive(Clone, Debug, Args)]
pub struct ProfileArguments {
    /// The assistant
    #[arg(value_name = "NAME")]
    pub assistant: String,
}

/// Whether `ask` approves plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Approve {
    /// Every plan, as if the person had said yes.
    All,
    /// None.
    Never,
}

/// The modes, in their own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArgument {
    /// Self-contained, auditable work.
    Proof,
    /// Facts accumulate over the session.
    Exploratory,
}

impl From<ModeArgument> for Mode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::Proof => Self::Proof,
            ModeArgument::Exploratory => Self::Exploratory,
        }
    }
}
