//! Filling a recipe: what it has to be told is taken from the message where it stands there, from answers, and else
//! asked for. What comes into a command or a program is quoted for it, so that a value stays a value. Next: `planned`.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_core::{Clarification, ClarifiedAnswer, text};
use turnwise_intent::behaviour::coder::files_in;

use super::{Parameter, ParameterKind, Recipe, RecipeStep};
use crate::planned::Wanted;
use crate::said::{all_quoted, opens_behind, quoted};
use crate::tool::{Given, PYTHON, RUN, in_quotes};

/// What filling a recipe comes to.
pub(crate) enum Filled {
    /// The calls, and what was taken for granted, a sentence each.
    Whole(Vec<Wanted>, Vec<String>),
    /// Something has to be asked first.
    Asks(Clarification),
    /// It was told something that it cannot take, a sentence.
    Refused(String),
}

/// Fills `recipe` from the words of a task and the answers so far.
pub(crate) fn fill(recipe: &Recipe, problem: &str, answers: &[ClarifiedAnswer]) -> Filled {
    if let Some(told) = misnamed(recipe, problem) {
        return Filled::Refused(told);
    }
    let mut values: BTreeMap<&str, String> = BTreeMap::new();
    let mut taken: Vec<String> = Vec::new();
    let mut assumed = Vec::new();
    for parameter in &recipe.parameters {
        let topic = topic(parameter);
        let answered = answers.iter().rev().find(|answer| answer.topic == topic).map(|answer| answer.answer.trim());
        let value = match answered {
            Some(answer) => Some(of_answer(parameter, answer)),
            None => said(parameter, problem, &taken),
        };
        let Some(value) = value else { return Filled::Asks(asked(recipe, parameter, topic)) };
        if let Err(told) = fits(parameter.kind, &value) {
            let again = asked(recipe, parameter, topic);
            return Filled::Asks(Clarification { question: format!("{told} {}", again.question), ..again });
        }
        if answers.iter().any(|answer| answer.topic == topic && answer.assumed) {
            assumed.push(format!("{}: {value}", parameter.name));
        }
        taken.push(value.clone());
        values.insert(&parameter.name, value);
    }
    if let Some(told) = recipe.steps.iter().find_map(|step| as_option(step, &values)) {
        return Filled::Refused(told);
    }
    let mut results: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (at, step) in recipe.steps.iter().enumerate() {
        all.push(call(step, at, &values, &results));
        if let Some(name) = &step.named {
            results.insert(name, at);
        }
    }
    Filled::Whole(all, assumed)
}

fn call(step: &RecipeStep, at: usize, values: &BTreeMap<&str, String>, results: &BTreeMap<&str, usize>) -> Wanted {
    let quoting = |argument: &str| match (step.tool.as_str(), argument) {
        (RUN, "command") => Quoting::Shell,
        (PYTHON, "script") => Quoting::Python,
        _ => Quoting::None,
    };
    let given = |(name, value): (&String, &Value)| {
        let given = match result_named(value).map(|from| (from, results.get(from))) {
            Some((_, Some(step))) => Given::ResultOf(*step),
            Some((REQUIREMENTS, None)) => Given::Requirements,
            _ => Given::Value(filled(value, values, quoting(name))),
        };
        (name.clone(), given)
    };
    let mut after: Vec<usize> = step.needs.iter().filter_map(|name| results.get(name.as_str()).copied()).collect();
    let uses_results = step.with.values().any(|value| result_named(value).is_some());
    if after.is_empty() && !uses_results {
        after.extend(at.checked_sub(1));
    }
    Wanted { tool: step.tool.clone(), givens: step.with.iter().map(given).collect(), after, says: step.says.clone() }
}

/// A value that the program of a command would take for an option, however it is quoted; where the command says that
/// no option follows, it takes none.
fn as_option(step: &RecipeStep, values: &BTreeMap<&str, String>) -> Option<String> {
    let text = step.with.get("command").and_then(Value::as_str).filter(|_| step.tool == RUN)?;
    let (mut before, mut rest) = (String::new(), text);
    while let Some((said, name, behind)) = next_parameter(rest) {
        before.push_str(said);
        let value = values.get(name).filter(|value| value.starts_with('-') && value.parse::<f64>().is_err());
        let is_word = before.ends_with(char::is_whitespace);
        let is_last = before.split(['|', ';', '&', '\n']).next_back().is_some_and(|line| line.contains(" -- "));
        let is_named = before.trim_end().ends_with(" -e");
        if let Some(value) = value.filter(|_| is_word && !is_last && !is_named) {
            return Some(format!(
                "“{value}” begins with a dash, so the command would take it for an option. Say it with something else \
                 at its beginning, or have the recipe say “-- {{{{{name}}}}}”."
            ));
        }
        before.push_str("{{}}");
        rest = behind;
    }
    None
}

