//! Whether the finished plan answers what its message asks for. Each check holds for every word and every data: two
//! opposite ends need two, what is denied has to be denied in the form, who and which need rows of it, the rows that
//! are counted are those behind “how many”, and a test has to be one that groups can pass. A plan that fails one looks
//! whole and answers another question, so it is refused by name. Next: `misread`.

use serde_json::Value;
use turnwise_core::PlanDraft;

use super::super::catalogue::Catalogue;
use super::super::form::{
    Aggregate, Analysis, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, RankBy, TableId, Thing,
};
use super::super::lexicon::{Order, Role, Signal, lexicon};
use super::super::words;
use super::content::Token;
use super::{amounts, misread};

/// Fit from which a name of the data is meant by a word.
const NAMED_MIN: u32 = 80;

/// Why the plan would answer something else.
pub fn explained(catalogue: &Catalogue, form: &QueryForm, plan: &PlanDraft, tokens: &[Token]) -> Option<String> {
    let forms: Vec<&QueryForm> = std::iter::once(form).chain(&form.beside).collect();
    opposite_ends(&forms, tokens)
        .or_else(|| not_denied(&forms, tokens))
        .or_else(|| forms.iter().find_map(|form| ungrouped(form)))
        .or_else(|| forms.iter().find_map(|form| one_each(form)))
        .or_else(|| forms.iter().find_map(|form| by_itself(form)))
        .or_else(|| missing_in_time(plan))
        .or_else(|| untotalled(&forms, tokens))
        .or_else(|| forms.iter().find_map(|form| never_by_row(form, tokens)))
        .or_else(|| left_open(form, tokens))
        .or_else(|| told_as_number(form, tokens))
        .or_else(|| listed_as_number(form, tokens))
        .or_else(|| counts_others(catalogue, form, tokens))
        .or_else(|| elsewhere(catalogue, form, plan, tokens))
        .or_else(|| different_unseen(&forms, tokens))
        .or_else(|| most_of_others(catalogue, &forms, tokens))
        .or_else(|| amounts::explained(catalogue, &forms, tokens))
}

/// Which end a word asks for, as a word of order or as one of a property.
pub fn end_of(token: &Token) -> Option<Order> {
    // "The first quarter of 2024" is no end of anything.
    let times = token.span.as_ref().is_some_and(|span| span.period.is_some());
    if token.names() || times {
        return None;
    }
    match token.superlative() {
        Some(order) => Some(order),
        None => token.role().and_then(misread::end),
    }
}

/// A word without which another thing is asked: an end that nothing was ranked by, a total that nothing was added up
/// for, rows that nothing was found of. A name right before another one only describes it: "volunteer hours".
pub fn half_asked<'a>(tokens: &[Token], unused: &[&'a Token]) -> Option<&'a Token> {
    let describes = |token: &Token| {
        let at = tokens.iter().position(|other| std::ptr::eq(other, token));
        at.and_then(|at| tokens.get(at + 1)).is_some_and(|next| !token.pause && (next.names() || next.is_number()))
    };
    let is_half = |token: &&&Token| {
        end_of(token).is_some()
            || token.role() == Some(Role::Sum)
            || (token.names() && token.table().is_some() && !describes(token))
    };
    unused.iter().find(is_half).copied()
}

/// “What did they bring in”: it is asked what rows do, or is done with them, and not for the rows.
pub fn asks_what_is_done(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().take(2).map(|token| token.folded.as_str()).collect();
    matches!(words.as_slice(), ["what", "did" | "does" | "do" | "have" | "has" | "had"])
}

