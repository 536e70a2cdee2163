//! What the sentence that orders a ticket names: its kind, what it is about, and what else it says of it. Nothing of
//! the sentence is lost: what stands between the noun and what joins it to something else belongs to the title, unless
//! it names a field. Next: `extract`, which reads the sentences behind it.

use turnwise_core::numerals::number_of;

use super::extract::{bare, kind_of, other_field};
use super::{QUOTES, TicketKind};
use crate::words::words;

/// An order as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ordered {
    pub kind: TicketKind,
    /// What it is about; none where it points to what was said before.
    pub about: Option<String>,
    /// Whether it was said that this is the title.
    pub is_title: bool,
    /// Fields of the tracker that it sets.
    pub fields: Vec<(String, String)>,
    /// What it tells beside that.
    pub told: Vec<String>,
}

/// The kind of ticket that a request names, and what it is about; none where it points to what was said before.
#[must_use]
pub fn subject(request: &str) -> (TicketKind, Option<String>) {
    let ordered = Ordered::read(request, &[]);
    (ordered.kind, ordered.about)
}

/// The orders of a request that orders several things, each with what it is about: “a bug for login and a story for
/// logout”. One where there is no other.
#[must_use]
pub fn each_ordered(request: &str) -> Vec<String> {
    let first = super::sentences(request).into_iter().next().unwrap_or_default();
    let tokens: Vec<&str> = first.split_whitespace().collect();
    let plain: Vec<String> = tokens.iter().map(|token| bare(token)).collect();
    let is = |at: usize, some: &[String]| plain.get(at).is_some_and(|word| some.contains(word));
    let begins = |at: &usize| {
        plain[*at] == "and"
            && is(*at + 1, &words().determiners)
            && plain.get(*at + 2).is_some_and(|word| kind_of(word).is_some())
            && is(*at + 3, &words().connectives)
    };
    let mut each = Vec::new();
    let mut from = 0;
    for at in (0..tokens.len()).filter(begins) {
        each.push(tokens[from..at].join(" "));
        from = at + 1;
    }
    each.push(tokens[from..].join(" "));
    each
}

/// A sentence as words.
struct Sentence<'a> {
    tokens: Vec<&'a str>,
    plain: Vec<String>,
    /// Names of fields that the tracker has besides.
    fields: &'a [String],
}

/// The noun of an order, as places in its sentence.
#[derive(Clone, Copy)]
struct Noun {
    /// Where what describes it begins.
    front: usize,
    from: usize,
    to: usize,
}

/// A field that some words set, and where they end.
struct Setting {
    field: (String, String),
    to: usize,
}

impl Ordered {
    /// Reads the sentence that orders; `fields` are those that the tracker has besides the ones of every ticket.
    pub(super) fn read(request: &str, fields: &[String]) -> Self {
        // “could you open a ticket for …?” asks for it, and nothing about it.
        let sentence = Sentence::new(request.trim_end_matches('?'), fields);
        let Some(noun) = sentence.noun() else { return Self::default() };
        let mut ordered = Self { kind: sentence.kind(noun), ..Self::default() };
        let front = sentence.front(noun, &mut ordered);
        let from = ordered.take_title(&sentence, noun.to).unwrap_or(noun.to);
        if ordered.is_title {
            ordered.tell(&sentence, from);
            return ordered;
        }
        ordered.take_subject(&sentence, noun, &front);
        if ordered.kind == TicketKind::Task && ordered.speaks_of_bug() {
            ordered.kind = TicketKind::Bug;
        }
        ordered
    }

    fn speaks_of_bug(&self) -> bool {
        let about = self.about.as_deref().unwrap_or_default();
        turnwise_core::text::words(about).iter().any(|word| kind_of(word) == Some(TicketKind::Bug))
    }

