//! Changes to a question already understood: "only Canada", "by month instead", "top 10", "also Germany". The change is
//! read like a question and what it names is put into the form, so that all the rest stays as it was. Next: `draft`.

mod further;
mod instead;
mod narrowed;
mod opposite;
mod redated;
mod replaced;
mod swapped;
mod units;

use super::catalogue::Catalogue;
use super::draft::not_understood;
use super::followup;
use super::form::{
    Aggregate, Analysis, Dimension, Filter, Found, Measure, Mention, QueryForm, RankBy, Ranking, Replaced, Thing,
};
use super::period::{Grain, Period};
use super::phrased;
use super::read::{self, Manner, Read, VALUES_JOINED};
pub use instead::{Limits, put};
pub use narrowed::{cut_comparison, including};
pub use redated::by_name as redated;

/// `form` with `change` made.
///
/// # Errors
/// Why the change is not understood or makes no sense here.
pub fn change(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<QueryForm, String> {
    if let Some(changed) = at_once(catalogue, form, change)? {
        return Ok(changed);
    }
    let mut read = read::read(catalogue, &phrased::plain(change));
    if read.manner.step {
        return Err(
            "Steps can be left out, chosen, put in order, named, limited, split and added, as in “drop step 2”, “approve \
             steps 1 and 3 only”, “step 1 after step 2”, “limit step 1 to Q4” or “add a step that …”. Anything else \
             about a plan is said as what should be different about the result, as in “only Q4” or “by month instead”."
                .to_owned(),
        );
    }
    let rank = rank_of(&mut read);
    if let Some(explanation) = not_understood(&read) {
        return Err(explanation);
    }
    let mut manner = read.manner;
    // "The same for channels" is by them instead.
    manner.instead |= phrased::is_same_for(change) && !read.form.dimensions.is_empty();
    manner.also |= narrowed::opens_including(change);
    if manner.remove {
        return remove(form, &read);
    }
    manner.also |= further::settle(catalogue, form, &mut read, change)?;
    let mut changed = form.clone();
    let mut other = read.form;
    if form.measures.is_empty() && counts_unsaid(&other, change) {
        return Err(format!("“{change}” would count and not list: say “how many” for that, or what is to be listed."));
    }
    phrased::tests_groups(form, &mut other);
    narrowed::settle(form, &mut other, change);
    swapped::settle(catalogue, &mut changed, &mut other, manner, change)?;
    replaced::take_out(&mut changed, &other, manner, change);
    redated::by_time(catalogue, &mut changed, &other);
    changed.notes.extend(other.notes.clone());
    changed.conditions.append(&mut other.conditions);
    change_measures(&mut changed, &other, manner);
    change_dimensions(&mut changed, &other, manner);
    opposite::take_out(&mut changed, &other);
    change_filters(&mut changed, &other, manner)?;
    let compared = other.analysis == Analysis::Compare && followup::compare_with(&mut changed, &other.periods);
    if !compared {
        change_periods(&mut changed, &other, manner);
    }
    if let Some(ranking) = rank.or(other.ranking.clone()) {
        changed.ranking = Some(ranking_of(&changed, ranking));
        changed.by_name = None;
    }
    change_analysis(&mut changed, form, &other);
    units::check_share(catalogue, &changed, &other)?;
    changed.look = other.look.or(changed.look);
    changed.drawn |= other.drawn;
    changed.notes.dedup();
    if changed == *form {
        return Err(format!("“{change}” changes nothing: the plan already is like that."));
    }
    Ok(changed)
}

/// What only says an order of names, a unit or another date is no question to be read.
fn at_once(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<Option<QueryForm>, String> {
    if let Some(order) = phrased::sorts_by_name(form, change) {
        if form.by_name == Some(order) {
            return Err("The rows are in the order of their names already.".to_owned());
        }
        return Ok(Some(QueryForm { by_name: Some(order), ..form.clone() }));
    }
    match units::converted(catalogue, form, change)? {
        Some(changed) => Ok(Some(changed)),
        None => Ok(redated::by_verb(catalogue, form, change)),
    }
}

/// What is done with the numbers follows from what was said, and from the times and values that are left.
fn change_analysis(changed: &mut QueryForm, before: &QueryForm, other: &QueryForm) {
    if other.analysis != Analysis::Plain
        && !(other.analysis == Analysis::Compare && other.periods.len() < 2 && changed.periods.len() < 2)
    {
        changed.analysis = other.analysis;
    }
    // What is no longer between two times or values is no comparison.
    if before.analysis == Analysis::Compare
        && other.analysis == Analysis::Plain
        && changed.periods.len() < 2
        && before.periods.len() > 1
    {
        changed.analysis = Analysis::Plain;
    }
    // A change apart from the question why starts from the number again, not from its parts.
    if changed.analysis == Analysis::Explain {
        let two = if changed.periods.len() > 1 { Analysis::Compare } else { Analysis::Plain };
        (changed.analysis, changed.claim) = (two, None);
        // The two times were asked about as wholes: what the number was shown by before in time is no part of them.
        if two == Analysis::Compare {
            let said = &other.dimensions;
            changed.dimensions.retain(|own| !matches!(own, Dimension::Time(_)) || said.contains(own));
        }
    }
}

/// Whether a number of rows is read from words that say none: of a list it is not asked for.
fn counts_unsaid(other: &QueryForm, change: &str) -> bool {
    let counts = |measure: &Measure| matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct);
    let words = super::words::split(change);
    let says = words.iter().any(|word| {
        matches!(word.folded.as_str(), "many" | "number" | "numbers" | "count" | "counts" | "most" | "fewest" | "least")
            || word.folded.parse::<f64>().is_ok()
    });
    !says && other.measures.iter().all(counts) && !other.measures.is_empty() && !other.dimensions.is_empty()
}

/// "top 10" names no subject in a change; the plan has one.
fn rank_of(read: &mut Read) -> Option<Ranking> {
    let bare = read.unranked.take().is_some();
    if bare { read.form.ranking.clone() } else { None }
}

fn ranking_of(form: &QueryForm, wanted: Ranking) -> Ranking {
    // In a list the property that was ordered by stays; numbers are ordered by themselves.
    let by = match (&form.ranking, form.measures.is_empty()) {
        (Some(Ranking { by: RankBy::Property(property), .. }), true) => RankBy::Property(property.clone()),
        _ => wanted.by,
    };
    Ranking { order: wanted.order, limit: wanted.limit, by }
}

fn change_measures(form: &mut QueryForm, other: &QueryForm, manner: Manner) {
    let named: Vec<Measure> = other.measures.clone();
    if named.is_empty() {
        return;
    }
    // "average instead" and "the total" speak of what is already measured.
    let bare = named.iter().all(|measure| super::lexicon::lexicon().signal(&measure.of.words.to_lowercase()).is_some());
    if bare {
        for (own, wanted) in form.measures.iter_mut().zip(&named) {
            own.aggregate = wanted.aggregate;
        }
    } else if manner.also {
        let fresh = named.into_iter().filter(|measure| !form.measures.contains(measure));
        let fresh: Vec<Measure> = fresh.collect();
        form.measures.extend(fresh);
    } else {
        form.measures = named;
        form.subject = None;
    }
}

fn change_dimensions(form: &mut QueryForm, other: &QueryForm, manner: Manner) {
    // A table or column by itself in a change is what to show it by: "and by month?", "customers instead".
    // "Only premium articles" says which rows are left, not to show one by one.
    let narrows = manner.only && !other.filters.is_empty();
    let subject = other.subject.clone().filter(|_| !form.measures.is_empty() && !narrows).map(Dimension::Thing);
    let counted = form.measures.first().filter(|measure| measure.aggregate == Aggregate::Count);
    // "sort it by invoices" of a number of invoices is no group.
    let is_counted = |dimension: &Dimension| match (dimension, counted) {
        (Dimension::Thing(mention), Some(measure)) => {
            other.ranking.is_some() && mention.table().is_some() && mention.table() == measure.of.table()
        }
        _ => false,
    };
    let named: Vec<Dimension> =
        other.dimensions.iter().cloned().chain(subject).filter(|dimension| !is_counted(dimension)).collect();
    if named.is_empty() {
        if form.measures.is_empty() {
            let more = other.attributes.iter().chain(&other.shown).cloned();
            if form.shown.is_empty() { form.attributes.extend(more) } else { form.shown.extend(more) }
        }
        return;
    }
    let time = |dimension: &Dimension| matches!(dimension, Dimension::Time(_));
    if manner.instead && !manner.also {
        // Another grain replaces the grain, and another group the groups.
        let grain_only = named.iter().all(time) && form.dimensions.iter().any(time);
        form.dimensions.retain(|dimension| grain_only && !time(dimension));
    } else if named.iter().any(time) {
        form.dimensions.retain(|dimension| !time(dimension));
    }
    for dimension in named {
        if !form.dimensions.contains(&dimension) {
            form.dimensions.push(dimension);
        }
    }
}

fn change_filters(form: &mut QueryForm, other: &QueryForm, manner: Manner) -> Result<(), String> {
    for wanted in &other.filters {
        let Filter::Value { words, found, negated: false } = wanted else {
            let limits = if manner.only || manner.also { Limits::Narrowed } else { Limits::Anew };
            form.notes.extend(put(&mut form.filters, wanted.clone(), limits));
            continue;
        };
        let shares = |own: &Filter| match own {
            Filter::Value { found: places, negated: false, .. } => shares_place(places, found),
            _ => false,
        };
        if !form.filters.iter().any(shares) && instead::put_behind(&mut form.filters, wanted, &shares) {
            continue;
        }
        let unfiltered = form.filters.is_empty();
        let same = form.filters.iter_mut().find_map(|filter| match filter {
            Filter::Value { words: own, found: places, negated: false } if shares_place(places, found) => {
                Some((own, places))
            }
            _ => None,
        });
        match same {
            Some((own, places)) if manner.also => {
                *places = widened(places, found);
                *own = format!("{own}{VALUES_JOINED}{words}");
            }
            Some((own, places)) => {
                let (words, found) = (words.clone(), found.clone());
                let (words, found) = (std::mem::replace(own, words), std::mem::replace(places, found));
                form.replaced = Replaced::Value(Filter::Value { words, found, negated: false });
            }
            None if manner.also && !unfiltered => form.filters.push(wanted.clone()),
            None if manner.also => return Err(format!("“{words}” is already in it: nothing was left out so far.")),
            None => form.filters.push(wanted.clone()),
        }
    }
    Ok(())
}

fn shares_place(one: &[Found], other: &[Found]) -> bool {
    one.iter().any(|place| other.iter().any(|theirs| theirs.place == place.place))
}

fn widened(places: &[Found], others: &[Found]) -> Vec<Found> {
    let join = |place: &Found| {
        let other = others.iter().find(|other| other.place == place.place)?;
        let values = place.values.iter().chain(&other.values).cloned().collect();
        Some(Found { values, ..place.clone() })
    };
    places.iter().filter_map(join).collect()
}

/// "only Q4" of a question about 2024 is the fourth quarter of that year.
fn change_periods(form: &mut QueryForm, other: &QueryForm, manner: Manner) {
    if other.periods.is_empty() {
        return;
    }
    if !manner.also
        && other.analysis != Analysis::Compare
        && let Some((period, note)) = phrased::before_it(form, &other.periods)
    {
        replace_periods(form, vec![period]);
        form.notes.push(note);
        return;
    }
    let year = form.periods.iter().rev().find_map(Period::year);
    let wanted: Vec<Period> = other
        .periods
        .iter()
        .cloned()
        .map(|period| match year {
            Some(year) => period.in_year(year),
            None => period,
        })
        .collect();
    let comparing = form.analysis == Analysis::Compare && form.periods.len() > 1;
    if manner.also || (other.analysis == Analysis::Compare && wanted.len() < 2) {
        form.periods.extend(wanted);
        if form.periods.len() > 1 {
            form.analysis = Analysis::Compare;
        }
        return;
    }
    if comparing && wanted.len() < 2 {
        form.analysis = Analysis::Plain;
    }
    replace_periods(form, wanted);
}

/// Other times, where the one before can still be spoken of.
fn replace_periods(form: &mut QueryForm, wanted: Vec<Period>) {
    if let ([own], [other]) = (form.periods.as_slice(), wanted.as_slice())
        && own != other
    {
        form.replaced = Replaced::Period(own.clone());
    }
    form.periods = wanted;
}

/// "remove the filter", "drop Canada", "not by month".
fn remove(form: &QueryForm, read: &Read) -> Result<QueryForm, String> {
    let mut changed = form.clone();
    let other = &read.form;
    if read.manner.filters {
        changed.filters.clear();
        changed.periods.clear();
    }
    for wanted in &other.filters {
        let Filter::Value { words, found, .. } = wanted else { continue };
        let held = changed.filters.iter().position(|filter| {
            matches!(filter, Filter::Value { found: places, negated: false, .. } if shares_place(places, found))
        });
        match held {
            Some(at) => {
                changed.filters.remove(at);
            }
            None => {
                changed.filters.push(Filter::Value { words: words.clone(), found: found.clone(), negated: true });
            }
        }
    }
    let times: Vec<Grain> = other
        .dimensions
        .iter()
        .filter_map(|dimension| match dimension {
            Dimension::Time(grain) => Some(*grain),
            Dimension::Thing(_) => None,
        })
        .collect();
    changed.dimensions.retain(|dimension| match dimension {
        Dimension::Time(grain) => !times.contains(grain),
        Dimension::Thing(_) => !other.dimensions.contains(dimension),
    });
    changed.periods.retain(|period| !other.periods.contains(period));
    if form.measures.is_empty() {
        remove_columns(&mut changed, other);
    }
    if changed == *form { Err("There is nothing like that in the plan to take away.".to_owned()) } else { Ok(changed) }
}

/// "Remove the birth dates" of what is shown.
fn remove_columns(form: &mut QueryForm, other: &QueryForm) {
    let groups = other.dimensions.iter().filter_map(|dimension| match dimension {
        Dimension::Thing(mention) => Some(mention),
        Dimension::Time(_) => None,
    });
    let gathered = other.measures.iter().map(|measure| &measure.of);
    let named: Vec<Thing> = groups
        .chain(gathered)
        .chain(&other.attributes)
        .chain(&other.shown)
        .chain(&other.subject)
        .filter_map(|mention| mention.best())
        .map(|best| best.thing)
        .collect();
    let stays = |mention: &Mention| !mention.best().is_some_and(|best| named.contains(&best.thing));
    form.attributes.retain(stays);
    form.shown.retain(stays);
}
