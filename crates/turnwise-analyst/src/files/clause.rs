//! The words that ask for a file: "… and append it to log.csv", "save that as \"my report.jsonl\"". They are taken out
//! of the text, and the rest is the question. Next: `target`.

use super::Manner;

/// A file that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// What is to be done with it.
    pub manner: Manner,
    /// As it was named.
    pub name: String,
}

/// A text and the files it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Without the words about files.
    pub rest: String,
    /// The files, in the order asked for.
    pub wishes: Vec<Wish>,
}

/// Finds the files that `text` asks to be written.
pub fn asked(text: &str) -> Asked {
    let words = words(text);
    let (mut rest, mut wishes) = (String::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        if let Some((wish, after)) = clause(text, &words, at) {
            wishes.push(wish);
            at = words.iter().position(|word| word.from >= after).unwrap_or(words.len());
        } else {
            rest.push_str(&text[words[at].from..words.get(at + 1).map_or(text.len(), |next| next.from)]);
            at += 1;
        }
    }
    if let (true, Some((wish, question))) = (wishes.is_empty(), around(text, &words)) {
        return Asked { rest: question, wishes: vec![wish] };
    }
    let ends: &[char] = if wishes.is_empty() { &[] } else { &[' ', ',', ';', '\n', '\t'] };
    Asked { rest: rest.trim_matches(ends).to_owned(), wishes }
}

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    from: usize,
}

impl Word<'_> {
    fn is_one_of(&self, list: &[&str]) -> bool {
        list.contains(&self.text.trim_end_matches([',', ':']).to_ascii_lowercase().as_str())
    }

    fn ends_a_part(&self) -> bool {
        self.text.ends_with([',', ';', '.', '?', '!', ':'])
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(|word| Word { text: word, from: word.as_ptr() as usize - start }).collect()
}