    /// “called …”, “with the title …”, or what stands in quotation marks right behind the noun; gives where it ends.
    fn take_title(&mut self, sentence: &Sentence<'_>, from: usize) -> Option<usize> {
        let mut fields = Vec::new();
        let from = sentence.settings(from, &mut fields);
        let names = sentence.names_title(from);
        // “a ticket - "Export broken"”
        let is_mark = sentence.tokens.get(from).is_some_and(|token| ["-", "–", "—", ":"].contains(token));
        let at = names.unwrap_or(from + usize::from(is_mark));
        let to = match sentence.quoted(at) {
            // “the bug: "Log in" button is dead” only begins with a quotation.
            Some(to) if names.is_some() || sentence.stands_alone(to) => to,
            Some(_) => return None,
            None => sentence.end_of_name(names?),
        };
        (self.about, self.is_title) = (Some(sentence.said(at, to).trim_end_matches(',').to_owned()), true);
        self.fields.extend(fields);
        Some(to)
    }

    /// What stands behind a title that was told.
    fn tell(&mut self, sentence: &Sentence<'_>, from: usize) {
        let from = sentence.settings(from, &mut self.fields);
        let from = if self.kind == TicketKind::Epic { sentence.behind_parts(from) } else { from };
        let from = sentence.settings(from, &mut self.fields);
        let rest = sentence.said(from, sentence.tokens.len());
        let is_reason = sentence.plain.get(from).is_some_and(|word| words().reasons.contains(word));
        let rest = if is_reason { sentence.said(from + 1, sentence.tokens.len()) } else { rest };
        self.told.extend(Some(rest).filter(|rest| rest.chars().any(char::is_alphanumeric)));
    }

    /// What stands behind the noun, with what describes it.
    fn take_subject(&mut self, sentence: &Sentence<'_>, noun: Noun, front: &str) {
        let begun = noun.to;
        let mut from = sentence.settings(begun, &mut self.fields);
        if self.kind == TicketKind::Epic {
            from = sentence.settings(sentence.behind_parts(from), &mut self.fields);
        }
        let is_cut = sentence.is_cut(from);
        // “in Jira for …”: what says nothing before it is joined to something is left out.
        let joint = if is_cut { None } else { sentence.joint(from) };
        let to = sentence.end_of_subject(joint.unwrap_or(from), &mut self.fields);
        let (subject, rest) = sentence.reasoned(joint.unwrap_or(from), to);
        self.told.extend(rest);
        let subject = if self.kind == TicketKind::Epic { sentence.without_parts(subject) } else { subject };
        let (subject, noun_said) = (sentence.said(subject.0, subject.1), sentence.said(noun.from, noun.to));
        let subject = subject.trim_end_matches([',', ';']).to_owned();
        let noun_said = noun_said.trim_end_matches([',', ':', ';', '.', '!', '?', ' ']);
        let joins = joint.filter(|joint| *joint > begun).map_or("", |joint| sentence.tokens[joint - 1]);
        if let Some(tracked) = sentence.tracked(noun).filter(|_| is_pointing(&subject)) {
            self.about = Some(tracked);
            return;
        }
        let is_empty = if joint.is_some() || is_cut { only_points(&subject) } else { is_pointing(&subject) };
        if is_empty {
            let is_described = !front.is_empty() && !is_pointing(front);
            self.about = (is_described && subject.is_empty()).then(|| format!("{front} {noun_said}"));
            return;
        }
        let is_of_noun = joint.is_none() && !is_cut && begins_with_relation(&subject);
        self.about = Some(match (front.is_empty() || is_pointing(front), is_cut) {
            (true, _) if is_of_noun && self.kind == TicketKind::Bug => format!("{noun_said} {subject}"),
            (true, _) => subject,
            (false, true) => format!("{subject} ({front})"),
            (false, false) => [front, noun_said, joins, &subject].join(" ").replace("  ", " "),
        });
    }
}

impl<'a> Sentence<'a> {
    fn new(request: &'a str, fields: &'a [String]) -> Self {
        let tokens: Vec<&str> = request.split_whitespace().collect();
        let plain = tokens.iter().map(|token| bare(token)).collect();
        Self { tokens, plain, fields }
    }

