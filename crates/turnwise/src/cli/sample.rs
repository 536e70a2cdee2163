//! `turnwise sample`: writes the sample data where the person wants it. It is there so that anything can be tried
//! before one's own data is named. Next: `crate::sample`.

use std::process::ExitCode;

use super::args::SampleArguments;
use crate::failure::{Failure, FailureKind};

/// Writes the data and names the files.
///
/// # Errors
/// When the folder cannot be written.
pub fn sample(arguments: &SampleArguments) -> Result<ExitCode, Failure> {
    let files = crate::sample::generate(&arguments.folder, arguments.seed)
        .map_err(|error| Failure::new(FailureKind::Operator, error.to_string()).caused_by(error))?;
    for file in files {
        println!("{}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}