/// How a value is written where it stands among other words.
#[derive(Clone, Copy)]
enum Quoting {
    None,
    Shell,
    Python,
}

fn filled(value: &Value, values: &BTreeMap<&str, String>, quoting: Quoting) -> Value {
    match value {
        Value::String(text) => match whole_parameter(text).and_then(|name| values.get(name)) {
            Some(value) if matches!(quoting, Quoting::None) => typed(value),
            _ => Value::String(replaced(text, values, quoting)),
        },
        Value::Array(all) => all.iter().map(|one| filled(one, values, quoting)).collect(),
        Value::Object(all) => {
            let part = |(name, one): (&String, &Value)| (name.clone(), filled(one, values, quoting));
            Value::Object(all.iter().map(part).collect())
        }
        other => other.clone(),
    }
}

/// A value alone: a number is one where it is written as one.
fn typed(value: &str) -> Value {
    match serde_json::from_str(value) {
        Ok(number @ Value::Number(_)) => number,
        _ => Value::String(value.to_owned()),
    }
}

fn replaced(text: &str, values: &BTreeMap<&str, String>, quoting: Quoting) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name, behind)) = next_parameter(rest) {
        out.push_str(before);
        let value = values.get(name).map(String::as_str).unwrap_or_default();
        match quoting {
            Quoting::None => out.push_str(value),
            Quoting::Shell => out.push_str(&in_quotes(value)),
            // A text of JSON is one of Python.
            Quoting::Python => out.push_str(&Value::String(value.to_owned()).to_string()),
        }
        rest = behind;
    }
    out + rest
}

/// What stands before the next `{{name}}`, the name, and what stands behind it.
fn next_parameter(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, behind) = rest.split_once("}}")?;
    Some((before, name.trim(), behind))
}

/// Whether a command or program has a parameter where its own quotes are open, or could be: a value that is quoted by
/// itself would end them there, and become a command.
pub(super) fn quotes_a_parameter(tool: &str, value: &Value) -> bool {
    let Some(text) = value.as_str().filter(|_| tool == RUN || tool == PYTHON) else { return false };
    if tool == RUN && text.contains("<<") && next_parameter(text).is_some() {
        return true;
    }
    let (mut rest, mut open) = (text, None);
    while let Some((before, _, behind)) = next_parameter(rest) {
        let mut is_escaped = false;
        for letter in before.chars() {
            match (letter, open) {
                _ if is_escaped => is_escaped = false,
                ('\\', quote) if quote != Some('\'') || tool == PYTHON => is_escaped = true,
                ('\'' | '"' | '`', None) => open = Some(letter),
                (letter, Some(quote)) if letter == quote => open = None,
                _ => {}
            }
        }
        if open.is_some() {
            return true;
        }
        rest = behind;
    }
    false
}

fn whole_parameter(text: &str) -> Option<&str> {
    next_parameter(text).filter(|(before, _, behind)| before.is_empty() && behind.is_empty()).map(|(_, name, _)| name)
}

/// The parameters that a value uses.
pub(super) fn parameters_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => {
            let mut found = Vec::new();
            let mut rest = text.as_str();
            while let Some((_, name, behind)) = next_parameter(rest) {
                found.push(name);
                rest = behind;
            }
            found
        }
        Value::Array(all) => all.iter().flat_map(parameters_in).collect(),
        Value::Object(all) => all.values().flat_map(parameters_in).collect(),
        _ => Vec::new(),
    }
}

/// The result that a value stands for: `{from: NAME}`.
pub(super) fn result_named(value: &Value) -> Option<&str> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.get("from")?.as_str()
}

