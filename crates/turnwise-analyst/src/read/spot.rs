//! Finds what the words of a text stand for: function words, times, names, values, numbers. The longest phrase wins;
//! what stands for nothing is tried as a misspelling and otherwise reported, never dropped. Next: `slots`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Candidate, Filter, Found, TableId, Thing};
use super::super::lexicon::{Role, Signal, Unit, lexicon};
use super::super::period::{self, Period};
use super::super::source::ColumnKind;
use super::super::symbols::Sign;
use super::super::words::{self, Word, WordKind};
use super::rather;
use super::verbs::{deeds, two_words, verb_names};

/// Fit of a concept ("sales" for a column of totals) beside names that fit by themselves.
const CONCEPT_FIT: u32 = 85;
/// What a name loses to one of the same table that is spelt as typed.
const AS_TYPED: u32 = 10;
/// Longest phrase of the lexicon, in words.
const PHRASE_WORDS_MAX: usize = 5;
/// Longest name or value, in words.
const NAME_WORDS_MAX: usize = 8;
/// Names offered where a beginning fits several.
const NAMES_ASKED_MAX: usize = 8;
/// Different values up to which a column's values are also found in small letters.
const CASELESS_VALUES_MAX: u64 = 1_000;

/// A phrase with all it may stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spotted {
    /// As typed.
    pub text: String,
    /// Its function.
    pub signal: Option<Signal>,
    /// What it names.
    pub names: Vec<Candidate>,
    /// The dates it is the verb of, where it is a value: "cancelled" of `cancelled_on`.
    pub dates: Vec<Candidate>,
    /// Where it is a value.
    pub values: Vec<Found>,
    /// The time it is.
    pub period: Option<Period>,
    /// The number it is.
    pub number: Option<f64>,
    /// The unit it is.
    pub unit: Option<Unit>,
    /// Whether its last word is in the singular.
    pub singular: bool,
    /// Whether a currency sign stands before it.
    pub currency: bool,
    /// Whether it was quoted.
    pub quoted: bool,
    /// Whether it is a verb made of the name: "shipped".
    pub verb: bool,
    /// Whether it says the opposite of the name: "unpaid".
    pub negates: bool,
    /// The names that begin with it, where there are several.
    pub fits: Vec<String>,
    /// The days of the week it names, 1 for Monday.
    pub weekdays: Vec<i8>,
    /// Whether a comma or the like follows.
    pub pause: bool,
    /// Whether what follows stands in brackets: "students (sex is F)".
    pub bracket: bool,
    /// The tests it is together with what stood beside it: "zip code 94107".
    pub tests: Vec<Filter>,
    /// Whether the value is one that rows must not have: "status is not open".
    pub denied: bool,
    /// What is said of it in the plan.
    pub note: Option<String>,
    /// Whether a sentence ends here.
    pub ends: bool,
    /// Whether a percent sign stands behind the number.
    pub percent: bool,
    /// The sign that stands right before it: "=" before "list_price".
    pub sign: Option<Sign>,
    /// The share of rows it asks for: "cancellation rate".
    pub rated: Option<Box<super::rates::Rated>>,
    /// Whether it says what is true of the share of rows that is asked for: "share of orders that *were late*".
    pub predicate: bool,
}

/// A text taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spotting {
    /// Its phrases in order; those that are not understood have nothing but their text.
    pub spans: Vec<Spotted>,
    /// Corrections made, one sentence each.
    pub notes: Vec<String>,
}

impl Spotted {
    /// Its role, if it is a function word.
    pub fn role(&self) -> Option<Role> {
        match self.signal {
            Some(Signal::Role(role)) => Some(role),
            Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
        }
    }

    /// Whether nothing is known about it.
    pub fn is_unknown(&self) -> bool {
        self.signal.is_none()
            && self.names.is_empty()
            && self.values.is_empty()
            && self.period.is_none()
            && self.number.is_none()
            && self.unit.is_none()
            && self.weekdays.is_empty()
            && self.tests.is_empty()
            && self.rated.is_none()
    }

    /// Whether it names something in its own right, rather than being a function word that happens to be in a name.
    pub fn is_name(&self) -> bool {
        let best = self.names.iter().map(|candidate| candidate.score).max();
        match (best, self.signal) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(score), Some(_)) => score >= 95,
        }
    }
}

