//! `turnwise sample`: writes the sample data where the person wants it. It is there so that anything can be tried
//! before one's own data is named. Next: `crate::sample`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use turnwise_assistant::{Failure, FailureKind};

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

/// Writes the data and names the files.
///
/// # Errors
/// When the folder cannot be written.
pub fn sample(arguments: &SampleArguments) -> Result<ExitCode, Failure> {
    let files = crate::sample::generate(&arguments.folder, arguments.seed)
        .map_err(|error| Failure::new(FailureKind::Operator, error.to_string()).caused_by(error))?;
    for file in files {
        super::tell(&format!("{}", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
