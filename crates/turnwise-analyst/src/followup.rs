//! Follow-ups that only make sense beside the last result: "why did it drop in May?", "and the other one?", "what about
//! them by month?". What they stand for is put in their place and said, or asked for; it is never guessed. Next:
//! `refine`, which makes the change.

use turnwise_core::Task;

use super::catalogue::Catalogue;
use super::form::{Aggregate, Analysis, Filter, Found, QueryForm, Replaced, Thing};
use super::lexicon::Comparator;
use super::period::{Grain, Period};
use super::read::{self, VALUES_JOINED};
use super::refer;
use super::words::{self, Word};

/// Values of a column that are listed when "the other one" does not say which.
const OTHERS_LISTED_MAX: usize = 8;

const FALLS: [&str; 12] = [
    "drop",
    "dropped",
    "fall",
    "fell",
    "decrease",
    "decreased",
    "decline",
    "declined",
    "shrink",
    "lower",
    "down",
    "less",
];
const RISES: [&str; 12] =
    ["rise", "rose", "increase", "increased", "grow", "grew", "jump", "jumped", "climb", "higher", "up", "more"];

/// What a change says, where it is one of these; the text that is left to be read as a change otherwise.
pub enum FollowUp {
    /// A form of its own.
    Form(Box<QueryForm>),
    /// A form with a part put in its place, to be changed further by these words.
    Rest(Box<QueryForm>, String),
}

/// Reads `change` beside the last result.
///
/// # Errors
/// Why it does not fit the last result, or what it leaves open.
pub fn follow_up(
    catalogue: &Catalogue,
    form: &QueryForm,
    change: &str,
    task: &Task,
) -> Result<Option<FollowUp>, String> {
    let words = words::split(change);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    if let Some(rest) = made(&words) {
        let found = follow_up(catalogue, form, &rest, task)?;
        return Ok(Some(found.unwrap_or_else(|| FollowUp::Rest(Box::new(form.clone()), rest))));
    }
    if asks_why(change) {
        return why(catalogue, form, change).map(|form| Some(FollowUp::Form(Box::new(form))));
    }
    if let Some(both) = both(form, &words) {
        return both.map(Some);
    }
    if let Some(wider) = wider(catalogue, form, change, &words) {
        return Ok(Some(FollowUp::Form(Box::new(wider))));
    }
    // Of the first few, the others are the rest of the rows, which `refer` finds.
    let cut = form.ranking.as_ref().is_some_and(|ranking| ranking.limit.is_some());
    if let Some(all) = other(&folded).filter(|all| !(*all && cut)) {
        return the_other(catalogue, form, all).map(|form| Some(FollowUp::Form(Box::new(form))));
    }
    refer::referred(catalogue, form, change, task)
}

/// "Make it 2023", "change that to Canada": what is changed is the whole question, and the rest says how.
fn made(words: &[Word]) -> Option<String> {
    let said = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let it = matches!(said(1), "it" | "that" | "this");
    let lead = match said(0) {
        "make" | "do" if it => 2 + usize::from(said(2) == "for"),
        "change" | "switch" | "set" | "turn" if it && matches!(said(2), "to" | "into") => 3,
        _ => return None,
    };
    let rest: Vec<&str> = words.get(lead..)?.iter().map(|word| word.raw.as_str()).collect();
    (!rest.is_empty() && !words.iter().any(|word| word.quoted)).then(|| rest.join(" "))
}

/// "All regions", "for all years": the tests on those are taken off.
fn wider(catalogue: &Catalogue, form: &QueryForm, change: &str, words: &[Word]) -> Option<QueryForm> {
    const LEADS: [&str; 15] = [
        "for", "now", "again", "show", "me", "and", "of", "over", "in", "across", "please", "give", "use", "to", "with",
    ];
    const TIMES: [&str; 7] = ["year", "month", "quarter", "day", "week", "time", "date"];
    let all = words.iter().position(|word| !LEADS.contains(&word.folded.as_str()))?;
    let rest = words.get(all + 1..).filter(|_| words[all].folded == "all")?;
    let mut form = form.clone();
    let before = (form.filters.len(), form.periods.len());
    if let [time] = rest
        && TIMES.contains(&time.stem.as_str())
    {
        form.periods.clear();
    } else {
        let from = rest.first().and_then(|first| change.rfind(first.raw.as_str()))?;
        let named = read::named(catalogue, change.get(from..)?)?;
        let of = |found: &Found| {
            named.columns().any(|column| found.place == Thing::Column(column))
                || (named.table().is_some() && found.table() == named.table())
        };
        form.filters.retain(|filter| !matches!(filter, Filter::Value { found, .. } if found.iter().any(of)));
    }
    form.replaced = Replaced::Nothing;
    ((form.filters.len(), form.periods.len()) != before).then_some(form)
}

/// Whether it is asked why something changed.
pub fn asks_why(text: &str) -> bool {
    words::split(text).iter().take(2).any(|word| word.folded == "why")
}