/// Takes `text` apart.
pub fn spot(catalogue: &Catalogue, text: &str) -> Spotting {
    let mut words = words::split(text);
    super::idioms::put_plainly(catalogue, &mut words);
    super::plainer::put(catalogue, &mut words);
    super::per_row::put_before(catalogue, &mut words);
    let beside = super::beside::drop(catalogue, &mut words);
    super::recast::put(catalogue, &mut words);
    period::spell_out(&mut words);
    super::idle::drop(catalogue, &mut words);
    super::excluded::put_before(&mut words);
    super::shared::spell_out(catalogue, &mut words);
    let mut spotting = Spotting { notes: beside.into_iter().collect(), ..Spotting::default() };
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let previous = at.checked_sub(1).and_then(|before| words.get(before));
        let rest = if super::idle::is_order_of_each(previous, rest) { &rest[..1] } else { rest };
        let (length, span, note) = match super::idle::names_nothing(&words, at) {
            0 => longest(catalogue, rest),
            length => (length, start(rest, length), None),
        };
        spotting.notes.extend(note);
        spotting.spans.push(span);
        at += length;
    }
    super::capitals::mark(catalogue, &mut spotting.spans);
    super::rows_meant::mark(catalogue, &mut spotting);
    spotting
}

/// The longest phrase at the start of `words`, with how many of them it takes and what was guessed.
pub fn longest(catalogue: &Catalogue, words: &[Word]) -> (usize, Spotted, Option<String>) {
    if words.first().is_some_and(|word| word.quoted) {
        return super::defined::spotted(catalogue, words).unwrap_or_else(|| quoted(catalogue, words));
    }
    let Some((length, span)) = known(catalogue, words) else { return unknown(catalogue, words) };
    // "US companies", where "us" is a small word as well.
    let capitals = words.first().is_some_and(|word| word.raw.len() == 2 && word.raw.chars().all(char::is_uppercase));
    if capitals
        && length == 1
        && span.role() == Some(Role::Ignore)
        && !span.is_name()
        && let Some(country) = super::origin::spotted(catalogue, words)
    {
        return country;
    }
    // "time zone": "time" is known and "zone" is not, but together they are a column.
    let rest = words.get(length..).unwrap_or_default();
    let stray = !rest.is_empty() && known(catalogue, rest).is_none();
    let together = if stray { super::guess::abbreviated(catalogue, words) } else { None };
    match together {
        Some(found) if found.0 > length => found,
        Some(_) | None => (length, span, None),
    }
}

/// The longest phrase at the start of `words` that stands for something as it is typed.
pub fn known(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted)> {
    let period = period::read(words);
    let signal = phrase(words, PHRASE_WORDS_MAX, |words| lexicon().signal(&joined(words, |word| &word.folded)));
    let signal = signal.map(|(length, signal)| before_bound(words, length, signal));
    let names = phrase(words, NAME_WORDS_MAX, |words| names(catalogue, words));
    let names = names.map(|found| rather::without_verb(catalogue, words, found));
    let values = phrase(words, NAME_WORDS_MAX, |words| values(catalogue, words));
    let length = |of: Option<usize>| of.unwrap_or(0);
    let (p, s, n, v) = (
        length(period.as_ref().map(|(length, _)| *length)),
        length(signal.as_ref().map(|(length, _)| *length)),
        length(names.as_ref().map(|(length, _)| *length)),
        length(values.as_ref().map(|(length, _)| *length)),
    );
    let names = names.filter(|(length, names)| !rather::is_value(words, *length, names, values.as_ref()));
    // "value of" says nothing, unless a column is called so.
    let is_ignored = matches!(signal, Some((_, Signal::Role(Role::Ignore))));
    let s = if is_ignored && s == 2 && n == 1 && words.get(1).is_some_and(|word| word.folded == "of") { 0 } else { s };
    let most = p.max(s).max(n).max(v);
    if most == 0 {
        return None;
    }
    let mut span = start(words, most);
    if p == most {
        span.period = period.map(|(_, period)| period);
    } else {
        span.signal = signal.filter(|_| s == most).map(|(_, signal)| signal);
        span.names = names.filter(|_| n == most).map(|(_, names)| names).unwrap_or_default();
        span.values = values.filter(|_| v == most).map(|(_, values)| values).unwrap_or_default();
    }
    if let ([word], true) = (words.get(..most).unwrap_or_default(), span.signal.is_none() && span.names.is_empty()) {
        span.dates = super::deed::dates_of(catalogue, word, &span.values);
    }
    super::deed::name_date(catalogue, words.get(..most).unwrap_or_default(), &mut span);
    Some((most, span))
}

