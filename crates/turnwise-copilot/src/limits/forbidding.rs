//! What words forbid: a word that forbids, what is not to be done, and what stands behind that by name. One sentence
//! may forbid several things, and each of them has to be held; what it leaves out of that (“anything but a.txt”) is
//! free. Whatever of a sentence is understood by nobody keeps it from being said to hold. Next: `forbids`, which tells
//! such a sentence from others, and `broken`.

use super::forbids::{self, Sort};
use super::words::{
    ANYTHING_OF, CONDITIONS, DELETING, EXCEPTING, FORBIDDING, LEAVING, LESS, NETWORK, OFFLINE, OFFLINE_WORDS_MAX,
    OPENING, Verb, bare, bare_names, commands, forms, has_sign, is_around, is_ending, is_like_program, named, verb_of,
    words_of,
};
use super::{Rule, host_of, plain_path};
use crate::orders::is_address;
use crate::said::quoted;

/// What words forbid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forbidden {
    pub rules: Vec<Rule>,
    /// Whether that is all they say.
    pub is_whole: bool,
}

/// What `said` forbids; none where it forbids nothing.
pub(super) fn forbidden(said: &str) -> Option<Forbidden> {
    let words = forbids::without_leads(words_of(said));
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let sort = forbids::sort(&lower);
    let found = read(&words, &lower, sort);
    match sort {
        Some(_) => Some(found),
        // “See that nobody changes b.txt”: by what it names it is one, however it is put.
        None => {
            let is_named = found.rules.iter().all(|rule| !rule.is_of_all() || *rule == Rule::Network);
            (is_named && !found.rules.is_empty()).then_some(found)
        }
    }
}

fn read(words: &[String], lower: &[String], sort: Option<Sort>) -> Forbidden {
    let joined = lower.join(" ");
    if OFFLINE.iter().any(|phrase| joined.contains(phrase)) {
        let is_whole = lower.len() <= OFFLINE_WORDS_MAX;
        return Forbidden { rules: vec![Rule::Network], is_whole };
    }
    let leaves = LEAVING.iter().any(|phrase| joined.contains(phrase));
    // What is forbidden stands behind what forbids it.
    let forbids = lower.iter().position(|word| FORBIDDING.contains(&word.as_str()));
    let is_only = sort == Some(Sort::Only);
    let begin = forbids.or((leaves || is_only).then_some(0));
    let Some(from) = begin.filter(|_| !LESS.iter().any(|phrase| joined.contains(phrase))) else {
        return Forbidden::default();
    };
    // A condition is not understood; what it names is not what is forbidden.
    let condition = lower.iter().position(|word| CONDITIONS.contains(&word.as_str())).unwrap_or(words.len());
    // “Nothing but a.txt” and “only a.txt” name nothing else than what is free.
    let (except, leads) = if is_only { (condition, 0) } else { excepted(&lower[..condition]) };
    let main = Part { words: &words[..except], lower: &lower[..except], from };
    let rest = &words[(except + leads).min(condition)..condition];
    let excepts = match (is_only, rest.is_empty()) {
        (true, _) => Excepts::All,
        (false, true) => Excepts::Nothing,
        (false, false) => Excepts::Words(rest),
    };
    let mut found = main.read(&excepts, leaves);
    let is_bound = condition < words.len();
    // Without a name all would be forbidden, under a condition that nobody looks at.
    if is_bound && found.rules.iter().all(Rule::is_of_all) {
        found.rules.clear();
    }
    found.is_whole &= !is_bound && !found.rules.is_empty();
    found
}

/// Where what is left free begins, and how many words lead to it.
fn excepted(lower: &[String]) -> (usize, usize) {
    let leads = |at: usize| {
        let rest = lower[at..].iter().map(String::as_str);
        let fits = |phrase: &&&str| phrase.split(' ').eq(rest.clone().take(phrase.split(' ').count()));
        EXCEPTING.iter().filter(fits).map(|phrase| phrase.split(' ').count()).max()
    };
    let found = (1..lower.len()).find_map(|at| leads(at).map(|count| (at, count)));
    found.unwrap_or((lower.len(), 0))
}

