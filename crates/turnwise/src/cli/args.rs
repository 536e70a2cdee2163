//! The command line, declared once: parser, help and completion read the same definitions. Next: `mod` for what the
//! commands do.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use turnwise_core::Mode;

/// The turn controller for assistants that act: ask in plain words, see the plan, approve it, get the answer and its
/// proof.
#[derive(Debug, Parser)]
#[command(name = "turnwise", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Talk with an assistant: on a terminal interactively, in a pipe line by line
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Chat(ChatArguments),
    /// Ask one question and exit
    ///
    /// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a plan needs approval and nothing was executed, 4 something has
    /// to be clarified first, 5 cancelled.
    Ask(AskArguments),
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
    /// Write the sample data: a small shop over four years, the same for the same seed
    Sample(SampleArguments),
    /// Serve conversations over HTTP: an API for programs, and the page
    ///
    /// Without tokens it can be reached from this machine only, and whoever reaches it is you.
    #[command(mut_arg("data", |data| data.num_args(1..)))]
    Serve(ServeArguments),
    /// Make a token for a person who may use the server
    ///
    /// The token is printed once; the file keeps only its SHA-256.
    Token(TokenArguments),
    /// Write an assistant's built-in profile where your own is looked for, ready to be changed
    ///
    /// The folder is TURNWISE_ASSISTANTS, or turnwise/assistants in the system's folder for configuration. Each file
    /// found there takes the place of the built-in one.
    Profile(ProfileArguments),
}

/// Which assistant, over which data.
#[derive(Clone, Debug, Args)]
pub struct DataArguments {
    /// The assistant
    #[arg(long, value_name = "NAME", default_value = "analyst")]
    pub assistant: String,
    /// CSV, TSV, Parquet, JSON lines or SQLite files, or folders of them; may be given several times
    #[arg(long, value_name = "PATH", conflicts_with = "sample")]
    pub data: Vec<PathBuf>,
    /// Use the sample data, generated on first use
    #[arg(long)]
    pub sample: bool,
    /// Begin in this mode
    #[arg(long, value_name = "MODE")]
    pub mode: Option<ModeArgument>,
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
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    /// Take up a conversation again: the named one, or the latest over this data
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with_all = ["new", "ephemeral"])]
    pub resume: Option<Option<String>>,
    /// Begin a new conversation, even if the last one over this data is unfinished
    #[arg(long)]
    pub new: bool,
}

/// `turnwise ask`.
#[derive(Clone, Debug, Args)]
pub struct AskArguments {
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
    /// The question; - reads it from standard input
    #[arg(value_name = "QUESTION", required = true, allow_hyphen_values = true)]
    pub question: String,
}

/// `turnwise classify`.
#[derive(Clone, Debug, Args)]
pub struct ClassifyArguments {
    /// The assistant whose profile reads
    #[arg(long, value_name = "NAME", default_value = "analyst")]
    pub assistant: String,
    /// JSON lines on standard input and output; the only form there is
    #[arg(long, required = true)]
    pub jsonl: bool,
}

/// `turnwise eval`.
#[derive(Clone, Debug, Args)]
pub struct EvalArguments {
    /// The assistant whose profile reads
    #[arg(long, value_name = "NAME", default_value = "analyst")]
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

/// `turnwise why`.
#[derive(Clone, Debug, Args)]
pub struct WhyArguments {
    /// The conversation, by its id or the beginning of it; the last one if left out
    #[arg(value_name = "CONVERSATION", conflicts_with = "text")]
    pub conversation: Option<String>,
    /// The number of the message in it, from 1; the last one that was read if left out
    #[arg(value_name = "TURN")]
    pub turn: Option<usize>,
    /// The assistant whose profile reads the text
    #[arg(long, value_name = "NAME", default_value = "analyst", requires = "text")]
    pub assistant: String,
    /// The message
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// The file the conversation is kept in, instead of the state folder
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub db: Option<PathBuf>,
}

/// `turnwise sample`.
#[derive(Clone, Debug, Args)]
pub struct SampleArguments {
    /// The folder; made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// What the data is made from
    #[arg(long, value_name = "N", default_value_t = crate::sample::SEED)]
    pub seed: u64,
}

/// `turnwise serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    /// Listen on this address; one that others can reach needs --tokens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub listen: SocketAddr,
    /// The people who may come in, and the SHA-256 of their tokens, one on each line
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
}

/// `turnwise token`.
#[derive(Clone, Debug, Args)]
pub struct TokenArguments {
    /// The person
    #[arg(value_name = "PERSON")]
    pub person: String,
    /// The file to add the token's SHA-256 to; made if it is not there
    #[arg(long, value_name = "FILE")]
    pub tokens: PathBuf,
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