/// The value of an answer: a text is all of it. Of the other kinds it may stand among words, where it is the only one.
fn of_answer(parameter: &Parameter, answer: &str) -> String {
    let own =
        answer.split_once('=').filter(|(name, value)| is_called(parameter, name.trim()) && !value.starts_with('='));
    let answer = own.map_or(answer, |(_, value)| value.trim());
    if let Some((inside, _)) = quoted(answer).filter(|(_, behind)| behind.is_empty()) {
        return inside.to_owned();
    }
    let fit: Vec<String> = match parameter.kind {
        ParameterKind::Text => Vec::new(),
        // Words that are no filler may be part of a name, as in “my notes.txt”.
        ParameterKind::File => {
            let files = files_in(answer);
            let is_around = |word: &String| FILLERS.contains(&word.as_str());
            let rest = files.iter().fold(answer.to_owned(), |rest, file| rest.replacen(file, " ", 1));
            if text::words(&rest).iter().all(is_around) { files } else { Vec::new() }
        }
        ParameterKind::Url | ParameterKind::Number => {
            let fits = |token: &&str| fits(parameter.kind, token).is_ok();
            tokens(answer).filter(fits).map(str::to_owned).collect()
        }
    };
    let is_whole = !matches!(parameter.kind, ParameterKind::File) && fits(parameter.kind, answer).is_ok();
    match fit.as_slice() {
        [one] if !is_whole => one.clone(),
        _ => answer.to_owned(),
    }
}

/// The words of a text without the marks around them.
fn tokens(words: &str) -> impl Iterator<Item = &str> {
    words
        .split_whitespace()
        .map(|token| token.trim_matches(['"', '“', '”', '`', ',', ';']).trim_end_matches(['.', '?', '!']))
}

/// A parameter where it stands in words: by its name, or as the first of its kind that is not taken yet.
fn said(parameter: &Parameter, words: &str, taken: &[String]) -> Option<String> {
    let all = named(words);
    for sign in ['=', ':'] {
        let here = all.iter().find(|one| one.sign == sign && is_called(parameter, one.name)).map(|one| one.value);
        let value = here.or_else(|| of_several_words(parameter, sign, words));
        if let Some(value) = value.filter(|value| !value.is_empty() && !value.starts_with("//")) {
            return Some(without_end(parameter.kind, value).to_owned());
        }
    }
    let free = |value: &String| !taken.contains(value);
    let of_kind = |begins: fn(&str) -> bool| tokens(words).find(|token| begins(token)).map(str::to_owned);
    match parameter.kind {
        ParameterKind::Url => of_kind(|token| token.starts_with("http://") || token.starts_with("https://")),
        ParameterKind::File => {
            let is_address = |file: &String| words.contains(&format!("//{file}")) || file.contains("://");
            files_in(words).into_iter().filter(free).find(|file| !is_address(file) && !is_in_address(words, file))
        }
        ParameterKind::Number => of_kind(|token| fits(ParameterKind::Number, token).is_ok()),
        ParameterKind::Text => all_quoted(words).into_iter().find(free),
    }
}

/// A value without the mark that ends its sentence. A text may have such a mark of its own.
fn without_end(kind: ParameterKind, value: &str) -> &str {
    let bare = value.trim_end_matches(['.', '?', '!', ';']);
    if kind == ParameterKind::Text || bare.is_empty() || bare.ends_with('/') { value } else { bare }
}

/// The value behind a name of several words.
fn of_several_words<'a>(parameter: &Parameter, sign: char, words: &'a str) -> Option<&'a str> {
    let name = Some(&parameter.name).filter(|name| name.contains(char::is_whitespace))?;
    let behind = words.split_once(&format!("{name}{sign}"))?.1.trim_start();
    Some(quoted(behind).map_or_else(|| &behind[..end_of_value(behind)], |(inside, _)| inside))
}

/// A value with its name, as it stands in words: `word=sea`, or `word: sea`.
struct Named<'a> {
    name: &'a str,
    sign: char,
    value: &'a str,
}

/// All of them, in order. What stands in quotes is no name.
fn named(words: &str) -> Vec<Named<'_>> {
    let (mut all, mut rest, mut before) = (Vec::new(), words, None);
    while let Some(letter) = rest.chars().next() {
        if let Some((_, behind)) = quoted(rest).filter(|_| opens_behind(before)) {
            (before, rest) = (Some(letter), behind);
            continue;
        }
        let is_inside = before.is_some_and(|before: char| !before.is_whitespace() && !",;(".contains(before));
        let name = if is_inside { "" } else { name_at(rest) };
        let next = rest[name.len()..].chars().next();
        if let Some(sign) = next.filter(|sign| !name.is_empty() && ['=', ':'].contains(sign)) {
            let behind = &rest[name.len() + 1..];
            // “x==5” compares.
            if sign == '=' && behind.starts_with('=') {
                (before, rest) = (Some(sign), &behind[1..]);
                continue;
            }
            let behind = behind.trim_start();
            let (value, further) = quoted(behind).unwrap_or_else(|| behind.split_at(end_of_value(behind)));
            if sign == ':' && value.starts_with("//") {
                (before, rest) = (None, further);
                continue;
            }
            all.push(Named { name, sign, value });
            // What stands behind a colon may be words of their own, names among them.
            (before, rest) = (Some(' '), if sign == '=' { further } else { behind });
            continue;
        }
        let end = name.len().max(letter.len_utf8());
        (before, rest) = (rest[..end].chars().next_back(), &rest[end..]);
    }
    all
}

