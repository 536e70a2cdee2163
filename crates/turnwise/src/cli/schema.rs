//! `turnwise schema`: the JSON schemas that models are held to, for whoever writes a prompt, a model or a test of one.
//! Next: the `schemas` of a `Kind`.

use std::process::ExitCode;

use clap::Args;
use turnwise_assistant::{Failure, FailureKind, nearest_of};

use super::tell;
use crate::assistant::ALL;

/// `turnwise schema`.
#[derive(Clone, Debug, Args)]
pub struct SchemaArguments {
    /// Which one; all names are listed where none is given
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Writes a schema, or the names of all.
///
/// # Errors
/// When there is none of that name, or standard output fails.
pub fn schema(arguments: &SchemaArguments) -> Result<ExitCode, Failure> {
    let all = || ALL.iter().flat_map(|kind| kind.schemas);
    let Some(wanted) = &arguments.name else {
        for (name, _) in all() {
            tell(name)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    if let Some((_, text)) = all().find(|(name, _)| name == wanted) {
        tell(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let names: Vec<&str> = all().map(|(name, _)| *name).collect();
    let failure = Failure::new(FailureKind::Usage, format!("there is no schema “{wanted}”"));
    let near = nearest_of(wanted, names.iter().copied()).map(|near| format!("did you mean {near}?"));
    Err(failure.hint(near.unwrap_or_else(|| format!("schemas: {}", names.join(", ")))))
}
