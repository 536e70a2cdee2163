//! Whether a clause asks for nothing but what the rest shows anyway: "which town has the most boats, *and how many does
//! it have*", "*for each town*, boats by town". Next: `trace`, which asks about what is not covered.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Candidate, ColumnId, Dimension, Mention, QueryForm, RankBy, Thing};
use super::super::lexicon::Role;
use super::super::read::{self, Spotted};
use super::super::source::ColumnKind;
use super::super::words;

/// Words for how many there are.
const COUNTS: [&str; 5] = ["number", "numbers", "count", "counts", "headcount"];
/// Words for how much it comes to.
const SUMS: [&str; 6] = ["total", "totals", "amount", "amounts", "value", "sum"];

/// Whether all words of `clause` are covered by `rest` and what `form` shows.
pub fn is_covered(catalogue: &Catalogue, clause: &str, rest: &str, form: &QueryForm) -> bool {
    // No answer says by itself where or why.
    if ["where", "why"].iter().any(|word| clause.to_lowercase().starts_with(word)) {
        return false;
    }
    let before = read::spot(catalogue, rest).spans;
    let stems = |text: &str| -> Vec<String> { words::split(text).into_iter().map(|word| word.stem).collect() };
    let known = stems(rest);
    let again = |span: &Spotted| !span.text.is_empty() && stems(&span.text).iter().all(|stem| known.contains(stem));
    let shown = Shown::of(catalogue, form);
    let spans = read::spot(catalogue, clause).spans;
    // "Who sponsors the stages": the sponsors, where those are shown.
    let verb = spans.iter().any(|span| span.is_name() && shown.covers(span, &before));
    let who = |span: &Spotted| verb && span.role() == Some(Role::Who);
    spans.iter().all(|span| again(span) || who(span) || shown.covers(span, &before))
}

/// What a form shows.
struct Shown {
    things: Vec<Thing>,
    count: bool,
    sum: bool,
    number: bool,
    date: bool,
}

impl Shown {
    fn of(catalogue: &Catalogue, form: &QueryForm) -> Self {
        let by = form.ranking.as_ref().and_then(|ranking| match &ranking.by {
            RankBy::Property(mention) => Some(mention),
            RankBy::Measure => None,
        });
        let groups = form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let listed = form.subject.iter().chain(groups).chain(&form.attributes).chain(&form.shown).chain(by);
        let mentions: Vec<&Mention> = listed.chain(form.measures.iter().map(|measure| &measure.of)).collect();
        let best: Vec<Thing> = mentions.iter().filter_map(|mention| mention.best()).map(|best| best.thing).collect();
        let is_date = |column: ColumnId| catalogue.column(column).kind == ColumnKind::Date;
        let dated = |thing: &Thing| matches!(thing, Thing::Column(column) if is_date(*column));
        let timed = form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
        let gathers = |wanted: &[Aggregate]| form.measures.iter().any(|measure| wanted.contains(&measure.aggregate));
        Self {
            count: gathers(&[Aggregate::Count, Aggregate::CountDistinct]),
            sum: gathers(&[Aggregate::Sum]),
            number: !form.measures.is_empty() || by.is_some(),
            date: timed || best.iter().any(dated),
            things: best,
        }
    }

    fn covers(&self, span: &Spotted, before: &[Spotted]) -> bool {
        let said = span.text.to_lowercase();
        let repeated = before.iter().any(|other| {
            other.text.eq_ignore_ascii_case(&span.text)
                || (best(&other.names).is_some() && best(&other.names) == best(&span.names))
        });
        let has = matches!(said.as_str(), "have" | "has" | "had" | "with");
        if repeated
            || has
            || (self.count && COUNTS.contains(&said.as_str()))
            || (self.sum && SUMS.contains(&said.as_str()))
        {
            return true;
        }
        match span.role() {
            _ if span.is_name() => best(&span.names).is_some_and(|own| self.things.contains(&own)),
            Some(Role::Count) => self.count,
            Some(Role::Sum) => self.sum,
            Some(Role::HowMuch) => self.number,
            Some(Role::When) => self.date,
            Some(
                Role::Ignore | Role::Command | Role::And | Role::Of | Role::In | Role::Each | Role::Wh | Role::Link,
            ) => span.values.is_empty(),
            _ => false,
        }
    }
}

fn best(names: &[Candidate]) -> Option<Thing> {
    names.iter().max_by_key(|candidate| candidate.score).map(|candidate| candidate.thing)
}
