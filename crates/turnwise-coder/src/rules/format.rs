//! Formatting: files as the formatter of their language writes them. It is given the text and prints another, so
//! nothing is written before the diff is approved; formatters that run code of the repository are not asked. Next:
//! `make`.

use std::collections::BTreeMap;
use std::time::Duration;

use turnwise_assistant::command::{CommandLine, Terms};
use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::{Made, files, left};
use crate::code::Language;
use crate::edit::Draft;
use crate::workspace::{FILE_BYTES_MAX, Workspace};

/// A formatter that takes longer is stuck.
const SECONDS_MAX: u64 = 20;

pub(super) fn make(
    workspace: &Workspace,
    draft: &mut Draft<'_>,
    within: &[String],
    without: &[String],
) -> Result<Made, Trouble> {
    let named = files(workspace, within)?;
    let all = if named.is_empty() { workspace.files() } else { named.clone() };
    let all = left(workspace, all, without)?;
    let known: Vec<FilePath> = all.into_iter().filter(|path| formatter(workspace, path).is_some()).collect();
    if known.is_empty() {
        let what = if named.is_empty() { "this project".to_owned() } else { within.join(", ") };
        return Err(Trouble::because(format!(
            "There is no formatter for {what} that can be asked here; Rust, Go and Python have one. Others run by \
             “run …”."
        )));
    }
    let (mut changed, mut missing) = (0, BTreeMap::new());
    for path in &known {
        let Ok(before) = draft.content(path) else { continue };
        let after = match formatted(workspace, path, &before) {
            Ok(after) => after,
            // Where a language has no formatter here, the others are formatted all the same.
            Err(Unformatted::Missing(program)) if named.is_empty() => {
                *missing.entry(program).or_insert(0_usize) += 1;
                continue;
            }
            Err(unformatted) => return Err(unformatted.into()),
        };
        if after != before {
            draft.put(path, after)?;
            changed += 1;
        }
    }
    if let Some(program) = missing.keys().next().filter(|_| missing.values().sum::<usize>() == known.len()) {
        return Err(Unformatted::Missing(program.clone()).into());
    }
    if changed == 0 {
        return Err(Trouble::because("Nothing to change: the formatter writes these files as they are."));
    }
    let what = match known.as_slice() {
        [one] => one.to_string(),
        _ => turnwise_core::text::count(changed, "file"),
    };
    let left = |(program, files): (&String, &usize)| {
        format!(
            "Not formatted, because {program} is not installed here: {}",
            turnwise_core::text::count(*files, "file")
        )
    };
    Ok(Made { title: format!("Format {what}"), notes: missing.iter().map(left).collect(), of_all: None })
}

/// Why a file is not formatted.
enum Unformatted {
    /// Its formatter is not there.
    Missing(String),
    /// In one sentence.
    Cannot(String),
}

impl From<Unformatted> for Trouble {
    fn from(unformatted: Unformatted) -> Self {
        Self::because(match unformatted {
            Unformatted::Missing(program) => format!("The formatter {program} is not installed here."),
            Unformatted::Cannot(why) => why,
        })
    }
}

/// What prints a file as it should be from what it is given.
fn formatter(workspace: &Workspace, path: &FilePath) -> Option<CommandLine> {
    match Language::of(path)? {
        // It writes imports in another order by edition, so that of the package counts.
        Language::Rust => {
            let edition = edition(workspace, path);
            Some(CommandLine::new("rustfmt", &["--edition", &edition, "--emit", "stdout"]))
        }
        Language::Go => Some(CommandLine::new("gofmt", &[])),
        Language::Python => Some(CommandLine::new("black", &["--quiet", "-"])),
        // Its settings are programs of the repository.
        Language::TypeScript | Language::Script => None,
    }
}

/// The edition of the package that a file belongs to, by the nearest manifest that names one.
fn edition(workspace: &Workspace, path: &FilePath) -> String {
    let mut folder = path.as_str();
    loop {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let manifest = if folder.is_empty() { "Cargo.toml".to_owned() } else { format!("{folder}/Cargo.toml") };
        let text = FilePath::new(&manifest).ok().and_then(|path| workspace.read(&path).ok());
        let named = text.as_ref().and_then(|text| {
            let line = text.content.lines().map(str::trim).find(|line| line.starts_with("edition"))?;
            let digits: String = line.chars().filter(char::is_ascii_digit).collect();
            (digits.len() == 4).then_some(digits)
        });
        if let Some(named) = named {
            return named;
        }
        if folder.is_empty() {
            return if text.is_some() { "2015".to_owned() } else { "2024".to_owned() };
        }
    }
}

fn formatted(workspace: &Workspace, path: &FilePath, before: &str) -> Result<String, Unformatted> {
    let Some(command) = formatter(workspace, path) else { return Ok(before.to_owned()) };
    let (time, bytes_max) = (Duration::from_secs(SECONDS_MAX), 2 * FILE_BYTES_MAX as usize);
    let terms = Terms { input: Some(before), time, bytes_max, ..Terms::plain() };
    let ran = workspace.run(&command, &terms, &mut |_| {}).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Unformatted::Missing(command.program.clone()),
        _ => Unformatted::Cannot(format!("{} cannot be started ({error}).", command.program)),
    })?;
    if !ran.is_well() {
        let why = ran.output.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        return Err(Unformatted::Cannot(format!("{} cannot format {path}: {why}", command.program)));
    }
    if ran.left_out > 0 {
        return Err(Unformatted::Cannot(format!("{path} is too long to be formatted here.")));
    }
    Ok(ran.result)
}
