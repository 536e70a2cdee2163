//! What is to be shown, apart from what it is shown of: "the names and ages *of the singers who …*", "each student's
//! first name", "Which shop has the most staff? *Give me its id.*", "all information about …". The columns are taken
//! off, the rest is read by itself with everything it restricts and ranks, and then the columns are put back.
//! Next: `items` for one thing to show, `ordered` for the order.

use super::super::catalogue::Catalogue;
use super::super::form::{
    Aggregate, Condition, Dimension, Filter, Measure, Mention, QueryForm, RankBy, Ranking, TableId, Thing,
};
use super::super::lexicon::{Order, Role, Signal};
use super::items::{self, Item, Wish, is_separator};
use super::ordered::{self, Sorting};
use super::qualify::table_of;
use super::spot::Spotted;
use super::{Read, Spotting, plain, said, trailing};

/// Reads a question that says apart what it wants shown; none where it does not.
pub fn read(catalogue: &Catalogue, spotting: &Spotting) -> Option<Read> {
    let (first, second) = sentences(catalogue, &spotting.spans);
    let (mut wish, mut body) = lead(catalogue, first).unwrap_or_else(|| (Wish::default(), first.to_vec()));
    let mut sorting = ordered::split(catalogue, &mut body);
    if wish.is_empty()
        && let Some(behind) = trailing::split(catalogue, &mut body)
    {
        wish = behind;
    }
    if let Some(second) = second {
        let mut spans = second.to_vec();
        let order = ordered::split(catalogue, &mut spans);
        let Some(told) = items::told(catalogue, &spans, first) else {
            return Some(other(catalogue, spotting, first, second));
        };
        sorting = order.or(sorting);
        wish.add(told);
    }
    if wish.is_empty() && sorting.is_none() {
        return None;
    }
    let mut read = plain(catalogue, Spotting { spans: body, notes: spotting.notes.clone() });
    let whole = is_whole(&read);
    let attached = whole && attach(catalogue, &mut read.form, &wish, sorting.as_ref());
    let unsorted = sorting.is_none() && !wish.is_empty() && ordered::is_said(&spotting.spans);
    match (attached, second) {
        (true, _) => Some(read),
        (false, None) if whole && unsorted => {
            let doubt = "What to order by was not understood: name a column, as in “sorted by name”.";
            Some(Read { doubt: Some(doubt.to_owned()), ..read })
        }
        (false, None) => None,
        (false, Some(_)) if !whole => Some(read),
        (false, Some(second)) => Some(unclear_second(spotting, second)),
    }
}

/// A second sentence that asks something else: by itself where it does not point back and nothing was asked before it,
/// else it is not understood.
fn other(catalogue: &Catalogue, spotting: &Spotting, first: &[Spotted], second: &[Spotted]) -> Read {
    let points = |span: &Spotted| {
        matches!(span.text.to_lowercase().as_str(), "their" | "its" | "his" | "her" | "them" | "those" | "these")
    };
    let alone = Spotting { spans: second.to_vec(), notes: spotting.notes.clone() };
    let read = read(catalogue, &alone).unwrap_or_else(|| plain(catalogue, alone));
    let asks = |read: &Read| read.form.subject.is_some() || !read.form.measures.is_empty();
    let before = plain(catalogue, Spotting { spans: first.to_vec(), notes: Vec::new() });
    let alone = asks(&read) && is_whole(&read) && !asks(&before);
    if alone && !second.iter().any(points) { read } else { unclear_second(spotting, second) }
}

/// A second sentence that cannot be put together with the first must not take its place.
fn unclear_second(spotting: &Spotting, second: &[Spotted]) -> Read {
    let said: Vec<&str> = second.iter().map(|span| span.text.as_str()).collect();
    let doubt =
        format!("“{}” could not be put together with the sentence before it: ask in one sentence.", said.join(" "));
    let mut read = Read { doubt: Some(doubt), ..Read::default() };
    read.form.notes.clone_from(&spotting.notes);
    read
}

fn is_whole(read: &Read) -> bool {
    let asked = read.unranked.is_some() || read.ungathered.is_some() || read.several.is_some() || read.of_them;
    read.unknown.is_empty() && read.doubt.is_none() && !asked
}

