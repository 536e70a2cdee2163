//! Puts a query together from one starting table: sources in the order of their joins, groups, tests and the gathered
//! number, with every choice said as an assumption. Next: `list` for queries that gather nothing.

use super::weigh::{Misfit, Reading, Target, Use, weigh};
use super::{Gatherable, Gathering, Resolved, Trouble, apart, flag};
use crate::catalogue::{Amount, Catalogue, Display, JoinId, Path, plural};
use crate::form::{Aggregate, ColumnId, Dimension, Measure, Mention, QueryForm, TableId, Thing};
use crate::period::Grain;
use crate::query::{DatePart, Expression, Gathered, Group, Output, Query, Source};
use crate::source::ColumnKind;

/// Nothing can be gathered once per row when rows cannot be told apart.
pub const NO_KEY: u32 = 500;

/// A query being put together from `start`.
pub struct Frame<'a> {
    pub catalogue: &'a Catalogue,
    pub form: &'a QueryForm,
    pub start: TableId,
    /// The table asked about, and the way to it.
    home: Path,
    pub home_table: TableId,
    /// The column whose values are asked about, and its source, where those and no rows are.
    pub scope: Option<(ColumnId, usize)>,
    paths: Vec<Path>,
    sources: Vec<Source>,
    labels: Vec<String>,
    pub assumptions: Vec<String>,
    pub cost: u32,
    /// Whether the time meant was chosen, and its cost counted.
    pub timed: bool,
}

/// One measure, grouped and filtered as the form says, from `start`.
pub fn grouped(
    catalogue: &Catalogue,
    form: &QueryForm,
    measure: &Measure,
    option: &Gatherable,
    start: TableId,
) -> Result<Resolved, Misfit> {
    if measure.aggregate == Aggregate::Count && option.what == Gathering::Rows {
        super::home::one_of_each(catalogue, form, option.table, start)?;
    }
    let mut frame = Frame::new(catalogue, form, start, option.table);
    frame.home = super::home::way_home(catalogue, form, start, option.table)?;
    let label = measure_label(catalogue, form, measure);
    let mut groups = frame.groups()?;
    let mut tests = frame.tests()?;
    tests.extend(frame.current_number(measure, option.what == Gathering::Rows));
    let over_all = frame.average_over(measure, &mut groups, &mut tests);
    frame.check_context()?;
    let (mut of, once_per) = frame.gathering(measure, option)?;
    let with = match flag::share(measure) {
        Some(value) => {
            of = frame.share_of(measure, value)?;
            None
        }
        None => frame.other_number(measure, once_per.is_some())?,
    };
    let over_within = measure.over_groups.is_some() && groups.len() > 1;
    let query = Query {
        groups,
        tests,
        gathered: vec![Gathered { label: label.clone(), aggregate: measure.aggregate, of, with }],
        once_per,
        over_within,
        over_groups: measure.over_groups,
        over_all,
        count_groups: form.count_groups,
        sources: frame.sources,
        ..Query::default()
    };
    Ok(Resolved { query, assumptions: frame.assumptions, label, cost: frame.cost })
}