/// What of that which is forbidden is free.
enum Excepts<'a> {
    Nothing,
    /// What these words name.
    Words(&'a [String]),
    /// All that is named: “only a.txt”.
    All,
}

/// What is forbidden, without what is free.
struct Part<'a> {
    words: &'a [String],
    lower: &'a [String],
    /// Where it begins to forbid.
    from: usize,
}

impl Part<'_> {
    fn read(&self, excepts: &Excepts<'_>, leaves: bool) -> Forbidden {
        let verbs = self.verbs(matches!(excepts, Excepts::All));
        let verbs = match verbs.is_empty() && leaves {
            true => vec![(self.words.len(), Verb::Write)],
            false => verbs,
        };
        let ends = verbs.iter().skip(1).map(|(at, _)| *at).chain([self.words.len()]);
        let mut all = Forbidden { rules: Vec::new(), is_whole: !verbs.is_empty() };
        for (nth, ((at, verb), end)) in verbs.iter().zip(ends).enumerate() {
            // “b.txt must not be changed” names it before.
            let before = if nth == 0 { &self.words[..*at] } else { &[] };
            let behind = self.words.get(at + 1..end).unwrap_or_default();
            let said = self.lower.get(*at).map_or("", String::as_str);
            let of_verb = Objects { verb: *verb, said, before, behind }.read(excepts);
            all.rules.extend(of_verb.rules);
            all.is_whole &= of_verb.is_whole;
        }
        all
    }

    fn verbs(&self, is_only: bool) -> Vec<(usize, Verb)> {
        let mut verbs: Vec<(usize, Verb)> = Vec::new();
        let from = if is_only { 0 } else { self.from };
        for (at, word) in self.lower.iter().enumerate().skip(from).filter(|(_, word)| quoted(word).is_none()) {
            // What stands right behind “run” is a program, whatever else it means.
            let is_program = |(verb_at, verb): &(usize, Verb)| *verb == Verb::Run && verb_at + 1 == at;
            if let Some(verb) =
                verb_of(word).filter(|_| !verbs.last().is_some_and(is_program) || !is_like_program(word))
            {
                verbs.push((at, verb));
            }
        }
        verbs
    }
}

/// What one verb is about.
struct Objects<'a> {
    verb: Verb,
    said: &'a str,
    before: &'a [String],
    behind: &'a [String],
}

