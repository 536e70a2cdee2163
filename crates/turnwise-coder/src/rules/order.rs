//! Orders: what plain words want, as wishes. An order is read only where it names all that an edit needs; what
//! is between the lines is not looked for, because a wrong guess would be a wrong diff. Next: `wish`, `make`.

use turnwise_intent::behaviour::coder::files_in;

use super::create::creation;
use super::places::{Places, before_places, is_place, places};
use super::said::{Piece, pieces};
use super::wish::{Kind, Meant, Wish};
use crate::code::is_name;

/// The orders of a message, in their order; none when one of them is not understood as a whole.
#[must_use]
pub fn orders(message: &str) -> Option<Vec<Wish>> {
    if let Some(wish) = creation(message) {
        return Some(vec![wish]);
    }
    let mut parts = parts(message);
    // A diff is shown before anything is done, whether it is asked for or not.
    if parts.len() > 1 {
        parts.retain(|part| !shows_diff(part));
    }
    (!parts.is_empty()).then(|| parts.iter().map(|part| wish(part)).collect()).flatten()
}

/// “Show me the diff”, “show what changes first”, and nothing besides.
fn shows_diff(part: &[Piece]) -> bool {
    const ABOUT: [&str; 14] =
        ["me", "us", "the", "a", "diff", "change", "changes", "it", "first", "what", "would", "as", "before", "patch"];
    let mut said = part.iter().filter(|piece| !piece.is_any(&POLITE));
    said.next().is_some_and(|verb| verb.is("show")) && said.all(|piece| piece.is_any(&ABOUT))
}

/// Words an order can begin with.
const VERBS: [&str; 19] = [
    "rename", "replace", "change", "swap", "use", "fix", "correct", "add", "import", "insert", "put", "create",
    "format", "reformat", "run", "execute", "undo", "revert", "show",
];

/// Words before the verb that change nothing about the order.
pub(super) const POLITE: [&str; 14] =
    ["please", "can", "could", "would", "will", "you", "just", "now", "then", "and", "also", "i", "want", "to"];