/// "Over 900 or lower than 600": the second is a bound of its own, and not what the first may fall below.
fn before_bound(words: &[Word], length: usize, signal: Signal) -> (usize, Signal) {
    let next = words.get(length);
    let bound = next.is_some_and(|next| next.folded == "than" || matches!(next.kind, WordKind::Number(_)));
    match (signal, words.first().map(|word| word.folded.as_str())) {
        (Signal::Role(Role::OrMore | Role::OrLess), Some("or")) if bound => (1, Signal::Role(Role::Or)),
        (Signal::Role(Role::OrMore | Role::OrLess), Some("and")) if bound => (1, Signal::Role(Role::And)),
        other => (length, other.0),
    }
}

/// The phrase of the first `length` words.
pub fn start(words: &[Word], length: usize) -> Spotted {
    let own = words.get(..length).unwrap_or(words);
    let single = match own {
        [single] => Some(single),
        _ => None,
    };
    let quotations = own.iter().filter_map(|word| word.quotation.as_ref());
    let text = match quotations.collect::<Vec<_>>().as_slice() {
        [whole] => (*whole).clone(),
        _ => joined(own, |word| &word.raw),
    };
    Spotted {
        text,
        number: single.and_then(|word| match word.kind {
            WordKind::Number(value) => Some(value),
            WordKind::Word | WordKind::Date => None,
        }),
        unit: single.and_then(|word| lexicon().unit(&word.stem)),
        singular: own.last().is_some_and(|word| word.stem == word.folded),
        percent: single.is_some_and(|word| word.percent),
        currency: single.is_some_and(|word| word.currency),
        quoted: own.first().is_some_and(|word| word.quoted),
        pause: own.last().is_some_and(|word| word.pause),
        bracket: own.last().is_some_and(|word| word.bracket),
        ends: own.last().is_some_and(|word| word.ends),
        sign: own.first().and_then(|word| word.sign),
        ..Spotted::default()
    }
}

/// The words, by one of their parts, with spaces between.
pub fn joined<'a>(words: &'a [Word], part: impl Fn(&'a Word) -> &'a String) -> String {
    words.iter().map(|word| part(word).as_str()).collect::<Vec<_>>().join(" ")
}

fn phrase<T>(words: &[Word], most: usize, find: impl Fn(&[Word]) -> Option<T>) -> Option<(usize, T)> {
    // What a sign stands between is no phrase.
    let apart = |(at, word): &(usize, &Word)| !word.quoted && (*at == 0 || !word.is_compared());
    let unquoted = words.iter().enumerate().take_while(apart).count();
    (1..=most.min(unquoted)).rev().find_map(|length| Some((length, find(words.get(..length)?)?)))
}

/// The stems of some words.
pub fn stems(words: &[Word]) -> Vec<String> {
    words.iter().map(|word| word.stem.clone()).collect()
}

/// What words name, as tables, columns or what they hold.
pub fn names(catalogue: &Catalogue, words: &[Word]) -> Option<Vec<Candidate>> {
    let stems = stems(words);
    let mut found = catalogue.names().find(&stems);
    if found.is_empty()
        && words.len() > 1
        && words.iter().all(is_plain)
        && !words.iter().rev().skip(1).any(|word| word.pause)
    {
        found = catalogue.names().parts(&stems);
        found.retain(|candidate| matches!(candidate.thing, Thing::Column(_)));
    }
    if found.is_empty() && words.len() > 1 {
        found = super::guess::with_addition(catalogue, words);
    }
    found.retain(|one| !matches!(one.thing, Thing::Table(table) if super::link::says_link(catalogue, words, table)));
    prefer_as_typed(catalogue, words, &mut found);
    if let Some(concept) = lexicon().concept(&stems.join(" "))
        && !catalogue.measures(concept).is_empty()
    {
        found.push(Candidate { thing: Thing::Concept(concept), score: CONCEPT_FIT });
    }
    (!found.is_empty()).then_some(found)
}