    fn said(&self, from: usize, to: usize) -> String {
        self.tokens.get(from..to.max(from)).unwrap_or_default().join(" ")
    }

    fn is_kind(&self, at: usize) -> bool {
        self.plain.get(at).is_some_and(|word| kind_of(word).is_some())
    }

    /// The noun that a verb orders, else the first there is; “bug ticket” is one, and so is “bug report”.
    fn noun(&self) -> Option<Noun> {
        let is_verb = |at: &usize| words().makes.contains(&self.plain[*at]) || words().turns.contains(&self.plain[*at]);
        let verb_of = |noun: usize| (noun.saturating_sub(VERB_WITHIN)..noun).rfind(is_verb);
        let mut nouns = (0..self.plain.len()).filter(|at| self.is_kind(*at));
        let from = nouns.clone().find(|at| verb_of(*at).is_some()).or_else(|| nouns.next())?;
        let wants = |at: &usize| words().openers.contains(&self.plain[*at]);
        let front = verb_of(from).or_else(|| (0..from).rfind(wants)).map_or(0, |verb| verb + 1);
        let mut to = from + 1;
        while self.is_kind(to) && !ends_clause(self.tokens[to - 1]) {
            to += 1;
        }
        let is_tail = self.plain.get(to).is_some_and(|word| words().noun_tails.contains(word));
        let to = if is_tail && !ends_clause(self.tokens[to - 1]) { to + 1 } else { to };
        Some(Noun { front, from, to })
    }

    /// The kind that the noun names: in “jira bug” it is the one that says more.
    fn kind(&self, noun: Noun) -> TicketKind {
        let kinds = || self.plain[noun.from..noun.to].iter().filter_map(|word| kind_of(word));
        kinds().find(|kind| *kind != TicketKind::Task).unwrap_or_default()
    }

    /// What describes the noun before it, without what sets a field or says nothing.
    fn front(&self, noun: Noun, ordered: &mut Ordered) -> String {
        let is_joined = |word: &String| words().pointers.contains(word) || word == "into" || word == "as";
        if noun.front > noun.from || self.plain[noun.front..noun.from].iter().any(is_joined) {
            return String::new();
        }
        let says_nothing = |word: &String| {
            let is_known = words().openers.contains(word) || words().determiners.contains(word);
            is_known || words().plain_front.contains(word) || number_of(word).is_some()
        };
        // “make sure there is a ticket”: what a verb makes follows it at once.
        let is_object = self
            .plain
            .get(noun.front)
            .is_some_and(|word| noun.front + 1 == noun.from || says_nothing(word) || self.graded(noun.front).is_some());
        if !is_object && noun.front > 0 && self.plain[noun.front..noun.from].iter().any(says_nothing) {
            return String::new();
        }
        let mut described = Vec::new();
        let mut at = noun.front;
        while at < noun.from {
            match self.graded(at).filter(|setting| setting.to <= noun.from) {
                Some(setting) => {
                    at = setting.to;
                    ordered.fields.push(setting.field);
                }
                None => {
                    described.extend(Some(self.tokens[at]).filter(|_| !says_nothing(&self.plain[at])));
                    at += 1;
                }
            }
        }
        described.join(" ")
    }

    /// “track the slow login as a bug”: what becomes one, unless it only points.
    fn tracked(&self, noun: Noun) -> Option<String> {
        let behind = self.plain.get(noun.front..noun.from)?;
        let to = noun.front + behind.iter().position(|word| word == "as")?;
        let tracked = self.said(noun.front, to);
        (!is_pointing(&tracked)).then_some(tracked)
    }

