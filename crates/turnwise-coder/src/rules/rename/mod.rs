//! Renaming: one thing becomes called otherwise, wherever it is certain to be that thing. What may be another stays and
//! is listed, to be taken in by name; what is another stays and is told; and a name that would be caught by one that
//! stands there already is refused. Next: `survey`, `symbol`, `target`.

mod apart;
mod arguments;
mod collision;
mod members;
mod paths;
mod survey;
mod symbol;
mod target;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::{Made, files, left, some};
use super::wish::Meant;
use crate::code::{Occurrence, Role, is_keyword, is_name};
use crate::edit::Draft;
use crate::workspace::Workspace;
pub use apart::{Apart, Which, apart};
use survey::{File, Survey};
use symbol::{Kind, Symbol, Verdict, symbols};

/// What is renamed, and where.
pub(super) struct Rename<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub within: &'a [String],
    pub without: &'a [String],
    pub meant: &'a Meant,
}

/// What is written in each file, by its number, at which places.
#[derive(Default)]
struct Edits(BTreeMap<usize, Vec<(Range<usize>, String)>>);

pub(super) fn make(workspace: &Workspace, draft: &mut Draft<'_>, rename: &Rename<'_>) -> Result<Made, Trouble> {
    let Rename { from, to, .. } = *rename;
    if !is_name(from) || !is_name(to) {
        let wrong = if is_name(from) { to } else { from };
        return Err(Trouble::because(format!("“{wrong}” is no name that code could have.")));
    }
    if from == to {
        return Err(Trouble::because("Both names are the same, so there is nothing to rename."));
    }
    let named = files(workspace, rename.within)?;
    let survey = Survey::of(workspace, draft, from, &named)?;
    if !named.is_empty() && named.iter().all(|path| survey.unread.has(path)) {
        let seen = Seen { unread: survey.unread.told(), ..Seen::default() };
        return Err(Trouble::because(seen.nothing(from, rename.within)));
    }
    let is_open = |path: &FilePath| named.is_empty() || named.contains(path);
    let open: Vec<FilePath> = survey.files.iter().map(|it| it.path.clone()).filter(is_open).collect();
    let open = left(workspace, open, rename.without)?;
    let is_within = |at: usize| open.contains(&survey.files[at].path);
    if let Some(place) = rename.meant.also.iter().find(|place| !survey.has_name_at(place)) {
        return Err(Trouble::because(format!(
            "“{from}” does not stand as a name in {place}, so that place cannot be taken in."
        )));
    }
    let all = symbols(&survey);
    let targets = target::targets(&survey, &all, (from, rename.meant), &is_within)?;
    let targets: Vec<&Symbol> = targets.into_iter().map(|at| &all[at]).collect();
    let mut seen = Seen { is_undefined: all.is_empty(), ..Seen::default() };
    let edits = edits(&survey, &all, &targets, rename, &is_within, &mut seen);
    seen.unread = survey.unread.told();
    if edits.0.is_empty() {
        return Err(Trouble::because(seen.nothing(from, rename.within)));
    }
    if let Some(place) = targets.iter().find_map(|it| module_file(&survey, it)) {
        return Err(Trouble::because(format!(
            "The module {from} ({place}) is a file of its own, which would have to be renamed, too; that is not done \
             here."
        )));
    }
    if let Some((place, of)) = targets.iter().find_map(|it| outer_trait(&survey, it)) {
        return Err(Trouble::because(format!(
            "{from} ({place}) keeps the trait {of}, which is not defined here: under another name it would keep it no \
             more, so nothing was planned."
        )));
    }
    collision::check(&survey, &targets, &edits, to)?;
    write(draft, &survey, &edits, to, &mut seen)?;
    Ok(Made { title: format!("Rename {from} to {to}"), notes: seen.notes(rename), of_all: None })
}