fn measure_label(catalogue: &Catalogue, form: &QueryForm, measure: &Measure) -> String {
    let words = measure.of.words.to_lowercase();
    let plural = measure.of.table().map_or_else(|| words.clone(), |table| catalogue.plural(table));
    let is_date = measure.of.columns().next().is_some_and(|column| catalogue.column(column).kind == ColumnKind::Date);
    let inner = match measure.aggregate {
        Aggregate::Count => format!("number of {plural}"),
        Aggregate::CountDistinct => format!("number of different {words}"),
        // What a person gave a name goes by it.
        Aggregate::Sum if measure.of.concept().is_some() || form.defined(catalogue, &words).is_some() => words,
        Aggregate::Sum => format!("total {words}"),
        Aggregate::Average | Aggregate::AverageEach => format!("average {words}"),
        Aggregate::Minimum if is_date => format!("first {words}"),
        Aggregate::Maximum if is_date => format!("last {words}"),
        Aggregate::Minimum => format!("lowest {words}"),
        Aggregate::Maximum => format!("highest {words}"),
        Aggregate::Median => format!("median {words}"),
        Aggregate::Range => format!("highest less lowest {words}"),
        Aggregate::Deviation => format!("standard deviation of {words}"),
        Aggregate::Percentile(percent) => format!("{percent}th percentile of {words}"),
        Aggregate::Share(value) => flag::share_label(&plural, measure, value),
        Aggregate::Correlation => {
            let other = measure.with.as_ref().map_or_else(String::new, |with| with.words.to_lowercase());
            format!("correlation of {words} and {other}")
        }
    };
    match measure.over_groups {
        Some(Aggregate::Median) => format!("median {inner}"),
        Some(Aggregate::Minimum) => format!("lowest {inner}"),
        Some(Aggregate::Maximum) => format!("highest {inner}"),
        Some(Aggregate::Deviation) => format!("standard deviation of {inner}"),
        Some(Aggregate::Percentile(percent)) => format!("{percent}th percentile of {inner}"),
        Some(_) => format!("average {inner}"),
        None => inner,
    }
}

impl<'a> Frame<'a> {
    /// Starts from `start` for a question about `home`, which `start` reaches.
    pub fn new(catalogue: &'a Catalogue, form: &'a QueryForm, start: TableId, home: TableId) -> Self {
        Self {
            catalogue,
            form,
            start,
            home: catalogue.paths(start, home).first().cloned().unwrap_or_default(),
            home_table: home,
            scope: None,
            paths: vec![Path::default()],
            sources: vec![Source { table: start, joined: None, current: None, by_day: false }],
            labels: Vec::new(),
            assumptions: Vec::new(),
            cost: 0,
            timed: false,
        }
    }

    /// The sources joined so far.
    pub fn into_sources(self) -> Vec<Source> {
        self.sources
    }

    /// The position of the source at the end of `path`, joined if it was not yet.
    pub fn source(&mut self, path: &Path) -> usize {
        if let Some(known) = self.paths.iter().position(|other| other == path) {
            return known;
        }
        let Some((last, before)) = path.0.split_last() else { return 0 };
        let left = self.source(&Path(before.to_vec()));
        let join = self.catalogue.join(*last);
        let pairs = join.from_columns.iter().copied().zip(join.to_columns.iter().copied()).collect();
        self.paths.push(path.clone());
        self.sources.push(Source { table: join.to, joined: Some((left, pairs)), current: None, by_day: join.by_day });
        let at = self.sources.len() - 1;
        if join.by_day {
            self.say_by_day(*last);
        }
        at
    }

    /// That no key links two tables, but the day.
    fn say_by_day(&mut self, join: JoinId) {
        let join = self.catalogue.join(join);
        let columns = join.from_columns.first().zip(join.to_columns.first());
        let Some((from, to)) = columns else { return };
        let own = self.catalogue.column_label(ColumnId { table: join.from, column: *from });
        let day = self.catalogue.column_label(ColumnId { table: join.to, column: *to });
        let (rows, days) = (&self.catalogue.table(join.from).name, &self.catalogue.table(join.to).name);
        self.assume(format!("{rows} and {days} are joined by day: that of {own} and {day}."));
    }

    /// The table of a source.
    pub fn source_table(&self, source: usize) -> TableId {
        self.sources[source].table
    }

    /// The source of the table asked about.
    pub fn home_source(&mut self) -> usize {
        let path = self.home.clone();
        self.source(&path)
    }

    /// The way to the table asked about.
    pub fn home_path(&self) -> &Path {
        &self.home
    }

    /// Whether a reading lies on the far side of the table asked about: a property of its rows.
    pub fn is_beyond_home(&self, reading: &Reading) -> bool {
        reading.path.0.starts_with(&self.home.0)
    }