/// Where a value ends that stands in no quotes: an address may have commas.
fn end_of_value(text: &str) -> usize {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let is_address = text.starts_with("//") || text[..end].contains("://");
    text[..end].find(',').filter(|_| !is_address).unwrap_or(end)
}

/// The name that `text` begins with; empty where it begins with none.
fn name_at(text: &str) -> &str {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let end = text.find(|letter: char| !is_of_name(letter)).unwrap_or(text.len());
    if text.starts_with(char::is_alphabetic) { &text[..end] } else { "" }
}

fn is_called(parameter: &Parameter, name: &str) -> bool {
    parameter.name.to_lowercase() == name.to_lowercase()
}

/// What is said by a name that is no parameter's, or twice by the same name.
fn misnamed(recipe: &Recipe, words: &str) -> Option<String> {
    let all = named(words);
    let names: Vec<&str> = all.iter().filter(|one| one.sign == '=').map(|one| one.name).collect();
    // No name of several words is read here; its last may stand before the sign.
    let is_known = |name: &str| {
        let ends = |parameter: &Parameter| parameter.name.split_whitespace().next_back() == Some(name);
        recipe.parameters.iter().any(|parameter| is_called(parameter, name) || ends(parameter))
    };
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known: Vec<String> = recipe.parameters.iter().map(|parameter| format!("“{}”", parameter.name)).collect();
        let known = match known.is_empty() {
            true => "it is told nothing".to_owned(),
            false => format!("it is told {}", text::listed(&known)),
        };
        return Some(format!("The recipe “{}” knows no “{unknown}”; {known}.", recipe.name));
    }
    let is_twice = |parameter: &&Parameter| names.iter().filter(|name| is_called(parameter, name)).count() > 1;
    let twice = &recipe.parameters.iter().find(is_twice)?.name;
    Some(format!("“{twice}=” is said twice; say once what “{twice}” is."))
}

/// Whether a name stands only as a part of an address.
fn is_in_address(words: &str, name: &str) -> bool {
    let holding = || words.split_whitespace().filter(|token| token.contains(name));
    holding().count() > 0 && holding().all(|token| token.contains("://"))
}

/// Whether a value is what the parameter wants.
///
/// # Errors
/// Why it is not, as a sentence.
fn fits(kind: ParameterKind, value: &str) -> Result<(), String> {
    let (is_one, wanted) = match kind {
        ParameterKind::Text => (!value.is_empty(), "text"),
        ParameterKind::Url => (crate::tool::address(value).is_ok(), "address; one begins with http:// or https://"),
        ParameterKind::File => (!value.is_empty() && !value.contains('\n'), "name of a file"),
        ParameterKind::Number => (value.parse::<f64>().is_ok_and(f64::is_finite), "number"),
    };
    if is_one { Ok(()) } else { Err(format!("“{}” is no {wanted}.", text::clip(value, VALUE_WIDTH))) }
}

fn topic(parameter: &Parameter) -> String {
    format!("parameter:{}", parameter.name)
}

fn asked(recipe: &Recipe, parameter: &Parameter, topic: String) -> Clarification {
    Clarification {
        topic,
        question: parameter.asks.clone(),
        choices: Vec::new(),
        assumption: parameter.default.clone(),
        of: u8::try_from(recipe.parameters.len()).unwrap_or(u8::MAX),
    }
}