    /// “high priority”, “high-priority”, “urgent”.
    fn graded(&self, at: usize) -> Option<Setting> {
        let word = self.plain.get(at)?;
        let (grade, name) = word.split_once('-').unwrap_or((word, ""));
        let is_grade = words().grades.iter().any(|known| known == grade);
        let set = |name: String, to: usize| Some(Setting { field: (name, grade.to_owned()), to });
        if let Some(name) = other_field(name, self.fields).filter(|_| is_grade) {
            return set(name, at + 1);
        }
        let named = |to: usize| other_field(&self.plain.get(at + 1..to)?.join(" "), self.fields);
        if let Some((name, to)) = (at + 2..=at + 3).rev().find_map(|to| Some((named(to)?, to)))
            && name.as_str() != LABELS
            && (is_grade || number_of(grade).is_some())
        {
            return set(name, to);
        }
        let is_alone = words().urgent.contains(word);
        is_alone.then(|| Setting { field: (PRIORITY.to_owned(), word.clone()), to: at + 1 })
    }

    /// Where what stands at `from` ends that sets fields: “, priority high, assigned to Ann”.
    fn settings(&self, mut from: usize, fields: &mut Vec<(String, String)>) -> usize {
        while let Some(setting) = self.setting(from) {
            from = setting.to;
            fields.push(setting.field);
        }
        from
    }

    /// One of them. A name alone sets nothing but a grade, because it may as well begin what happens.
    fn setting(&self, at: usize) -> Option<Setting> {
        let lead = |word: &&str| LEADS.contains(word);
        let leads = self.tokens.get(at..)?.iter().take_while(|token| lead(&bare(token).as_str())).count();
        let is_apart =
            at > 0 && ends_clause(self.tokens[at - 1]) || self.plain.get(at).is_some_and(|word| word == WITH);
        let from = at + leads;
        // A word alone sets something only apart from the rest: “an urgent mail is lost” is about one.
        let is_set = |setting: &Setting| is_apart || leads > 0 || setting.to > from + 1;
        if let Some(setting) = self.graded(from).filter(is_set) {
            return Some(setting);
        }
        for (name, phrases) in &words().sets {
            let said = |phrase: &String| {
                let count = phrase.split(' ').count();
                let is_said = self.plain.get(from..from + count).is_some_and(|words| words.join(" ") == *phrase);
                is_said.then_some(from + count)
            };
            if let Some(value) = phrases.iter().find_map(said) {
                return self.value(name.clone(), value, VALUE_WORDS_MAX);
            }
        }
        let named = |to: usize| other_field(&self.plain.get(from..to)?.join(" "), self.fields);
        let (name, mut to) = (from + 1..=from + 2).rev().find_map(|to| Some((named(to)?, to)))?;
        if self.plain.get(to).is_some_and(|word| word == "is" || word == "of") {
            to += 1;
        }
        let is_graded = self.plain.get(to).is_some_and(|word| words().grades.contains(word));
        match is_graded {
            true => Some(Setting { field: (name, self.plain[to].clone()), to: to + 1 }),
            false if is_apart => self.value(name, to, VALUE_WORDS_MAX),
            false => None,
        }
    }

    /// The value that begins at `from`: it ends with a mark, or before what joins it to something else.
    fn value(&self, name: String, from: usize, most: usize) -> Option<Setting> {
        let joins = |at: usize| {
            let word = &self.plain[at];
            words().connectives.contains(word) || words().reasons.contains(word) || word == "and" || word == WITH
        };
        let to = (from..self.tokens.len()).find(|at| joins(*at) || (*at > from && ends_clause(self.tokens[*at - 1])));
        let to = to.unwrap_or(self.tokens.len());
        let value = self.said(from, to);
        let value = value.trim_end_matches([',', ';', ':', '.', '!', '?']).to_owned();
        (to > from && to - from <= most && !value.is_empty()).then_some(Setting { field: (name, value), to })
    }

    /// Whether the word before `at` ends what names the ticket: “a ticket: …”.
    fn is_cut(&self, at: usize) -> bool {
        at > 0 && self.tokens[at - 1].ends_with([':', '-', '–', '—'])
    }

