//! What was not done in a time, and what was stopped: "customers who did not buy anything in 2025", "members who
//! stopped visiting after March". Both speak of sets: whoever has no such row in that time, and whoever has some before
//! it and none since. The time belongs to what was done, so it is tested there, never on the rows asked about. What
//! cannot be turned into such rows is asked or refused by its name. Next: `undone` for what verbs speak of,
//! `resolve/related.rs`.

use jiff::civil::Date;

use super::super::catalogue::Catalogue;
use super::super::form::{Filter, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::super::period::Period;
use super::super::words;
use super::acted;
use super::qualify::{is_filler, table_of};
use super::returning::{after, before, when};
use super::said::is;
use super::spot::Spotted;
use super::undone::{Deed, Home, asked_about, called, deed, table_of_deed};

/// The topic of the question since when something was stopped; the words follow.
pub const SINCE: &str = "since when: ";
/// The topic of the question which rows tell of a verb; the verb follows.
pub const DEED: &str = "deed: ";

/// Words that deny a verb.
const NOT: [&str; 11] =
    ["not", "didnt", "havent", "hasnt", "dont", "hadnt", "doesnt", "wasnt", "werent", "isnt", "arent"];
/// Words between those and the verb, or the verb and what it was done to, that say nothing of what was done.
const SMALL: [&str; 12] =
    ["been", "be", "a", "an", "the", "any", "anything", "something", "yet", "ever", "single", "do"];
/// Words that make what follows the object of a verb, and no part of its name.
const ARTICLES: [&str; 3] = ["a", "an", "any"];
/// Choices offered.
const CHOICES_MAX: usize = 4;
/// Months before the end of the data since which something may have been stopped.
const MONTHS: [i32; 2] = [6, 3];

/// Something to be asked before there is a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// What it is about.
    pub topic: String,
    /// For people.
    pub question: String,
    /// The answers there are.
    pub choices: Vec<String>,
}

/// What was made of it.
#[derive(Debug, Default)]
pub struct Denied {
    /// What is said of it on the plan.
    pub notes: Vec<String>,
    /// What cannot be told.
    pub doubt: Option<String>,
    /// What has to be asked.
    pub open: Option<Open>,
}

/// What was denied, as far as the words go.
pub struct Said {
    /// Where it begins, with the words that lead to it.
    pub from: usize,
    /// Where it is denied.
    pub at: usize,
    /// The verb.
    pub verb: usize,
    /// Behind it all.
    pub end: usize,
    /// The rows it was done to, where they were named.
    pub object: Option<TableId>,
    /// What those must be like.
    pub such: Vec<Filter>,
    /// When.
    pub period: Option<Period>,
    /// Whether it was done before.
    pub stopped: bool,
}

/// Puts what was not done, or stopped, as tests on the rows asked about.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Denied {
    let mut denied = Denied::default();
    let Some(said) = find(catalogue, spans) else { return denied };
    let Some((home, deed)) = asked_about(catalogue, spans, &said) else { return denied };
    match deed {
        Deed::Own => return denied,
        Deed::Unknown => {
            unknown(catalogue, spans, &said, &home, &mut denied);
            // Said by its name, the verb is no unknown word besides.
            if denied.doubt.is_some() {
                spans.drain(said.from..said.end);
            }
            return denied;
        }
        Deed::Unlinked => {
            let words = said.words(spans);
            let text = format!(
                "I cannot tell which {} “{words}” leaves out: no key links them with the rows that say so.",
                home.called
            );
            denied.doubt = Some(text);
            spans.drain(said.from..said.end);
            return denied;
        }
        Deed::Rows(_) | Deed::Dated(_) | Deed::Such => {}
    }
    let Some(period) = &said.period else {
        if said.stopped {
            denied.open = since_when(catalogue, spans, &said, &deed);
            denied.doubt = denied.open.is_none().then(|| undated(spans, &said, &home));
        } else if let Some(table) = table_of_deed(&deed) {
            let of = Mention::of(catalogue.plural(table), Thing::Table(table));
            denied.notes.push(format!("Those {} are meant that have no {}.", home.called, called(catalogue, &deed)));
            let filters: Vec<Filter> = dated_at_all(catalogue, &deed).into_iter().collect();
            let test = match filters.is_empty() {
                true => Filter::Lacks { of },
                false => Filter::Never { of: Some(of), filters, periods: Vec::new() },
            };
            put(catalogue, spans, &said, &home, vec![test]);
        }
        return denied;
    };
    if said.stopped && nothing_behind(catalogue, &deed, period) {
        denied.doubt = Some(unfinished(catalogue, spans, &said, &deed));
        return denied;
    }
    let (mut tests, mut told) = (Vec::new(), Vec::new());
    let rows = called(catalogue, &deed);
    let never = if said.stopped { not_since(period) } else { period.clone() };
    if let Some(period) = was_before(period).filter(|_| said.stopped) {
        told.push(format!("have {rows} {}", when(&period)));
        tests.push(said.test(catalogue, &deed, period, true));
    }
    told.push(format!("have {} {}", if said.stopped { "none".to_owned() } else { format!("no {rows}") }, when(&never)));
    tests.push(said.test(catalogue, &deed, never, false));
    put(catalogue, spans, &said, &home, tests);
    denied.notes.push(format!("Those {} are meant that {}.", home.called, told.join(" and ")));
    denied
}

