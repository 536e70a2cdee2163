//! Paths: whether a name behind a path of Rust is a thing of the workspace. A path begins in the own crate, in another
//! one of the workspace, or in somebody else's, and nothing of the last is ever renamed. Next: `symbol`.

use std::collections::BTreeSet;

use super::survey::{File, Survey};
use super::symbol::{Kind, Symbol, Verdict, only};
use crate::code::Role;

/// Re-exports that a path is followed through.
const DEPTH_MAX: usize = 3;

/// Where a path begins.
struct Begins<'a> {
    /// The folders of the crates it may begin in.
    homes: Vec<&'a str>,
    /// Whether it names the root of one.
    is_root: bool,
    /// Whether it certainly begins there.
    is_sure: bool,
}

/// A path that begins with `super`, from its crate on, as it is seen from a place; any other as it is.
pub(super) fn from_crate(file: &File, package: &str, at: usize, path: &[String]) -> Vec<String> {
    let up = path.iter().take_while(|part| *part == "super").count();
    let own = file.path.as_str();
    let within = own.strip_prefix(package).unwrap_or(own).trim_start_matches('/').strip_prefix("src/");
    let within = within.and_then(|it| it.strip_suffix(".rs")).filter(|it| up > 0 && !it.starts_with("bin/"));
    let (Some(within), Some(source)) = (within, &file.source) else { return path.to_vec() };
    let mut modules: Vec<&str> = within.split('/').collect();
    modules.pop_if(|last| matches!(*last, "mod" | "lib" | "main"));
    let (inner, body) = source.module_at(at);
    // Of modules within modules of one file the innermost alone is known.
    let is_deep = inner.is_some() && source.module_at(body.start.saturating_sub(1)).0.is_some();
    modules.extend(inner.as_deref());
    if up > modules.len() || is_deep {
        return path.to_vec();
    }
    let above = modules[..modules.len() - up].iter().map(|it| (*it).to_owned());
    std::iter::once("crate".to_owned()).chain(above).chain(path[up..].iter().cloned()).collect()
}

/// Whether what stands behind `path` in a file is `symbol`; `rivals` are the things it could be.
pub(super) fn verdict(symbol: &Symbol, survey: &Survey, rivals: &[&Symbol], file: usize, path: &[String]) -> Verdict {
    followed(symbol, survey, rivals, (file, path), DEPTH_MAX)
}

fn followed(
    symbol: &Symbol,
    survey: &Survey,
    rivals: &[&Symbol],
    (file, path): (usize, &[String]),
    depth: usize,
) -> Verdict {
    let from = &survey.files[file];
    let Some(path) = resolved(from, path) else { return Verdict::May };
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Verdict::May };
    let Some(begins) = begins(survey, from, first, path.len() == 1) else { return Verdict::Not };
    let at_most = |verdict: Verdict| if begins.is_sure { verdict } else { verdict.min(Verdict::May) };
    let is_home = |it: &Symbol| begins.homes.contains(&survey.package(&survey.files[it.file].path));
    let is_called = |it: &Symbol| match begins.is_root {
        true => is_at_root(survey, it, from, first),
        false => it.modules(survey).contains(last),
    };
    if last == "self" {
        return if symbol.file == file { Verdict::Is } else { Verdict::Not };
    }
    let homely: Vec<&Symbol> = rivals.iter().copied().filter(|it| is_home(it)).collect();
    let so_called = homely.iter().filter(|it| is_called(it)).count();
    match (is_home(symbol) && is_called(symbol), so_called) {
        (true, 1) => at_most(Verdict::Is),
        (true, _) => Verdict::May,
        (false, 0) => at_most(brought_on(symbol, survey, (rivals, &homely), &begins.homes, depth)),
        (false, _) => Verdict::Not,
    }
}