/// Words around the file of an answer that are no part of its name.
const FILLERS: [&str; 17] = [
    "it", "it's", "is", "its", "in", "the", "file", "use", "take", "please", "called", "named", "at", "into", "to",
    "from", "that",
];
/// What stands for what was talked over before.
pub(super) const REQUIREMENTS: &str = "requirements";
/// Characters of an answer that are quoted back.
const VALUE_WIDTH: usize = 60;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    fn recipe() -> Recipe {
        serde_saphyr::from_str(
            "name: count\nwords: [count a word]\nparameters:\n  - {name: word, asks: Which word?}\n  \
             - {name: file, asks: In which file?, kind: file}\nsteps:\n  \
             - {tool: run, with: {command: \"grep -c {{word}} {{file}}\"}, as: found}\n  \
             - {tool: write, with: {file: out.txt, content: {from: found}}}\n",
        )
        .unwrap()
    }

    #[test]
    fn a_value_stays_a_value_in_a_command() {
        let answer = |topic: &str, answer: &str| ClarifiedAnswer {
            topic: topic.to_owned(),
            answer: answer.to_owned(),
            said_in: None,
            assumed: false,
        };
        let answers = [answer("parameter:word", "'; rm -rf . #")];
        let Filled::Whole(calls, _) = fill(&recipe(), "count a word in a.txt", &answers) else { panic!("it asks") };
        let Given::Value(command) = &calls[0].givens["command"] else { panic!("no value") };
        assert_eq!(command, r"grep -c ''\''; rm -rf . #' 'a.txt'");
        assert_eq!(calls[1].givens["content"], Given::ResultOf(0));
    }

    #[test]
    fn of_an_answer_the_only_part_that_fits_is_taken_and_a_text_whole() {
        use ParameterKind::{File, Number, Text, Url};
        for (kind, answer, value) in [
            (Text, "about 5", "about 5"),
            (Text, "x=the sea.", "the sea."),
            (Text, "X = 'a b'", "a b"),
            (Text, "y=5", "y=5"),
            (Text, "x==5", "x==5"),
            (Number, "about 5", "5"),
            (Number, "x=5", "5"),
            (Number, "5.", "5."),
            (Number, "it is 5.", "5"),
            (Number, "between 5 and 6", "between 5 and 6"),
            (Number, "nan", "nan"),
            (Url, "take https://example.org/a, please", "https://example.org/a"),
            (File, "it is in notes.txt", "notes.txt"),
            (File, "my notes.txt", "my notes.txt"),
            (File, "notes", "notes"),
            (File, "\"it is in notes.txt\"", "it is in notes.txt"),
            (File, "a.txt and b.txt", "a.txt and b.txt"),
        ] {
            let parameter = Parameter { kind, name: "x".to_owned(), ..recipe().parameters[0].clone() };
            assert_eq!(of_answer(&parameter, answer), value, "{answer}");
        }
    }

    #[test]
    fn a_comparison_names_nothing_and_the_end_of_a_sentence_is_no_value() {
        let recipe = recipe();
        assert!(misnamed(&recipe, "count a word where x==5").is_none());
        assert!(misnamed(&recipe, "count a word x=5").is_some());
        let number = Parameter { kind: ParameterKind::Number, name: "n".to_owned(), ..recipe.parameters[0].clone() };
        assert_eq!(said(&number, "count with n=5.", &[]).as_deref(), Some("5"));
        assert_eq!(said(&number, "count with n=5.5", &[]).as_deref(), Some("5.5"));
        let file = &recipe.parameters[1];
        assert_eq!(said(file, "count a word file=a.txt.", &[]).as_deref(), Some("a.txt"));
    }

    #[test]
    fn a_parameter_in_quotes_of_the_recipe_is_found() {
        let quotes = |tool: &str, text: &str| quotes_a_parameter(tool, &Value::String(text.to_owned()));
        for text in [
            "grep -c \"{{word}}\" a",
            "echo '{{word}}'",
            "echo `{{word}}`",
            "cat <<X\n{{word}}\nX",
            "a \"b\" \"{{x}}\"",
        ] {
            assert!(quotes(RUN, text), "{text}");
        }
        for text in ["grep -c {{word}} {{file}}", "echo \"a\" {{word}} 'b'", "echo \\\"{{word}}", "ls"] {
            assert!(!quotes(RUN, text), "{text}");
        }
        assert!(quotes(PYTHON, "print(\"hello {{who}}\")") && !quotes(PYTHON, "print({{who}})"));
    }

    #[test]
    fn what_is_not_said_is_asked_for_in_order() {
        let Filled::Asks(asked) = fill(&recipe(), "count a word", &[]) else { panic!("it does not ask") };
        assert_eq!((asked.topic.as_str(), asked.question.as_str()), ("parameter:word", "Which word?"));
        let Filled::Asks(asked) = fill(&recipe(), "count a word: \"the\"", &[]) else { panic!("it does not ask") };
        assert_eq!(asked.topic, "parameter:file");
        assert!(matches!(fill(&recipe(), "count a word \"the\" in b/a.txt", &[]), Filled::Whole(..)));
    }
}
