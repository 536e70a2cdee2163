//! Which embedding model reads: the one compiled in, unless `--embedder` or the profile names another, as a folder or
//! by its name on Hugging Face. A model whose files are not there is told with where they were looked for and how to
//! get them, and the compiled-in one reads on; a command that measures or fits refuses instead, because its figures
//! would be of another model. Files that are there and cannot be used are an error everywhere. Next: `weights`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use turnwise_intent::{Embedder, IntentReader, Profile};

use super::weights;
use turnwise_assistant::{Failure, FailureKind};

/// The option of all commands that read.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct EmbedderArguments {
    /// Read with this embedding model instead of the one compiled in: a folder, or a name like
    /// BAAI/bge-large-en-v1.5
    ///
    /// The folder holds model.onnx (or onnx/model.onnx), tokenizer.json and 1_Pooling/config.json of a model of the
    /// BERT family. A name is looked for in TURNWISE_MODELS (or turnwise/models in the system's folder for caches) and
    /// in the cache of Hugging Face; minilm, bge-small and bge-large are short names, compiled-in is the model that is
    /// always there. A profile may name one with `embedder:`.
    #[arg(long, global = true, value_name = "PATH|NAME", help_heading = "Reading")]
    pub embedder: Option<String>,
}

/// What is done when the model asked for is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfMissing {
    /// It is said, and the compiled-in model reads.
    ReadOn,
    /// It is an error: what is measured or fitted has to be of the model asked for.
    Refuse,
}

/// Why there is no model where it was asked for.
#[derive(Debug)]
pub struct Missing {
    /// One sentence without a full stop.
    pub problem: String,
    /// What can be done about it.
    pub hints: Vec<String>,
}

/// The model that always is there.
const COMPILED_IN: &str = "compiled-in";

/// What the person asked for on the command line: the same for everything this process reads.
static ASKED: OnceLock<Option<String>> = OnceLock::new();

/// Takes what the command line says, before any command runs.
pub fn ask(arguments: EmbedderArguments) {
    // A second call in one process would be another command line; the first one holds.
    let _ = ASKED.set(arguments.embedder);
}

/// `reader` with the model that the command line asks for, else its profile; `folder` is where the profile lies.
///
/// # Errors
/// When the model's files cannot be used, or are not there and that is to be refused.
pub fn applied(reader: IntentReader, folder: &Path, if_missing: IfMissing) -> Result<IntentReader, Failure> {
    match chosen(reader.profile(), folder, if_missing)? {
        Some(embedder) => Ok(reader.with_embedder(embedder)),
        None => Ok(reader),
    }
}

fn chosen(profile: &Profile, folder: &Path, if_missing: IfMissing) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    let (asked, base, said_by) = match (ASKED.get().and_then(Option::as_ref), &profile.embedder) {
        (Some(asked), _) => (asked, PathBuf::new(), "--embedder".to_owned()),
        (None, Some(asked)) => (asked, folder.to_owned(), format!("`embedder` in {}", folder.display())),
        (None, None) => return Ok(None),
    };
    if asked == COMPILED_IN {
        return Ok(None);
    }
    let missing = match weights::model(asked, &base)? {
        Ok(model) => return Ok(Some(model)),
        Err(missing) => missing,
    };
    let problem = format!("{said_by}: {}", missing.problem);
    if if_missing == IfMissing::Refuse {
        let failure = Failure::new(FailureKind::Usage, problem);
        let failure = missing.hints.into_iter().fold(failure, Failure::hint);
        return Err(failure.hint("--embedder compiled-in measures the model that is always there"));
    }
    let hints: String = missing.hints.iter().map(|hint| format!("\n  hint: {hint}")).collect();
    eprintln!("note: {problem}; reading with the compiled-in model instead{hints}");
    Ok(None)
}

/// What is said where values were fitted with another model than the one that reads.
pub fn set_aside(reader: &IntentReader) -> Option<String> {
    let other = reader.set_aside()?.embedder.as_deref().unwrap_or("the compiled-in model");
    let own = reader.embedder().model_name();
    let anew = "`turnwise exemplars fit` fits them anew";
    Some(format!("the profile's fitted values belong to {other} and are not used with {own}; {anew}"))
}