/// A clause that begins at word `at`, and the byte behind it.
fn clause(text: &str, words: &[Word<'_>], at: usize) -> Option<(Wish, usize)> {
    let mut next = at;
    while words.get(next).is_some_and(|word| word.is_one_of(&JOINING)) {
        next += 1;
    }
    let is_apart = at == 0 || next > at || words[at - 1].ends_a_part();
    let manner = is_apart.then(|| manner(words.get(next)?)).flatten()?;
    next += 1;
    let object = object(words, next);
    next += object;
    if !words.get(next)?.is_one_of(&PREPOSITIONS) {
        return None;
    }
    next += 1;
    next += before_name(words, next);
    let (name, after) = name(text, words, next)?;
    // Without "it" only a name that is plainly a file's is one: "export to Canada" is about exports.
    let is_plain = is_file(&name) || (object > 0 && (manner == Manner::Save || name.contains(['.', '/'])));
    is_plain.then_some((Wish { manner, name }, after))
}

/// "save total sales by country as report.csv": the question stands inside.
fn around(text: &str, words: &[Word<'_>]) -> Option<(Wish, String)> {
    let manner = manner(words.first()?)?;
    for at in (2..words.len().saturating_sub(1)).rev() {
        if !words[at].is_one_of(&PREPOSITIONS) {
            continue;
        }
        if let Some((name, after)) = name(text, words, at + 1).filter(|(name, _)| is_file(name)) {
            let question = text[words[1].from..words[at].from].trim();
            let rest = text[after..].trim_matches([' ', '.', ',', ';']);
            return Some((Wish { manner, name }, format!("{question} {rest}").trim().to_owned()));
        }
    }
    None
}

fn manner(word: &Word<'_>) -> Option<Manner> {
    if word.is_one_of(&["append", "add", "log"]) {
        return Some(Manner::Append);
    }
    word.is_one_of(&["save", "write", "export", "store"]).then_some(Manner::Save)
}

/// How many words "it", "the result", "these rows" take.
fn object(words: &[Word<'_>], at: usize) -> usize {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| word.is_one_of(list));
    match (is(at, &["the", "this", "that", "these", "those", "its"]), is(at + 1, &RESULTS)) {
        (true, true) => 2,
        (true, false) if is(at, &["the", "its"]) => 0,
        (true, false) => 1,
        (false, _) => usize::from(is(at, &["it", "them", "everything", "results", "all"])),
    }
}

/// How many words lead to a name: "the file", "a new file called".
fn before_name(words: &[Word<'_>], at: usize) -> usize {
    let leading = words.iter().skip(at).take_while(|word| word.is_one_of(&BEFORE_NAMES)).count();
    let last = words.iter().skip(at).take(leading).rposition(|word| word.is_one_of(&["file", "called", "named"]));
    last.map_or(0, |last| last + 1)
}

/// The file's name that begins at word `at`, and the byte behind it.
fn name(text: &str, words: &[Word<'_>], at: usize) -> Option<(String, usize)> {
    let from = words.get(at)?.from;
    let rest = &text[from..];
    let first = rest.chars().next()?;
    if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first) {
        let inside = &rest[first.len_utf8()..];
        let end = inside.find(*close).unwrap_or(inside.len());
        let behind = &inside[end..];
        let mut behind = behind.strip_prefix(*close).unwrap_or(behind);
        behind = behind.trim_start_matches(['.', ',', ';', '?', '!']);
        behind = without_courtesy(behind);
        return Some((inside[..end].to_owned(), text.len() - behind.len()));
    }
    // A name may hold spaces: it goes on to the first word that ends like a file, else it is one word.
    let ending = words[at..].iter().position(|word| is_file(bare(word.text)));
    let last = &words[at + ending.unwrap_or(0)];
    let end = last.from + bare(last.text).len();
    let behind = text[end..].trim_start_matches(['.', ',', ';', '?', '!']);
    Some((text[from..end].to_owned(), text.len() - without_courtesy(behind).len()))
}

/// Words behind a file's name that ask for nothing.
fn without_courtesy(behind: &str) -> &str {
    let said = behind.trim().trim_end_matches(['.', '!', '?']).to_ascii_lowercase();
    if ["please", "too", "as well", "now", "thanks", "for me", "please, thanks"].contains(&said.as_str()) {
        &behind[behind.len()..]
    } else {
        behind
    }
}

fn bare(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', '?', '!'])
}

fn is_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty()))
}

const JOINING: [&str; 5] = ["and", "then", "also", "plus", "finally"];
const PREPOSITIONS: [&str; 5] = ["to", "as", "in", "into", "onto"];
const BEFORE_NAMES: [&str; 6] = ["the", "a", "new", "file", "called", "named"];
const RESULTS: [&str; 12] =
    ["result", "results", "rows", "row", "answer", "answers", "table", "numbers", "figures", "list", "output", "one"];
const QUOTES: [(char, char); 5] = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('`', '`')];
/// What names of files for data end in; not all of them are written, but all of them are files.
const ENDINGS: [&str; 9] = [".csv", ".jsonl", ".ndjson", ".json", ".tsv", ".txt", ".xlsx", ".parquet", ".db"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rest: &str, wishes: &[(Manner, &str)]) {
        let wishes: Vec<Wish> =
            wishes.iter().map(|(manner, name)| Wish { manner: *manner, name: (*name).to_owned() }).collect();
        assert_eq!(asked(text), Asked { rest: rest.to_owned(), wishes }, "{text}");
    }

    #[test]
    fn files_are_found_and_taken_out() {
        use Manner::{Append, Save};
        check("sales by country and append it to log.csv", "sales by country", &[(Append, "log.csv")]);
        check("append that to log.csv", "", &[(Append, "log.csv")]);
        check(
            "Sales by country, then save the result as report.jsonl please.",
            "Sales by country",
            &[(Save, "report.jsonl")],
        );
        check(
            "sales by year, append it to a.csv and append it to b.csv",
            "sales by year",
            &[(Append, "a.csv"), (Append, "b.csv")],
        );
        check("save total sales by year as totals.csv", "total sales by year", &[(Save, "totals.csv")]);
        check("sales by country; export to /tmp/x.csv", "sales by country", &[(Save, "/tmp/x.csv")]);
        check("also write these rows into the file out.csv too", "", &[(Save, "out.csv")]);
    }

    #[test]
    fn names_may_hold_spaces_and_quotes() {
        use Manner::{Append, Save};
        check("sales and append it to /tmp/my results.csv", "sales", &[(Append, "/tmp/my results.csv")]);
        check("save it as \"it's mine.csv\" and append it to b.csv", "", &[(Save, "it's mine.csv"), (Append, "b.csv")]);
        check("save it as 'a \"b\".csv'", "", &[(Save, "a \"b\".csv")]);
        check("save it as \"cut short.csv", "", &[(Save, "cut short.csv")]);
    }

    #[test]
    fn a_name_without_an_ending_is_kept_to_be_refused() {
        check("save it as report", "", &[(Manner::Save, "report")]);
        check("append it to notes.md", "", &[(Manner::Append, "notes.md")]);
    }

    #[test]
    fn other_words_are_left_alone() {
        for text in [
            "sales by country",
            "how many rows are in the log",
            "add tax to the total",
            "exports to Canada by year",
            "append the discount",
            "customers who write in French",
            "which customers save the most in 2024",
        ] {
            check(text, text, &[]);
        }
    }
}
