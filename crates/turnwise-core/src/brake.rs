//! Words that brake what runs: a stop, a wait, a no, or something forbidden, however it is emphasised or explained, and
//! what else is asked for beside it (CF-26). Here are the words alone, clause by clause; whether a clause is taken for
//! a brake also depends on the reader. Next: `decide::braking`, which does it.

mod lists;

use self::lists::lists;
use crate::doubt::{self, Doubt, doubted};

/// What one clause does to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brake {
    /// Ends it.
    Stop,
    /// Wants it to wait.
    Wait,
    /// A bare no.
    No,
    /// Nothing: courtesy and cries.
    Filler,
}

/// A piece of a message between two pauses, and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'a> {
    /// As it was written.
    pub(crate) text: &'a str,
    /// Its words, in lower case.
    pub(crate) words: Vec<String>,
    /// Where it begins in the message.
    pub(crate) start: usize,
    /// Whether a question mark ends it.
    pub(crate) asks: bool,
    /// The word that joins it to the one before, if one does.
    pub(crate) joined_by: Option<String>,
}

/// The clauses of `message`: cut at every mark that pauses, and at every word that joins.
pub(crate) fn clauses(message: &str) -> Vec<Clause<'_>> {
    let tokens = tokens(message);
    let mut found: Vec<Clause<'_>> = Vec::new();
    let (mut first, mut joined_by) = (0, None);
    for at in 0..tokens.len() {
        let (last, next) = (&tokens[at], tokens.get(at + 1));
        let between = &message[last.end..next.map_or(message.len(), |next| next.start)];
        // "Not so fast" and "do so" join nothing.
        let is_one = |next: &&Token| next.word == "so" && matches!(last.word.as_str(), "not" | "do");
        let joining = |next: &&Token| lists().joining.contains(&next.word.as_str()) && at + 2 < tokens.len();
        let joins = next.filter(|next| joining(next) && !is_one(next));
        let pauses = next.is_none_or(|next| is_pause(message, between, next.start));
        if !pauses && joins.is_none() {
            continue;
        }
        if first <= at {
            let (start, words) = (tokens[first].start, tokens[first..=at].iter().map(|token| token.word.clone()));
            let (text, asks) = (&message[start..last.end], between.contains(['?', '？']));
            found.push(Clause { text, words: words.collect(), start, asks, joined_by: joined_by.take() });
        }
        first = at + 1;
        // "… and then …": all the joining words go.
        while let Some(token) = tokens.get(first).filter(|token| lists().joining.contains(&token.word.as_str())) {
            joined_by = Some(token.word.clone());
            first += 1;
        }
    }
    found
}

/// The words of `message` in lower case, and where each begins and ends.
pub(crate) fn spans(message: &str) -> Vec<(String, usize, usize)> {
    tokens(message).into_iter().map(|token| (token.word, token.start, token.end)).collect()
}

struct Token {
    word: String,
    start: usize,
    end: usize,
}

