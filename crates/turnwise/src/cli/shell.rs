//! `turnwise completions` and `turnwise man`: what shells and `man` want to know of the commands, made from the same
//! description that reads them, so that neither can be out of date. Next: `args`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use turnwise_assistant::{Failure, FailureKind};

use super::args::Arguments;
use super::tell;

/// `turnwise completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionArguments {
    /// For which shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `turnwise man`.
#[derive(Clone, Debug, Args)]
pub struct ManArguments {
    /// Write a page for every command into this folder, instead of the one of turnwise to standard output
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Writes the completions to standard output.
///
/// # Errors
/// When standard output fails.
pub fn completions(arguments: &CompletionArguments) -> Result<ExitCode, Failure> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print(&script)
}

/// Writes the pages of the manual.
///
/// # Errors
/// When the folder or standard output cannot be written.
pub fn man(arguments: &ManArguments) -> Result<ExitCode, Failure> {
    let command = Arguments::command();
    let Some(folder) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(unwritten)?;
        return print(&page);
    };
    fs::create_dir_all(folder).map_err(unwritten)?;
    clap_mangen::generate_to(command, folder).map_err(unwritten)?;
    tell(&format!("The pages are in {}; read one with: man -l {}/turnwise.1", folder.display(), folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn print(text: &[u8]) -> Result<ExitCode, Failure> {
    std::io::stdout().write_all(text).map_err(unwritten)?;
    Ok(ExitCode::SUCCESS)
}

fn unwritten(error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Operator, format!("it cannot be written ({error})")).caused_by(error)
}