/// The first sentence, and a second one that only says what to show.
fn sentences<'a>(catalogue: &Catalogue, spans: &'a [Spotted]) -> (&'a [Spotted], Option<&'a [Spotted]>) {
    // "Show only the titles" shows, and "show only the paid ones" narrows.
    let only = |at: usize| {
        let (before, rest) = spans.split_at(at.min(spans.len()));
        rest.first().is_some_and(|span| said::is(span, &["show only", "only show"]))
            && items::told(catalogue, rest, before).is_some_and(|wish| !wish.items.is_empty())
    };
    let shows = |at: usize| {
        let skipped = |span: &&Spotted| is_separator(span) || span.role() == Some(Role::Ignore);
        let next = spans.iter().skip(at).find(|span| !skipped(span));
        next.is_some_and(|span| span.role() == Some(Role::Command))
    };
    let end = spans.iter().enumerate().position(|(at, span)| span.ends && at > 1 && (shows(at + 1) || only(at + 1)));
    match end {
        Some(end) => (&spans[..=end], spans.get(end + 1..)),
        None => (spans, None),
    }
}

/// The columns asked for at the beginning, and the rest, which begins with what they are shown of.
fn lead(catalogue: &Catalogue, spans: &[Spotted]) -> Option<(Wish, Vec<Spotted>)> {
    let sorts = usize::from(spans.first().is_some_and(|span| span.text.eq_ignore_ascii_case("sort")));
    let skips = |at: &usize| opens(&spans[*at]) && !is_small_column(spans, *at);
    let start = sorts + (sorts..spans.len()).take_while(skips).count();
    if let Some(found) = items::everything(spans, start) {
        return Some(found);
    }
    let (mut wish, mut at, mut head) = begun(catalogue, spans, start);
    loop {
        let (item, next) = items::item(catalogue, spans, at)?;
        wish.distinct |= spans[at..next].iter().any(|span| span.role() == Some(Role::Distinct));
        let paused = spans[next - 1].pause;
        match items::owner(spans, next) {
            Some((start, owner)) => {
                let of = table_of(&spans[owner])?;
                wish.items.push(item.of(of));
                wish.head = Some(of);
                let beyond = owner + 1 + usize::from(spans.get(owner + 1).is_some_and(is_separator));
                if (beyond > owner + 1 || spans[owner].pause)
                    && start == owner
                    && let Some(tail) = items::measures(spans, beyond)
                {
                    return numbers(&wish, Some(spans[owner].clone()), tail).map(|body| (wish.counted(), body));
                }
                match items::after_separator(catalogue, spans, owner).filter(|_| start == owner) {
                    Some(more) => (at, head) = (more, Some(owner)),
                    None => return Some((wish, spans[start..].to_vec())),
                }
            }
            None => {
                wish.items.push(item);
                let with = spans.get(next).is_some_and(|span| span.text.eq_ignore_ascii_case("with"))
                    && items::measures(spans, next + 1).is_some_and(|tail| tail[0].role() == Some(Role::Count));
                let joined = with || spans.get(next).is_some_and(is_separator);
                if (joined || paused)
                    && let Some(tail) = items::measures(spans, next + usize::from(joined))
                {
                    return numbers(&wish, head.map(|head: usize| spans[head].clone()), tail)
                        .map(|body| (wish.counted(), body));
                }
                if joined || paused {
                    at = next + usize::from(joined);
                    continue;
                }
                if head.is_none() && !is_of_rows(&wish, &spans[..next], start, spans.get(next)) {
                    return None;
                }
                // "each student's first name": what it is shown of was said in front.
                let own = wish.items.iter().find_map(|item| item.qualifier.clone());
                let head = head.map(|head: usize| spans[head].clone()).or(own)?;
                let rest = spans.get(next..).unwrap_or_default();
                // "the room type with the most rooms" is no room.
                if rest.iter().any(|span| table_of(span).is_some() && table_of(span) == table_of(&head)) {
                    return None;
                }
                return Some((wish, std::iter::once(head).chain(rest.iter().cloned()).collect()));
            }
        }
    }
}

/// What is wanted before the first column: the rows themselves, where only something of theirs is named behind them.
fn begun(catalogue: &Catalogue, spans: &[Spotted], start: usize) -> (Wish, usize, Option<usize>) {
    let theirs = items::rows_with_theirs(catalogue, spans, start)
        .and_then(|(rows, owner)| Some((rows, owner, items::after_separator(catalogue, spans, owner)?)));
    match theirs {
        Some((rows, owner, more)) => {
            (Wish { head: rows.table, items: vec![rows], ..Wish::default() }, more, Some(owner))
        }
        None => (Wish::default(), start, None),
    }
}