/// The tests stand with the rows asked about, and the words for them go.
fn put(catalogue: &Catalogue, spans: &mut Vec<Spotted>, said: &Said, home: &Home, tests: Vec<Filter>) {
    let (pause, ends) = spans[said.from..said.end].last().map_or((false, false), |last| (last.pause, last.ends));
    let gone = said.from..said.end;
    match home.at {
        Some(at) => {
            let home = &mut spans[at];
            home.tests.extend(tests);
            home.pause |= pause;
            home.ends |= ends;
            spans.drain(gone);
        }
        // "Who has not ordered since March?"
        None => {
            let own = Spotted { tests, pause, ends, ..acted::named(catalogue, home.table) };
            spans.splice(gone, [own]);
        }
    }
}

impl Said {
    fn test(&self, catalogue: &Catalogue, deed: &Deed, period: Period, some: bool) -> Filter {
        let mut filters = self.such.clone();
        let (of, periods) = match deed {
            Deed::Dated(column) => {
                let of = Mention::of(catalogue.column(*column).noun(), Thing::Column(*column));
                filters.push(Filter::Dated { of, period });
                (Some(column.table), Vec::new())
            }
            Deed::Rows(table) => (Some(*table), vec![period]),
            Deed::Such | Deed::Own | Deed::Unknown | Deed::Unlinked => (None, vec![period]),
        };
        let of = of.map(|table| Mention::of(catalogue.plural(table), Thing::Table(table)));
        match some {
            true => Filter::Some { of, filters, periods },
            false => Filter::Never { of, filters, periods },
        }
    }
}

/// What is denied: a verb with a time behind it, or one that was stopped.
fn find(catalogue: &Catalogue, spans: &[Spotted]) -> Option<Said> {
    (0..spans.len()).find_map(|at| {
        let stopped = stops(spans, at);
        let denies = spans[at].role() == Some(Role::Not) && is(&spans[at], &NOT);
        let never = is(&spans[at], &["never"]);
        if !stopped && !denies && !never {
            return None;
        }
        let verb = (at + 1..spans.len()).find(|verb| !is_small(&spans[*verb]))?;
        let fits = |verb: &Spotted| {
            verb.period.is_none()
                && verb.number.is_none()
                && !verb.quoted
                && !matches!(
                    verb.role(),
                    Some(
                        Role::In
                            | Role::And
                            | Role::Or
                            | Role::Of
                            | Role::Not
                            | Role::Without
                            | Role::Group
                            | Role::Each
                    )
                )
        };
        let mut said =
            Said { from: at, at, verb, end: verb + 1, object: None, such: Vec::new(), period: None, stopped };
        said.read_behind(catalogue, spans);
        let lead = |span: &Spotted| is_filler(span) || matches!(span.role(), Some(Role::Who | Role::And));
        said.from = (0..at).rev().take_while(|before| lead(&spans[*before])).last().unwrap_or(at);
        // "Never booked an appointment": a word right before what it was done to is a verb, whatever it is a value of.
        let article = spans.get(verb + 1).is_some_and(|next| is(next, &ARTICLES));
        let timeless = never && article && said.object.is_some() && !spans[verb].values.is_empty();
        (fits(&spans[verb]) && (stopped || timeless || (!never && said.period.is_some()))).then_some(said)
    })
}