impl Objects<'_> {
    fn both(&self) -> Vec<String> {
        self.before.iter().chain(self.behind).cloned().collect()
    }

    /// Words that are no name and say something all the same.
    fn unknown(&self) -> Vec<String> {
        let names = self.names();
        let lower = self.both().into_iter().filter(|word| {
            let bare = bare(word);
            !names.contains(&bare) && quoted(word).is_none() && !has_sign(word)
        });
        lower.map(|word| word.to_ascii_lowercase()).filter(|word| !is_around(word)).collect()
    }

    /// All that is named.
    fn names(&self) -> Vec<String> {
        let mut names = named(&self.both());
        names.extend(bare_names(self.behind));
        names
    }

    fn read(&self, excepts: &Excepts<'_>) -> Forbidden {
        let unknown = self.unknown();
        let is_of_network = !unknown.is_empty() && unknown.iter().all(|word| NETWORK.contains(&word.as_str()));
        let free = match excepts {
            Excepts::Nothing => Some(Vec::new()),
            Excepts::All => Some(self.free(&self.both())).filter(|names| !names.is_empty()),
            Excepts::Words(words) => Some(self.free(words)).filter(|names| !names.is_empty()),
        };
        // What is free is not understood, so nothing is known to be forbidden.
        let Some(free) = free else { return Forbidden::default() };
        let left = match excepts {
            Excepts::Words(words) => words.iter().any(|word| !self.is_understood(word, &free)),
            Excepts::Nothing | Excepts::All => false,
        };
        if is_of_network {
            let rule = if free.is_empty() { Rule::Network } else { Rule::Hosts(hosts(&free)) };
            return Forbidden { rules: vec![rule], is_whole: !left };
        }
        let is_all = matches!(excepts, Excepts::All) || (self.names().is_empty() && unknown.is_empty());
        let is_any = is_all && (!matches!(excepts, Excepts::Nothing) || self.says_any());
        let rules = match (is_any, matches!(excepts, Excepts::All)) {
            (true, _) => vec![self.of_all(free)],
            (false, _) => self.of_named(&free),
        };
        let unknown = unknown.iter().filter(|word| !rules.iter().any(|rule| rule.names(word)));
        Forbidden { is_whole: !left && unknown.count() == 0 && !rules.is_empty(), rules }
    }

    fn says_any(&self) -> bool {
        self.both().iter().any(|word| ANYTHING_OF.contains(&word.to_ascii_lowercase().as_str()))
    }

    /// What words leave free: names, or programs where running is spoken of.
    fn free(&self, words: &[String]) -> Vec<String> {
        if words.iter().any(|word| verb_of(&word.to_ascii_lowercase()).is_some_and(|verb| verb != self.verb)) {
            return Vec::new();
        }
        let words: Vec<String> =
            words.iter().filter(|word| verb_of(&word.to_ascii_lowercase()).is_none()).cloned().collect();
        let programs = || {
            commands(&words).into_iter().filter_map(|rule| match rule {
                Rule::Command(name) => Some(name),
                _ => None,
            })
        };
        match self.verb {
            Verb::Run => programs().collect(),
            Verb::Fetch => named(&words),
            Verb::Write | Verb::Touch => {
                let mut names = named(&words);
                names.extend(bare_names(&words));
                names.iter().map(|name| plain_path(name)).collect()
            }
        }
    }

    fn is_understood(&self, word: &str, free: &[String]) -> bool {
        let lower = word.to_ascii_lowercase();
        let bare = plain_path(&bare(word));
        is_around(&lower)
            || free.iter().any(|name| *name == bare || *name == super::words::bare(word))
            || verb_of(&lower).is_some()
    }

    /// All of it is forbidden, but `free`.
    fn of_all(&self, free: Vec<String>) -> Rule {
        match self.verb {
            Verb::Run => Rule::Commands(free),
            Verb::Fetch if free.is_empty() => Rule::Network,
            Verb::Fetch => Rule::Hosts(hosts(&free)),
            Verb::Write if self.deletes() => Rule::Delete { but: free },
            Verb::Write => Rule::Within { names: free, may_be_read: true },
            Verb::Touch => Rule::Within { names: free, may_be_read: false },
        }
    }

    fn deletes(&self) -> bool {
        let is_it = |verb: &&str| **verb == *self.said || forms(verb).iter().any(|form| form == self.said);
        !self.said.is_empty() && DELETING.iter().any(is_it)
    }

    /// What is named is forbidden, but `free`.
    fn of_named(&self, free: &[String]) -> Vec<Rule> {
        let both = self.both();
        match self.verb {
            Verb::Run => match self.behind.iter().any(|word| !is_around(&word.to_ascii_lowercase())) {
                true => commands(self.behind),
                false => commands(self.before),
            },
            Verb::Fetch => {
                let name = |name: String| match is_address(&name) || !OPENING.contains(&self.said) {
                    true => vec![Rule::Host(host_of(&name))],
                    false => {
                        let file = Rule::File { name: plain_path(&name), may_be_read: false, but: Vec::new() };
                        vec![Rule::Host(host_of(&name)), file]
                    }
                };
                named(&both).into_iter().flat_map(name).collect()
            }
            Verb::Write | Verb::Touch => {
                let may_be_read = self.verb == Verb::Write;
                let rule = |name: String| match is_address(&name) {
                    true => Rule::Host(host_of(&name)),
                    false => {
                        let ends = is_ending(&name, &both);
                        let name = if ends { format!("*{name}") } else { plain_path(&name) };
                        Rule::File { name, may_be_read, but: free.to_vec() }
                    }
                };
                self.names().into_iter().map(rule).collect()
            }
        }
    }
}

fn hosts(names: &[String]) -> Vec<String> {
    names.iter().map(|name| host_of(name)).collect()
}