/// Whether columns that stand without "of" are asked for of each row: "which room type is the dearest" asks for a type.
fn is_of_rows(wish: &Wish, said: &[Spotted], start: usize, next: Option<&Spotted>) -> bool {
    let several = wish.items.len() > 1 || said.last().is_some_and(|span| !span.singular);
    let asks = said.iter().take(start).any(|span| span.role() == Some(Role::Wh));
    let grouped = next.is_some_and(|span| matches!(span.role(), Some(Role::Each | Role::Group)));
    start > 0 && several && !asks && !grouped
}

/// The numbers asked for beside the columns, for each of the rows they are shown of.
fn numbers(wish: &Wish, head: Option<Spotted>, tail: &[Spotted]) -> Option<Vec<Spotted>> {
    let mut body = tail.to_vec();
    // "and how many are in each": of what the columns are shown of.
    let counts = tail.first().is_some_and(|span| span.role() == Some(Role::Count));
    let first =
        tail.iter().skip(1).find(|span| !matches!(span.role(), Some(Role::Ignore | Role::In)) || span.is_name());
    if counts && first.is_none_or(|span| matches!(span.role(), Some(Role::Each | Role::Group))) {
        body.insert(1, head.clone()?);
    }
    let grouped = tail.iter().any(|span| matches!(span.role(), Some(Role::Each | Role::Group)));
    let each = || Spotted { text: "for each".to_owned(), signal: Some(Signal::Role(Role::Each)), ..Spotted::default() };
    // "names and average salaries of all departments": the number is had for each of those.
    let owned = tail.iter().position(|span| span.role() == Some(Role::Of)).and_then(|of| items::owner(tail, of));
    if let (false, None, Some((start, owner))) = (grouped, &head, owned)
        && start == owner
        && !tail[..owner].iter().any(|span| table_of(span).is_some())
        && wish.items.iter().all(|item| item.qualifier.is_none())
    {
        let of = tail.iter().take(owner).rposition(|span| span.role() == Some(Role::Of)).unwrap_or(owner);
        body.splice(of..owner, [each()]);
        return Some(body);
    }
    if !grouped {
        let head = head.or_else(|| wish.items.iter().find_map(|item| item.qualifier.clone()))?;
        // "names of rooms and number of rooms" counts something else.
        if tail.iter().any(|span| table_of(span).is_some() && table_of(span) == table_of(&head)) {
            return None;
        }
        body.extend([each(), head]);
    }
    Some(body)
}

/// "Make and weight of …": a column that is called as a word is that mostly says nothing.
fn is_small_column(spans: &[Spotted], at: usize) -> bool {
    let (span, next) = (&spans[at], spans.get(at + 1));
    let joined = span.pause || next.is_some_and(|next| is_separator(next) || next.role() == Some(Role::Of));
    span.role() == Some(Role::Ignore) && span.is_name() && table_of(span).is_none() && joined
}

/// The column at the beginning that is called so: where it cannot be shown, it must not be lost as the word would be.
pub fn small_column(spans: &[Spotted]) -> Option<&Spotted> {
    let at = (0..spans.len()).take_while(|at| opens(&spans[*at])).find(|at| is_small_column(spans, *at))?;
    let named = spans[at].names.iter().any(|one| matches!(one.thing, Thing::Column(_)) && one.score >= 95);
    spans.get(at).filter(|_| named)
}

/// Words in front of what is to be shown.
fn opens(span: &Spotted) -> bool {
    let role = matches!(span.role(), Some(Role::Command | Role::Ignore | Role::Wh | Role::Sum));
    let listed = span.role() == Some(Role::Sum) && !span.names.is_empty();
    role && !listed && span.role() != Some(Role::Sum) && !(span.is_name() && items::is_name_word(span))
}

/// Puts the columns and the order back; false where they are not of what is listed.
fn attach(catalogue: &Catalogue, form: &mut QueryForm, wish: &Wish, sorting: Option<&Sorting>) -> bool {
    if !wish.second {
        rank_rows(catalogue, form);
        test_rows(form);
    }
    let listed = form.measures.is_empty();
    let home = match (&form.subject, form.dimensions.first()) {
        (Some(subject), _) if listed => subject.only_table(),
        (None, Some(Dimension::Thing(mention))) => mention.only_table(),
        _ => return false,
    };
    if form.count_groups || form.claim.is_some() || (wish.counts && listed) || (wish.whole && form.subject.is_none()) {
        return false;
    }
    if let Some(sorting) = sorting
        && !(listed && form.ranking.is_none() && sort(catalogue, form, home, sorting))
    {
        return false;
    }
    let Some(home) = home else { return wish.items.iter().all(|item| is_shown_anyway(form, item)) };
    let head = wish.head.or_else(|| wish.items.last().and_then(|item| item.table));
    if !wish.second && head.is_some_and(|head| head != home) {
        return false;
    }
    let mentions: Option<Vec<Vec<Mention>>> = wish.items.iter().map(|item| item.mentions(catalogue, home)).collect();
    let Some(mentions) = mentions else { return false };
    form.shown = mentions.concat();
    form.whole = wish.whole;
    form.different = wish.distinct && form.subject.is_some();
    true
}

