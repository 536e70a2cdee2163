//! Several names of one thing: "date of birth" and `dob`, and nouns whose rows have no other name than pieces of them.
//! Next: `lexicon`; `read::plainer` puts the name that the data has.

use super::{Lexicon, words};

impl Lexicon {
    /// Groups of names for the same, each name as its words.
    pub fn same_names(&self) -> impl Iterator<Item = &Vec<Vec<String>>> {
        self.same_names.iter()
    }

    /// Whether a noun has no plural, so that what there is of it are its items: "inventory items".
    pub fn is_mass(&self, stem: &str) -> bool {
        self.masses.contains(stem)
    }

    /// Whether a verb says no more than that two things belong together where somebody is named behind "by".
    pub fn is_linking_by(&self, verb: &str) -> bool {
        words::verb_roots(verb).iter().any(|root| self.linking_by.contains(root))
    }
}

/// The words of each name of a group.
pub fn split(group: &[String]) -> Vec<Vec<String>> {
    group.iter().map(|name| name.split_whitespace().map(str::to_owned).collect()).collect()
}