/// "why did kWh drop in March 2024?", with nothing asked before: what changed, without the change.
pub fn changed_what(text: &str) -> String {
    without(text, &[&FALLS, &RISES])
}

/// "why did it drop in May?": the change against the period before, by what it is made of.
pub fn why(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<QueryForm, String> {
    let Some(measure) = form.measures.first() else {
        return Err(
            "The last result is a list and no number that could have changed: ask for a number first.".to_owned()
        );
    };
    if !matches!(measure.aggregate, Aggregate::Sum | Aggregate::Count) || measure.over_groups.is_some() {
        return Err(format!(
            "“{}” is no sum or count, so its change is not the sum of changes of its parts and cannot be taken apart: \
             ask for it by group in both periods instead.",
            measure.of.words
        ));
    }
    let words = words::split(change);
    let said = |list: &[&str]| words.iter().any(|word| list.contains(&word.folded.as_str()));
    let claim = match (said(&FALLS), said(&RISES)) {
        (true, false) => Some(Comparator::Under),
        (false, true) => Some(Comparator::Over),
        _ => None,
    };
    let read = read::read(catalogue, &without(change, &[&FALLS, &RISES]));
    let year = form.periods.iter().rev().find_map(Period::year);
    let wanted: Vec<Period> = read
        .form
        .periods
        .iter()
        .cloned()
        .map(|period| match year {
            Some(year) => period.in_year(year),
            None => period,
        })
        .collect();
    let mut explained = form.clone();
    explained.periods = match (wanted.as_slice(), form.periods.as_slice()) {
        ([Period::Between(from, to)], _) => vec![(**from).clone(), (**to).clone()],
        ([single], _) => pair(catalogue, single.clone())?,
        ([from, to], _) => vec![from.clone(), to.clone()],
        ([], [from, to]) => vec![from.clone(), to.clone()],
        ([], [single]) if single.previous().is_some() => pair(catalogue, single.clone())?,
        _ => return Err("Why did it change when? Say the period, as in “why did it drop in May 2024?”.".to_owned()),
    };
    let added = read.form.filters.into_iter().filter(|filter| !form.filters.contains(filter));
    explained.filters.extend(added.collect::<Vec<_>>());
    explained.measures.truncate(1);
    explained.conditions.clear();
    explained.ranking = None;
    explained.first_within = false;
    explained.claim = claim.map(|comparator| super::form::Claim { comparator, of: None, value: None });
    explained.analysis = Analysis::Explain;
    Ok(explained)
}

/// A period and the one before it; of a month without a year the latest in the data is meant.
fn pair(catalogue: &Catalogue, period: Period) -> Result<Vec<Period>, String> {
    let period = match (&period, catalogue.last_date()) {
        (Period::Part { year: None, .. }, Some(last)) => {
            let from = period.span(last).and_then(|span| span.from);
            from.map_or(period.clone(), |from| period.clone().in_year(from.year()))
        }
        _ => period,
    };
    let before = period.previous();
    if let (Some(before), Some((first, last))) = (&before, catalogue.dates()) {
        let span = |period: &Period| period.span(last);
        let unknown = |what: String| Err(format!("Why it changed cannot be told: {what}."));
        if span(&period).and_then(|span| span.from).is_some_and(|from| from > last) {
            return unknown(format!("there is no data for {}, it ends on {last}", period.label()));
        }
        if span(before).and_then(|span| span.until).is_some_and(|until| until <= first) {
            return unknown(format!("there is none for {} before it, the data begins on {first}", before.label()));
        }
    }
    let text =
        || format!("What “{}” is compared with is open: say both periods, as in “from April to May”.", period.label());
    before.map(|before| vec![before, period.clone()]).ok_or_else(text)
}

/// The words without those that only say that something changed.
fn without(change: &str, lists: &[&[&str]]) -> String {
    let noise = [
        "why", "did", "does", "it", "that", "this", "is", "was", "so", "much", "than", "go", "went", "come", "changed",
        "change",
    ];
    let kept = change.split_whitespace().filter(|raw| {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        !noise.contains(&word.as_str()) && !lists.iter().any(|list| list.contains(&word.as_str()))
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// "compare them", "and both by month?": what the last change put in the place of another, and that one.
fn both(form: &QueryForm, words: &[Word]) -> Option<Result<FollowUp, String>> {
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let compares = folded.iter().any(|word| matches!(*word, "compare" | "compared" | "versus"));
    let stands = |at: usize, word: &str| match word {
        "both" => true,
        "them" | "these" | "those" => compares && folded.len() <= 4,
        "two" => at > 0 && matches!(folded[at - 1], "the" | "these" | "those"),
        _ => false,
    };
    let at = folded.iter().enumerate().position(|(at, word)| stands(at, word))?;
    let said = folded[at];
    let mut joined = form.clone();
    let told = match &form.replaced {
        Replaced::Nothing => None,
        Replaced::Period(before) => {
            joined.periods.insert(0, before.clone());
            form.periods.first().map(|now| format!("{} and {}", before.label(), now.label()))
        }
        Replaced::Value(before) => joined.filters.iter_mut().find_map(|own| joined_values(before, own)),
    };
    let Some(told) = told else {
        if compares && form.analysis == Analysis::Compare {
            return Some(Err("They stand side by side already: say what should be different.".to_owned()));
        }
        let text = format!("“{said}” stands for nothing here: no two values or times were asked about one after the");
        return Some(Err(format!("{text} other. Name them, as in “compare 2023 and 2024”.")));
    };
    joined.replaced = Replaced::Nothing;
    joined.notes.push(format!("“{said}” stands for {told}."));
    // Two values that were asked about one by one are wanted apart, not added up.
    joined.analysis = Analysis::Compare;
    let silent = [
        "and", "now", "for", "of", "what", "how", "about", "compare", "compared", "versus", "both", "them", "these",
        "those", "the", "two", "show", "me", "please",
    ];
    let rest: Vec<&str> =
        words.iter().filter(|word| !silent.contains(&word.folded.as_str())).map(|word| word.raw.as_str()).collect();
    let joined = Box::new(joined);
    Some(Ok(if rest.is_empty() { FollowUp::Form(joined) } else { FollowUp::Rest(joined, rest.join(" ")) }))
}

/// Puts the values of `before` in front of those of `own`, where both are of one place; what they are together.
fn joined_values(before: &Filter, own: &mut Filter) -> Option<String> {
    let (Filter::Value { words: first, found: old, .. }, Filter::Value { words, found, negated: false }) =
        (before, own)
    else {
        return None;
    };
    let with = |place: &Found| {
        let other = old.iter().find(|other| other.place == place.place)?;
        let values = other.values.iter().chain(&place.values).cloned().collect();
        Some(Found { values, ..place.clone() })
    };
    let both: Vec<Found> = found.iter().filter_map(with).collect();
    let told = format!("{first} and {words}");
    (!both.is_empty()).then(|| {
        (*words, *found) = (format!("{first}{VALUES_JOINED}{words}"), both);
        told
    })
}

/// "and the other one?": `Some(true)` when all others are meant.
fn other(folded: &[&str]) -> Option<bool> {
    let kept = folded.iter().filter(|word| {
        !matches!(**word, "and" | "what" | "how" | "about" | "the" | "for" | "one" | "in" | "only" | "show" | "me")
    });
    match kept.copied().collect::<Vec<_>>().as_slice() {
        ["other"] => Some(false),
        ["others"] | ["other", "ones"] | ["rest"] => Some(true),
        _ => None,
    }
}

/// The value that the last result was not about: of two the other one, of more those not asked about.
fn the_other(catalogue: &Catalogue, form: &QueryForm, all: bool) -> Result<QueryForm, String> {
    let at = form.filters.iter().rposition(|filter| matches!(filter, Filter::Value { negated: false, .. }));
    let Some((at, Filter::Value { words, found, .. })) = at.and_then(|at| Some((at, form.filters.get(at)?))) else {
        let text = "The other of what? The last result was not about one value of several: name what is wanted.";
        return Err(text.to_owned());
    };
    let mut changed = form.clone();
    if all {
        changed.filters[at] = Filter::Value { words: words.clone(), found: found.clone(), negated: true };
        changed.notes.push(format!("“The others” are all but {words}."));
        return Ok(changed);
    }
    let places = found.iter().filter_map(|place| match place.place {
        Thing::Column(column) => Some((column, place)),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let mut listed: Vec<String> = Vec::new();
    for (column, place) in places {
        let others: Vec<&str> =
            catalogue.values().of(column).filter(|value| !place.values.iter().any(|own| own == value)).collect();
        if let [only] = others.as_slice() {
            let other = Found { values: vec![(*only).to_owned()], ..place.clone() };
            changed.filters[at] = Filter::Value { words: (*only).to_owned(), found: vec![other], negated: false };
            changed.notes.push(format!("“The other one” is {only}: the only other value beside {words}."));
            return Ok(changed);
        }
        listed.extend(others.iter().take(OTHERS_LISTED_MAX).map(|value| (*value).to_owned()));
    }
    let among = if listed.is_empty() { String::new() } else { format!(" There are {}…", listed.join(", ")) };
    Err(format!("The other of which? Beside {words} there are several: name one, or say “the others”.{among}"))
}

/// "compare with last year" of a result without a time of its own: this year beside the one before.
pub fn compare_with(form: &mut QueryForm, wanted: &[Period]) -> bool {
    let [Period::Relative { grain, offset: -1 }] = wanted else { return false };
    if !form.periods.is_empty() || matches!(grain, Grain::Weekday | Grain::Hour) {
        return false;
    }
    form.periods = vec![Period::Relative { grain: *grain, offset: -1 }, Period::Relative { grain: *grain, offset: 0 }];
    form.analysis = Analysis::Compare;
    true
}