    /// “called”, “with the title”: where the title behind it begins.
    fn names_title(&self, at: usize) -> Option<usize> {
        let word = self.plain.get(at)?;
        if words().entitles.contains(word) {
            return Some(at + 1);
        }
        let behind = self.plain[at + 1..].iter().take_while(|word| ["a", "the"].contains(&word.as_str())).count();
        let noun = at + 1 + behind;
        let is_title = self.plain.get(noun).is_some_and(|word| ["title", "name", "summary"].contains(&word.as_str()));
        let is_verb = self.plain.get(noun + 1).is_some_and(|word| word == "of" || word == "is");
        (word == WITH && is_title).then_some(noun + 1 + usize::from(is_verb))
    }

    /// Where what stands in quotation marks at `at` ends.
    fn quoted(&self, at: usize) -> Option<usize> {
        let opens = self.tokens.get(at)?.chars().next()?;
        let (_, closing) = QUOTES.iter().find(|(open, _)| *open == opens)?;
        let ends = |token: &&str| token.trim_end_matches([',', '.', ':', ';', '!', '?']).ends_with(*closing);
        let is_end = |at: &usize, first: usize| ends(&self.tokens[*at]) && (*at > first || self.tokens[*at].len() > 1);
        (at..self.tokens.len()).find(|end| is_end(end, at)).map(|end| end + 1)
    }

    /// Whether what ends at `to` is followed by nothing that goes on with it.
    fn stands_alone(&self, to: usize) -> bool {
        let Some(word) = self.plain.get(to) else { return true };
        let joins = [&words().reasons, &words().connectives, &words().relations].iter().any(|some| some.contains(word));
        joins || ends_clause(self.tokens[to - 1]) || self.setting(to).is_some()
    }

    /// Where a title ends that stands in no marks: before a reason, or what else is said of the ticket.
    fn end_of_name(&self, from: usize) -> usize {
        let ends = |at: &usize| {
            *at > from
                && (words().reasons.contains(&self.plain[*at])
                    || self.tokens[*at - 1].ends_with([':', ';'])
                    || self.behind_parts(*at) > *at
                    || ((self.tokens[*at - 1].ends_with(',') || self.plain[*at] == WITH)
                        && self.setting(*at).is_some()))
        };
        (from..self.tokens.len()).find(ends).unwrap_or(self.tokens.len())
    }

    /// “with 5 stories”, which only counts what an epic consists of: where it ends.
    fn behind_parts(&self, at: usize) -> usize {
        let begins = self.plain.get(at).is_some_and(|word| ["with", "of", "into", "and"].contains(&word.as_str()));
        let counts = |at: &usize| {
            let word = &self.plain[*at];
            let is_said = words().determiners.contains(word) || words().plain_front.contains(word);
            is_said || number_of(word).is_some()
        };
        let noun = (at + 1..self.plain.len()).find(|at| !counts(at));
        match noun.filter(|noun| begins && self.is_kind(*noun)) {
            Some(noun) => (noun..self.plain.len()).find(|at| !self.is_kind(*at)).unwrap_or(self.plain.len()),
            None => at,
        }
    }

    /// A subject without the count of parts at its end.
    fn without_parts(&self, (from, to): (usize, usize)) -> (usize, usize) {
        (from..to).find(|at| *at > from && self.behind_parts(*at) >= to).map_or((from, to), |at| (from, at))
    }

    /// Where the subject begins that a connective joins to the noun. Between the two stands nothing that says anything:
    /// else it is all a part of the subject.
    fn joint(&self, from: usize) -> Option<usize> {
        let is_joint = |at: &usize| words().connectives.contains(&self.plain[*at]);
        let joint = (from..self.plain.len()).find(is_joint)?;
        is_pointing(&self.said(from, joint)).then_some(joint + 1)
    }

    /// Where a subject ends: before what sets a field at the end of the sentence.
    fn end_of_subject(&self, from: usize, fields: &mut Vec<(String, String)>) -> usize {
        let end = self.tokens.len();
        let begins = |at: &usize| *at > from && (ends_clause(self.tokens[*at - 1]) || self.plain[*at] == WITH);
        for at in (from..end).filter(begins) {
            let mut found = Vec::new();
            if self.settings(at, &mut found) == end {
                fields.extend(found);
                return at;
            }
        }
        end
    }