/// "The id of the candidate who got the lowest rate" asks for that row, and not for the lowest rate of each.
fn rank_rows(catalogue: &Catalogue, form: &mut QueryForm) {
    let ([measure], [Dimension::Thing(home)]) = (form.measures.as_slice(), form.dimensions.as_slice()) else { return };
    let order = match measure.aggregate {
        Aggregate::Maximum => Order::Descending,
        Aggregate::Minimum => Order::Ascending,
        _ => return,
    };
    let own = |table: TableId| measure.of.columns().any(|column| column.table == table);
    let plain = form.ranking.is_none() && form.conditions.is_empty() && measure.over_groups.is_none();
    if !(plain && home.only_table().is_some_and(own)) {
        return;
    }
    let by = RankBy::Property(measure.of.clone());
    form.notes.push(format!(
        "Only the {} with the {} are shown.",
        catalogue_words(catalogue, home),
        extreme(order, measure)
    ));
    form.subject = Some(home.clone());
    form.ranking = Some(Ranking { order, limit: Some(1), by });
    (form.measures, form.dimensions) = (Vec::new(), Vec::new());
}

/// "Names of clerks with at least 3000 salary" tests each row, and adds nothing up.
fn test_rows(form: &mut QueryForm) {
    let [Dimension::Thing(home)] = form.dimensions.as_slice() else { return };
    let Some(table) = home.only_table() else { return };
    let own = |measure: &Measure| {
        measure.aggregate == Aggregate::Sum
            && measure.of.concept().is_none()
            && measure.of.columns().any(|column| column.table == table)
    };
    let tested = |condition: &Condition| !condition.average && own(&condition.measure);
    let all = !form.conditions.is_empty() && form.conditions.iter().all(tested) && form.measures.iter().all(own);
    if !all || form.ranking.is_some() || form.measures.len() != form.conditions.len() {
        return;
    }
    let rows = form.conditions.drain(..).map(|Condition { measure, comparator, value, .. }| Filter::Number {
        of: measure.of,
        comparator,
        value,
        unit: None,
    });
    form.filters.extend(rows);
    form.subject = Some(home.clone());
    (form.measures, form.dimensions) = (Vec::new(), Vec::new());
}

fn catalogue_words(catalogue: &Catalogue, home: &Mention) -> String {
    home.only_table().map_or_else(|| home.words.clone(), |table| catalogue.plural(table))
}

fn extreme(order: Order, measure: &Measure) -> String {
    let end = if order == Order::Descending { "highest" } else { "lowest" };
    format!("{end} {}", measure.of.words)
}

/// Groups that are values show themselves.
fn is_shown_anyway(form: &QueryForm, item: &Item) -> bool {
    let Some(Dimension::Thing(mention)) = form.dimensions.first() else { return false };
    let own: Vec<_> = mention.candidates.iter().map(|candidate| candidate.thing).collect();
    item.names.iter().any(|candidate| own.contains(&candidate.thing))
}

fn sort(catalogue: &Catalogue, form: &mut QueryForm, home: Option<TableId>, sorting: &Sorting) -> bool {
    let Some(((first, order), rest)) = sorting.keys.split_first() else {
        form.by_name = Some(sorting.order);
        return true;
    };
    let (Some(home), true) = (home, form.subject.is_some()) else {
        form.by_name = Some(*order);
        return rest.is_empty() && is_shown_anyway(form, first);
    };
    let Some(by) = first.mention(catalogue, home) else { return false };
    let then: Option<Vec<(Mention, Order)>> =
        rest.iter().map(|(item, order)| Some((item.mention(catalogue, home)?, *order))).collect();
    let Some(then) = then else { return false };
    form.ranking = Some(Ranking { order: *order, limit: None, by: RankBy::Property(by) });
    form.then = then;
    true
}