/// "The smallest and the largest": two ends, of which one table ranked by something else is neither.
fn opposite_ends(forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let first = tokens.iter().position(|token| end_of(token).is_some())?;
    let end = end_of(&tokens[first]);
    let other = tokens.iter().find(|token| end_of(token).is_some_and(|other| Some(other) != end))?;
    let ends = |form: &&QueryForm| {
        let gathered = form.measures.iter().filter(|measure| {
            matches!(measure.aggregate, Aggregate::Minimum | Aggregate::Maximum)
                || matches!(measure.over_groups, Some(Aggregate::Minimum | Aggregate::Maximum))
        });
        let spans = form.measures.iter().filter(|measure| measure.aggregate == Aggregate::Range);
        let tests = form.filters.iter().filter(|filter| matches!(filter, Filter::End { .. }));
        // "From the highest to the lowest" is one order of all.
        let ranked = form.ranking.as_ref().map_or(0, |ranking| if ranking.limit.is_none() { 2 } else { 1 });
        let named = usize::from(form.by_name.is_some()) + form.then.len();
        gathered.count() + 2 * spans.count() + tests.count() + ranked + named
    };
    let found: usize = forms.iter().map(ends).sum();
    (found < 2).then(|| {
        format!(
            "“{}” and “{}” are two ends, and this would show one of them at most: ask for one after the other, or name \
             the number, as in “lowest and highest price per shop”.",
            tokens[first].folded, other.folded
        )
    })
}

/// "In total", where nothing is added up or counted.
fn untotalled(forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let totals =
        |token: &&Token| token.phrase > 1 && token.role() == Some(Role::Ignore) && token.own_role() == Some(Role::Sum);
    let numbers = |form: &&QueryForm| !form.measures.is_empty() || form.ranking.is_some() || form.count_groups;
    let said = tokens.iter().find(totals).filter(|_| !forms.iter().any(numbers))?;
    Some(format!(
        "Rows would be listed, and nothing of them would come to a “{}”: name the number that is to be added up, as in \
         “total revenue of the shops”.",
        said.folded
    ))
}

/// "Which products were never returned", where rows tell whether they were: each product with one row that was not
/// would be listed.
fn never_by_row(form: &QueryForm, tokens: &[Token]) -> Option<String> {
    let never = tokens.iter().find(|token| token.folded == "never")?;
    let lists_each = form.measures.is_empty() && form.subject.is_none();
    let each = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(each) => Some(&each.words),
        Dimension::Time(_) => None,
    });
    let denied = |filter: &Filter| match filter {
        Filter::Flag { value, .. } => !value,
        Filter::Value { negated, .. } => *negated,
        _ => false,
    };
    let each = each.filter(|_| lists_each && form.filters.iter().any(denied))?;
    Some(format!(
        "“{}” is said of all rows of each of the {each}, and those with a single such row would be listed: ask how many \
         such rows there are of each instead.",
        never.folded
    ))
}

/// "… and whose is it?": a second question, of which nothing is in the plan.
fn left_open(form: &QueryForm, tokens: &[Token]) -> Option<String> {
    if !form.attributes.is_empty() || !form.measures.is_empty() || !form.beside.is_empty() {
        return None;
    }
    let asks = |token: &Token| matches!(token.own_role(), Some(Role::Wh | Role::Who)) || token.folded == "whose";
    let begins = |at: &usize| tokens[at - 1].own_role() == Some(Role::And) && asks(&tokens[*at]);
    let at = (2..tokens.len()).find(begins)?;
    let says = |token: &Token| {
        token.names() || token.is_amount() || token.span.as_ref().is_some_and(|span| span.period.is_some())
    };
    (!tokens[at..].iter().any(says)).then(|| {
        format!(
            "“and {} …” asks for something else as well, and nothing of it would be answered: ask for one after the \
             other, and name what the second is about.",
            tokens[at].folded
        )
    })
}

/// "Did not …", where nothing in the form is denied.
fn not_denied(forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let denies =
        |token: &&Token| token.content && !token.names() && matches!(token.own_role(), Some(Role::Not | Role::Without));
    let said = tokens.iter().find(denies)?;
    let compared = |form: &&QueryForm| form.claim.is_some() || form.analysis != Analysis::Plain;
    let denied = forms.iter().any(|form| serde_json::to_value(form).is_ok_and(|form| has_denial(&form)));
    (!denied && !forms.iter().any(compared)).then(|| {
        format!(
            "“{}” could not be put to use here, and without it the answer would be another one: say it in another way, \
             as in “customers without orders” or “orders that are not paid”.",
            said.folded
        )
    })
}

