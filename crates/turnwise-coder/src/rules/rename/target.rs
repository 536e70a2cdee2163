//! Targets: which of several things of one name is meant, from what was said about it. One that is no variable of a
//! function is meant before those that are; where more than one is left, it is asked. Next: `collision`.

use super::super::Trouble;
use super::super::wish::{Kind as Said, Meant};
use super::survey::Survey;
use super::symbol::{Kind, Symbol};
use crate::code::{Part, Space};

/// Those that are meant, by their numbers.
pub(super) fn targets(
    survey: &Survey,
    all: &[Symbol],
    (name, meant): (&str, &Meant),
    is_within: &dyn Fn(usize) -> bool,
) -> Result<Vec<usize>, Trouble> {
    if meant.all {
        return Ok((0..all.len()).collect());
    }
    let has_place = |symbol: &Symbol| is_within(symbol.file) || symbol.defined.iter().any(|(file, _)| is_within(*file));
    let is_used_within =
        |symbol: &Symbol| {
            survey.files.iter().enumerate().filter(|(at, _)| is_within(*at)).any(|(at, file)| {
                file.found.iter().any(|it| symbol.is(survey, all, at, it) == super::symbol::Verdict::Is)
            })
        };
    let loosely = Meant { kind: None, ..meant.clone() };
    let of = |meant: &Meant, is_it: &dyn Fn(&Symbol) -> bool| -> Vec<usize> {
        (0..all.len()).filter(|at| fits(survey, &all[*at], meant) && is_it(&all[*at])).collect()
    };
    // What kind of thing it is narrows what is meant, and is not always said as the code has it.
    let ways = [meant, &loosely].into_iter().flat_map(|meant| [of(meant, &has_place), of(meant, &is_used_within)]);
    let left = ways.into_iter().find(|left| !left.is_empty()).unwrap_or_default();
    // A function of that name is meant before a file.
    let strictly: Vec<usize> = left.iter().copied().filter(|at| is_strictly_in(survey, &all[*at], meant)).collect();
    let left = if strictly.is_empty() { left } else { strictly };
    // Who says “function” means one that stands by itself before those of types.
    let plain = |at: &usize| meant.kind == Some(Said::Function) && matches!(all[*at].kind, Kind::Item { .. });
    let plain: Vec<usize> = left.iter().copied().filter(plain).collect();
    let left = if plain.is_empty() { left } else { plain };
    let is_undefined = all.is_empty() && meant.within.is_none();
    if left.is_empty() && !is_undefined && !survey.files.is_empty() {
        return Err(Trouble::because(none(survey, all, name, meant)));
    }
    if let Some(place) = &meant.place {
        let chosen: Vec<usize> = left.iter().copied().filter(|at| is_chosen(survey, &all[*at], name, place)).collect();
        if chosen.len() == 1 {
            return Ok(chosen);
        }
    }
    let broad: Vec<usize> = left.iter().copied().filter(|at| !matches!(all[*at].kind, Kind::Local { .. })).collect();
    match (left.as_slice(), broad.as_slice()) {
        ([] | [_], _) => Ok(left),
        (_, [_]) => Ok(broad),
        _ => Err(which(survey, all, name, &left)),
    }
}

fn which(survey: &Survey, all: &[Symbol], name: &str, left: &[usize]) -> Trouble {
    let choice = |at: &usize| {
        let (place, told) = (all[*at].place(survey), all[*at].told(survey, name));
        (value(survey, &all[*at]), format!("{told}, {place}"))
    };
    Trouble::WhichName { name: name.to_owned(), choices: left.iter().map(choice).collect() }
}

