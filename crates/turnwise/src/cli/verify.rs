//! `turnwise verify`: checks a proof somebody else made, without a conversation, a store or a network. Without data it
//! checks that the file is unchanged; with data every query is run again. Next: `crate::proof::check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use turnwise_core::{SourceStamp, Table, text};

use super::{is_closed_pipe, tell};
use crate::assistant;
use crate::channel::draw::visible;
use crate::proof::Form;
use crate::proof::check::{Edited, read};
use crate::proof::document::{Proof, ProvenFact, Work};
use crate::proof::limits::FILE_BYTES_MAX;
use crate::proof::rerun::{Rerun, Verdict, Wanted, rerun};
use turnwise_assistant::{Failure, FailureKind, Reopened, Reruns, RowsWanted};

/// `turnwise verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyArguments {
    /// The proof, in any of its forms
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Run every query again over these files and folders; may be given several times
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "sample")]
    pub data: Vec<PathBuf>,
    /// Run every query again over the sample data
    #[arg(long)]
    pub sample: bool,
}

/// Checks the file and says what is the same and what is not: 0 all the same, 1 edited or changed, 2 wrong usage. What
/// it exits with does not depend on how much of it somebody reads (`| head`).
///
/// # Errors
/// When the file or the data cannot be read, or nothing can be written.
pub fn verify(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let (report, code) = checked(arguments)?;
    match tell(&report.join("\n")) {
        Err(failure) if !is_closed_pipe(&failure) => Err(failure),
        Ok(()) | Err(_) => Ok(code),
    }
}

/// What a check found, line by line, and how it ends.
fn checked(arguments: &VerifyArguments) -> Result<(Vec<String>, ExitCode), Failure> {
    let content = content(&arguments.file)?;
    let mut report = Vec::new();
    let (proof, form) = match read(&content) {
        Ok(read) => read,
        Err(edited) => {
            report.push(format!("✗ {}: {}", arguments.file.display(), visible(&edited.to_string())));
            if let Edited::Format(_) = edited {
                report.push("  Use the version of turnwise that wrote it.".to_owned());
            }
            return Ok((report, ExitCode::from(CHANGED)));
        }
    };
    report.push(format!("✓ {}: unchanged {}", arguments.file.display(), described(&proof, form)));
    if arguments.data.is_empty() && !arguments.sample {
        report.push("  The queries were not run again; --data PATH does that.".to_owned());
        return Ok((report, ExitCode::SUCCESS));
    }
    let Reopened { by, renamed } = opened(&paths(arguments)?, &proof)?;
    let known = |(name, file): &(String, String)| {
        format!("  {} is here as {}: the same content.", visible(name), visible(file))
    };
    report.extend(renamed.iter().map(known));
    let verdicts = rerun(&proof, &ByAssistant(by));
    report.extend(verdicts.iter().flat_map(|(fact, verdict)| told(fact, verdict)));
    let bad = verdicts.iter().filter(|(_, verdict)| !verdict.is_good()).count();
    let stated = verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Stated).count();
    report.push(match (bad, stated) {
        (0, 0) => {
            "The rows of every fact were found again, the same, by the queries and calculations shown.".to_owned()
        }
        (0, _) => "The rows of every fact that was found, and not only stated, were found again, the same, by the \
                   queries and calculations shown."
            .to_owned(),
        _ => format!("{bad} of {} could not be confirmed.", text::count(verdicts.len(), "fact")),
    });
    report.push(UNCHECKED.to_owned());
    Ok((report, if bad == 0 { ExitCode::SUCCESS } else { ExitCode::from(CHANGED) }))
}

/// The data at hand, as the assistant runs it that found what is proven. A file that only has another name than the
/// proof knows is taken under the name of the proof.
fn opened(paths: &[PathBuf], proof: &Proof) -> Result<Reopened, Failure> {
    let kind = assistant::named(proof.head.assistant.as_str())
        .map_err(|failure| failure.hint("without --data the proof is checked, and nothing is run again"))?;
    let sources: Vec<&SourceStamp> = proof.facts().flat_map(|fact| &fact.sources).collect();
    (kind.rerun)(paths, &sources)
}

