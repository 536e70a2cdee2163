//! Numbers of what was shown: "what is the average of them?", "and the maximum?", "which one is the highest?". Next:
//! `kept`, which keeps them to the rows found before.

use super::super::form::{Aggregate, Analysis, Dimension, Measure, Mention, QueryForm, RankBy, Ranking, Thing};
use super::super::lexicon::Order;
use super::about::told_by_tests;
use super::make::{Making, SILENT, unshow};

impl Making<'_> {
    /// The number columns that the last result showed, as they were called.
    fn numbers(&self) -> Vec<Mention> {
        let is_number = |mention: &&Mention| {
            mention.best().is_some_and(|best| match best.thing {
                Thing::Column(column) => self.catalogue.column(column).is_number(),
                Thing::Concept(_) => true,
                Thing::Table(_) => false,
            })
        };
        let ranked = self.form.ranking.as_ref().and_then(|ranking| match &ranking.by {
            RankBy::Property(mention) => Some(mention),
            RankBy::Measure => None,
        });
        let groups = self.form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let mut numbers: Vec<Mention> = Vec::new();
        for mention in self.form.attributes.iter().chain(&self.form.shown).chain(groups).filter(is_number) {
            if !numbers.contains(mention) {
                numbers.push(mention.clone());
            }
        }
        if numbers.is_empty() { ranked.filter(is_number).cloned().into_iter().collect() } else { numbers }
    }

    /// "What is the average of them?", "and the minimum and maximum?", "which one is the highest?".
    pub fn gathered(&self) -> Result<Option<QueryForm>, String> {
        // "The maximum instead of the average" wants the first of them.
        let words = self.said.words.iter().take_while(|word| *word != "instead").cloned().collect::<Vec<_>>();
        let wanted = aggregates(&words);
        let gathering = AGGREGATES.map(|(word, _)| word);
        if wanted.is_empty() {
            return Ok(None);
        }
        if !self.only(&[&gathering, &["which", "who", "on", "instead", "rather"]]) {
            return self.gathered_of(wanted, &gathering);
        }
        let which = self.says(&["which", "who"]);
        let form = self.form;
        let mut made = self.bare();
        if which {
            return self.extreme(&wanted).map(Some);
        }
        if form.dimensions.is_empty()
            && let [first, ..] = form.measures.as_slice()
        {
            let plain = !matches!(first.aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Share(_));
            if !plain || first.over_groups.is_some() {
                return Ok(None);
            }
            let others = wanted.iter().map(|aggregate| Measure { aggregate: *aggregate, ..first.clone() });
            made.measures =
                if self.said.also { form.measures.iter().cloned().chain(others).collect() } else { others.collect() };
            made.measures.dedup();
            return Ok(Some(made));
        }
        if !form.measures.is_empty() {
            if let Some(turned) = self.turned(&wanted) {
                return Ok(Some(turned));
            }
            let ranked = form.ranking.as_ref().is_some_and(|ranking| ranking.limit == Some(1));
            return match wanted.as_slice() {
                [Aggregate::Average | Aggregate::Median | Aggregate::Minimum | Aggregate::Maximum]
                    if !ranked && self.said.of.is_none() && self.gathers_numbers() =>
                {
                    made.measures.iter_mut().for_each(|measure| measure.aggregate = wanted[0]);
                    Ok(Some(made))
                }
                [Aggregate::Sum] => self.summed(),
                [Aggregate::Minimum | Aggregate::Maximum] if ranked => self.extreme(&wanted).map(Some),
                _ => Ok(None),
            };
        }
        let numbers = self.numbers();
        let [of] = numbers.as_slice() else {
            let listed: Vec<&str> = numbers.iter().map(|number| number.words.as_str()).collect();
            let which = if listed.is_empty() { "no numbers".to_owned() } else { listed.join(" and ") };
            return Err(format!("Of what? The last result shows {which}: name the number that is meant."));
        };
        self.gathering(wanted, of).map(Some)
    }

    /// "And the least?" of the five that paid the most: as many from the other end, by the same number.
    fn turned(&self, wanted: &[Aggregate]) -> Option<QueryForm> {
        let order = match wanted {
            [Aggregate::Maximum] => Order::Descending,
            [Aggregate::Minimum] => Order::Ascending,
            _ => return None,
        };
        let several = |ranking: &&Ranking| ranking.limit.is_some_and(|limit| limit > 1) && ranking.order != order;
        let ranking = self.form.ranking.as_ref().filter(several)?;
        let end = self.says(&["least", "fewest", "lowest", "smallest", "most", "highest", "largest", "biggest"]);
        (end && self.said.of.is_none()).then(|| {
            let mut made = self.bare();
            made.ranking = Some(Ranking { order, ..ranking.clone() });
            made
        })
    }

    /// Whether each group has one number that could be gathered in another way.
    fn gathers_numbers(&self) -> bool {
        let number = |measure: &Measure| {
            let gathered =
                [Aggregate::Sum, Aggregate::Average, Aggregate::Median, Aggregate::Minimum, Aggregate::Maximum];
            gathered.contains(&measure.aggregate) && measure.over_groups.is_none()
        };
        self.form.measures.len() == 1 && self.form.measures.iter().all(number) && self.form.analysis == Analysis::Plain
    }

    /// "What is the total of these?" of numbers by group.
    fn summed(&self) -> Result<Option<QueryForm>, String> {
        let adds = |measure: &Measure| {
            matches!(measure.aggregate, Aggregate::Sum | Aggregate::Count) && measure.over_groups.is_none()
        };
        // The value of what was counted is another number than how many there are.
        let counts = |measure: &Measure| measure.aggregate == Aggregate::Count;
        if self.form.measures.iter().any(counts) && self.says(&["value", "values"]) {
            return Ok(None);
        }
        if self.said.of.is_none() || !self.form.measures.iter().all(adds) || self.form.analysis != Analysis::Plain {
            return Ok(None);
        }
        let mut made = self.bare();
        (made.dimensions, made.ranking, made.conditions) = (Vec::new(), None, Vec::new());
        if told_by_tests(self.catalogue, self.form, self.about) || self.is_all_groups() {
            return Ok(Some(self.noted(made)));
        }
        self.kept(made, false).map(|made| Some(self.noted(made)))
    }

    /// "What is the average, minimum and maximum age of those?"
    fn gathered_of(&self, wanted: Vec<Aggregate>, gathering: &[&str]) -> Result<Option<QueryForm>, String> {
        let list = self.form.measures.is_empty() && self.said.of.is_some() && wanted.len() > 1;
        let rest = self.said.words.iter().map(String::as_str);
        let rest: Vec<&str> =
            rest.filter(|word| !SILENT.contains(word) && !gathering.contains(word) && !self.is_noun(word)).collect();
        let of = self.single_column(&rest.join(" ")).filter(|of| list && self.own_column(of).is_some());
        let number = |of: &Mention| self.own_column(of).is_some_and(|column| self.catalogue.column(column).is_number());
        of.filter(number).map(|of| self.gathering(wanted, &of)).transpose()
    }

    /// Numbers gathered from the rows of the last list.
    fn gathering(&self, wanted: Vec<Aggregate>, of: &Mention) -> Result<QueryForm, String> {
        let mut made = self.bare();
        made.measures = wanted.into_iter().map(|aggregate| Measure::new(aggregate, of.clone())).collect();
        unshow(&mut made);
        (made.dimensions, made.ranking) = (Vec::new(), None);
        made.context.extend(made.subject.take());
        self.kept(made, true).map(|made| self.noted(made))
    }

    /// "Which one is the highest?" of what was shown.
    fn extreme(&self, wanted: &[Aggregate]) -> Result<QueryForm, String> {
        let order = match wanted {
            [Aggregate::Maximum] => Order::Descending,
            [Aggregate::Minimum] => Order::Ascending,
            _ => return Err("Which one of them by what? Name one end, as in “which one is the highest”.".to_owned()),
        };
        let mut made = self.bare();
        let by = match (self.form.measures.first(), self.numbers().as_slice()) {
            (Some(_), _) if !self.form.dimensions.is_empty() => RankBy::Measure,
            (None, [only]) => RankBy::Property(only.clone()),
            _ => return Err("The highest or lowest by what? Name the number, as in “the highest price”.".to_owned()),
        };
        if matches!(by, RankBy::Property(_)) {
            made.subject = Some(Mention::of(self.about.plural.clone(), Thing::Table(self.about.table)));
            made.dimensions.clear();
            unshow(&mut made);
        }
        made.ranking = Some(Ranking { order, limit: Some(1), by });
        // Of one that was found there is no other end: then all of them are meant again.
        let before = self.form.ranking.as_ref().and_then(|ranking| ranking.limit).is_some_and(|limit| limit > 1);
        if before { self.kept(made, false).map(|made| self.noted(made)) } else { Ok(self.noted(made)) }
    }
}

const AGGREGATES: [(&str, Aggregate); 18] = [
    ("average", Aggregate::Average),
    ("mean", Aggregate::Average),
    ("median", Aggregate::Median),
    ("minimum", Aggregate::Minimum),
    ("min", Aggregate::Minimum),
    ("smallest", Aggregate::Minimum),
    ("lowest", Aggregate::Minimum),
    ("least", Aggregate::Minimum),
    ("fewest", Aggregate::Minimum),
    ("most", Aggregate::Maximum),
    ("maximum", Aggregate::Maximum),
    ("max", Aggregate::Maximum),
    ("largest", Aggregate::Maximum),
    ("highest", Aggregate::Maximum),
    ("biggest", Aggregate::Maximum),
    ("greatest", Aggregate::Maximum),
    ("total", Aggregate::Sum),
    ("sum", Aggregate::Sum),
];

/// The ways of gathering that are named, in their order.
fn aggregates(words: &[String]) -> Vec<Aggregate> {
    let of = |word: &String| AGGREGATES.iter().find(|(said, _)| said == word).map(|(_, aggregate)| *aggregate);
    let mut named: Vec<Aggregate> = words.iter().filter_map(of).collect();
    named.dedup();
    named
}