impl Said {
    /// As it was said.
    fn words(&self, spans: &[Spotted]) -> String {
        let lead = (self.from..self.at).find(|at| !matches!(spans[*at].role(), Some(Role::Who | Role::And)));
        text_of(&spans[lead.unwrap_or(self.at)..self.end])
    }

    /// What it was done to, and when.
    fn read_behind(&mut self, catalogue: &Catalogue, spans: &[Spotted]) {
        let article = spans.get(self.verb + 1).is_some_and(|next| is(next, &ARTICLES));
        let done_to = spans.iter().skip(self.verb + 1).find(|next| !is_small(next)).and_then(table_of).is_some();
        // "Do a single surgery": the value is what was done.
        let valued = |span: &Spotted| !span.values.is_empty() && span.period.is_none() && table_of(span).is_none();
        let mut at = if valued(&spans[self.verb])
            && spans[self.verb].signal.is_none()
            && spans[self.verb].dates.is_empty()
            && !(article && done_to)
        {
            self.verb
        } else {
            self.verb + 1
        };
        let mut end = at;
        while let Some(span) = spans.get(at) {
            if span.period.is_some() {
                self.period.clone_from(&span.period);
                end = at + 1;
                break;
            } else if let Some(table) =
                table_of(span).filter(|table| self.object.is_none() && catalogue.table(*table).key.is_some())
            {
                self.object = Some(table);
                end = at + 1;
            } else if valued(span) && !span.is_name() {
                let (words, found) = (span.text.clone(), span.values.clone());
                self.such.push(Filter::Value { words, found, negated: false });
                end = at + 1;
            } else if !(is_small(span) || is_filler(span) || span.role() == Some(Role::In)) {
                break;
            }
            at += 1;
        }
        self.end = end.max(self.verb + 1);
    }
}

/// "How many different artists did we sell": those that what was sold belongs to, and not all there are.
pub fn rewrite_different(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let different = |at: usize| at > 0 && spans[at - 1].role() == Some(Role::Distinct);
    let Some(at) = (0..spans.len()).find(|at| different(*at)) else { return };
    let Some(table) = table_of(&spans[at]).filter(|table| catalogue.table(*table).key.is_some()) else { return };
    let home = Home { at: Some(at), table, called: catalogue.plural(table), valued: false };
    let between = |span: &Spotted| is_filler(span) || span.role() == Some(Role::Who);
    for verb in at + 1..spans.len() {
        let mut said = Said {
            from: at + 1,
            at: at + 1,
            verb,
            end: verb + 1,
            object: None,
            such: Vec::new(),
            period: None,
            stopped: false,
        };
        said.read_behind(catalogue, spans);
        let deed = deed(catalogue, spans, &said, table);
        let Some(rows) = table_of_deed(&deed) else { if between(&spans[verb]) { continue } else { return } };
        let test = match said.period.clone() {
            Some(period) => said.test(catalogue, &deed, period, true),
            None => {
                let of = Some(Mention::of(catalogue.plural(rows), Thing::Table(rows)));
                let filters = said.such.iter().cloned().chain(dated_at_all(catalogue, &deed)).collect();
                Filter::Some { of, filters, periods: Vec::new() }
            }
        };
        put(catalogue, spans, &said, &home, vec![test]);
        return;
    }
}

/// "Stopped buying", "did we stop running".
fn stops(spans: &[Spotted], at: usize) -> bool {
    let said = words::verb_roots(&spans[at].text.to_lowercase()).iter().any(|root| root == "stop");
    let doing =
        spans.get(at + 1).is_some_and(|next| next.text.to_lowercase().ends_with("ing") || table_of(next).is_some());
    said && doing && !spans[at].quoted && spans[at].values.is_empty() && spans[at].names.is_empty()
}

fn is_small(span: &Spotted) -> bool {
    is(span, &SMALL) && span.names.is_empty() && span.values.is_empty()
}