    /// The source and the column that refer to the key of another source.
    pub fn referring_column(&self, source: usize, key: usize) -> Option<(usize, usize)> {
        let (left, pairs) = self.sources.get(source).filter(|source| !source.by_day)?.joined.as_ref()?;
        match pairs.as_slice() {
            [(from, to)] if *to == key => Some((*left, *from)),
            _ => None,
        }
    }

    /// A label not used yet.
    pub fn label(&mut self, wanted: &str) -> String {
        let mut label = wanted.to_owned();
        let mut number = 2;
        while self.labels.contains(&label) {
            label = format!("{wanted} {number}");
            number += 1;
        }
        self.labels.push(label.clone());
        label
    }

    /// Says what is taken for granted, once.
    pub fn assume(&mut self, sentence: String) {
        if !self.assumptions.contains(&sentence) {
            self.assumptions.push(sentence);
        }
    }

    fn groups(&mut self) -> Result<Vec<Group>, Misfit> {
        let form = self.form;
        let shows = |at: usize| at == 0 && !form.shown.is_empty();
        let mut groups: Vec<Group> = Vec::new();
        for (at, own) in form.dimensions.iter().enumerate() {
            let group = if shows(at) { self.shown_group(own) } else { self.group(own) }?;
            // "Who sponsors our stages, and how many has each sponsor": the same column said twice groups once.
            let has =
                |output: &Output, other: &Group| other.outputs.iter().any(|own| own.expression == output.expression);
            let said = group.outputs.iter().all(|output| groups.iter().any(|other| has(output, other)));
            if groups.is_empty() || !said {
                groups.push(group);
            }
        }
        Ok(groups)
    }

    /// The group a dimension makes.
    pub fn group(&mut self, dimension: &Dimension) -> Result<Group, Misfit> {
        match dimension {
            Dimension::Thing(mention) => {
                let reading = weigh(self.catalogue, self.form, self.start, mention, Use::Group)?;
                self.cost += reading.cost;
                self.note_reading(&mention.words, &reading);
                Ok(self.thing_group(&reading))
            }
            Dimension::Time(grain) => self.time_group(*grain),
        }
    }

    /// Says which column a word was read as, unless the word is the column's own name.
    pub fn note_reading(&mut self, words: &str, reading: &Reading) {
        let named = match reading.target {
            Target::Column(_) => words.eq_ignore_ascii_case(&reading.label),
            // "genres" needs no word about the table of that name; "who" does.
            Target::Rows(table) => {
                let stems = crate::words::split_name(words);
                self.catalogue.table(table).stems.iter().any(|stem| stems.contains(stem))
            }
        };
        if !named {
            self.assume(format!("“{words}” is read as {}.", reading.label));
        }
    }

    fn thing_group(&mut self, reading: &Reading) -> Group {
        let source = self.source(&reading.path);
        match reading.target {
            Target::Column(column) => {
                let entry = self.catalogue.column(column);
                let label = self.label(&entry.noun());
                let own = Expression::Column { source, column: column.column };
                let dated = entry.kind == ColumnKind::Date;
                let expression = if dated { Expression::Part { part: DatePart::Day, of: Box::new(own) } } else { own };
                let time = dated.then_some(Grain::Day);
                Group { outputs: vec![Output { label, expression }], keys: Vec::new(), time }
            }
            Target::Rows(table) => self.rows_group(table, source, reading),
        }
    }

    fn rows_group(&mut self, table: TableId, source: usize, reading: &Reading) -> Group {
        let noun = self.role_noun(table, &reading.path);
        let mut outputs = Vec::new();
        let key = self.catalogue.table(table).key;
        // A code people know by heart ("UA") is shown beside the name.
        let coded = key.filter(|&key| {
            let entry = self.catalogue.table(table);
            entry.columns[key].kind == ColumnKind::Text && entry.display != Display::Column(key)
        });
        let display = self.display(table, source);
        if let Some(key) = coded.filter(|_| display.is_some()) {
            let label = self.label(&format!("{noun} code"));
            outputs.push(Output { label, expression: Expression::Column { source, column: key } });
        }
        let shown = display.or(key.map(|column| Expression::Column { source, column }));
        if let Some(expression) = shown {
            let label = self.label(&noun);
            outputs.push(Output { label, expression });
        }
        if let Some(id) = self.told_apart(table, source) {
            outputs.push(id);
        }
        if outputs.is_empty() {
            outputs = super::list::name_columns(self, table, source);
        }
        let keys = key.map(|column| Expression::Column { source, column }).into_iter().collect();
        Group { outputs, keys, time: None }
    }

