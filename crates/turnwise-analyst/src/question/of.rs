//! The question that a form is, where one can say it: the way back from `bind`, so that both can be held against each
//! other on everything the grammar understands. Next: `bind`.

use super::super::catalogue::Catalogue;
use super::super::form::{
    Aggregate, Analysis, ColumnId, Condition, Dimension, Filter, Found, Measure, Mention, QueryForm, RankBy, Ranking,
    Thing,
};
use super::super::lexicon::{Comparator, Order};
use super::super::period::{Grain, PartGrain, Period};
use super::super::read::VALUES_JOINED;
use super::{
    Each, End, Group, GroupTest, How, Is, Listed, Name, Number, Question, Rank, Related, Said, Test, What, Words,
};

/// What a question cannot say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a question cannot say {0}")]
pub struct Inexpressible(&'static str);

impl Question {
    /// The question that `form` is.
    ///
    /// # Errors
    /// The first part of it that a question cannot say.
    pub fn of(catalogue: &Catalogue, form: &QueryForm) -> Result<Self, Inexpressible> {
        let writer = Writer { catalogue, form };
        writer.plain()?;
        let mut question = Self { analysis: analysis(form.analysis)?, ..Self::default() };
        for filter in &form.filters {
            writer.filter(filter, &mut question)?;
        }
        writer.periods(&mut question)?;
        question.groups = form.dimensions.iter().map(|one| writer.group(one)).collect::<Result<_, _>>()?;
        question.having = form.conditions.iter().map(|one| writer.condition(one)).collect::<Result<_, _>>()?;
        question.measures = form.measures.iter().map(|one| writer.measure(one)).collect::<Result<_, _>>()?;
        if let Some(subject) = &form.subject {
            question.list.push(Listed { as_said: words(subject), of: writer.table(subject)? });
        }
        for shown in &form.attributes {
            question.list.push(Listed { as_said: words(shown), of: writer.name(shown)? });
        }
        // Groups without a number are the different values of a list.
        if form.measures.is_empty() {
            let groups = std::mem::take(&mut question.groups);
            question.list.extend(groups.into_iter().map(|group| Listed { as_said: group.as_said, of: group.by }));
        }
        question.rank = form.ranking.iter().map(|one| writer.rank(one)).collect::<Result<_, _>>()?;
        Ok(question)
    }
}

struct Writer<'a> {
    catalogue: &'a Catalogue,
    form: &'a QueryForm,
}

