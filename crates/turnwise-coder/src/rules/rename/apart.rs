//! Telling apart: where one of several things of a name stands, for those who only ask. It is what a rename of it would
//! write. Next: `symbol`.

use turnwise_assistant::place::FilePath;

use super::survey::Survey;
use super::symbol::{Symbol, Verdict, symbols};
use super::{Meant, target, verdicts};
use crate::code::line_at;
use crate::edit::Draft;
use crate::workspace::Workspace;

/// Which of several things is asked about.
pub enum Which<'a> {
    /// What belongs to this type or module.
    Of(&'a str),
    /// What is defined at these places.
    At(&'a [(FilePath, usize)]),
}

/// Where a thing stands, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Where it is defined.
    pub defined: Vec<(FilePath, usize)>,
    /// Where it is named.
    pub used: Vec<(FilePath, usize)>,
    /// Where it may be named, and it may be another.
    pub maybe: Vec<(FilePath, usize)>,
}

/// Where the thing of a name stands that is asked about; none where nothing of that name is it.
#[must_use]
pub fn apart(workspace: &Workspace, name: &str, which: &Which<'_>) -> Option<Apart> {
    let draft = Draft::new(workspace);
    let survey = Survey::of(workspace, &draft, name, &[]).ok()?;
    let all = symbols(&survey);
    let places = |symbol: &Symbol| -> Vec<(FilePath, usize)> {
        let place = |(at, start): &(usize, usize)| {
            let file = &survey.files[*at];
            (file.path.clone(), line_at(&file.content, *start))
        };
        symbol.defined.iter().map(place).collect()
    };
    let is_it = |symbol: &&Symbol| match which {
        Which::Of(owner) => {
            let meant = Meant { within: Some((*owner).to_owned()), ..Meant::default() };
            target::fits(&survey, symbol, &meant)
        }
        Which::At(wanted) => places(symbol).iter().any(|place| wanted.contains(place)),
    };
    let targets: Vec<&Symbol> = all.iter().filter(is_it).collect();
    if targets.is_empty() {
        return None;
    }
    let mut found = Apart { defined: targets.iter().flat_map(|it| places(it)).collect(), ..Apart::default() };
    for (at, file) in survey.files.iter().enumerate() {
        let verdicts = verdicts(&survey, &all, &targets, &Meant::default(), at);
        for (occurrence, verdict) in file.found.iter().zip(verdicts) {
            let place = (file.path.clone(), occurrence.line);
            let into = match verdict {
                Verdict::Is => &mut found.used,
                Verdict::May => &mut found.maybe,
                Verdict::Not => continue,
            };
            if !found.defined.contains(&place) && into.last() != Some(&place) {
                into.push(place);
            }
        }
    }
    found.maybe.retain(|place| !found.used.contains(place));
    Some(found)
}