    /// The key of rows whose names repeat, unless it is a code that is shown anyway.
    pub fn told_apart(&mut self, table: TableId, source: usize) -> Option<Output> {
        let entry = self.catalogue.table(table);
        let key = entry.key.filter(|&key| entry.namesakes && entry.columns[key].kind != ColumnKind::Text)?;
        let label = self.label(&format!("{} id", entry.noun()));
        Some(Output { label, expression: Expression::Column { source, column: key } })
    }

    /// "support representative" when a column of that name led to the employees, else "employee".
    fn role_noun(&self, table: TableId, path: &Path) -> String {
        let own = self.catalogue.table(table).noun();
        let Some(join) = path.0.last().map(|id| self.catalogue.join(*id)).filter(|join| !join.by_day) else {
            return own;
        };
        match join.from_columns.as_slice() {
            [single] => {
                let noun = self.catalogue.table(join.from).columns[*single].noun();
                let noun = noun.strip_suffix(" code").unwrap_or(&noun).to_owned();
                if noun.len() < 4 { own } else { noun }
            }
            _ => own,
        }
    }

    /// What rows of `table` are called by.
    pub fn display(&self, table: TableId, source: usize) -> Option<Expression> {
        match self.catalogue.table(table).display {
            Display::Column(column) => Some(Expression::Column { source, column }),
            Display::FullName { first, last } => Some(Expression::FullName { source, first, last }),
            Display::Nothing => None,
        }
    }

    /// A reading from the table asked about, or else from the start.
    pub fn weigh_home(&mut self, mention: &Mention, wanted: Use) -> Result<Reading, Misfit> {
        let reading = match weigh(self.catalogue, self.form, self.home_table, mention, wanted) {
            Ok(mut reading) => {
                reading.path = Path(self.home.0.iter().chain(&reading.path.0).copied().collect());
                reading
            }
            Err(misfit) if matches!(misfit.trouble, Trouble::Unclear(_)) => return Err(misfit),
            Err(_) => weigh(self.catalogue, self.form, self.start, mention, wanted)?,
        };
        self.cost += reading.cost;
        Ok(reading)
    }

    /// The value a reading stands for.
    pub fn value_of(&mut self, reading: &Reading) -> Expression {
        let source = self.source(&reading.path);
        match reading.target {
            Target::Column(column) => Expression::Column { source, column: column.column },
            Target::Rows(table) => {
                let key = self.catalogue.table(table).key.unwrap_or_default();
                self.display(table, source).unwrap_or(Expression::Column { source, column: key })
            }
        }
    }

    /// Tables that were only named must be within reach, else another start has what was meant.
    pub fn check_context(&mut self) -> Result<(), Misfit> {
        let form = self.form;
        for mention in &form.context {
            let Some(table) = mention.table().filter(|table| !form.lacks(*table)) else { continue };
            match self.catalogue.paths(self.start, table).first() {
                Some(path) => self.cost += u32::try_from(path.0.len()).unwrap_or_default(),
                None => {
                    let text = format!(
                        "No keys link “{}” with the rest of the question, so they cannot be put together.",
                        mention.words
                    );
                    let misfit = Misfit { cost: NO_KEY * 2, trouble: Trouble::Impossible(text) };
                    let thing = std::iter::once(Thing::Table(table));
                    return Err(apart::explained(self.catalogue, self.start, &mention.words, thing, misfit));
                }
            }
        }
        Ok(())
    }