/// Whether a part of a form says that something is not so.
fn has_denial(part: &Value) -> bool {
    const SETS: [&str; 4] = ["never", "lacks", "outside", "missing"];
    match part {
        Value::Object(parts) => parts.iter().any(|(name, value)| {
            let denied = match name.as_str() {
                "negated" => value == &Value::Bool(true),
                "share" | "value" => value == &Value::Bool(false) || value.as_f64() == Some(0.0),
                // A bound may be said by what lies beyond it: "not over 5".
                "comparator" => value != "equal",
                "end" | "order" => false,
                name => SETS.contains(&name),
            };
            denied || has_denial(value)
        }),
        Value::Array(all) => all.iter().any(has_denial),
        Value::String(text) => text == "lacks",
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A test of groups where there are no groups: one number, or nothing at all.
fn ungrouped(form: &QueryForm) -> Option<String> {
    let condition = form.conditions.first()?;
    (form.dimensions.is_empty() && form.subject.is_none()).then(|| {
        format!(
            "Which “{}” are to be tested one by one is not clear here: name the rows that are to pass, as in “customers \
             with more than 3 orders”.",
            condition.measure.of.words
        )
    })
}

/// Rows counted for each of themselves: there is one of each.
fn one_each(form: &QueryForm) -> Option<String> {
    let tested = form.conditions.iter().map(|condition| &condition.measure);
    let counted = form.measures.iter().chain(tested).filter(|measure| measure.aggregate == Aggregate::Count);
    let same = |of: &Mention| {
        let rows = of.only_table()?;
        let groups = form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        groups.into_iter().find(|group| group.only_table() == Some(rows)).cloned()
    };
    let (of, group) = counted.filter_map(|measure| Some((&measure.of, same(&measure.of)?))).next()?;
    Some(format!(
        "“{}” and “{}” are read as the same rows, and each of them is there once: name what is to be counted, and for \
         what, by other words.",
        of.words, group.words
    ))
}

/// A number grouped by itself: in each of its groups it is what the group is called.
fn by_itself(form: &QueryForm) -> Option<String> {
    let gathers = |measure: &&Measure| {
        matches!(measure.aggregate, Aggregate::Average | Aggregate::Minimum | Aggregate::Maximum | Aggregate::Median)
    };
    let groups = || {
        form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        })
    };
    let column = |of: &Mention| of.best().map(|best| best.thing).filter(|thing| matches!(thing, Thing::Column(_)));
    let same = |measure: &Measure| {
        let own = column(&measure.of)?;
        groups().find(|group| column(group) == Some(own)).map(|group| (measure.of.words.clone(), group.words.clone()))
    };
    let (of, group) = form.measures.iter().filter(gathers).find_map(same)?;
    Some(format!(
        "“{of}” and “{group}” are read as the same number, which would be told for each of its own values: name what it \
         is to be told for, or leave “{group}” out.",
    ))
}

/// A date that rows must not have, and that must lie in a time as well.
fn missing_in_time(plan: &PlanDraft) -> Option<String> {
    let queries = plan.steps.iter().filter_map(|step| step.arguments.get("sql"));
    let column = queries.flat_map(|sql| {
        let missing = sql.match_indices(" IS NULL OR ").filter_map(|(at, _)| {
            let column = sql[..at].rsplit('(').next()?;
            let timed = [" >= ", " < "].iter().any(|sign| sql.contains(&format!("AND {column}{sign}")));
            timed.then(|| column.to_owned())
        });
        missing.collect::<Vec<_>>()
    });
    let column = column.into_iter().next()?;
    let column = column.replace(['"', '`'], "");
    Some(format!(
        "Rows without {column} have no time by it, so there would never be any: say what did not happen, as in \
         “customers without orders in 2025”."
    ))
}

