//! `turnwise exemplars`: the learning loop. What a profile could learn from past conversations is proposed, and a
//! person decides; what labelled messages say about temperatures and thresholds is fitted and written with its figures.
//! Nothing is ever learned silently. Next: `harvest` for where proposals come from, `review`, `decide`, `fit`.

pub mod args;
mod correction;
mod decide;
mod fit;
mod fit_report;
mod harvest;
mod proposals;
mod rejected;
mod review;

use std::process::ExitCode;

use self::args::ExemplarsCommand;
pub use self::proposals::conversations;
use turnwise_assistant::Failure;

/// Runs one of the commands.
///
/// # Errors
/// When there is no such assistant, a file cannot be read or written, or whatever the store says.
pub async fn exemplars(command: ExemplarsCommand) -> Result<ExitCode, Failure> {
    match command {
        ExemplarsCommand::Fit(arguments) => fit::fit(&arguments),
        ExemplarsCommand::Review(arguments) => review::review(&arguments).await,
        ExemplarsCommand::Accept(arguments) => decide::accept(&arguments).await,
        ExemplarsCommand::Reject(arguments) => decide::reject(&arguments).await,
    }
}