    /// The gathered value, and what tells rows apart where the start repeats them.
    fn gathering(
        &mut self,
        measure: &Measure,
        option: &Gatherable,
    ) -> Result<(Option<Expression>, Option<Expression>), Misfit> {
        let path = self.home.clone();
        let source = self.source(&path);
        let of = match &option.what {
            Gathering::Rows => None,
            Gathering::Source(measured) => {
                if !measure.of.words.eq_ignore_ascii_case(&measured.label) {
                    self.assume(format!("“{}” is {}.", measure.of.words, measured.label));
                }
                Some(self.amount(&path, &measured.amount))
            }
        };
        let harmless = matches!(measure.aggregate, Aggregate::CountDistinct | Aggregate::Minimum | Aggregate::Maximum);
        if self.start == option.table || harmless {
            return Ok((of, None));
        }
        let Some(key) = self.catalogue.table(option.table).key else {
            let plural = self.catalogue.plural(option.table);
            let text = format!("{plural} have no key, so they cannot be counted once each here.");
            return Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) });
        };
        let (noun, through) = (self.catalogue.table(option.table).noun(), &self.catalogue.table(self.start).name);
        self.assume(format!("Each {noun} found in {through} counts once, however often it occurs there."));
        // A plane that flew counts, also where the planes lack its row.
        let told_by = if of.is_none() { self.referring_column(source, key) } else { None };
        let told_by = told_by.map(|(source, column)| Expression::Column { source, column });
        Ok((of, told_by.or(Some(Expression::Column { source, column: key }))))
    }

    /// The second number of a correlation, which is had from the same rows; or what tells the rows an average is over.
    fn other_number(&mut self, measure: &Measure, repeated: bool) -> Result<Option<Expression>, Misfit> {
        let Some(mention) = &measure.with else { return Ok(None) };
        if measure.aggregate == Aggregate::AverageEach {
            return self.averaged_over(measure, mention, repeated).map(Some);
        }
        if repeated {
            let text = format!("“{}” and “{}” are not numbers of the same rows.", measure.of.words, mention.words);
            return Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) });
        }
        let reading = self.weigh_home(mention, Use::Number)?;
        self.note_reading(&mention.words, &reading);
        Ok(Some(self.value_of(&reading)))
    }

    /// What tells the rows apart that parts are added up for before they are averaged.
    fn averaged_over(&mut self, measure: &Measure, rows: &Mention, repeated: bool) -> Result<Expression, Misfit> {
        let reading = self.weigh_home(rows, Use::Plain)?;
        let told_by = match reading.target {
            Target::Rows(table) => self.catalogue.table(table).key,
            Target::Column(column) => Some(column.column),
        };
        let plural = plural(&rows.words.to_lowercase());
        let Some(key) = told_by.filter(|_| !repeated) else {
            let text = format!("“{}” cannot be added up for each of the {plural} here.", measure.of.words);
            return Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) });
        };
        self.assume(format!("It is added up for each of the {plural} that have any of it, and these are averaged."));
        let source = self.source(&reading.path);
        let (source, column) = self.referring_column(source, key).unwrap_or((source, key));
        Ok(Expression::Column { source, column })
    }

    fn amount(&mut self, path: &Path, amount: &Amount) -> Expression {
        let source = self.source(path);
        match amount {
            Amount::Column(column) => Expression::Column { source, column: column.column },
            Amount::Product { price, price_via, quantity, discount } => {
                let mut priced = path.clone();
                priced.0.extend(price_via);
                let price_source = self.source(&priced);
                let mut factors = vec![
                    Expression::Column { source: price_source, column: price.column },
                    Expression::Column { source, column: quantity.column },
                ];
                if let Some(discount) = discount {
                    let column = Expression::Column { source, column: discount.column };
                    factors.push(Expression::Complement(Box::new(column)));
                }
                Expression::Product(factors)
            }
            Amount::Difference { of, less } => {
                let columns = std::iter::once(of).chain(less);
                let terms = columns.map(|column| Expression::Column { source, column: column.column });
                Expression::Difference(terms.collect())
            }
        }
    }
}