/// A verb of which no rows are known: which of those that belong to them tell of it is asked; it is never taken for
/// one.
fn unknown(catalogue: &Catalogue, spans: &[Spotted], said: &Said, home: &Home, denied: &mut Denied) {
    let verb = &spans[said.verb];
    let plain = verb.names.is_empty() && verb.values.is_empty();
    let theirs: Vec<TableId> =
        if home.valued { vec![home.table] } else { acted::dated(catalogue, home.table).collect() };
    if !plain || theirs.is_empty() {
        return;
    }
    let (plural, words, text) = (&home.called, said.words(spans), verb.text.clone());
    let choices: Vec<String> = theirs.iter().map(|table| catalogue.plural(*table)).take(CHOICES_MAX).collect();
    if let [only] = choices.as_slice() {
        denied.doubt = Some(format!(
            "I cannot tell which {plural} “{words}” leaves out: no rows here are called after “{text}”. Say it with the \
             rows that there are none of, as in “{plural} without {only} in …”."
        ));
        return;
    }
    let question =
        format!("Which rows tell of “{text}”? I cannot tell which {plural} “{words}” leaves out without them.");
    denied.open = Some(Open { topic: format!("{DEED}{text}"), question, choices });
}

fn undated(spans: &[Spotted], said: &Said, home: &Home) -> String {
    let (plural, words) = (&home.called, said.words(spans));
    format!("Since when {plural} “{words}” is not said: say it with a time, as in “{words} after 2023”.")
}

/// That there is a date of it, whatever it is.
fn dated_at_all(catalogue: &Catalogue, deed: &Deed) -> Option<Filter> {
    let Deed::Dated(column) = deed else { return None };
    let of = Mention::of(catalogue.column(*column).noun(), Thing::Column(*column));
    Some(Filter::Missing { of, negated: true, unwritten: false })
}

/// The first and the last date of what was done.
fn range(catalogue: &Catalogue, deed: &Deed) -> Option<(Date, Date)> {
    let axes = catalogue.table(table_of_deed(deed)?).axes.iter().filter(|axis| !axis.named_only);
    axes.filter_map(|axis| axis.range).next()
}

/// Whether the data ends in the time in which something was stopped, so that everybody would have.
fn nothing_behind(catalogue: &Catalogue, deed: &Deed, period: &Period) -> bool {
    let Some((_, last)) = range(catalogue, deed) else { return false };
    not_since(period).span(last).and_then(|span| span.from).is_some_and(|from| from > last)
}

fn unfinished(catalogue: &Catalogue, spans: &[Spotted], said: &Said, deed: &Deed) -> String {
    let last = range(catalogue, deed).map(|(_, last)| last.to_string()).unwrap_or_default();
    let words = text_of(&spans[said.at..=said.verb]);
    format!(
        "Who “{}” cannot be told: the data ends on {last}, so that nothing is known of the time after it. Say since when, \
         as in “{words} since …”, with an earlier time.",
        said.words(spans)
    )
}

/// Since when it was stopped: since times before the end of what is known of it.
fn since_when(catalogue: &Catalogue, spans: &[Spotted], said: &Said, deed: &Deed) -> Option<Open> {
    let table = table_of_deed(deed)?;
    let (first, last) = range(catalogue, deed)?;
    let month = |months: i32| {
        let day = last.checked_sub(jiff::Span::new().months(months - 1)).ok()?.first_of_month();
        (day > first).then(|| format!("since {}", day.strftime("%B %Y")))
    };
    let year = (first.year() < last.year()).then(|| format!("since {}", last.year()));
    let choices: Vec<String> = year.into_iter().chain(MONTHS.into_iter().filter_map(month)).collect();
    let words = text_of(&spans[said.at..said.end]);
    let question = format!("Since when? The data on {} ends on {last}.", catalogue.plural(table));
    (!choices.is_empty()).then_some(Open { topic: format!("{SINCE}{words}"), question, choices })
}

fn text_of(spans: &[Spotted]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The time in which it was still done, where it was stopped at a time.
fn was_before(period: &Period) -> Option<Period> {
    match period {
        Period::After(_) | Period::Since(_) => before(period),
        other => Some(other.clone()),
    }
}

/// The time in which it was done no more.
fn not_since(period: &Period) -> Period {
    match period {
        Period::After(_) | Period::Since(_) => period.clone(),
        other => after(other).unwrap_or_else(|| other.clone()),
    }
}
