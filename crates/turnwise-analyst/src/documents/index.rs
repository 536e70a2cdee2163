//! Finding passages by words: BM25 (Robertson and Zaragoza, 2009) over word stems, with how much of a question a
//! passage covers. Rank alone would always find something; coverage says whether it is an answer. Next: `library`.

use std::collections::{BTreeMap, BTreeSet};

use crate::words;

/// How soon a word said again in a passage counts no more.
const SATURATION: f64 = 1.2;
/// How much a long passage is held against it.
const LENGTH: f64 = 0.75;

/// Words by the passages that have them.
#[derive(Debug, Default)]
pub struct Index {
    /// For each root the passages with how often they say it.
    postings: BTreeMap<String, Vec<(usize, u32)>>,
    lengths: Vec<u32>,
    total: u64,
}

/// A passage found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number.
    pub passage: usize,
    /// Its rank; only to be compared with others of the same question.
    pub score: f64,
    /// How much of what the question asks for it has, from 0 to 1; rare words count more.
    pub covered: f64,
}

impl Index {
    /// Enters the next passage: the words of it and of what it stands under.
    pub fn enter(&mut self, text: &str) {
        let passage = self.lengths.len();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let roots = roots(text);
        for root in &roots {
            *counts.entry(root.clone()).or_default() += 1;
        }
        for (root, count) in counts {
            self.postings.entry(root).or_default().push((passage, count));
        }
        let length = u32::try_from(roots.len()).unwrap_or(u32::MAX);
        self.lengths.push(length);
        self.total += u64::from(length);
    }

    /// The passages that have any of the roots, best first.
    pub fn search(&self, wanted: &BTreeSet<String>) -> Vec<Hit> {
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        let mean = self.total as f64 / self.lengths.len().max(1) as f64;
        let all: f64 = wanted.iter().map(|root| self.weight(root)).sum();
        let mut found: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for root in wanted {
            let weight = self.weight(root);
            for &(passage, count) in self.postings.get(root).into_iter().flatten() {
                let (count, length) = (f64::from(count), f64::from(self.lengths[passage]));
                let often = count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * length / mean));
                let entry = found.entry(passage).or_default();
                entry.0 += weight * often;
                entry.1 += weight;
            }
        }
        let mut hits: Vec<Hit> = found
            .into_iter()
            .map(|(passage, (score, covered))| Hit { passage, score, covered: covered / all.max(f64::MIN_POSITIVE) })
            .collect();
        hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.passage.cmp(&other.passage)));
        hits
    }

    /// How telling a root is: the fewer passages have it the more, and most if none has.
    fn weight(&self, root: &str) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of passages")]
        let (having, all) = (self.postings.get(root).map_or(0, Vec::len) as f64, self.lengths.len() as f64);
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }
}

/// The roots of a text's words, in order.
pub fn roots(text: &str) -> Vec<String> {
    words::split(text).into_iter().map(|word| root(&word.stem)).filter(|root| !root.is_empty()).collect()
}

/// A stem without its ending, so that "refunded", "refunding" and "refunds" meet. Both sides go through this, so a root
/// need not be a word.
pub fn root(stem: &str) -> String {
    // What is left of an ending in the plural: "taxis", "gases".
    let one = stem.strip_suffix('s').filter(|rest| rest.chars().count() >= 3 && !rest.ends_with(['s', 'u']));
    let mut root = one.unwrap_or(stem);
    for ending in ["ing", "ed", "ment", "er"] {
        if let Some(rest) = root.strip_suffix(ending).filter(|rest| rest.chars().count() >= 4) {
            root = rest;
            break;
        }
    }
    root.trim_end_matches('e').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in
            [["refunds", "refunded", "refunding"], ["employee", "employees", "employee"], ["taxi", "taxis", "Taxis"]]
        {
            let found: BTreeSet<Vec<String>> = forms.iter().map(|form| roots(form)).collect();
            assert_eq!(found.len(), 1, "{found:?}");
        }
    }

    #[test]
    fn rare_words_decide_and_unknown_ones_lower_the_coverage() {
        let mut index = Index::default();
        for text in ["the leave policy for all staff", "refunds are paid to all staff", "all about the office"] {
            index.enter(text);
        }
        let wanted = |text: &str| roots(text).into_iter().collect::<BTreeSet<String>>();
        let hits = index.search(&wanted("refunds staff"));
        assert_eq!(hits[0].passage, 1);
        assert!((hits[0].covered - 1.0).abs() < 1e-9 && hits[1].covered < 0.5, "{hits:?}");
        assert!(index.search(&wanted("refunds parking"))[0].covered < 0.6);
        assert!(index.search(&wanted("parking")).is_empty());
    }
}