/// Of `engine` and `engines` in one table, the one that is typed is meant.
fn prefer_as_typed(catalogue: &Catalogue, words: &[Word], found: &mut [Candidate]) {
    let typed: String = words.iter().map(|word| word.folded.as_str()).collect();
    let exact = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => {
            let name = words::fold(&catalogue.column(column).name);
            name.chars().filter(|c| c.is_alphanumeric()).eq(typed.chars())
        }
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let tables: Vec<_> = found.iter().filter(|one| exact(one)).map(|one| table_of(one.thing)).collect();
    for candidate in found.iter_mut() {
        let column = matches!(candidate.thing, Thing::Column(_));
        if column && !exact(candidate) && tables.contains(&table_of(candidate.thing)) {
            candidate.score = candidate.score.saturating_sub(AS_TYPED);
        }
    }
}

fn table_of(thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(column) => Some(column.table),
        Thing::Concept(_) => None,
    }
}

/// Values, unless what fits is only by chance a name of one of thousands of rows: those want their capitals.
fn values(catalogue: &Catalogue, words: &[Word]) -> Option<Vec<Found>> {
    let capitals = words.iter().filter(|word| word.raw.len() > 3).all(Word::is_capitalised)
        && words.first().is_some_and(Word::is_capitalised);
    let few = |found: &Found| match found.place {
        Thing::Column(column) => catalogue.values().count(column).is_some_and(|count| count <= CASELESS_VALUES_MAX),
        Thing::Table(table) => catalogue.table(table).rows <= CASELESS_VALUES_MAX,
        Thing::Concept(_) => false,
    };
    let found = catalogue.values().find(&stems(words));
    let kept: Vec<Found> = found.iter().filter(|found| capitals || few(found)).cloned().collect();
    (!kept.is_empty()).then_some(kept)
}

/// Words in quotation marks are one value, or a text to search for.
fn quoted(catalogue: &Catalogue, words: &[Word]) -> (usize, Spotted, Option<String>) {
    let length = words.iter().take_while(|word| word.quoted).count();
    let own = words.get(..length).unwrap_or(words);
    let mut span = start(words, length);
    span.values = catalogue.values().find(&stems(own)).to_vec();
    if span.values.is_empty() {
        span.names = names(catalogue, own).unwrap_or_default();
    }
    (length, span, None)
}

/// A verb made of a name ("hired" of `HireDate`), a misspelling, or really unknown.
fn unknown(catalogue: &Catalogue, words: &[Word]) -> (usize, Spotted, Option<String>) {
    let mut span = start(words, 1);
    let Some(word) = words.first() else { return (1, span, None) };
    if span.number.is_some() || span.unit.is_some() {
        return (1, span, None);
    }
    if let Some(days) = super::weekdays::named(&word.stem) {
        span.weekdays = days;
        return (1, span, None);
    }
    if let Some((names, negates)) = super::inflected::inflected(catalogue, &word.folded) {
        (span.names, span.negates) = (names, negates);
        return (1, span, None);
    }
    if let Some(names) = opposite(catalogue, &word.folded) {
        return (1, Spotted { names, verb: true, negates: true, ..span }, None);
    }
    if let Some(names) = two_words(catalogue, words) {
        return (2, Spotted { names, verb: true, ..start(words.get(..2).unwrap_or(words), 2) }, None);
    }
    if let Some((length, span)) = super::guess::instead(catalogue, words) {
        return (length, span, None);
    }
    if let Some(names) = verb_names(catalogue, &word.folded) {
        // "a cleared date" is the date and not what was cleared.
        if let Some(found) = dated(catalogue, words) {
            return found;
        }
        span.names = names;
        span.verb = true;
        return (1, span, None);
    }
    if let Some(names) = deeds(catalogue, &word.folded) {
        return (1, Spotted { names, verb: true, ..span }, None);
    }
    if let Some(country) = super::origin::spotted(catalogue, words) {
        return country;
    }
    if let Some(values) = super::origin::place_of(catalogue, &word.stem).filter(|_| word.is_capitalised()) {
        let whole = values.first().and_then(|found| found.values.first()).cloned().unwrap_or_default();
        let note = format!("“{}” is read as of {whole}.", word.raw);
        span.values = values;
        return (1, span, Some(note));
    }
    let dated = || dated(catalogue, words);
    if let Some(values) = super::rows_meant::done(catalogue, &word.folded) {
        return (1, Spotted { values, ..span }, None);
    }
    let found = shortened_or_part(catalogue, words);
    let found = found.or_else(dated).or_else(|| beginning(catalogue, words));
    let by = words.get(1).is_some_and(|next| next.folded == "by" && !word.pause);
    if found.is_none() && (lexicon().is_linking(&word.folded) || (by && lexicon().is_linking_by(&word.folded))) {
        span.signal = Some(Signal::Role(Role::Link));
        return (1, span, None);
    }
    found.or_else(|| super::slip::corrected(catalogue, words)).unwrap_or((1, span, None))
}