/// "Who …" and "which clients …", where one number would be told.
fn told_as_number(form: &QueryForm, tokens: &[Token]) -> Option<String> {
    let shows = form.subject.is_some() || !form.dimensions.is_empty() || form.analysis != Analysis::Plain;
    if shows || form.claim.is_some() {
        return None;
    }
    let first = tokens.first()?;
    let named = tokens.get(1).is_some_and(|next| next.names() && next.table().is_some() && !first.pause);
    let asks = match first.role() {
        Some(Role::Who) => true,
        Some(Role::Wh) => named,
        _ => false,
    };
    asks.then(|| {
        format!(
            "“{}” asks for rows, and this would be one number: name the rows that are wanted, as in “customers with more \
             than 3 orders”.",
            first.folded
        )
    })
}

/// "List the …", where rows would be counted that nobody wants counted.
fn listed_as_number(form: &QueryForm, tokens: &[Token]) -> Option<String> {
    let lists = tokens.first().is_some_and(|first| first.role() == Some(Role::Command));
    let counts = !form.measures.is_empty()
        && form.measures.iter().all(|measure| measure.aggregate == Aggregate::Count)
        && form.ranking.is_none()
        && form.conditions.is_empty()
        && form.analysis == Analysis::Plain;
    let numbers = |token: &Token| {
        matches!(token.signal(), Some(Signal::Superlative(..) | Signal::Comparative(..)))
            || !matches!(
                token.role(),
                None | Some(
                    Role::Ignore
                        | Role::Link
                        | Role::Command
                        | Role::Wh
                        | Role::Who
                        | Role::Of
                        | Role::In
                        | Role::With
                        | Role::And
                        | Role::Or
                        | Role::Not
                        | Role::Without
                        | Role::Both
                )
            )
    };
    (lists && counts && !tokens.iter().any(numbers)).then(|| {
        "This asks for a list, and the rows would only be counted: name the rows and what is true of them, as in “orders \
         that are not paid”."
            .to_owned()
    })
}

/// "How many cats are up for adoption", where adoptions would be counted.
fn counts_others(catalogue: &Catalogue, form: &QueryForm, tokens: &[Token]) -> Option<String> {
    let counted = form.measures.first().filter(|measure| {
        matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct) && measure.holds.is_empty()
    })?;
    if form.analysis != Analysis::Plain || form.claim.is_some() {
        return None;
    }
    let of = match (form.count_groups, form.dimensions.first()) {
        (true, Some(Dimension::Thing(mention))) => mention,
        (true, _) => return None,
        (false, _) => &counted.of,
    };
    let counts: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].role() == Some(Role::Count)).collect();
    let (first, last) = (*counts.first()?, *counts.last()?);
    // What is asked beside it has a form, or a number, of its own.
    if last + 1 - first != counts.len() || form.measures.len() > 1 || !form.beside.is_empty() {
        return None;
    }
    let head = head(&tokens[last + 1..])?;
    let rows = match (head.names(), head.table()) {
        (_, Some(table)) => vec![table],
        _ => head.value_tables(),
    };
    if rows.is_empty() || stems_of(of).contains(&lexicon().canonical(&head.stem).to_owned()) {
        return None;
    }
    let is_of = |table: TableId| {
        let named = of.table() == Some(table) || of.columns().any(|column| column.table == table);
        named && (counted.aggregate == Aggregate::Count || form.count_groups || head.table().is_none())
    };
    (!rows.into_iter().any(is_of)).then(|| {
        let noun = match of.table() {
            Some(table) => catalogue.plural(table),
            None => of.words.clone(),
        };
        format!(
            "“How many {}” would be answered with a number of {noun} here: say what is to be counted by its name, as in \
             “how many customers”.",
            head.folded
        )
    })
}

/// The word that says what is counted: the last name of the phrase that begins there; none where that is no name.
fn head(tokens: &[Token]) -> Option<&Token> {
    let opens = |token: &&Token| !token.names() && matches!(token.role(), Some(Role::Ignore | Role::Distinct));
    let first = tokens.iter().take_while(opens).count();
    let phrase = &tokens[first..];
    let joins =
        |token: &Token| matches!(token.own_role(), Some(Role::Of | Role::In | Role::With | Role::Group | Role::Each));
    let names = phrase.iter().take_while(|token| token.names() && !joins(token)).count();
    let pause = phrase.iter().position(|token| token.pause).map_or(names, |pause| names.min(pause + 1));
    phrase[..pause].last()
}

