//! Tests on the text of a column, and tests of which one side is enough. They stand apart from the others because a
//! text is looked for in what rows are called by where no column is named, and because sides hold tests themselves.
//! Next: `assemble`.

use super::Trouble;
use super::assemble::Frame;
use super::weigh::{Misfit, Use};
use crate::catalogue::Display;
use crate::form::{Filter, Mention};
use crate::query::{Test, TextPlace};

/// Where a text has to stand.
pub fn place(start: bool, end: bool) -> TextPlace {
    match (start, end) {
        (true, _) => TextPlace::Start,
        (false, true) => TextPlace::End,
        (false, false) => TextPlace::Anywhere,
    }
}

impl Frame<'_> {
    /// The test on the column that was named, or on what the rows asked about are called.
    pub fn text_test(
        &mut self,
        of: Option<&Mention>,
        text: &str,
        place: TextPlace,
        negated: bool,
    ) -> Result<Test, Misfit> {
        // The name of products is what they are called by, although shops have a column of that name.
        let home = self.home_table;
        let is_name = |mention: &Mention| {
            let name = matches!(mention.words.to_lowercase().as_str(), "name" | "names");
            name && mention.candidates.len() > 1
        };
        let has_own = |mention: &Mention| mention.columns().any(|column| column.table == home);
        let named = self.catalogue.table(home).display != Display::Nothing;
        let of = match of.filter(|mention| !(is_name(mention) && !has_own(mention) && named)) {
            Some(mention) => {
                let reading = self.weigh_home(mention, Use::Plain)?;
                self.check_negation(text, &reading, negated)?;
                self.assume(format!("“{text}” is looked for in {}.", reading.label));
                self.value_of(&reading)
            }
            None => {
                let source = self.home_source();
                self.display(self.home_table, source).ok_or_else(|| Misfit {
                    cost: 0,
                    trouble: Trouble::Impossible("These rows have no name to search in.".to_owned()),
                })?
            }
        };
        Ok(Test::Text { of, text: text.to_owned(), place, negated })
    }

    /// The test that all of one side holds, or all of another.
    pub fn either(&mut self, sides: &[Vec<Filter>]) -> Result<Test, Misfit> {
        let mut tests = Vec::new();
        for side in sides {
            let mut all = Vec::new();
            for filter in side {
                all.extend(self.tests_of(filter)?);
            }
            tests.push(all);
        }
        Ok(Test::Any(tests))
    }
}