/// An assistant as a proof meets it.
struct ByAssistant(Box<dyn Reruns>);

impl Rerun for ByAssistant {
    fn stamp(&self, source: &str) -> Option<SourceStamp> {
        self.0.stamp(source)
    }

    fn rerun(&self, work: &Work, inputs: &[&Table], wanted: Wanted) -> Result<(Table, String), String> {
        let wanted = match wanted {
            Wanted::Kept => RowsWanted::Kept,
            Wanted::All => RowsWanted::All,
        };
        self.0.rerun(&work.tool, &work.arguments, inputs, wanted)
    }

    fn told(&self, work: &Work) -> String {
        self.0.told(&work.tool, &work.arguments, &work.needs)
    }
}

fn content(file: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(FailureKind::Usage, format!("{} cannot be read ({error})", file.display()))
            .hint("turnwise proof export --output FILE writes a proof")
    };
    let bytes = std::fs::metadata(file).map_err(unreadable)?.len();
    if bytes > FILE_BYTES_MAX {
        let most = FILE_BYTES_MAX / (1024 * 1024);
        return Err(Failure::new(FailureKind::Usage, format!("{} is larger than {most} MB", file.display()))
            .hint("no proof is that large"));
    }
    std::fs::read(file).map_err(unreadable)
}

fn paths(arguments: &VerifyArguments) -> Result<Vec<PathBuf>, Failure> {
    if arguments.sample { Ok(vec![super::place::Place::open()?.sample()?]) } else { Ok(arguments.data.clone()) }
}

fn described(proof: &Proof, form: Form) -> String {
    let form = match form {
        Form::Json => "proof",
        Form::Markdown => "Markdown page with its proof",
        Form::Html => "page with its proof",
    };
    let names: Vec<&str> = proof.head.conclusions.iter().map(|name| name.as_str()).collect();
    let facts = text::count(proof.chain.len(), "fact");
    format!("{form} of {}: {facts}, written {}", visible(&names.join(", ")), visible(&proof.head.exported_at))
}

/// The lines about one fact.
fn told(fact: &ProvenFact, verdict: &Verdict) -> Vec<String> {
    let name = visible(fact.name.as_str());
    let listed = |names: &[String]| visible(&names.join(", "));
    let line = match verdict {
        Verdict::Same(changed) if changed.is_empty() => format!("✓ {name}: same"),
        Verdict::Same(changed) => format!("✓ {name}: same, although {} changed since", listed(changed)),
        Verdict::Changed(lines, changed) => {
            let since = (!changed.is_empty()).then(|| format!("    {} changed since", listed(changed)));
            let lines = lines.iter().map(|line| format!("    {}", visible(line)));
            return std::iter::once(format!("✗ {name}: changed")).chain(lines).chain(since).collect();
        }
        Verdict::SourceMissing(names) => {
            format!("? {name}: source missing: {}; no file has its name or its content", listed(names))
        }
        Verdict::Failed(why) => format!("? {name}: cannot be run: {}", visible(why)),
        Verdict::Stated => format!("✓ {name}: stated, nothing to run: {}", visible(&fact.in_short(60))),
        Verdict::Unreached(input) => {
            format!("? {name}: not reached, because {} could not be found again", visible(input.as_str()))
        }
    };
    vec![line]
}

/// What no data can show to be true. Whoever makes a proof can write anything there and seal it.
const UNCHECKED: &str = "Not checked, because no data can show it: how answers are worded, what was taken for granted or \
                         stated, how sure it was, who approved it, and when.";
/// The exit code for a proof that was edited or does not hold any more.
const CHANGED: u8 = 1;