fn stems_of(mention: &Mention) -> Vec<String> {
    words::split(&mention.words).into_iter().map(|word| lexicon().canonical(&word.stem).to_owned()).collect()
}

/// Rows counted as far as they occur in others that no word speaks of: who never booked would be left out.
fn elsewhere(catalogue: &Catalogue, form: &QueryForm, plan: &PlanDraft, tokens: &[Token]) -> Option<String> {
    let [measure] = form.measures.as_slice() else { return None };
    let restricted = !(form.filters.is_empty() && form.periods.is_empty() && form.conditions.is_empty());
    if measure.aggregate != Aggregate::Count || restricted || form.ranking.is_some() {
        return None;
    }
    let rows = measure.of.table()?;
    let name = &catalogue.table(rows).name;
    let counted = |sql: &&String| sql.contains("COUNT(DISTINCT ") && !sql.contains(&format!("FROM \"{name}\""));
    plan.steps.iter().filter_map(|step| step.arguments.get("sql")).find(counted)?;
    let said = |mention: &&Mention| {
        let stems = stems_of(mention);
        tokens.iter().any(|token| stems.contains(&lexicon().canonical(&token.stem).to_owned()))
    };
    let others = form.context.iter().find(|mention| !said(mention) && mention.table() != Some(rows))?;
    Some(format!(
        "Only the {} that occur in {} would be counted here: say “{} with {}” if those are meant.",
        catalogue.plural(rows),
        others.words,
        catalogue.plural(rows),
        others.words
    ))
}

/// "More than two different editions", where the edition itself would be compared with two.
fn different_unseen(forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let at = tokens.windows(2).position(|pair| pair[0].is_amount() && pair[1].role() == Some(Role::Distinct))?;
    let distinct = |form: &&QueryForm| {
        let tested = form.conditions.iter().map(|condition| &condition.measure);
        form.count_groups
            || form.measures.iter().chain(tested).any(|measure| measure.aggregate == Aggregate::CountDistinct)
    };
    (!forms.iter().any(distinct)).then(|| {
        format!(
            "“{} {}” counts different ones, and here they would not be counted: say it as in “customers with more than 2 \
             different products”.",
            tokens[at].folded,
            tokens[at + 1].folded
        )
    })
}

/// "The most kegs", where something else would be ranked by.
fn most_of_others(catalogue: &Catalogue, forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let number = |token: &Token| -> Vec<ColumnId> {
        let names = token.span.iter().flat_map(|span| &span.names).filter(|name| name.score >= NAMED_MIN);
        let columns = names.filter_map(|name| match name.thing {
            Thing::Column(column) if catalogue.column(column).is_number() => Some(column),
            Thing::Column(_) | Thing::Table(_) | Thing::Concept(_) => None,
        });
        if token.table().is_some() { Vec::new() } else { columns.collect() }
    };
    let ranks = |form: &&QueryForm, columns: &[ColumnId]| {
        let by = match form.ranking.as_ref().map(|ranking| &ranking.by) {
            Some(RankBy::Property(of)) => Some(of),
            Some(RankBy::Measure) => form.measures.first().map(|measure| &measure.of),
            None => return true,
        };
        by.is_some_and(|of| of.concept().is_some() || of.columns().any(|column| columns.contains(&column)))
    };
    let wrong = tokens.windows(2).find(|pair| {
        let most = matches!(pair[0].role(), Some(Role::Most | Role::Fewest)) && !pair[0].pause;
        let columns = if most { number(&pair[1]) } else { Vec::new() };
        !columns.is_empty() && !forms.iter().any(|form| ranks(form, &columns))
    })?;
    Some(format!(
        "“{} {}” would be ranked by something else here: ask for it by itself.",
        wrong[0].folded, wrong[1].folded
    ))
}