    /// A subject, and the reason behind it.
    fn reasoned(&self, from: usize, to: usize) -> ((usize, usize), Option<String>) {
        let is_reason = |at: &usize| words().reasons.contains(&self.plain[*at]);
        match (from..to).find(is_reason).filter(|at| *at + 1 < to) {
            // “a bug because the export hangs” is about that.
            Some(at) if at == from => ((at + 1, to), Some(self.said(at + 1, to))),
            Some(at) => ((from, at), Some(self.said(at + 1, to))),
            None => ((from, to), None),
        }
    }
}

/// Whether all that is said points to something, or is a courtesy: “from this thread”, “in Jira please”.
fn is_pointing(said: &str) -> bool {
    let known = words();
    let said = turnwise_core::text::words(said);
    let pointer = said.join(" ");
    let is_empty = |word: &String| {
        known.openers.contains(word)
            || known.determiners.contains(word)
            || known.pointers.contains(word)
            || known.relations.contains(word)
            || known.places.contains(word)
            || kind_of(word) == Some(TicketKind::Task)
    };
    known.pointers.contains(&pointer) || said.iter().all(is_empty)
}

/// Whether all that is said points to what was said before: “this please”.
fn only_points(said: &str) -> bool {
    let known = words();
    let said = turnwise_core::text::words(said);
    let is_empty = |word: &String| known.pointers.contains(word) || known.openers.contains(word) || word == "the";
    known.pointers.contains(&said.join(" ")) || said.iter().all(is_empty)
}

/// Whether words begin with one that only joins them to a noun: “in checkout …”.
fn begins_with_relation(said: &str) -> bool {
    said.split_whitespace().next().is_some_and(|first| words().relations.contains(&bare(first)))
}

/// Whether a clause ends with this word.
fn ends_clause(token: &str) -> bool {
    token.ends_with([',', ';', ':', '-', '–', '—'])
}

