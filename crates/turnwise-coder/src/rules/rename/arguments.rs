//! Arguments: whether the name of an argument in a call is a parameter of one function of Python. A call that surely
//! reaches the function follows; one that may is told. Next: `symbol`.

use super::survey::Survey;
use super::symbol::{Kind, Symbol, Verdict};
use crate::code::{Called, Owner};

/// Whether a call of `function` in a file gives the parameter that `symbol` is.
pub(super) fn verdict(
    symbol: &Symbol,
    survey: &Survey,
    all: &[Symbol],
    file: usize,
    (function, of): (&str, &Called),
) -> Verdict {
    let Some((own, class)) = parameter(symbol, survey) else {
        return if symbol.file == file { Verdict::May } else { Verdict::Not };
    };
    // A class is called by its own name, and gives what it is called with to this.
    let (own, class) = match (own.as_str(), class) {
        ("__init__", Some(class)) => (class, None),
        (_, class) => (own, class),
    };
    let same = |it: &&Symbol| parameter(it, survey) == parameter(symbol, survey);
    let is_alone = all.iter().filter(same).filter(|it| it.file == symbol.file).count() == 1;
    let at_most = |verdict: Verdict| if is_alone { verdict } else { verdict.min(Verdict::May) };
    // Of two modules of one name nobody can tell which is meant.
    let is_alone_at = |path: &[String]| {
        let so_called = all.iter().filter(same).filter(|it| is_module(it, survey, path) == Verdict::Is).count();
        if so_called > 1 { Verdict::May } else { Verdict::Is }
    };
    let is_called = own == function;
    match (of, class) {
        (Called::Type(owners), Some(class)) if is_called => is_of(survey, owners, &class),
        (Called::Type(owners), None) if is_called && owners.is_empty() => Verdict::May,
        (Called::Module(path), None) if is_called => at_most(is_module(symbol, survey, path)).min(is_alone_at(path)),
        (Called::Bare, None) if is_called && symbol.file == file => at_most(Verdict::Is),
        (Called::Bare, None) => {
            let brought = survey.files[file].source.as_ref().and_then(|source| source.module_of(function));
            let verdict = at_most(is_brought_in(symbol, survey, file, (function, &own)));
            brought.map_or(verdict, |path| verdict.min(is_alone_at(&path)))
        }
        _ => Verdict::Not,
    }
}

/// Whether a class is made by a function of its own that has a parameter of the name.
pub(super) fn is_made_with(all: &[Symbol], survey: &Survey, class: &str) -> bool {
    let makes = Some(("__init__".to_owned(), Some(class.to_owned())));
    all.iter().any(|it| parameter(it, survey) == makes)
}

/// The function that a symbol is a parameter of, with its class.
fn parameter(symbol: &Symbol, survey: &Survey) -> Option<(String, Option<String>)> {
    let source = survey.files[symbol.file].source.as_ref().filter(|_| matches!(symbol.kind, Kind::Local { .. }))?;
    source.function_of_parameter(&symbol.at)
}

fn is_of(survey: &Survey, owners: &[String], class: &str) -> Verdict {
    let is_it = |owner: &String| match survey.types.owner(owner) {
        Owner::Ours(name) if name == class => Verdict::Is,
        // It may have one of its own by that name.
        Owner::Ours(name) if survey.types.with_supers(&name).contains(class) => Verdict::May,
        Owner::Ours(_) | Owner::Theirs(_) => Verdict::Not,
        Owner::Open(_) => Verdict::May,
    };
    owners.iter().map(is_it).max().unwrap_or(Verdict::May)
}

/// Whether a path of modules leads to the file of a symbol.
fn is_module(symbol: &Symbol, survey: &Survey, path: &[String]) -> Verdict {
    let own = survey.files[symbol.file].path.as_str();
    let mut own: Vec<String> = own.split('/').map(|part| part.split('.').next().unwrap_or(part).to_owned()).collect();
    if own.last().is_some_and(|last| last == "__init__") {
        own.pop();
    }
    let said: Vec<&String> = path.iter().filter(|part| *part != ".").collect();
    let ends_so = said.len() <= own.len() && own[own.len() - said.len()..].iter().eq(said.iter().copied());
    match ends_so && !said.is_empty() {
        true => Verdict::Is,
        // A module of the workspace may give on what it brings in.
        false if said.first().is_none_or(|first| survey.modules.contains(*first)) => Verdict::May,
        false => Verdict::Not,
    }
}

/// A function that stands by itself in another file, or under another name.
fn is_brought_in(symbol: &Symbol, survey: &Survey, file: usize, (function, own): (&str, &str)) -> Verdict {
    let content = &survey.files[file].content;
    if function != own {
        let renames = content.contains(&format!("{own} as {function}"));
        return if renames { Verdict::May } else { Verdict::Not };
    }
    let brought = survey.files[file].source.as_ref().and_then(|source| source.module_of(function));
    match brought {
        Some(path) => is_module(symbol, survey, &path),
        None if survey.files[file].whole().next().is_some() => Verdict::May,
        None => Verdict::Not,
    }
}
