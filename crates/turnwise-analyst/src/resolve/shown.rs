//! Columns that were asked for by name: of listed rows, or of the rows that are groups. What belongs to these rows in
//! several is listed with each of them, and never one of them taken. Next: `list`, `assemble`.

use super::assemble::Frame;
use super::weigh::{Misfit, Reading, Target, Use, weigh};
use crate::catalogue::{ColumnPart, Path};
use crate::form::{ColumnId, Dimension, Mention};
use crate::query::{Expression, Group, Output, Test};
use crate::source::ColumnKind;
use crate::words;

/// Words that ask for what refers, and not for what it refers to.
const AS_WRITTEN: [&str; 6] = ["id", "code", "number", "no", "key", "nr"];

/// The columns of a list.
pub struct Shown {
    pub columns: Vec<Output>,
    /// Whether the rows may have several of what is shown, so that each pair is a row.
    pub finer: bool,
}

/// A code asked for is the code; anything else that refers stands for the name of what it refers to.
pub fn use_of(mention: &Mention) -> Use {
    let last = mention.words.split_whitespace().last().map(words::singular).unwrap_or_default();
    if AS_WRITTEN.contains(&last.as_str()) { Use::Plain } else { Use::Group }
}

impl Frame<'_> {
    /// What a form asks to be shown of the rows it lists.
    pub fn shown_columns(&mut self, tests: &mut Vec<Test>) -> Result<Shown, Misfit> {
        let form = self.form;
        let mut shown = Shown { columns: Vec::new(), finer: false };
        for mention in &form.shown {
            let reading = self.weigh_home(mention, use_of(mention))?;
            let beyond = self.is_beyond_home(&reading);
            if !beyond && !shown.finer {
                let start = self.catalogue.plural(self.start);
                let home = self.catalogue.plural(self.home_table);
                self.assume(format!(
                    "One row for each of the {start} that belong to {home}; equal rows are shown once."
                ));
            }
            shown.finer |= !beyond;
            let expression = self.value_of(&reading);
            self.show(&mut shown.columns, &mention.words, expression);
        }
        if shown.finer
            && let Some(column) = self.catalogue.table(self.home_table).key
        {
            let source = self.home_source();
            tests.push(Test::Missing { of: Expression::Column { source, column }, negated: true });
        }
        Ok(shown)
    }

    /// All columns of the rows a form lists.
    pub fn whole_columns(&mut self) -> Vec<Output> {
        let source = self.home_source();
        let table = self.catalogue.table(self.home_table);
        let mut columns = Vec::new();
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.kind != ColumnKind::Blob) {
            self.show(&mut columns, &column.name, Expression::Column { source, column: at });
        }
        columns
    }

    fn show(&mut self, columns: &mut Vec<Output>, label: &str, expression: Expression) {
        if !columns.iter().any(|output| output.expression == expression) {
            let label = self.label(label);
            columns.push(Output { label, expression });
        }
    }

    /// The group a dimension makes, shown by the columns that were asked for.
    pub fn shown_group(&mut self, dimension: &Dimension) -> Result<Group, Misfit> {
        let Dimension::Thing(mention) = dimension else { return self.group(dimension) };
        let reading = weigh(self.catalogue, self.form, self.start, mention, Use::Group)?;
        let Target::Rows(table) = reading.target else { return self.group(dimension) };
        self.cost += reading.cost;
        let form = self.form;
        let mut outputs = Vec::new();
        for mention in &form.shown {
            let own = weigh(self.catalogue, form, table, mention, use_of(mention))?;
            self.cost += own.cost;
            let path = Path(reading.path.0.iter().chain(&own.path.0).copied().collect());
            let expression = self.value_of(&Reading { path, ..own });
            self.show(&mut outputs, &mention.words, expression);
        }
        let source = self.source(&reading.path);
        let key = self.catalogue.table(table).key.map(|column| Expression::Column { source, column });
        if !outputs.iter().any(|output| Some(&output.expression) == key.as_ref()) {
            outputs.extend(self.told_apart(table, source));
        }
        Ok(Group { outputs, keys: key.into_iter().collect(), time: None })
    }

    /// Whether a column may be shown: everything but bytes and numbers that only refer; a code ("UA") says something.
    pub fn is_shown(&self, column: ColumnId) -> bool {
        let entry = self.catalogue.column(column);
        let number = entry.kind != ColumnKind::Text;
        entry.kind != ColumnKind::Blob && !(number && matches!(entry.part, ColumnPart::Reference(_)))
    }
}
