//! The words of a text that stand for nothing and can be asked about: content words, alone or with those beside them,
//! and where they stand, which says what they may be. Small words are never asked about: what “still” or “over” means
//! is not a matter of the data. Next: `propose`.

use std::collections::BTreeSet;

use crate::catalogue::Catalogue;
use crate::form::Thing;
use crate::lexicon::{Role, Signal, lexicon};
use crate::read;
use crate::words;

/// Letters of a word that is asked about: shorter ones are codes or slips.
const LETTERS_MIN: usize = 3;
/// Longer ones are no words.
const LETTERS_MAX: usize = 32;
/// Words asked about as one.
const TOGETHER_MAX: usize = 3;

/// Where words stand, which says what they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// "with parcels", "without insurance".
    Condition,
    /// "average parcel": something is done with numbers of it.
    Gathered,
    /// "by parcel".
    Group,
    /// Before something known: "overdue invoices".
    Modifier,
    /// What is said of something: "invoices that were binned", "are binned".
    Said,
    /// Anywhere else: what the question is about.
    Thing,
}

/// Words that stand for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// As typed.
    pub words: String,
    /// Where.
    pub place: Place,
    /// Whether people are called so.
    pub is_person: bool,
    /// Whether it is set beside something by a sign, or stands right behind "where".
    pub tested: bool,
}

/// A word of a text, with what is joined to it by hyphens.
struct Token<'a> {
    raw: &'a str,
    start: usize,
    end: usize,
    quoted: bool,
}

/// The words among `unknown` that can be asked about, in the order of `text`.
pub fn find(catalogue: &Catalogue, text: &str, unknown: &[String]) -> Vec<Term> {
    let tokens = tokens(text);
    let singles: BTreeSet<String> = unknown.iter().filter_map(|said| single(said)).collect();
    let phrases: Vec<Vec<String>> =
        unknown.iter().map(|said| words::split(said).into_iter().map(|word| word.folded).collect()).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let phrase = phrases.iter().find(|phrase| phrase.len() > 1 && stands(&tokens, at, phrase));
        let length = match phrase {
            Some(phrase) => phrase.len(),
            None => tokens[at..].iter().take_while(|token| is_unknown(catalogue, token, &singles)).count(),
        };
        if (1..=TOGETHER_MAX).contains(&length) && !is_somebody(&tokens[at..at + length], at) {
            found.push(term(catalogue, text, &tokens, at, length));
        }
        at += length.max(1);
    }
    found
}

/// The words of `text` that stand for nothing by themselves, whatever was made of them together: content words, and
/// such as are mostly said by the way while names of this data have them.
pub fn nameless(catalogue: &Catalogue, text: &str) -> Vec<Term> {
    let tokens = tokens(text);
    let by_the_way = |folded: &str| {
        let ignored = lexicon().signal(folded) == Some(Signal::Role(Role::Ignore));
        ignored && catalogue.names().vocabulary().any(|word| word == words::singular(folded))
    };
    // "many" of "how many" says what it says with the word beside it.
    let spans = read::spot(catalogue, text).spans;
    let in_phrase = |token: &Token<'_>| {
        let folded = words::fold(token.raw);
        let has = |text: &str| text.to_lowercase().split(' ').any(|word| word == folded);
        spans.iter().any(|span| span.signal.is_some() && span.text.contains(' ') && has(&span.text))
    };
    let wanted = |token: &Token<'_>| {
        let says = is_content(token) || by_the_way(&words::fold(token.raw));
        says && !in_phrase(token) && !is_known(catalogue, token)
    };
    let single = (0..tokens.len()).filter(|at| wanted(&tokens[*at]) && !is_somebody(&tokens[*at..=*at], *at));
    single.map(|at| term(catalogue, text, &tokens, at, 1)).collect()
}

