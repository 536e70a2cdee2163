//! What "how many" counts: rows, different values, units sold, or those who bought. A count of the wrong thing looks as
//! good as one of the right thing, so all that decides it stands here. Next: `compose`.

use super::super::form::{Aggregate, ColumnId, Measure, Mention, TableId, Thing};
use super::super::lexicon::Concept;
use super::super::source::ColumnKind;
use super::compose::Composer;
use super::mention::{concept_mention, is_measure};

impl Composer<'_> {
    /// "Average number of seats" averages the seats; "average number of tracks" counts them first. What was said before
    /// it, as in "min, max and average", is wanted as well.
    pub fn gather_counted(&mut self, aggregate: Aggregate, also: Vec<Aggregate>, of: Mention) {
        if of.table().is_none() && is_measure(self.catalogue, &of) {
            let all = also.into_iter().chain([aggregate]);
            return self.slots.measures.extend(all.map(|one| Measure::new(one, of.clone())));
        }
        if !also.is_empty() {
            let text = format!(
                "Several numbers of how many {} there are cannot be had at once: ask for one after the other.",
                of.words
            );
            self.read.doubt.get_or_insert(text);
        }
        self.slots.measures.push(Measure { over_groups: Some(aggregate), ..Measure::new(Aggregate::Count, of) });
        self.settle_group_of_average(Some(aggregate));
    }

    pub fn settle_counted(&mut self) {
        let Some(counted) = self.slots.counted.take() else { return };
        let sold = counted.table().or_else(|| self.sold_by_reference(&counted));
        let counted = match sold {
            Some(table) if counted.table().is_none() => Mention::of(counted.words, Thing::Table(table)),
            _ => counted,
        };
        let table = counted.table();
        let counted = self.already_counted(counted);
        let people = table.is_some_and(|table| self.catalogue.people().any(|person| person == table));
        let traded = table.is_some_and(|table| self.slots.sold && self.is_sold(table));
        if traded
            && (people || self.slots.distinct)
            && let Some((table, lines)) = table.and_then(|table| Some((table, self.lines_of(table)?)))
        {
            // Who bought, and how many different things were sold, is counted among those that sales lines refer to.
            self.form.context.push(lines);
            self.slots
                .measures
                .insert(0, Measure::new(Aggregate::Count, Mention::of(counted.words, Thing::Table(table))));
            return;
        }
        let sold_thing = traded && !people;
        let counted = if self.slots.distinct { counted } else { self.of_a_kind(counted) };
        let table = counted.table().or(table);
        self.doubt_count(&counted, sold_thing);
        let measure = if sold_thing {
            self.form.context.push(counted.clone());
            Measure::new(Aggregate::Sum, concept_mention(&format!("{} sold", counted.words), Concept::Quantity))
        } else {
            // "how many seats does the plane have" asks for the number it has, not for how many numbers there are.
            let id = |column: ColumnId| self.catalogue.column(column).is_id();
            let number = is_measure(self.catalogue, &counted) && !counted.columns().any(id);
            let aggregate = match table {
                Some(_) => Aggregate::Count,
                None if number && !self.slots.distinct => Aggregate::Sum,
                None => Aggregate::CountDistinct,
            };
            Measure::new(aggregate, counted)
        };
        self.slots.measures.insert(0, measure);
    }

    /// "How many visits", where nothing is called so and a column says of what type each is: the rows are counted, and
    /// not the types.
    fn of_a_kind(&mut self, counted: Mention) -> Mention {
        let kind = |column: &ColumnId| {
            let stems = &self.catalogue.column(*column).stems;
            let unsaid = |last: &String| !super::super::words::split_name(&counted.words).contains(last);
            stems.len() > 1 && stems.last().is_some_and(|last| matches!(last.as_str(), "type" | "kind") && unsaid(last))
        };
        let columns: Vec<ColumnId> = counted.columns().collect();
        let [column] = columns[..] else { return counted };
        if counted.table().is_some() || !kind(&column) {
            return counted;
        }
        let (plural, words) = (self.catalogue.plural(column.table), counted.words.to_lowercase());
        let label = self.catalogue.column_label(column);
        self.form.notes.push(format!("“{words}” are the {plural}: {label} says of what type each is."));
        Mention::of(plural, Thing::Table(column.table))
    }

    /// "How many tickets were sold", where the lines of sales refer to them by a key and nothing else is called so.
    fn sold_by_reference(&self, counted: &Mention) -> Option<TableId> {
        let referred = |column: ColumnId| Some(self.catalogue.join(self.catalogue.role_join(column)?).to);
        let mut tables = counted.columns().filter_map(referred).filter(|table| self.is_sold(*table));
        tables.next().filter(|_| self.slots.sold)
    }

    /// "How many seats", where a column says how many there are (`seat_count`): that one is added up, whatever else of
    /// the seats is written down.
    fn already_counted(&self, mut counted: Mention) -> Mention {
        let says = |column: ColumnId| {
            let entry = self.catalogue.column(column);
            let counts = |stem: &String| matches!(stem.as_str(), "count" | "number" | "num" | "quantity" | "qty");
            let ends = entry.stems.last().is_some_and(counts) || entry.stems.first().is_some_and(counts);
            entry.is_number() && entry.stems.len() > 1 && ends
        };
        if counted.table().is_none() && counted.columns().any(says) {
            counted.candidates.retain(|one| matches!(one.thing, Thing::Column(column) if says(column)));
        }
        counted
    }

    /// "Who bought the most tracks": units of them are added up, not tracks counted that there are.
    pub fn settle_traded(&mut self) {
        if !self.slots.sold {
            return;
        }
        let mut measures = std::mem::take(&mut self.slots.measures);
        for measure in &mut measures {
            let counted = measure.aggregate == Aggregate::Count && measure.over_groups.is_none();
            if let Some(table) = measure.of.table().filter(|table| counted && self.is_sold(*table)) {
                let words = format!("{} sold", measure.of.words);
                self.form.context.push(Mention::of(measure.of.words.clone(), Thing::Table(table)));
                *measure = Measure::new(Aggregate::Sum, concept_mention(&words, Concept::Quantity));
            }
        }
        self.slots.measures = measures;
    }

    /// "How many" counts things. Where only an amount or units could be given, that would be a wrong number with every
    /// appearance of a right one, so it is asked for by another name.
    fn doubt_count(&mut self, counted: &Mention, sold_thing: bool) {
        let words = &counted.words;
        if self.is_of_clock(counted) {
            let text = format!("“{words}” is the time of the rows, not a number of things: name what is counted.");
            self.read.doubt.get_or_insert(text);
        }
        let is_amount = counted.table().is_none()
            && (matches!(counted.concept(), Some(Concept::Money | Concept::Price | Concept::Pay))
                || counted.best().is_some_and(|best| match best.thing {
                    Thing::Column(column) => self.catalogue.column(column).kind == ColumnKind::Real,
                    Thing::Table(_) | Thing::Concept(_) => false,
                }));
        let doubt = match (sold_thing && self.slots.distinct, is_amount) {
            (true, _) => format!("How many different “{words}” were sold cannot be counted yet; units sold can."),
            (false, true) => format!(
                "“{words}” is an amount, not things that could be counted. Ask for its total or average, or name what is counted."
            ),
            (false, false) => return,
        };
        self.read.doubt.get_or_insert(doubt);
    }

    /// Whether a column holds the hour or minute of rows that hold their day in other columns, or in a date.
    fn is_of_clock(&self, counted: &Mention) -> bool {
        let is_clock = |stem: &String| matches!(stem.as_str(), "hour" | "minute" | "second");
        counted.table().is_none()
            && counted.columns().any(|column| {
                let entry = self.catalogue.column(column);
                let alone = entry.stems.as_slice().first().is_some_and(is_clock) && entry.stems.len() == 1;
                alone && !self.catalogue.table(column.table).axes.is_empty() && entry.kind == ColumnKind::Integer
            })
    }

    /// The rows of sales that refer directly to the table.
    fn lines_of(&self, table: TableId) -> Option<Mention> {
        let places = [Concept::Quantity, Concept::Money].map(|concept| self.catalogue.measures(concept));
        let mut places = places.into_iter().flatten();
        let line = places.find(|line| self.catalogue.referrers(table).any(|join| join.from == line.table))?.table;
        Some(Mention::of(self.catalogue.plural(line), Thing::Table(line)))
    }

    /// Whether lines with quantities refer directly to the table: what is sold, not who buys.
    fn is_sold(&self, table: TableId) -> bool {
        let lines = self.catalogue.measures(Concept::Quantity);
        lines.iter().any(|line| self.catalogue.referrers(table).any(|join| join.from == line.table))
    }
}