/// The places to be written, and what is seen on the way.
fn edits(
    survey: &Survey,
    all: &[Symbol],
    targets: &[&Symbol],
    rename: &Rename<'_>,
    is_within: &dyn Fn(usize) -> bool,
    seen: &mut Seen,
) -> Edits {
    let mut edits = Edits::default();
    for (at, file) in survey.files.iter().enumerate() {
        let verdicts = verdicts(survey, all, targets, rename.meant, at);
        let mut here: Vec<(Range<usize>, Vec<Verdict>)> = Vec::new();
        for (occurrence, verdict) in file.found.iter().zip(verdicts) {
            let place = file.place(occurrence.line);
            if !is_within(at) {
                seen.outside(verdict, place);
                continue;
            }
            seen.stays(verdict, place, occurrence.is_short);
            match here.last_mut().filter(|(range, _)| *range == occurrence.range) {
                Some((_, sides)) => sides.push(verdict),
                None => here.push((occurrence.range.clone(), vec![verdict])),
            }
        }
        let written = |(range, sides): (_, Vec<Verdict>)| Some((range, written(rename.from, rename.to, &sides)?));
        let here: Vec<(Range<usize>, String)> = here.into_iter().filter_map(written).collect();
        if !here.is_empty() {
            edits.0.insert(at, here);
        }
        if is_within(at) {
            seen.words(file);
        }
    }
    // Nobody who renames a variable asks about other files.
    let is_local = |target: &&Symbol| matches!(target.kind, Kind::Local { .. });
    if !targets.is_empty() && targets.iter().all(is_local) {
        let is_edited = |place: &String| {
            let file = place.rsplit_once(':').map_or(place.as_str(), |(file, _)| file);
            edits.0.keys().any(|at| survey.files[*at].path.as_str() == file)
        };
        seen.others.retain(is_edited);
        seen.words.retain(is_edited);
    }
    edits
}

/// What becomes of each occurrence in a file: a place that was named is taken in, and there what may be meant before
/// what is not.
fn verdicts(survey: &Survey, all: &[Symbol], targets: &[&Symbol], meant: &Meant, at: usize) -> Vec<Verdict> {
    let file = &survey.files[at];
    // What nothing defines is meant wherever it stands.
    let of = |it: &Occurrence| match targets {
        [] if it.role == Role::Apart => Verdict::Not,
        _ => targets.iter().map(|target| target.is(survey, all, at, it)).max().unwrap_or(Verdict::Is),
    };
    let plain: Vec<(usize, Verdict)> = file.found.iter().map(|it| (it.line, of(it))).collect();
    let taken = |(line, verdict): (usize, Verdict), is_between: bool| match verdict {
        Verdict::May if meant.takes_all => Verdict::Is,
        Verdict::May if is_between => Verdict::Is,
        Verdict::May | Verdict::Not if meant.takes(&file.place(line)) => {
            let is_best = verdict == Verdict::May || !plain.contains(&(line, Verdict::May));
            if is_best { Verdict::Is } else { verdict }
        }
        verdict => verdict,
    };
    // Of which of several a place is does not matter where all of them are meant.
    let between = file.found.iter().map(|it| meant.all && is_between(&it.role));
    plain.iter().copied().zip(between).map(|(it, is_between)| taken(it, is_between)).collect()
}

/// Whether a name of which it cannot be told whose it is can only be that of one of several things.
fn is_between(role: &Role) -> bool {
    match role {
        Role::Item { .. } => true,
        Role::Member { owners, .. } => owners.is_empty(),
        Role::Local { .. } | Role::Argument { .. } | Role::Open | Role::Apart => false,
    }
}

/// What takes the place of a name. Where one word stands for a part and a variable, it becomes two.
fn written(from: &str, to: &str, sides: &[Verdict]) -> Option<String> {
    let is_written = |at: usize| sides.get(at) == Some(&Verdict::Is);
    match (is_written(0), is_written(1)) {
        (true, false) if sides.len() == 2 => Some(format!("{from}: {to}")),
        (false, true) => Some(format!("{to}: {from}")),
        (true, _) => Some(to.to_owned()),
        (false, false) => None,
    }
}

fn write(draft: &mut Draft<'_>, survey: &Survey, edits: &Edits, to: &str, seen: &mut Seen) -> Result<(), Trouble> {
    for (at, places) in &edits.0 {
        let file = &survey.files[*at];
        if is_keyword(&file.path, to) {
            return Err(Trouble::because(format!(
                "“{to}” is a word of the language itself in {}, so nothing can be called that.",
                file.path
            )));
        }
        if file.source.is_none() {
            seen.by_words.push(file.path.to_string());
        }
        draft.replace_each(&file.path, places)?;
        seen.taken(file, to);
    }
    Ok(())
}

/// Where a module is defined that is a file of its own.
fn module_file(survey: &Survey, symbol: &Symbol) -> Option<String> {
    let Kind::Item { .. } = symbol.kind else { return None };
    let source = survey.files[symbol.file].source.as_ref()?;
    source.is_file_module(&symbol.at).then(|| symbol.place(survey))
}