/// What is defined nowhere along a path was brought there: by what the crate brings in from elsewhere, or from its own.
fn brought_on(
    symbol: &Symbol,
    survey: &Survey,
    (rivals, homely): (&[&Symbol], &[&Symbol]),
    homes: &[&str],
    depth: usize,
) -> Verdict {
    if depth == 0 {
        return Verdict::May;
    }
    let mut seen: Vec<Verdict> = Vec::new();
    for (at, file) in survey.files.iter().enumerate().filter(|(_, file)| homes.contains(&survey.package(&file.path))) {
        for occurrence in &file.found {
            let Role::Item { imports: true, path, .. } = &occurrence.role else { continue };
            let is_home =
                |first: &String| survey.crates.iter().any(|it| it.name == *first && homes.contains(&&*it.folder));
            let is_own = |first: &String| matches!(first.as_str(), "crate" | "self" | "super") || is_home(first);
            if !path.first().is_none_or(is_own) {
                seen.push(followed(symbol, survey, rivals, (at, path), depth - 1));
            }
        }
    }
    let is_home = homely.contains(&symbol);
    match (seen.iter().min(), seen.iter().max()) {
        (Some(Verdict::Is), _) => Verdict::Is,
        (_, Some(Verdict::Is | Verdict::May)) => Verdict::May,
        // Brought in from elsewhere somewhere here: it may be that.
        (Some(_), _) if is_home => Verdict::May,
        (None, _) if is_home => only(homely),
        _ => Verdict::Not,
    }
}

/// The path with what its first part stands for in its file; none where that is several things.
fn resolved(file: &File, path: &[String]) -> Option<Vec<String>> {
    let first = path.first()?;
    let of_first = file.uses.iter().filter(|(name, brought)| name == first && brought.as_slice() != path);
    let brought: BTreeSet<&Vec<String>> = of_first.map(|(_, path)| path).collect();
    let mut brought = brought.into_iter();
    match (brought.next(), brought.next()) {
        (None, _) => Some(path.to_vec()),
        (Some(one), None) => Some([one, &path[1..]].concat()),
        _ => None,
    }
}

/// Whether a path begins in the workspace, as far as can be seen.
pub(super) fn is_of_workspace(survey: &Survey, from: &File, path: &[String]) -> bool {
    let known = |first: &String| begins(survey, from, first, false).is_some();
    // What is brought in twice, or is a type, is not looked into.
    let is_type = path.first().is_some_and(|first| first.starts_with(char::is_uppercase));
    is_type || resolved(from, path).is_none_or(|path| path.first().is_none_or(known))
}

/// Where a path begins; none where that is somebody else's crate.
fn begins<'a>(survey: &'a Survey, from: &File, first: &str, is_alone: bool) -> Option<Begins<'a>> {
    let own = survey.package(&from.path);
    let here = |is_root: bool, is_sure: bool| Some(Begins { homes: vec![own], is_root, is_sure });
    let crates: Vec<&str> = survey.crates.iter().filter(|it| it.name == first).map(|it| it.folder.as_str()).collect();
    match first {
        "crate" => here(is_alone, true),
        "self" | "super" => here(false, true),
        "std" | "core" | "alloc" => None,
        name if from.modules.iter().any(|it| it == name) => here(false, true),
        _ if !crates.is_empty() => Some(Begins { homes: crates, is_root: is_alone, is_sure: true }),
        // A module of the crate that nothing here brings in by name.
        name if survey.modules.contains(name) => here(false, false),
        _ => None,
    }
}

/// Whether a symbol is defined at the root of its crate, as it is seen from a file.
fn is_at_root(survey: &Survey, symbol: &Symbol, from: &File, first: &str) -> bool {
    if matches!(symbol.kind, Kind::Item { module: Some(_), .. }) {
        return false;
    }
    let path = &survey.files[symbol.file].path;
    match target(survey, from) {
        // A test and a program are crates of their own.
        Some(own) if first == "crate" => own == path.as_str(),
        _ => symbol.modules(survey).contains(if first == "crate" { "crate" } else { "lib" }),
    }
}

/// A file that is a crate of its own within its package.
fn target<'a>(survey: &Survey, file: &'a File) -> Option<&'a str> {
    let path = file.path.as_str();
    let within = path.strip_prefix(survey.package(&file.path)).unwrap_or(path).trim_start_matches('/');
    let is_one = ["tests/", "examples/", "benches/", "src/bin/"]
        .iter()
        .any(|folder| within.strip_prefix(folder).is_some_and(|rest| !rest.contains('/')));
    is_one.then_some(path)
}

/// Whether everything of a path is brought into a file that has the symbol.
pub(super) fn of_globs(symbol: &Symbol, survey: &Survey, rivals: &[&Symbol], file: usize) -> Verdict {
    let found = survey.files[file].whole().map(|path| verdict(symbol, survey, rivals, file, path)).max();
    found.unwrap_or(Verdict::Not)
}