/// A word with no function of its own.
fn is_plain(word: &Word) -> bool {
    word.kind == WordKind::Word && !word.quoted && lexicon().signal(&word.folded).is_none()
}

/// "Life expectancy" is `lifeExp` as a whole, and not its "life".
fn shortened_or_part(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let shortened = super::guess::abbreviated(catalogue, words);
    let part = part_of_name(catalogue, words);
    let more = shortened.as_ref().is_some_and(|one| part.as_ref().is_some_and(|part| one.0 > part.0));
    if more { shortened } else { part.or(shortened) }
}

/// Words that are a part of a name: "users" of `user_profiles`, "phone" of `cell_phone_number`.
fn part_of_name(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let word = words.first().filter(|word| word.kind == WordKind::Word && !word.quoted)?;
    let names = catalogue.names().parts(std::slice::from_ref(&word.stem));
    (!names.is_empty()).then(|| (1, Spotted { names, ..start(std::slice::from_ref(word), 1) }, None))
}

/// The true-or-false column or the date that a word denies: "unpaid" of `paid`, "unreturned" of `returned_on`.
fn opposite(catalogue: &Catalogue, word: &str) -> Option<Vec<Candidate>> {
    let rest = word.strip_prefix("un").or_else(|| word.strip_prefix("non")).filter(|rest| rest.len() > 2)?;
    let mut found = catalogue.names().find(&[words::singular(rest)]);
    found.extend(verb_names(catalogue, rest).unwrap_or_default());
    found.retain(|candidate| match candidate.thing {
        Thing::Column(column) => matches!(catalogue.column(column).kind, ColumnKind::Boolean | ColumnKind::Date),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    (!found.is_empty()).then_some(found)
}

/// "discharge date" of `discharged_on`.
fn dated(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let [deed, time, ..] = words else { return None };
    if deed.quoted || !matches!(time.stem.as_str(), "date" | "time" | "day") {
        return None;
    }
    let mut names = verb_names(catalogue, &deed.folded).unwrap_or_default();
    names.extend(verb_names(catalogue, &format!("{}d", deed.folded)).unwrap_or_default());
    for past in ["d", "ed"].map(|ending| format!("{}{ending}", deed.folded)) {
        let times = ["on", "at", "date", "time"].map(|time| vec![past.clone(), time.to_owned()]);
        names.extend(times.iter().flat_map(|stems| catalogue.names().find(stems)));
    }
    let is_date = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    names.retain(is_date);
    names.dedup_by_key(|candidate| candidate.thing);
    let span = Spotted { names, ..start(words.get(..2)?, 2) };
    (!span.names.is_empty()).then_some((2, span, None))
}

/// Whether rows are called by what is found there.
fn is_name_place(catalogue: &Catalogue, place: Thing) -> bool {
    match place {
        Thing::Table(_) => true,
        Thing::Column(column) => catalogue.table(column.table).display == Display::Column(column.column),
        Thing::Concept(_) => false,
    }
}

/// The beginning of the only name that begins so; of several the person says which.
fn beginning(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let is_name = |place: Thing| is_name_place(catalogue, place);
    let most = words.iter().take(NAME_WORDS_MAX).take_while(|word| word.is_capitalised()).count();
    (1..=most).rev().find_map(|length| {
        let own = words.get(..length).filter(|own| own.iter().any(|word| word.raw.len() > 3))?;
        let mut span = start(own, length);
        let Some(values) = catalogue.values().beginning(&stems(own), is_name) else {
            span.fits = catalogue.values().beginnings(&stems(own), NAMES_ASKED_MAX, is_name);
            return (span.fits.len() > 1).then_some((length, span, None));
        };
        span.values = values;
        let whole = span.values.first()?.values.first()?;
        let note = format!("“{}” is read as “{whole}”, the only name that begins so.", span.text);
        span.fits = vec![whole.clone()];
        Some((length, span, Some(note)))
    })
}