/// A message cut where another order begins: behind a pause or “and”, before a verb.
fn parts(message: &str) -> Vec<Vec<Piece>> {
    let mut parts: Vec<Vec<Piece>> = vec![Vec::new()];
    let all = pieces(message);
    for (at, piece) in all.iter().enumerate() {
        let joined = at > 0 && (all[at - 1].pause || all[at - 1].is_any(&["and", "then", "also"]));
        let last = parts.last().map_or(&[][..], Vec::as_slice);
        let begins = joined && piece.is_any(&VERBS) && holds_order(last) && !is_in_braces(last);
        // “run a, then b”: what follows is a command of its own.
        let then = at > 1 && all[at - 1].is("then") && (all[at - 2].pause || all[at - 2].is("and"));
        let follows = runs(last).filter(|_| then && !begins).cloned();
        if begins || follows.is_some() {
            parts.push(follows.into_iter().collect());
        }
        if let Some(part) = parts.last_mut() {
            part.push(piece.clone());
        }
    }
    for part in &mut parts {
        while part.last().is_some_and(|piece| piece.is_any(&["and", "then", "also", "please", "now", "too"])) {
            part.pop();
        }
        part.truncate(courtesy(part));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether a brace is open: what stands in it is code.
fn is_in_braces(part: &[Piece]) -> bool {
    let count = |mark: char| part.iter().map(|piece| piece.raw.matches(mark).count()).sum::<usize>();
    count('{') > count('}')
}

/// Where “, thank you very much” and “for me” begin at the end of an order. A command keeps all but what stands apart.
fn courtesy(part: &[Piece]) -> usize {
    const THANKS: [&str; 8] = ["thanks", "thank", "you", "very", "much", "a", "lot", "cheers"];
    let said = part.iter().rposition(|piece| !piece.is_any(&THANKS)).map_or(0, |last| last + 1);
    let thanks = part.get(said).is_some_and(|piece| piece.is_any(&["thanks", "thank", "cheers"]));
    let end = if thanks && part[said - usize::from(said > 0)].pause { said } else { part.len() };
    match &part[..end] {
        [.., to, us] if to.is("for") && us.is_any(&["me", "us"]) && runs(part).is_none() => end - 2,
        _ => end,
    }
}

/// The verb of an order that runs a command.
fn runs(part: &[Piece]) -> Option<&Piece> {
    part.iter().find(|piece| !piece.is_any(&POLITE)).filter(|verb| verb.is_any(&["run", "execute"]))
}

fn holds_order(part: &[Piece]) -> bool {
    part.iter().any(|piece| piece.is_any(&VERBS))
}

/// One order. Its verb has to stand first, behind nothing but politeness.
fn wish(part: &[Piece]) -> Option<Wish> {
    let begins = part.iter().position(|piece| !piece.is_any(&POLITE))?;
    let part = &part[begins..];
    let (verb, rest) = part.split_first()?;
    if verb.is_quoted {
        return None;
    }
    match verb.text.to_lowercase().as_str() {
        "undo" | "revert" => undo(rest),
        "rename" => rename(rest),
        "replace" | "swap" => replaced(rest, &["with", "by", "for"]),
        "change" => changed(rest),
        "use" => used_instead(rest),
        "fix" | "correct" => corrected(rest),
        "format" | "reformat" => Some(formatted(rest)),
        "import" => imported(rest),
        "add" | "insert" | "put" => added(rest),
        "create" => None,
        _ => command(part),
    }
}

/// An order with its places, or what of them is not understood.
fn placed(tail: &[Piece], more: &[&str], wish: impl FnOnce(Places) -> Wish) -> Wish {
    match places(tail, more) {
        Ok(places) => wish(places),
        Err(words) => Wish::NotUnderstood { words },
    }
}

/// Whether a word says what kind of thing a name is, or nothing.
fn is_beside_name(word: &Piece) -> bool {
    const NOTHING: [&str; 11] = ["the", "a", "an", "my", "our", "all", "every", "symbol", "name", "called", "named"];
    word.is_any(&NOTHING) || kind(word).is_some()
}

fn named(rest: &[Piece]) -> Option<&str> {
    // A word for a kind is a name where nothing else is one: “rename total to fn”.
    let first = rest.iter().position(|piece| piece.is_quoted || !is_beside_name(piece));
    let first = first.or_else(|| rest.len().checked_sub(1))?;
    // Several words that nobody quoted are a description, not a name.
    let text = rest[first].text.trim_end_matches("()");
    (first + 1 == rest.len() && is_name(text)).then_some(text)
}

fn rename(rest: &[Piece]) -> Option<Wish> {
    let (within, rest) = apart(rest);
    let rest = places_last(rest);
    let said = before_places(&rest);
    let at = said.iter().position(|piece| piece.is_any(&["to", "into", "as"]))?;
    let (owner, from) = owned(&said[..at]);
    // “This function” names what is pointed to.
    let pointed = from.first().filter(|first| first.is("this") && from[1..].iter().all(is_beside_name));
    let from = match pointed {
        Some(this) => this.text.as_str(),
        None => named(&from)?,
    };
    let to = named(&said[at + 1..])?;
    let kind = said[..at].iter().take_while(|piece| piece.text != from).find_map(kind);
    let meant = Meant { kind, within: within.or(owner), ..Meant::default() };
    Some(placed(&rest[said.len()..], &[], |Places { within, without }| Wish::Rename {
        from: from.to_owned(),
        to: to.to_owned(),
        within,
        without,
        meant,
    }))
}

/// “Rename total in m.ts to sum”: with its places behind the new name, where others say them.
fn places_last(rest: Vec<Piece>) -> Vec<Piece> {
    let Some(to) = rest.iter().position(|piece| piece.is_any(&["to", "into", "as"])) else { return rest };
    let lead = rest[..to].iter().rposition(|piece| piece.is_any(&["in", "inside", "within"]));
    let are_places = |places: &[Piece]| {
        let is_file = |piece: &Piece| !files_in(&piece.text).is_empty();
        let is_between = |piece: &Piece| piece.is_any(&["and", "the", "file", "files", "or"]);
        places.iter().any(is_file) && places.iter().all(|piece| is_file(piece) || is_between(piece))
    };
    match lead.filter(|lead| are_places(&rest[lead + 1..to])) {
        Some(lead) => [&rest[..lead], &rest[to..], &rest[lead..to]].concat(),
        None => rest,
    }
}

/// What kind of thing a word says that a name is.
fn kind(word: &Piece) -> Option<Kind> {
    const KINDS: [(&[&str], Kind); 7] = [
        (&["variable", "parameter", "argument", "local"], Kind::Variable),
        (&["function", "fn", "def", "func"], Kind::Function),
        (&["method"], Kind::Method),
        (&["field", "property"], Kind::Field),
        (&["struct", "class", "type", "enum", "trait", "interface"], Kind::Type),
        (&["constant", "const", "static", "variant"], Kind::Constant),
        (&["module"], Kind::Module),
    ];
    KINDS.iter().find(|(words, _)| word.is_any(words)).map(|(_, kind)| *kind)
}

/// `Cart::total`, `Cart.total`: whose it is, and its own name.
fn owned(said: &[Piece]) -> (Option<String>, Vec<Piece>) {
    let mut said = said.to_vec();
    let owner = said.last_mut().and_then(|piece| {
        let text = piece.text.replace("::", ".");
        let (owner, name) = text.rsplit_once('.')?;
        let owner = owner.rsplit('.').next().filter(|owner| is_name(owner))?.to_owned();
        piece.text = name.to_owned();
        Some(owner)
    });
    (owner, said)
}

/// “In the function add”, “in add()”, “of the struct Cart”: what a name is in, and the order without that.
fn apart(rest: &[Piece]) -> (Option<String>, Vec<Piece>) {
    const LEADS: [&str; 5] = ["in", "inside", "within", "of", "from"];
    let bare = |piece: &Piece| Some(piece.text.trim_end_matches("()").to_owned()).filter(|name| is_name(name));
    let is_holder = |at: usize| {
        rest.get(at).is_some_and(|piece| piece.is("impl") || kind(piece).is_some_and(|it| it.holds_names()))
    };
    let found = (0..rest.len()).filter(|at| rest[*at].is_any(&LEADS)).find_map(|at| {
        let next = at + 1 + usize::from(rest.get(at + 1).is_some_and(|piece| piece.is_any(&["the", "my", "our"])));
        let name = |at: usize| rest.get(at).and_then(bare);
        match (is_holder(next), rest.get(next)) {
            (true, _) => Some((at, next + 2, name(next + 1)?)),
            (false, Some(word)) if is_holder(next + 1) => Some((at, next + 2, bare(word)?)),
            (false, Some(word)) if word.raw.trim_end_matches([',', '.']).ends_with("()") => {
                Some((at, next + 1, bare(word)?))
            }
            // “The field total of Cart”.
            (false, Some(word)) if rest[at].is("of") => Some((at, next + 1, bare(word)?)),
            // “The variable total in add to sum”: behind the new name a bare word is a place of files.
            (false, Some(word)) if rest.get(next + 1).is_some_and(|then| then.is_any(&["to", "into", "as"])) => {
                Some((at, next + 1, bare(word).filter(|name| files_in(name).is_empty())?))
            }
            // “Rename total to sum in add”, “in Cart.total”: the last word, where it is no place of files.
            (false, Some(word)) if !rest[at].is_any(&["of", "from"]) && next == at + 1 && next + 1 == rest.len() => {
                Some((at, next + 1, inside(word)?))
            }
            _ => None,
        }
    });
    let Some((from, to, name)) = found else { return (None, rest.to_vec()) };
    let from = if from > 0 && rest[from - 1].is_any(&["only", "just"]) { from - 1 } else { from };
    (Some(name), [&rest[..from], &rest[to..]].concat())
}

/// What a bare word names that a name may be in: a function, a type, or a method of one.
fn inside(word: &Piece) -> Option<String> {
    const NONE: [&str; 7] = ["comments", "strings", "texts", "docs", "tests", "place", "general"];
    if word.is_quoted || is_place(word) {
        return None;
    }
    let name = word.text.trim_end_matches("()").replace("::", ".");
    let method = name.rsplit_once('.').filter(|(owner, _)| owner.starts_with(char::is_uppercase));
    let is_method = method.is_some_and(|(owner, method)| is_name(owner) && is_name(method));
    let is_plain = is_name(&name) && files_in(&name).is_empty() && !word.is_any(&NONE);
    (is_method || is_plain).then_some(name)
}

/// One text: a quotation, or one word with nothing but an article before it.
fn text(rest: &[Piece]) -> Option<&str> {
    match rest {
        [one] => Some(&one.text),
        [kind @ .., one] if one.is_quoted && kind.iter().all(|piece| !piece.is_quoted && piece.text != "not") => {
            Some(&one.text)
        }
        _ => None,
    }
}

fn replacing(from: &str, to: &str, tail: &[Piece]) -> Wish {
    placed(tail, &[], |Places { within, without }| Wish::Replace {
        from: from.to_owned(),
        to: to.to_owned(),
        within,
        without,
    })
}

fn formatted(rest: &[Piece]) -> Wish {
    placed(rest, &["source", "sources", "again"], |Places { within, without }| Wish::Format { within, without })
}

fn replaced(rest: &[Piece], separators: &[&str]) -> Option<Wish> {
    let said = before_places(rest);
    let at = said.iter().position(|piece| piece.is_any(separators))?;
    let (from, to) = (text(&said[..at])?, text(&said[at + 1..])?);
    Some(replacing(from, to, &rest[said.len()..]))
}

/// “change X to Y” names a text only where it is quoted: “change the timeout to 30” means a value somewhere.
fn changed(rest: &[Piece]) -> Option<Wish> {
    let quotes = before_places(rest).iter().filter(|piece| piece.is_quoted).count();
    if quotes == 2 { replaced(rest, &["to", "into"]) } else { None }
}

fn used_instead(rest: &[Piece]) -> Option<Wish> {
    let said = before_places(rest);
    let at = said.windows(2).position(|pair| pair[0].is("instead") && pair[1].is("of"))?;
    let (to, from) = (text(&said[..at])?, text(&said[at + 2..])?);
    Some(replacing(from, to, &rest[said.len()..]))
}

/// “fix the typo recieve → receive in a.md”, “correct the spelling of “recieve” to “receive””.
fn corrected(rest: &[Piece]) -> Option<Wish> {
    const ABOUT: [&str; 8] = ["typo", "typos", "spelling", "misspelling", "misspelled", "misspelt", "word", "mistake"];
    const SIGNS: [&str; 7] = ["->", "→", "=>", "to", "into", "should", "with"];
    let about = rest.iter().position(|piece| piece.is_any(&ABOUT))?;
    let text: Vec<&str> = rest.iter().map(|piece| piece.text.as_str()).collect();
    let files = files_in(&text.join(" "));
    let rest = &rest[about + 1..];
    let is_said =
        |piece: &&Piece| !files.contains(&piece.text) && !piece.is_any(&["the", "a", "of", "in", "word", "file", "it"]);
    let sign = rest.iter().position(|piece| piece.is_any(&SIGNS));
    let wrong: Vec<&Piece> = rest[..sign.unwrap_or(rest.len())].iter().filter(is_said).collect();
    let [wrong] = wrong.as_slice() else { return None };
    let Some(sign) = sign else {
        // “the typo recieve in …” names the word; “the typo in the heading” says where one is.
        let is_named = wrong.is_quoted || rest.iter().take_while(|piece| !piece.is("in")).any(|piece| piece == *wrong);
        return is_named.then(|| Wish::Misspelt { wrong: wrong.text.clone(), within: files });
    };
    // “the” may well be the right word.
    let (before, behind) = rest.split_at(sign + 1);
    let right = before_places(behind);
    let tail = &behind[right.len()..];
    let right = if right.first().is_some_and(|piece| piece.is("be")) { &right[1..] } else { right };
    let [right] = right else { return None };
    let named = before.iter().filter(|piece| files.contains(&piece.text)).map(|piece| piece.text.clone());
    Some(placed(tail, &[], |Places { within, without }| Wish::Replace {
        from: wrong.text.clone(),
        to: right.text.clone(),
        within: named.chain(within).collect(),
        without,
    }))
}

fn imported(rest: &[Piece]) -> Option<Wish> {
    let goes = |piece: &Piece| piece.is_any(&["in", "to", "into"]);
    let as_code = is_import_as_code(rest);
    let end = if as_code { rest.iter().rposition(goes) } else { rest.iter().position(goes) };
    let (said, tail) = rest.split_at(end.unwrap_or(rest.len()));
    let from = said.iter().position(|piece| piece.is("from")).filter(|_| !as_code);
    let what = match as_code {
        true => format!("import {}", said.iter().map(|piece| piece.raw.as_str()).collect::<Vec<_>>().join(" ")),
        false => text(said.get(..from.unwrap_or(said.len()))?)?.to_owned(),
    };
    let from = match from {
        Some(at) => Some(text(&said[at + 1..])?.to_owned()),
        None => None,
    };
    Some(placed(tail, &["to", "into", "top"], |Places { within, without }| match without.is_empty() {
        true => Wish::Import { what, from, within },
        // An import goes into one file, which is then to be named.
        false => {
            Wish::NotUnderstood { words: tail.iter().map(|piece| piece.raw.as_str()).collect::<Vec<_>>().join(" ") }
        }
    }))
}

/// Whether an import is said as it is written in a file: its module in quotes, names in braces, another name for it.
fn is_import_as_code(rest: &[Piece]) -> bool {
    let from_quoted = rest.windows(2).any(|pair| pair[0].is("from") && pair[1].is_quoted);
    from_quoted || rest.iter().any(|piece| !piece.is_quoted && (piece.is("as") || piece.raw.starts_with(['{', '*'])))
}

fn added(rest: &[Piece]) -> Option<Wish> {
    let what = rest.iter().position(|piece| !piece.is_any(&["a", "an", "the", "missing", "doc"]))?;
    let said = &rest[what + 1..];
    if rest[what].is("import") {
        let said = match said.first() {
            Some(first) if first.is_any(&["for", "of"]) => &said[1..],
            _ => said,
        };
        return imported(said);
    }
    if !rest[what].is("comment") {
        return None;
    }
    commented(said)
}

/// “add a comment “…” above the function x in a.rs”, “… to line 12 of a.rs”.
fn commented(said: &[Piece]) -> Option<Wish> {
    let at = said.iter().position(|piece| piece.is_quoted)?;
    // The comment may be said before its place or behind it.
    let (before, after) = (&said[..at], &said[at + 1..]);
    let place = [after, before].concat();
    let line = place.windows(2).find(|pair| pair[0].is("line")).and_then(|pair| pair[1].text.parse().ok());
    let spoken: Vec<&str> = place.iter().map(|piece| piece.text.as_str()).collect();
    let files = files_in(&spoken.join(" "));
    let is_filler = |piece: &&Piece| {
        !files.contains(&piece.text)
            && !is_beside_name(piece)
            && !piece
                .is_any(&["above", "to", "in", "of", "on", "before", "at", "over", "saying", "that", "says", "line"])
    };
    let names: Vec<Piece> = place.iter().filter(is_filler).cloned().collect();
    let name = match (line, names.as_slice()) {
        (None, [one]) if is_name(one.text.trim_end_matches("()")) => Some(one.text.trim_end_matches("()").to_owned()),
        (Some(_), [number]) if number.text.parse::<usize>().is_ok() => None,
        (None, []) => None,
        _ => return None,
    };
    Some(Wish::Comment { text: said[at].text.clone(), name, line, within: files })
}

fn undo(rest: &[Piece]) -> Option<Wish> {
    const ABOUT: [&str; 14] = [
        "it", "that", "this", "the", "your", "my", "last", "latest", "change", "changes", "edit", "diff", "rename",
        "again",
    ];
    rest.iter().all(|piece| piece.is_any(&ABOUT) || piece.is_any(&COUNTS)).then_some(Wish::Undo)
}

/// How many changes are to be taken back, where it is more than one.
pub(crate) const COUNTS: [&str; 12] =
    ["two", "three", "four", "five", "all", "both", "2", "3", "4", "5", "few", "several"];

fn command(part: &[Piece]) -> Option<Wish> {
    let verb = part.first()?;
    if !verb.is_any(&["run", "execute"]) || part.len() < 2 {
        return None;
    }
    let words = match &part[1..] {
        [one] if one.is_quoted => format!("`{}`", one.text),
        words => words.iter().map(typed).collect::<Vec<_>>().join(" "),
    };
    Some(Wish::Run { words: without_end(&words).to_owned() })
}

/// A word of a command as it was typed: marks belong to it. Quotes that only people set become those of commands.
fn typed(piece: &Piece) -> String {
    match piece.raw.chars().next() {
        Some('“' | '‘') if piece.is_quoted && !piece.text.contains('"') => format!("\"{}\"", piece.text),
        _ => piece.raw.clone(),
    }
}

/// Without the mark that ends a sentence: one alone behind a letter. “main..” and “HEAD:” are typed so.
fn without_end(words: &str) -> &str {
    match words.strip_suffix([',', ';', '.', '!', '?']) {
        Some(before) if before.ends_with(char::is_alphanumeric) => before,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &[Wish]) {
        assert_eq!(orders(message).unwrap_or_default(), expected, "{message}");
    }

    fn rename(from: &str, to: &str, within: &[&str]) -> Wish {
        let within = within.iter().map(|name| (*name).to_owned()).collect();
        Wish::Rename { from: from.to_owned(), to: to.to_owned(), within, without: Vec::new(), meant: Meant::default() }
    }

    fn replace(from: &str, to: &str, within: &[&str]) -> Wish {
        let within = within.iter().map(|name| (*name).to_owned()).collect();
        Wish::Replace { from: from.to_owned(), to: to.to_owned(), within, without: Vec::new() }
    }

    #[test]
    fn orders_that_name_all_they_need_are_read() {
        check("rename foo to bar", &[rename("foo", "bar", &[])]);
        let meant = |kind: Option<Kind>, name: &str, files: &[&str]| {
            let within = Some(name.to_owned()).filter(|name| !name.is_empty());
            let files = files.iter().map(|name| (*name).to_owned()).collect();
            let meant = Meant { kind, within, ..Meant::default() };
            Wish::Rename { from: "foo".into(), to: "bar".into(), within: files, without: Vec::new(), meant }
        };
        let function = meant(Some(Kind::Function), "", &["src/a.rs"]);
        check("please rename the function `foo()` to bar in src/a.rs", &[function]);
        check("rename foo to bar in the function add in app.py", &[meant(None, "add", &["app.py"])]);
        check("rename the variable foo in add() to bar", &[meant(Some(Kind::Variable), "add", &[])]);
        check("rename Cart::foo to bar", &[meant(None, "Cart", &[])]);
        check("rename the field foo of Cart to bar in a.rs", &[meant(Some(Kind::Field), "Cart", &["a.rs"])]);
        check("rename the local variable `foo` in add to bar", &[meant(Some(Kind::Variable), "add", &[])]);
        check("rename fn foo to bar and show me the diff", &[meant(Some(Kind::Function), "", &[])]);
        check("rename foo to bar only in the add function", &[meant(None, "add", &[])]);
        check("Can you rename parse_header to read_header everywhere?", &[rename("parse_header", "read_header", &[])]);
        check("replace var with const in a.js", &[replace("var", "const", &["a.js"])]);
        check("replace \"a b\" by \"c\"", &[replace("a b", "c", &[])]);
        check("change \"8080\" to \"9090\" in config.toml", &[replace("8080", "9090", &["config.toml"])]);
        check("use `let` instead of `var` in a.js", &[replace("var", "let", &["a.js"])]);
        check("fix the typo recieve -> receive in README.md", &[replace("recieve", "receive", &["README.md"])]);
        check("fix the typo in README.md: teh should be the", &[replace("teh", "the", &["README.md"])]);
        check("fix the typo teh in a.md, it should be the", &[replace("teh", "the", &["a.md"])]);
        check("correct the spelling of “recieve” to “receive”", &[replace("recieve", "receive", &[])]);
        let wrong = Wish::Misspelt { wrong: "recieve".into(), within: vec!["README.md".into()] };
        check("fix the typo “recieve” in README.md", &[wrong]);
        for said in [
            "rename foo to bar, thanks!",
            "rename foo to bar, thank you very much",
            "rename foo to bar for us",
            "rename foo to bar for me, thanks a lot",
            "rename foo to bar in the entire code base",
        ] {
            check(said, &[rename("foo", "bar", &[])]);
        }
        for said in [
            "rename foo to bar within `a.rs`",
            "rename foo to bar only in a.rs",
            "rename foo to bar in only `a.rs`, thanks",
            "rename foo to bar in these files: a.rs",
        ] {
            check(said, &[rename("foo", "bar", &["a.rs"])]);
        }
        check("rename foo to bar in both `a` and `b`", &[rename("foo", "bar", &["a", "b"])]);
        check("rename foo to bar in src", &[rename("foo", "bar", &["src"])]);
        check("replace x with y in the parser folder", &[replace("x", "y", &["parser"])]);
        check("undo", &[Wish::Undo]);
        check("please undo the last change", &[Wish::Undo]);
        check("run the tests", &[Wish::Run { words: "the tests".into() }]);
        check("format src/a.rs", &[Wish::Format { within: vec!["src/a.rs".into()], without: Vec::new() }]);
        let text = |text: &str| Wish::Create { path: "notes.md".into(), text: text.into() };
        check("create a file notes.md with the text \"hello there\"", &[text("hello there")]);
        check("create an empty file notes.md", &[text("")]);
        check("create notes.md with \"hello there\"", &[text("hello there")]);
        let import = |what: &str, from: Option<&str>, file: &str| Wish::Import {
            what: what.into(),
            from: from.map(str::to_owned),
            within: vec![file.into()],
        };
        check("add an import for os to tool.py", &[import("os", None, "tool.py")]);
        check("import useState from react in app.tsx", &[import("useState", Some("react"), "app.tsx")]);
        let comment = Wish::Comment {
            text: "Never zero.".into(),
            name: Some("next".into()),
            line: None,
            within: vec!["a.rs".into()],
        };
        check("add a comment \"Never zero.\" above the function next in a.rs", &[comment]);
        let comment = Wish::Comment { text: "why".into(), name: None, line: Some(12), within: vec!["a.rs".into()] };
        check("add the comment \"why\" to line 12 of a.rs", &[comment]);
    }

    #[test]
    fn several_orders_are_read_one_after_the_other_and_a_quotation_is_no_order() {
        check(
            "rename foo to bar, replace \"x and run y\" with \"z\" in a.md and then run the tests",
            &[
                rename("foo", "bar", &[]),
                replace("x and run y", "z", &["a.md"]),
                Wish::Run { words: "the tests".into() },
            ],
        );
    }

    #[test]
    fn a_command_is_taken_as_it_was_typed_and_then_begins_another() {
        let run = |words: &str| Wish::Run { words: words.into() };
        check("run git log main..", &[run("git log main..")]);
        check("run git show HEAD:", &[run("git show HEAD:")]);
        check("run git commit -m \"a, b\"", &[run("git commit -m \"a, b\"")]);
        check("run the tests, please.", &[run("the tests")]);
        check("run the tests, thanks", &[run("the tests")]);
        check("run echo thank you", &[run("echo thank you")]);
        check("run sort for me", &[run("sort for me")]);
        check("run ls -la .", &[run("ls -la .")]);
        check("run ls -la, then rm -rf src", &[run("ls -la"), run("rm -rf src")]);
        check("run cargo fmt and then cargo test", &[run("cargo fmt"), run("cargo test")]);
    }

    #[test]
    fn places_that_are_left_out_are_no_targets_and_what_is_not_understood_is_named() {
        let without = Wish::Rename {
            from: "value".into(),
            to: "amount".into(),
            within: Vec::new(),
            without: vec!["main.rs".into()],
            meant: Meant::default(),
        };
        check("rename value to amount in all files but main.rs", std::slice::from_ref(&without));
        check("rename value to amount except in main.rs", std::slice::from_ref(&without));
        for (message, words) in [
            ("replace total with amount in the comments of app.py", "in the comments"),
            ("use `let` instead of `var` in a.js, only in comments", "only in comments"),
            ("format dates as ISO", "dates as ISO"),
            ("rename total to amount, only in comments", "only in comments"),
            ("rename total to amount only where it is a name", "only where it is a name"),
            ("import os in the function main in a.py", "in the function main"),
        ] {
            check(message, &[Wish::NotUnderstood { words: words.into() }]);
        }
    }

    #[test]
    fn what_is_between_the_lines_is_not_guessed() {
        for message in [
            "change the timeout to 30 seconds",
            "replace the magic number with a constant",
            "rename this variable to something better",
            "rename foo to bar and make the tests nicer",
            "fix the off by one error",
            "fix the typo",
            "fix the typo in the README heading",
            "add a comment to this function",
            "create a new admin dashboard with user management",
            "create notes.md with what we know",
            "create a file notes.md with the text ```",
            "undo the damage in a.rs",
            "don't rename foo to bar",
            "make the button blue",
        ] {
            assert_eq!(orders(message), None, "{message}");
        }
    }
}