impl Writer<'_> {
    /// Parts that no question has.
    fn plain(&self) -> Result<(), Inexpressible> {
        let form = self.form;
        let beyond = [
            (form.count_groups, "that groups are counted"),
            (!form.shown.is_empty(), "that some columns alone are shown"),
            (form.whole || form.different || !form.then.is_empty(), "how rows are shown"),
            (form.claim.is_some() || form.sought.is_some(), "a claim"),
            (form.by_name.is_some() || form.of_each, "an order by name"),
            (!form.beside.is_empty() || !form.stated.is_empty() || !form.writes.is_empty(), "further questions"),
            (form.versions != super::super::form::Versions::Unsaid, "versions"),
            (form.look.is_some() || form.drawn, "how it is looked at"),
            (form.context.iter().any(|mention| mention.table().is_some()), "rows that are only named"),
        ];
        beyond.into_iter().find(|(is, _)| *is).map_or(Ok(()), |(_, what)| Err(Inexpressible(what)))
    }

    fn best(&self, mention: &Mention) -> Result<Thing, Inexpressible> {
        // Concepts are the grammar's guess at a column; whoever writes names has to say which.
        let unsaid = Err(Inexpressible("a word by what it may stand for"));
        let Some(top) = mention.candidates.iter().map(|candidate| candidate.score).max() else { return unsaid };
        let best: Vec<Thing> = mention.candidates.iter().filter(|one| one.score == top).map(|one| one.thing).collect();
        let tables: Vec<Thing> = best.iter().copied().filter(|thing| matches!(thing, Thing::Table(_))).collect();
        let names = |thing: &Thing| match (tables.as_slice(), thing) {
            ([Thing::Table(table)], other) => self.catalogue.names_rows(*other, *table),
            _ => false,
        };
        match (best.as_slice(), tables.as_slice()) {
            ([Thing::Concept(_)], _) => unsaid,
            ([only], _) => Ok(*only),
            (several, [table]) if several.iter().all(names) => Ok(*table),
            _ => unsaid,
        }
    }

    fn label(&self, thing: Thing) -> Result<Name, Inexpressible> {
        match thing {
            Thing::Table(table) => Ok(Name(self.catalogue.table(table).name.clone())),
            Thing::Column(column) => Ok(Name(self.catalogue.column_label(column))),
            Thing::Concept(_) => Err(Inexpressible("a word by what it may stand for")),
        }
    }

    fn name(&self, mention: &Mention) -> Result<Name, Inexpressible> {
        self.label(self.best(mention)?)
    }

    fn table(&self, mention: &Mention) -> Result<Name, Inexpressible> {
        let table = mention.table().ok_or(Inexpressible("rows by a column"))?;
        self.label(Thing::Table(table))
    }

    fn measure(&self, measure: &Measure) -> Result<Number, Inexpressible> {
        if measure.over_groups.is_some() || measure.with.is_some() {
            return Err(Inexpressible("a number of numbers"));
        }
        let how = how(measure.aggregate)?;
        let only = measure.holds.iter().map(|filter| self.test(filter)).collect::<Result<_, _>>()?;
        let of = match (how, self.best(&measure.of)?) {
            (How::Count | How::Share, _) => self.table(&measure.of)?,
            (_, Thing::Table(_)) => return Err(Inexpressible("the money of rows")),
            (_, thing) => self.label(thing)?,
        };
        Ok(Number { as_said: words(&measure.of), how, of, only })
    }

    fn condition(&self, condition: &Condition) -> Result<GroupTest, Inexpressible> {
        if condition.average {
            return Err(Inexpressible("a comparison with the average"));
        }
        let number = self.measure(&condition.measure)?;
        let value = Said(condition.value.to_string());
        Ok(GroupTest {
            as_said: number.as_said,
            how: number.how,
            is: condition.comparator.into(),
            of: number.of,
            value,
        })
    }

    fn group(&self, dimension: &Dimension) -> Result<Group, Inexpressible> {
        match dimension {
            Dimension::Thing(mention) => {
                Ok(Group { as_said: words(mention), by: self.name(mention)?, each: Each::Value })
            }
            Dimension::Time(grain) => {
                let by = self.label(Thing::Column(self.date()?))?;
                Ok(Group { as_said: Words(grain.name().to_owned()), by, each: each(*grain) })
            }
        }
    }

    /// The date that the times of the form are of.
    fn date(&self) -> Result<ColumnId, Inexpressible> {
        match self.form.dated.as_slice() {
            [only] => Ok(only.date),
            _ => Err(Inexpressible("a time of no date")),
        }
    }

    fn periods(&self, question: &mut Question) -> Result<(), Inexpressible> {
        if self.form.periods.is_empty() {
            return Ok(());
        }
        let column = self.label(Thing::Column(self.date()?))?;
        let values: Vec<Said> = self.form.periods.iter().map(period).collect::<Result<_, _>>()?;
        if values.len() > 1 && !matches!(self.form.analysis, Analysis::Compare | Analysis::Growth) {
            return Err(Inexpressible("several times at once"));
        }
        let as_said = Words(self.form.periods.iter().map(Period::label).collect::<Vec<_>>().join(" "));
        question.filters.push(Test { as_said, column, is: Is::During, values });
        Ok(())
    }

    fn filter(&self, filter: &Filter, question: &mut Question) -> Result<(), Inexpressible> {
        let related = |of: &Mention, filters: &[Filter], has: bool| -> Result<Related, Inexpressible> {
            let filters = filters.iter().map(|filter| self.test(filter)).collect::<Result<_, _>>()?;
            Ok(Related { as_said: words(of), filters, has, table: self.table(of)? })
        };
        match filter {
            Filter::Lacks { of } => question.related.push(related(of, &[], false)?),
            Filter::Never { of: Some(of), filters, periods } if periods.is_empty() => {
                question.related.push(related(of, filters, false)?);
            }
            Filter::Some { of: Some(of), filters, periods } if periods.is_empty() => {
                question.related.push(related(of, filters, true)?);
            }
            other => question.filters.push(self.test(other)?),
        }
        Ok(())
    }

    fn test(&self, filter: &Filter) -> Result<Test, Inexpressible> {
        let made = |of: &Mention, is: Is, values: Vec<Said>| -> Result<Test, Inexpressible> {
            Ok(Test { as_said: words(of), column: self.name(of)?, is, values })
        };
        match filter {
            Filter::Value { words, found, negated } => {
                let [Found { place: place @ Thing::Column(_), values, end: None, via: None }] = found.as_slice() else {
                    return Err(Inexpressible("a value of several places"));
                };
                if words.contains(VALUES_JOINED) {
                    return Err(Inexpressible("values side by side"));
                }
                let values = values.iter().cloned().map(Said).collect();
                let is = if *negated { Is::NotEqual } else { Is::Equal };
                Ok(Test { as_said: Words(words.clone()), column: self.label(*place)?, is, values })
            }
            Filter::Number { of, comparator, value, unit: None } => {
                made(of, (*comparator).into(), vec![Said(value.to_string())])
            }
            Filter::Missing { of, negated, unwritten: true } => {
                made(of, if *negated { Is::Present } else { Is::Missing }, Vec::new())
            }
            Filter::Flag { of, value } => made(of, Is::Equal, vec![Said(if *value { "yes" } else { "no" }.to_owned())]),
            Filter::Dated { of, period } => made(of, Is::During, vec![self::period(period)?]),
            Filter::Text { of: Some(of), text, start, end, negated: false } => {
                let is = match (start, end) {
                    (true, false) => Is::StartsWith,
                    (false, true) => Is::EndsWith,
                    (false, false) => Is::Contains,
                    (true, true) => return Err(Inexpressible("two ends of a text")),
                };
                made(of, is, vec![Said(text.clone())])
            }
            Filter::End { of, order: Order::Descending } => made(of, Is::Highest, Vec::new()),
            Filter::End { of, order: Order::Ascending } => made(of, Is::Lowest, Vec::new()),
            Filter::Average { of, comparator: Comparator::Over } => made(of, Is::AboveAverage, Vec::new()),
            Filter::Average { of, comparator: Comparator::Under } => made(of, Is::BelowAverage, Vec::new()),
            _ => Err(Inexpressible("this test")),
        }
    }

    fn rank(&self, ranking: &Ranking) -> Result<Rank, Inexpressible> {
        let order = match ranking.order {
            Order::Descending => End::Highest,
            Order::Ascending => End::Lowest,
        };
        let (by, as_said) = match &ranking.by {
            RankBy::Measure => (Name("measure".to_owned()), Words::default()),
            RankBy::Property(mention) => (self.name(mention)?, words(mention)),
        };
        let limit = u32::try_from(ranking.limit.unwrap_or_default()).unwrap_or_default();
        Ok(Rank { as_said, by, limit, order, per_group: self.form.first_within })
    }
}