/// A trait of somebody else that a symbol is a part of, and where.
fn outer_trait(survey: &Survey, symbol: &Symbol) -> Option<(String, String)> {
    symbol.defined.iter().find_map(|(at, start)| {
        let file = &survey.files[*at];
        let found = file.found.iter().find(|it| it.range.start == *start)?;
        let Role::Member { owners, .. } = &found.role else { return None };
        let [_, kept] = owners.as_slice() else { return None };
        (!survey.types.is_declared(kept)).then(|| (file.place(found.line), kept.clone()))
    })
}

/// What was seen on the way through the files.
#[derive(Default)]
struct Seen {
    /// Nothing here defines it.
    is_undefined: bool,
    /// Where it stands in comments and texts: `a.rs:3`.
    words: Vec<String>,
    /// Where the new name is defined already.
    taken: Vec<String>,
    /// Files whose language has no grammar here.
    by_words: Vec<String>,
    /// Places that may be the same thing.
    open: Vec<String>,
    /// Places of other things.
    others: Vec<String>,
    /// Places of it in files that are left out.
    outside: Vec<String>,
    /// Files that hold it and cannot be read, and why.
    unread: Option<String>,
}

impl Seen {
    fn stays(&mut self, verdict: Verdict, place: String, is_short: bool) {
        match verdict {
            Verdict::May if self.open.last() != Some(&place) => self.open.push(place),
            Verdict::Not if !is_short && self.others.last() != Some(&place) => self.others.push(place),
            _ => {}
        }
    }

    fn outside(&mut self, verdict: Verdict, place: String) {
        if verdict == Verdict::Is && self.outside.last() != Some(&place) {
            self.outside.push(place);
        }
    }

    fn words(&mut self, file: &File) {
        self.words.extend(file.words.iter().map(|line| file.place(*line)));
    }

    fn taken(&mut self, file: &File, to: &str) {
        let defined = crate::code::definitions(&file.path, &file.content).into_iter().filter(|it| it.name == to);
        self.taken.extend(defined.map(|it| file.place(it.first_line)));
    }

    fn nothing(&self, from: &str, within: &[String]) -> String {
        let place = if within.is_empty() { "in the code".to_owned() } else { format!("in {}", within.join(", ")) };
        match (&self.unread, self.words.is_empty()) {
            (Some(unread), _) => format!("“{from}” stands {place} only in what cannot be changed here: {unread}."),
            (None, true) => format!("There is no “{from}” {place}."),
            (None, false) => format!("“{from}” stands {place} only in comments and texts: {}.", some(&self.words)),
        }
    }

    fn notes(&self, rename: &Rename<'_>) -> Vec<String> {
        let Rename { from, to, .. } = *rename;
        let mut notes = Vec::new();
        if self.is_undefined {
            notes.push(format!(
                "“{from}” is defined nowhere in this workspace, as far as can be seen; all of it is meant"
            ));
        }
        if let Some(first) = self.open.first() {
            let places = match self.open.len() {
                1 => format!("1 place that may be another “{from}” stays: {first}"),
                many => format!("{many} places that may be another “{from}” stay: {}", listed(&self.open)),
            };
            notes.push(format!("{places}. “also {first}” takes one in, “all of them” takes all"));
        }
        let told = |places: &[String], what: String| (!places.is_empty()).then(|| format!("{what}: {}", some(places)));
        notes.extend(told(&self.outside, format!("“{from}” stays in files that are left out, so it is called both")));
        notes.extend(told(&self.taken, format!("“{to}” is taken already in these files")));
        notes.extend(told(&self.others, format!("Another “{from}” stays as it is")));
        notes.extend(told(&self.words, "Comments and texts stay as they are".to_owned()));
        notes.extend(self.unread.as_ref().map(|it| format!("“{from}” stays in what cannot be changed here: {it}")));
        notes.extend(told(&self.by_words, "Renamed by whole words, without a grammar".to_owned()));
        notes
    }
}

/// Places that a person may want to name.
fn listed(places: &[String]) -> String {
    let rest = places.len().saturating_sub(LISTED_MAX);
    let shown = places[..places.len() - rest].join(", ");
    if rest == 0 { shown } else { format!("{shown} and {rest} more") }
}

/// Places that one sentence lists.
const LISTED_MAX: usize = 12;