/// Words from a verb to what it makes: “create a small follow-up ticket”.
const VERB_WITHIN: usize = 6;
/// Words of a value.
const VALUE_WORDS_MAX: usize = 4;
/// Words before a field that is set.
const LEADS: [&str; 4] = ["with", "and", "a", "the"];
const WITH: &str = "with";
/// The field that a grade alone sets.
const PRIORITY: &str = "priority";
/// The field of which there are several.
const LABELS: &str = "labels";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_is_about_stands_behind_its_noun() {
        for (request, kind, about) in [
            ("Create a ticket for login bug", TicketKind::Bug, Some("login bug")),
            ("file a bug: export drops the last row", TicketKind::Bug, Some("export drops the last row")),
            ("Create epic with 5 stories for auth", TicketKind::Epic, Some("auth")),
            ("create an epic for auth with 5 stories", TicketKind::Epic, Some("auth")),
            ("please open an issue about the slow dashboard", TicketKind::Task, Some("the slow dashboard")),
            ("file the login bug", TicketKind::Bug, Some("login bug")),
            ("turn this into a ticket", TicketKind::Task, None),
            ("create a ticket for this", TicketKind::Task, None),
            ("create a ticket from this thread please", TicketKind::Task, None),
            ("open a ticket in Jira for the slow login", TicketKind::Task, Some("the slow login")),
            ("add a story for dark mode", TicketKind::Story, Some("dark mode")),
            ("create a user story for dark mode", TicketKind::Story, Some("dark mode")),
            ("open a bug report for the slow login", TicketKind::Bug, Some("the slow login")),
            ("there is an issue with search, create a bug for the index", TicketKind::Bug, Some("the index")),
            ("create a ticket: bug in the login", TicketKind::Bug, Some("bug in the login")),
            ("track the slow login as a bug please", TicketKind::Bug, Some("the slow login")),
            ("file that as a bug", TicketKind::Bug, None),
            ("need a bug ticket, bills show the wrong VAT", TicketKind::Bug, Some("bills show the wrong VAT")),
            ("ticket this", TicketKind::Task, None),
        ] {
            assert_eq!(subject(request), (kind, about.map(str::to_owned)), "{request}");
        }
    }

    #[test]
    fn what_stands_between_the_noun_and_a_connective_is_kept() {
        for (request, about) in [
            ("Create a bug in checkout for Swiss customers", "bug in checkout for Swiss customers"),
            (
                "Create a bug ticket the export hangs for everyone on Windows",
                "the export hangs for everyone on Windows",
            ),
            ("open a story as a user I want to see my bills", "as a user I want to see my bills"),
            ("create a follow-up ticket for the broken search", "follow-up ticket for the broken search"),
            ("create a login bug for tablets", "login bug for tablets"),
            ("create a mobile bug: search is broken", "search is broken (mobile)"),
        ] {
            assert_eq!(subject(request).1.as_deref(), Some(about), "{request}");
        }
    }

    #[test]
    fn several_orders_of_one_sentence_are_told_apart() {
        assert_eq!(
            each_ordered("Create a bug for login and a story for logout. It should work."),
            ["Create a bug for login", "a story for logout."]
        );
        assert_eq!(each_ordered("create a bug for login and logout").len(), 1);
    }

    #[track_caller]
    fn check(request: &str, about: &str, fields: &[(&str, &str)], told: &[&str]) {
        let ordered = Ordered::read(request, &[]);
        let set: Vec<(&str, &str)> =
            ordered.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!((ordered.about.as_deref(), set.as_slice()), (Some(about), fields), "{request}");
        assert_eq!(ordered.told, told, "{request}");
    }

    #[test]
    fn what_names_a_field_becomes_one() {
        let ann = [("assignee", "Ann"), ("priority", "high")];
        check("Create a bug assigned to Ann, priority high, for the broken search", "the broken search", &ann, &[]);
        check("Create a bug for the broken search, assigned to Ann, priority high", "the broken search", &ann, &[]);
        check("create a high priority bug for login", "login", &[("priority", "high")], &[]);
        check("create a high-priority bug: login", "login", &[("priority", "high")], &[]);
        check("file an urgent bug about login", "login", &[("priority", "urgent")], &[]);
        check("create a ticket with low priority for login", "login", &[("priority", "low")], &[]);
        check("create a ticket for login with high priority", "login", &[("priority", "high")], &[]);
        check("create a bug labels are lost for everyone", "labels are lost for everyone", &[], &[]);
        check("create a ticket for the priority of urgent mails", "the priority of urgent mails", &[], &[]);
    }

    #[test]
    fn what_is_said_to_be_the_title_is_and_a_reason_is_told() {
        check(
            "Create a bug called \"Export broken\" because the export button does nothing in Safari.",
            "\"Export broken\"",
            &[],
            &["the export button does nothing in Safari."],
        );
        let rest = ["- acceptance: returns 402"];
        check("write up a ticket - \"API returns 200\" - acceptance: returns 402", "\"API returns 200\"", &[], &rest);
        check("Create a story called Login with Google.", "Login with Google.", &[], &[]);
        check("Create an epic \"Billing\" with 3 stories.", "\"Billing\"", &[], &[]);
        check(
            "Create a bug with the title Login for all, priority high.",
            "Login for all",
            &[("priority", "high")],
            &[],
        );
        check("could you open a bug because the export hangs?", "the export hangs", &[], &["the export hangs"]);
        check("Create a bug: \"Log in\" button is dead", "\"Log in\" button is dead", &[], &[]);
        let low = [("priority", "low")];
        check("Create a ticket titled Refunds in euros with low priority", "Refunds in euros", &low, &[]);
        check("create a ticket for the export because it hangs", "the export", &[], &["it hangs"]);
    }
}