/// The words of some tokens, with where they stand.
fn term(catalogue: &Catalogue, text: &str, tokens: &[Token<'_>], at: usize, length: usize) -> Term {
    let (first, last) = (&tokens[at], &tokens[at + length - 1]);
    Term {
        words: text[first.start..last.end].to_owned(),
        place: place(catalogue, tokens, at, at + length),
        tested: is_tested(text, first.start, last.end),
        is_person: lexicon().is_person(&words::singular(&words::fold(last.raw))),
    }
}

/// "where priority = urgent": each of the two is a part of a test.
fn is_tested(text: &str, from: usize, to: usize) -> bool {
    let (before, behind) = (text[..from].trim_end(), text[to..].trim_start());
    let where_said = ["where", "whose"].iter().any(|word| before.to_lowercase().ends_with(word));
    where_said || before.ends_with(['=', '<', '>']) || behind.starts_with(['=', '<', '>', '!'])
}

/// A name that is not found is nobody here: nobody is asked what "New York" means.
fn is_somebody(words: &[Token<'_>], at: usize) -> bool {
    let begins_large = |token: &Token<'_>| token.raw.starts_with(char::is_uppercase);
    let is_short_form = |token: &Token<'_>| token.raw.chars().all(char::is_uppercase);
    at > 0 && words.iter().all(begins_large) && !words.iter().all(is_short_form)
}

/// The word, where a single one is unknown.
fn single(said: &str) -> Option<String> {
    match words::split(said).as_slice() {
        [only] => Some(only.folded.clone()),
        _ => None,
    }
}

/// Whether content words of a phrase stand there one after the other.
fn stands(tokens: &[Token<'_>], at: usize, phrase: &[String]) -> bool {
    let own = tokens.get(at..at + phrase.len());
    own.is_some_and(|own| {
        own.iter().zip(phrase).all(|(token, word)| words::fold(token.raw) == *word && is_content(token))
    })
}

fn is_unknown(catalogue: &Catalogue, token: &Token<'_>, unknown: &BTreeSet<String>) -> bool {
    let parts = token.raw.split('-').map(words::fold);
    let named = parts.clone().any(|part| unknown.contains(&part));
    // A word that is known by itself could not be put together with the rest: its meaning is not what is missing.
    named && is_content(token) && !is_known(catalogue, token)
}

/// Whether it names something by itself.
fn is_known(catalogue: &Catalogue, token: &Token<'_>) -> bool {
    let spans = read::spot(catalogue, token.raw).spans;
    !token.raw.contains('-') && spans.iter().any(|one| !one.names.is_empty() || !one.values.is_empty())
}

/// Whether it is a word with a meaning of its own.
fn is_content(token: &Token<'_>) -> bool {
    let folded = words::fold(token.raw);
    let letters = token.raw.chars().count();
    (LETTERS_MIN..=LETTERS_MAX).contains(&letters)
        && !token.quoted
        && token.raw.chars().all(|c| c.is_alphabetic() || c == '-')
        && lexicon().signal(&folded).is_none()
        && !is_small(&folded)
}

/// Words without a meaning of their own in data: nobody is asked what they mean.
fn is_small(folded: &str) -> bool {
    is_telling(folded) || GRAMMAR.split(' ').any(|word| word == folded)
}

/// Whether a word is one of grammar, which never says which rows are meant.
pub fn is_grammar(folded: &str) -> bool {
    [GRAMMAR, BE].iter().any(|list| list.split(' ').any(|word| word == folded))
        || ARTICLES.contains(&folded)
        || HAVE.contains(&folded)
}

/// Whether a word only says that something is so.
pub fn is_be(folded: &str) -> bool {
    matches!(folded, "is" | "are" | "was" | "were" | "be" | "been")
}

/// Whether a small word tells one row from another: "ever", "still", "other".
pub fn is_telling(folded: &str) -> bool {
    TELLING.split(' ').any(|word| word == folded)
}

/// Whether a word only says which or how many of what is named behind it.
pub fn is_article(folded: &str) -> bool {
    ARTICLES.contains(&folded)
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = None;
    let mut quoted = false;
    let joins = |at: usize| text[at + 1..].chars().next().is_some_and(char::is_alphanumeric);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        quoted ^= matches!(letter, '"' | '“' | '”');
        let inside = letter.is_alphanumeric() || (letter == '-' && start.is_some() && joins(at));
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                tokens.push(Token { raw: &text[from..at], start: from, end: at, quoted });
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    tokens
}

fn place(catalogue: &Catalogue, tokens: &[Token<'_>], from: usize, to: usize) -> Place {
    let folded = |at: usize| tokens.get(at).map(|token| words::fold(token.raw)).unwrap_or_default();
    let mut before = tokens[..from].iter().rev().map(|token| words::fold(token.raw));
    let before = before.find(|word| !ARTICLES.contains(&word.as_str())).unwrap_or_default();
    let right_before = from.checked_sub(1).map(folded).unwrap_or_default();
    let role = match lexicon().signal(&before) {
        Some(Signal::Role(role)) => Some(role),
        Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
    };
    let names_rows = |at: usize| tokens.get(at).is_some_and(|token| is_table(catalogue, token.raw));
    if names_rows(to) {
        return Place::Modifier;
    }
    let last = folded(to - 1);
    let several = |at: usize| folded(at) != words::singular(&folded(at));
    let behind_rows =
        from.checked_sub(1).is_some_and(|at| (names_rows(at) && several(at)) || is_value(catalogue, &tokens[at]));
    if BE.split(' ').any(|be| be == right_before) || right_before == "currently" || last.ends_with("ed") || behind_rows
    {
        return Place::Said;
    }
    if HAVE.contains(&before.as_str()) {
        return Place::Condition;
    }
    match role {
        Some(Role::With | Role::Without) => Place::Condition,
        Some(Role::Group | Role::Each) => Place::Group,
        Some(
            Role::Sum
            | Role::Average
            | Role::Median
            | Role::Deviation
            | Role::Highest
            | Role::Lowest
            | Role::Percentile
            | Role::HowMuch,
        ) => Place::Gathered,
        _ => Place::Thing,
    }
}

/// Whether it is somebody's name, of whom something is said behind it.
fn is_value(catalogue: &Catalogue, token: &Token<'_>) -> bool {
    let spans = read::spot(catalogue, token.raw).spans;
    token.raw.starts_with(char::is_uppercase) && spans.iter().any(|span| !span.values.is_empty())
}

fn is_table(catalogue: &Catalogue, word: &str) -> bool {
    let spans = read::spot(catalogue, word).spans;
    spans.iter().any(|span| span.names.iter().any(|one| one.score >= 80 && matches!(one.thing, Thing::Table(_))))
}

/// Words between a word and what says its part.
const ARTICLES: [&str; 14] =
    ["a", "an", "the", "any", "our", "all", "no", "their", "its", "my", "your", "some", "at", "least"];
/// Behind these stands what rows have.
const HAVE: [&str; 4] = ["have", "has", "having", "had"];
/// Behind these something is said of what was named.
const BE: &str = "is are was were be been being never not who that they we you he she it can could may will \
    would do does did";
/// Words of grammar, and words for any column or row: they never say which rows are meant.
const GRAMMAR: &str = "\
    about above across actually against ago along also although altogether always among and another anyone \
    anything are around away back because become been behind being below beside besides beyond but came column \
    columns come coming could count counts data detail details did does doing done down during even everyone everything \
    far for from further gets getting give given gives goes going gone had has have having hence here how \
    however id ids including info information into itself just kind kinds leave left like list lists made make \
    makes may might must name names number numbers off one ones onto out over own perhaps please put really \
    record records result results row rows see seen shall should show shows some someone something such table \
    tables take taken takes than that the their them then there these they thing things this those though \
    through thus together too toward towards type types under upon use used uses using very via want was way \
    were what whatever when where whether which while who whoever whole whom whose why will with within without \
    would you your";
/// Small words that are no names of data either, and yet tell one row from another.
const TELLING: &str = "\
    again almost alone already else ended enough ever except few later less much near neither never not often \
    once only other others otherwise quite rather same several similar since soon still unless until usually yet \
    different both either apart after before now currently";
