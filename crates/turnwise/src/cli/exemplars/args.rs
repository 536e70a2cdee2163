//! The command line of the learning loop, as types: its help is generated from these, so help and code cannot part.
//! Next: `review` and `fit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::assistant::DEFAULT;

/// The commands of `turnwise exemplars`.
#[derive(Clone, Debug, Subcommand)]
pub enum ExemplarsCommand {
    /// List what past conversations propose to learn, or decide on each on a terminal
    ///
    /// A message is proposed when it was unclear and you chose a reading or said it in other words, and when you
    /// corrected how it was read. It is shown exactly as it would be stored.
    Review(ReviewArguments),
    /// Add proposals to your own exemplars
    Accept(AcceptArguments),
    /// Have proposals not made again
    Reject(DeclineArguments),
    /// Fit temperatures and thresholds to labelled messages and write them into your own profile
    ///
    /// A line of the data is {"text": "…", "label": "…", "context": {…}}, as for eval. The exemplars stay as they are.
    /// A threshold is the probability from which acting costs less than asking, where a wrong act is worth --cost
    /// questions; labels whose probabilities come true more or less often than they say get their own. Figures come
    /// from parts of the data that had no say. Thresholds that you wrote for single labels win over fitted ones.
    Fit(FitArguments),
}

/// Which conversations are learned from, for which assistant.
#[derive(Clone, Debug, Args)]
pub struct LearningArguments {
    /// The assistant whose profile learns
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    /// The file the conversations are kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// `turnwise exemplars review`.
#[derive(Clone, Debug, Args)]
pub struct ReviewArguments {
    #[command(flatten)]
    pub learning: LearningArguments,
    /// List only, on a terminal too
    #[arg(long)]
    pub list: bool,
    /// List as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `turnwise exemplars accept`.
#[derive(Clone, Debug, Args)]
pub struct AcceptArguments {
    #[command(flatten)]
    pub learning: LearningArguments,
    /// Their numbers, as review lists them, or all
    #[arg(value_name = "NUMBER", required = true)]
    pub numbers: Vec<String>,
}

/// `turnwise exemplars reject`.
#[derive(Clone, Debug, Args)]
pub struct DeclineArguments {
    #[command(flatten)]
    pub learning: LearningArguments,
    /// Their numbers, as review lists them, or all
    #[arg(value_name = "NUMBER", required = true)]
    pub numbers: Vec<String>,
    /// Why, for whoever reads the file later
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// `turnwise exemplars fit`.
#[derive(Clone, Debug, Args)]
pub struct FitArguments {
    /// The assistant whose profile is fitted
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    /// Labelled messages, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What the messages are dealt into parts by
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many needless questions one wrong act is worth; left out, what the profile's default thresholds state
    #[arg(long, value_name = "N")]
    pub cost: Option<f32>,
}