/// What stands for a symbol in an answer.
fn value(survey: &Survey, symbol: &Symbol) -> String {
    let before = &survey.files[symbol.file].content[..symbol.at.start];
    format!("{}:{}", symbol.place(survey), before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
}

/// Whether an answer in free words means a symbol: by its place, its file, or the words it is told in.
fn is_chosen(survey: &Survey, symbol: &Symbol, name: &str, answer: &str) -> bool {
    if value(survey, symbol) == answer || symbol.place(survey) == answer {
        return true;
    }
    let told = format!("{} {}", symbol.told(survey, name), symbol.place(survey));
    let parts: Vec<&str> = told.split([' ', ':', '.', '/']).collect();
    let said: Vec<&str> = answer.split([' ', ':', '.', '/', ',']).filter(|word| !word.is_empty()).collect();
    let known: Vec<&&str> = said.iter().filter(|word| **word != name && parts.contains(*word)).collect();
    !known.is_empty() && !said.iter().any(|word| word.parse::<usize>().is_ok())
}

/// Whether a symbol is in what was named by more than the name of its file.
fn is_strictly_in(survey: &Survey, symbol: &Symbol, meant: &Meant) -> bool {
    let is_item = matches!(symbol.kind, Kind::Item { .. });
    let module = survey.files[symbol.file].source.as_ref().and_then(|source| source.module_at(symbol.at.start).0);
    meant.within.is_some() && (!is_item || module == meant.within)
}

/// Whether a symbol is what was said of it.
pub(super) fn fits(survey: &Survey, symbol: &Symbol, meant: &Meant) -> bool {
    let source = survey.files[symbol.file].source.as_ref();
    let function = || source.and_then(|source| source.function_at(symbol.at.start));
    let module = || source.and_then(|source| source.module_at(symbol.at.start).0);
    let is_in = |within: &String| match &symbol.kind {
        Kind::Local { .. } => match within.rsplit_once('.') {
            Some((owner, method)) => {
                let of = source.and_then(|source| source.type_at(symbol.at.start));
                function().as_deref() == Some(method) && of.as_deref() == Some(owner)
            }
            None => function().as_ref() == Some(within),
        },
        Kind::Item { .. } => module().as_ref() == Some(within) || is_file(survey, symbol, within),
        Kind::Member { owners, .. } => owners.contains(within),
    };
    let kind_fits = |said: &Said| match (&symbol.kind, said) {
        (Kind::Local { .. }, Said::Variable) => true,
        (Kind::Item { space, .. }, Said::Variable | Said::Constant) => {
            *space == Space::Value && is_no_function(survey, symbol)
        }
        (Kind::Item { space, .. }, Said::Function) => *space == Space::Value && !is_no_function(survey, symbol),
        (Kind::Item { space, .. }, Said::Type) => *space == Space::Type,
        (Kind::Item { space, .. }, Said::Module) => *space == Space::Module,
        (Kind::Member { part, .. }, Said::Function | Said::Method) => {
            *part == Part::Method || (*part == Part::Any && !is_no_function(survey, symbol))
        }
        (Kind::Member { part, .. }, Said::Field) => {
            *part == Part::Field || (*part == Part::Any && is_no_function(survey, symbol))
        }
        (Kind::Member { part, .. }, Said::Constant) => *part == Part::Variant,
        _ => false,
    };
    meant.within.as_ref().is_none_or(is_in) && meant.kind.as_ref().is_none_or(kind_fits)
}

/// Whether what defines it is no function.
fn is_no_function(survey: &Survey, symbol: &Symbol) -> bool {
    let kind = survey.files[symbol.file].source.as_ref().and_then(|source| source.kind_at(&symbol.at));
    !matches!(kind, Some("function" | "method"))
}

fn is_file(survey: &Survey, symbol: &Symbol, named: &str) -> bool {
    let path = survey.files[symbol.file].path.as_str();
    path.split('/').any(|part| part.split('.').next() == Some(named))
}

/// Nothing of that name is what was said.
fn none(survey: &Survey, all: &[Symbol], name: &str, meant: &Meant) -> String {
    let there: Vec<String> = all.iter().map(|it| format!("{} ({})", it.told(survey, name), it.place(survey))).collect();
    let place = meant.within.as_ref().map(|within| format!(" in {within}")).unwrap_or_default();
    match there.is_empty() {
        true => format!("There is no definition of “{name}”{place}."),
        false => format!("There is no such “{name}”{place}; there is {}.", super::some(&there)),
    }
}