fn tokens(message: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut start = None;
    let part_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '🛑' | '✋');
    for (at, letter) in message.char_indices().chain([(message.len(), ' ')]) {
        match (part_of_word(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = unstretched(&message[from..at].to_lowercase().replace('’', "'"));
                found.push(Token { word, start: from, end: at });
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}

/// "stooop" is "stop": three of a letter stand in no English word.
fn unstretched(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs = letters.chunk_by(|a, b| a == b);
    runs.flat_map(|run| if run.len() > 2 && run[0].is_alphabetic() { &run[..1] } else { run }).collect()
}

/// Whether the signs between two words pause; those inside numbers and names of files do not.
fn is_pause(message: &str, between: &str, next: usize) -> bool {
    let is_inside = matches!(between, "." | ":") || (between == "," && message[next..].starts_with(char::is_numeric));
    !is_inside
        && (between.contains([',', ';', ':', '.', '!', '?', '？', '…', '–', '—', '\n']) || between.contains(" - "))
}

/// What the words of `clause` do by themselves; `None` when they do something else, or say it with doubt.
pub(crate) fn of_clause(clause: &Clause<'_>) -> Option<Brake> {
    let mut rest = clause.words.as_slice();
    let mut found = Brake::Filler;
    while !rest.is_empty() {
        let stop = stop_length(rest);
        let (brake, length) = if stop > 0 {
            (Brake::Stop, stop)
        } else if let length @ 1.. = longest(&lists().waits, rest) {
            (Brake::Wait, length)
        } else if let length @ 1.. = longest(&lists().noes, rest) {
            (Brake::No, length)
        } else {
            (Brake::Filler, longest(&lists().fillers, rest))
        };
        if length == 0 {
            return None;
        }
        if brake != Brake::Filler && found != Brake::Stop {
            found = brake;
        }
        rest = &rest[length..];
    }
    let is_plain = found != Brake::Stop || !is_doubted(clause);
    is_plain.then_some(found)
}

/// Whether what `clause` orders is asked, weighed or denied.
pub(crate) fn is_asked(clause: &Clause<'_>) -> bool {
    clause.asks || how_doubted(clause).is_some_and(|how| how != Doubt::Later)
}

/// Whether a stop in `clause` is asked, weighed, denied or put off.
pub(crate) fn is_doubted(clause: &Clause<'_>) -> bool {
    how_doubted(clause).is_some()
}

fn how_doubted(clause: &Clause<'_>) -> Option<Doubt> {
    let mark = if clause.asks { "?" } else { "" };
    doubted(&format!("{}{mark}", clause.words.join(" "))).map(|found| found.how)
}

/// Words of a stop at the start of `words`: the verb, what it stops, and what only underlines it.
fn stop_length(words: &[String]) -> usize {
    let whole = longest(&lists().stops_whole, words);
    let (hard, soft) = (longest(&lists().stops, words), longest(&lists().stops_with_object, words));
    let verb = whole.max(hard).max(soft);
    if verb == 0 {
        return 0;
    }
    let mut length = verb;
    if whole < verb {
        length += object_length(&words[verb..]);
        if hard < soft && length == verb {
            return 0;
        }
    }
    while let more @ 1.. = longest(&lists().underlining, &words[length..]) {
        length += more;
    }
    length
}

/// Words at the start of `words` that name what runs: "it", "the current run", "writing that file".
fn object_length(words: &[String]) -> usize {
    if words.first().is_some_and(|word| lists().working.contains(&word.as_str())) {
        // What it works on belongs to it, to the end of the clause.
        return words.len();
    }
    let pronoun = longest(&lists().pronouns, words);
    let mut at = words.iter().take_while(|word| DETERMINERS.contains(&word.as_str())).count();
    let names = words.get(at).is_some_and(|word| lists().running_things.contains(&word.as_str()));
    if !names {
        return pronoun;
    }
    while words.get(at).is_some_and(|word| lists().running_things.contains(&word.as_str())) {
        at += 1;
    }
    at.max(pronoun)
}

/// Whether `message` speaks of stopping in a way that may mean it: an order with an unknown object, a stop at the end
/// of something else, a stop that is asked or weighed, a slip of the pen. Never one that is denied, told or put off.
pub(crate) fn may_stop(message: &str) -> bool {
    if message.contains(['"', '“', '`', '«']) {
        return false;
    }
    let clauses = clauses(message);
    let denied = |clause: &Clause<'_>| matches!(how_doubted(clause), Some(Doubt::Denies | Doubt::Later));
    clauses.iter().any(|clause| speaks_of_stopping(clause) && !denied(clause)) || is_slip(&clauses)
}

fn speaks_of_stopping(clause: &Clause<'_>) -> bool {
    let words = &clause.words;
    let opens_a_question = words.first().is_some_and(|word| ASKING.contains(&word.as_str()));
    let about_queue = words.iter().any(|word| lists().waiting_things.contains(&word.as_str()));
    let Some(at) = words.iter().position(|word| longest(&lists().stops, std::slice::from_ref(word)) > 0) else {
        return false;
    };
    let is_order = longest_of(&lists().fillers, &words[..at]) == at || at + stop_length(&words[at..]) == words.len();
    let is_noun = at > 0 && lists().before_nouns.contains(&words[at - 1].as_str());
    is_order && !opens_a_question && !is_noun && !about_queue
}

/// "sotp", "stpo", "stopp": a stop that slipped, all by itself.
fn is_slip(clauses: &[Clause<'_>]) -> bool {
    let words: Vec<&String> = clauses.iter().flat_map(|clause| &clause.words).collect();
    let [word] = words.as_slice() else { return false };
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    lists().stops.iter().any(|stop| {
        let (typed, meant) = (sorted(word), sorted(stop));
        let is_doubled = word.len() == stop.len() + 1 && word.starts_with(stop);
        let same_start = word.chars().next() == stop.chars().next();
        word != stop && same_start && (typed == meant || is_doubled)
    })
}

/// Whether what follows a stop says why, takes it back, or names a condition, rather than asking for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Explains,
    TakesBack,
    Request,
}

pub(crate) fn after_a_stop(clause: &Clause<'_>, rest: &str) -> After {
    let first = clause.words.first().map(String::as_str).unwrap_or_default();
    let joined = clause.joined_by.as_deref().unwrap_or_default();
    let said = clause.words.join(" ");
    let is_only_doubt = doubted(rest).is_some_and(|found| found.order.is_empty());
    if joined == "or" || is_only_doubt || doubt::takes_back(&said) || lists().conditions.contains(&first) {
        return After::TakesBack;
    }
    match lists().explaining.contains(&first) || lists().explaining.contains(&joined) {
        true => After::Explains,
        false => After::Request,
    }
}

/// "Stop after this step", "stop before it writes", "stop at step 2": a boundary, not an end.
pub(crate) fn names_a_boundary(clause: &Clause<'_>) -> bool {
    let verb = clause.words.iter().position(|word| longest(&lists().stops, std::slice::from_ref(word)) > 0);
    let next = verb.and_then(|at| clause.words.get(at + 1));
    next.is_some_and(|word| matches!(word.as_str(), "at" | "after" | "before" | "by" | "with"))
}

/// "Don't write that file": an effect is forbidden.
pub(crate) fn forbids_an_effect(clause: &Clause<'_>) -> bool {
    let words: Vec<&str> = clause.words.iter().map(String::as_str).collect();
    let mut rest = words.as_slice();
    while let [first, after @ ..] = rest {
        let is_opener = lists().fillers.contains(first) || lists().noes.contains(first);
        if !is_opener {
            break;
        }
        rest = after;
    }
    let rest = match rest {
        ["do", "not", rest @ ..] | ["please", "do", "not", rest @ ..] => rest,
        ["don't" | "dont" | "never", rest @ ..] => rest,
        _ => return false,
    };
    match rest {
        [verb, ..] if lists().writing.contains(verb) => true,
        [verb, object @ ..] if lists().changing.contains(verb) => {
            object.iter().all(|word| CHANGED.contains(word) || word.contains('.'))
        }
        _ => false,
    }
}

/// "Don't stop": whatever else is said, it is not to end.
pub(crate) fn denies_a_stop(clause: &Clause<'_>) -> bool {
    let speaks = clause.words.iter().any(|word| lists().stops.contains(&word.as_str()));
    speaks && how_doubted(clause) == Some(Doubt::Denies)
}

/// Whether `message` says to stop in the very word, and not only to drop something.
pub(crate) fn says_stop(message: &str) -> bool {
    let said = spans(message);
    said.iter().any(|(word, _, _)| word != "cancel" && lists().stops.contains(&word.as_str()))
}

/// "If it fails": what is said with it holds only then.
pub(crate) fn is_conditional(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().map(String::as_str).unwrap_or_default();
    lists().conditions.contains(&first) || matches!(first, "after" | "before")
}

/// Whether a clause speaks of what waits behind the run.
pub(crate) fn is_about_the_queue(clause: &Clause<'_>) -> bool {
    clause.words.iter().any(|word| lists().waiting_things.contains(&word.as_str()))
}

/// Whether an answer that leaves things open asks for time, and is no remark.
pub(crate) fn asks_for_time(clause: &Clause<'_>) -> bool {
    clause.words.iter().any(|word| lists().time.contains(&word.as_str()))
}

/// "Keep going": nothing else is said than that it goes on.
pub(crate) fn goes_on(clauses: &[Clause<'_>]) -> bool {
    let goes = |clause: &Clause<'_>| GOING_ON.contains(&clause.words.join(" ").as_str());
    clauses.iter().any(goes)
        && clauses
            .iter()
            .all(|clause| goes(clause) || clause.asks || of_clause(clause).is_some_and(|b| b != Brake::Stop))
}

/// What is said out of courtesy while something runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Courtesy {
    /// There is no hurry, or it wants to be told.
    Patience,
    /// It asks what comes next.
    Next,
}

/// Whether `message` is such a courtesy.
pub(crate) fn courtesy(message: &str) -> Option<Courtesy> {
    let clauses = clauses(message);
    let words: Vec<String> = clauses.into_iter().flat_map(|clause| clause.words).collect();
    let words = &words[longest_of(&lists().fillers, &words)..];
    let said = words.join(" ");
    if lists().next.contains(&said.as_str()) {
        return Some(Courtesy::Next);
    }
    let telling = longest(&lists().telling, words);
    let is_told = telling > 0
        && words
            .get(telling)
            .is_none_or(|word| lists().conditions.contains(&word.as_str()) || word == "as" || word == "after");
    (is_told || lists().patience.contains(&said.as_str())).then_some(Courtesy::Patience)
}

fn longest(phrases: &[&str], words: &[String]) -> usize {
    let fits = |phrase: &&&str| {
        let mut parts = phrase.split(' ').zip(words);
        phrase.split(' ').count() <= words.len() && parts.all(|(part, word)| part == word)
    };
    phrases.iter().filter(fits).map(|phrase| phrase.split(' ').count()).max().unwrap_or(0)
}

/// How many words of `words` are `phrases`, from the start on.
fn longest_of(phrases: &[&str], words: &[String]) -> usize {
    let mut at = 0;
    while let more @ 1.. = longest(phrases, &words[at..]) {
        at += more;
    }
    at
}

const DETERMINERS: &[&str] =
    &["the", "this", "that", "my", "your", "our", "these", "those", "current", "whole", "entire", "running", "damn"];
/// What opens a question about stopping.
const ASKING: &[&str] =
    &["what", "where", "why", "who", "which", "did", "does", "do", "is", "was", "are", "will", "has", "have", "how"];
const CHANGED: &[&str] =
    &["anything", "it", "this", "that", "them", "the", "a", "any", "file", "files", "disk", "data", "yet", "now", "to"];
/// What wants it to go on.
const GOING_ON: &[&str] =
    &["keep going", "keep running", "go on", "carry on", "continue", "keep it running", "don't mind me"];
