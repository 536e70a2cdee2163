//! The way from the rows a query starts from to those asked about, where there are two: flights lead to an airport by
//! their origin and by their destination. Neither is taken silently. Next: `assemble`.

use super::weigh::{Misfit, route};
use super::{Trouble, keep_answer, question};
use crate::catalogue::{Catalogue, Path};
use crate::form::{Dimension, Mention, QueryForm, TableId};

/// Counting what each of the rows asked about refers to itself: an employee has one job, so that "employees with more
/// than 3 jobs" can only be told by rows that say which jobs they had.
pub fn one_of_each(catalogue: &Catalogue, form: &QueryForm, counted: TableId, start: TableId) -> Result<(), Misfit> {
    let groups = form.dimensions.iter().any(|dimension| match dimension {
        Dimension::Thing(mention) => mention.only_table() == Some(start),
        Dimension::Time(_) => false,
    });
    if !groups || start == counted || catalogue.paths(start, counted).is_empty() {
        return Ok(());
    }
    let (row, one) = (catalogue.table(start).noun(), catalogue.table(counted).noun());
    let text = format!("Each {row} has at most one {one} here, so how many there are of them says nothing.");
    Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) })
}

/// The lightest way from `start` to `home`; of several, the one by a column that was named, else the person says which.
pub fn way_home(catalogue: &Catalogue, form: &QueryForm, start: TableId, home: TableId) -> Result<Path, Misfit> {
    let paths = catalogue.paths(start, home);
    let Some(lightest) = paths.first().map(|path| catalogue.weight(path)) else { return Ok(Path::default()) };
    let rivals: Vec<Path> = paths.iter().filter(|path| catalogue.weight(path) == lightest).cloned().collect();
    let named: Vec<Path> = rivals.iter().filter(|path| is_named(catalogue, form, path)).cloned().collect();
    let rivals = if named.is_empty() { rivals } else { named };
    let topic = catalogue.plural(home);
    let labelled = |path: Path| (format!("{topic} by {}", route(catalogue, &path)), path);
    let rivals = keep_answer(form, &topic, rivals.into_iter().map(labelled).collect(), |(label, _)| label.as_str());
    match rivals.as_slice() {
        [] => Ok(Path::default()),
        [(_, only)] => Ok(only.clone()),
        several => {
            let labels: Vec<String> = several.iter().map(|(label, _)| label.clone()).collect();
            Err(Misfit { cost: 0, trouble: Trouble::Unclear(question(&topic, &labels)) })
        }
    }
}

/// Whether a way goes by a column the question names: "the destination airports".
fn is_named(catalogue: &Catalogue, form: &QueryForm, path: &Path) -> bool {
    path.0.iter().any(|id| {
        let join = catalogue.join(*id);
        let own = |mention: &Mention| {
            mention.columns().any(|column| column.table == join.from && join.from_columns == [column.column])
        };
        form.context.iter().any(own)
    })
}
