//! How much a request concerns, by words and by the number of files, without a model (BH-05).
//!
//! In doubt it is small: a proposal of one diff is cheap to refuse, a plan nobody needed is not.
//! Next: `scope_signs` for the words.

use turnwise_core::selected::Scope;

use super::files::is_glob;
use super::reference::Reference;
use super::scope_signs::{BIG_THINGS, BROAD, CHANGING_ALL, MAKING, PLANNING, REACHING, SMALL_THINGS, TRIVIAL, WHOLE};
use super::signals::Signals;
use crate::behaviour::{first_said, says};
use crate::classify::Context;
use crate::words::Word;

/// Orders in one message from which on it is more than a small change.
const MANY_ORDERS: usize = 4;

/// A scope with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeFinding {
    /// The scope.
    pub scope: Scope,
    /// What gave it away.
    pub sign: String,
}

impl ScopeFinding {
    /// "Scope: trivial (trivial action verb detected)".
    #[must_use]
    pub fn reasoning(&self) -> String {
        format!("Scope: {} ({})", self.scope.name(), self.sign)
    }
}

/// The scope of a request.
pub(super) fn detect(
    signals: &Signals,
    files: &[String],
    reference: Option<&Reference>,
    context: &Context,
) -> ScopeFinding {
    let found = |scope, sign: String| ScopeFinding { scope, sign };
    if let Some(scope) = context.scope {
        return found(scope, "stated by the person".to_owned());
    }
    if let Some(count) = context.files {
        return found(Scope::of_files(count), format!("{count} file(s) concerned"));
    }
    let words = signals.words();
    let by_files = Scope::of_files(files.len());
    if by_files > Scope::Small {
        return found(by_files, format!("{} files named", files.len()));
    }
    let broad =
        first_said(words, BROAD).map(str::to_owned).or_else(|| files.iter().find(|file| is_glob(file)).cloned());
    if let Some(trivial) = first_said(words, TRIVIAL) {
        return match broad {
            Some(broad) => found(Scope::Medium, format!("\"{trivial}\", but \"{broad}\"")),
            None => found(Scope::Trivial, "trivial action verb detected".to_owned()),
        };
    }
    let small_thing = || !files.is_empty() || first_said(words, SMALL_THINGS).is_some();
    if let Some(large) = large(signals, files) {
        return found(Scope::Large, large);
    }
    if let Some(broad) = broad {
        return found(Scope::Medium, format!("\"{broad}\" reaches several files"));
    }
    if let Some(verb) = first_said(words, REACHING).filter(|_| !small_thing()) {
        return found(Scope::Medium, format!("\"{verb}\" without a single place"));
    }
    if let Some(plan) = first_said(words, PLANNING) {
        return found(Scope::Medium, format!("\"{plan}\" is asked for"));
    }
    if signals.actions >= MANY_ORDERS {
        return found(Scope::Medium, format!("{} action verb(s)", signals.actions));
    }
    found(Scope::Small, small_sign(signals, files, reference))
}

fn small_sign(signals: &Signals, files: &[String], reference: Option<&Reference>) -> String {
    let concerned = if files.is_empty() { reference.map_or(0, |reference| reference.files.len()) } else { files.len() };
    let place = match concerned {
        0 => "no file named".to_owned(),
        1 => "single file scope".to_owned(),
        count => format!("{count} files"),
    };
    format!("{} action verb(s), {place}", signals.actions)
}

/// The sign that something large is asked for: the whole of something, or something big made new.
fn large(signals: &Signals, files: &[String]) -> Option<String> {
    let words = signals.words();
    if let (Some(whole), Some(verb)) = (first_said(words, WHOLE), first_said(words, CHANGING_ALL)) {
        return Some(format!("\"{verb}\" and \"{whole}\""));
    }
    let making = first_said(words, MAKING)?;
    let object = object_of(words, making);
    // "make the app faster" is about something that exists; "make a chat app" is not.
    let exists = object.first().is_some_and(|word| matches!(word.text.as_str(), "the" | "this" | "my" | "our" | "it"));
    let may_exist = !matches!(making, "add" | "make" | "write" | "introduce") || !exists;
    let big = first_said(object, BIG_THINGS).filter(|_| may_exist && files.is_empty())?;
    Some(format!("greenfield: \"{making}\" and \"{big}\""))
}

/// The words behind `verb` up to the first preposition: what is made, not what it is made for.
fn object_of<'w>(words: &'w [Word], verb: &str) -> &'w [Word] {
    const PREPOSITIONS: &[&str] =
        &["to", "in", "for", "on", "of", "from", "that", "which", "at", "into", "by", "so", "when", "with", "where"];
    let length = verb.split(' ').count();
    let starts = |at: &usize| says(&words[*at..(*at + length).min(words.len())], verb);
    let Some(at) = (0..words.len()).find(starts) else { return &[] };
    let rest = &words[at + length..];
    let end = rest.iter().position(|word| PREPOSITIONS.contains(&word.text.as_str())).unwrap_or(rest.len());
    &rest[..end]
}