fn words(mention: &Mention) -> Words {
    Words(mention.words.clone())
}

fn analysis(analysis: Analysis) -> Result<What, Inexpressible> {
    Ok(match analysis {
        Analysis::Plain => What::Plain,
        Analysis::Compare => What::Compare,
        Analysis::Share => What::ShareOfTotal,
        Analysis::Growth => What::Growth,
        Analysis::Cumulative => What::Cumulative,
        Analysis::Ratio => What::Ratio,
        Analysis::Trend | Analysis::Explain | Analysis::Forecast(_) | Analysis::Outliers => {
            return Err(Inexpressible("this analysis"));
        }
    })
}

fn how(aggregate: Aggregate) -> Result<How, Inexpressible> {
    Ok(match aggregate {
        Aggregate::Count => How::Count,
        Aggregate::CountDistinct => How::CountDifferent,
        Aggregate::Sum => How::Sum,
        Aggregate::Average => How::Average,
        Aggregate::Minimum => How::Minimum,
        Aggregate::Maximum => How::Maximum,
        Aggregate::Median => How::Median,
        Aggregate::Share(true) => How::Share,
        Aggregate::AverageEach
        | Aggregate::Range
        | Aggregate::Deviation
        | Aggregate::Percentile(_)
        | Aggregate::Correlation
        | Aggregate::Share(false) => return Err(Inexpressible("this number")),
    })
}

fn each(grain: Grain) -> Each {
    match grain {
        Grain::Day => Each::Day,
        Grain::Week => Each::Week,
        Grain::Month => Each::Month,
        Grain::Quarter => Each::Quarter,
        Grain::Year => Each::Year,
        Grain::Weekday => Each::Weekday,
        Grain::Hour => Each::Hour,
    }
}

/// A time as a question writes it.
fn period(period: &Period) -> Result<Said, Inexpressible> {
    let point = |period: &Period| -> Result<String, Inexpressible> {
        Ok(match period {
            Period::Year(year) => year.to_string(),
            Period::Part { grain: PartGrain::Quarter, number, year: Some(year) } => format!("{year}-Q{number}"),
            Period::Part { grain: PartGrain::Month, number, year: Some(year) } => format!("{year}-{number:02}"),
            Period::Day { year, month, day } => format!("{year}-{month:02}-{day:02}"),
            _ => return Err(Inexpressible("this time")),
        })
    };
    Ok(Said(match period {
        Period::Since(from) => format!("since {}", point(from)?),
        Period::After(end) => format!("after {}", point(end)?),
        Period::Before(from) => format!("before {}", point(from)?),
        Period::Until(end) => format!("until {}", point(end)?),
        Period::Between(from, to) => format!("between {} and {}", point(from)?, point(to)?),
        other => point(other)?,
    }))
}
