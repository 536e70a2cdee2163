//! An order in a question: rows by a number or a date of their own, groups by what their rows come to or by how many
//! there are. The first of each group is beyond this. Next: `build`.

use std::rc::Rc;

use super::build::Builder;
use super::ground::{Ground, Grounded};
use super::pieces::{Place, Ranked};
use super::uses::{Chance, Use};
use crate::lexicon::Concept;
use crate::linking::Kind;
use crate::question::{Each, End, Group, How, Listed, Name, Number, Rank, Words};

/// The first number of a question, as an order names it.
const MEASURE: &str = "measure";

impl Builder<'_> {
    /// The order that the message asks for.
    pub fn ranked(&mut self) -> Option<()> {
        self.groups()?;
        let ranked = self.message.ranked.as_ref()?;
        let listed = self.doing(|does| matches!(does, Use::List | Use::Group));
        if listed.iter().any(|part| part.does == Use::Group) {
            return None;
        }
        let subject = if self.timed && listed.is_empty() { None } else { Some(self.ranked_subject(&listed)?) };
        let Some(subject) = subject else { return self.ranked_times(ranked) };
        let ordered = self.doing(|does| does == Use::Order || matches!(does, Use::Gather(_)));
        let counted = self.doing(|does| matches!(does, Use::OrderCount | Use::Count));
        match (ordered.as_slice(), counted.as_slice()) {
            ([part], []) => self.by_number(ranked, &listed, &subject, part),
            ([], counted) => {
                if !ranked.counts {
                    self.costs.add("counted unsaid", 1.0);
                }
                self.by_count(&subject, counted.first().map(AsRef::as_ref))
            }
            _ => None,
        }?;
        // Rows were ordered by what they have themselves.
        if !self.question.rank.is_empty() {
            return Some(());
        }
        let by = self.name(&subject.1)?;
        self.question.groups.push(Group { as_said: self.words(subject.0), by, each: Each::Value });
        self.question.rank.push(rank(ranked, Name(MEASURE.to_owned()), ranked.end));
        Some(())
    }

    /// Which month or year comes first, by what its rows come to.
    fn ranked_times(&mut self, ranked: &Ranked) -> Option<()> {
        if self.gathered()? == 0 {
            let counted = self.doing(|does| matches!(does, Use::OrderCount | Use::Count));
            let counted = counted.first().and_then(|part| Some((part.at, part.ground.as_ref()?.ground.table()?)));
            let (at, table) = counted.or_else(|| self.rows_spoken_of())?;
            let of = self.table_name(table);
            self.question.measures.push(Number { as_said: self.words(at), how: How::Count, of, only: Vec::new() });
        }
        self.question.rank.push(rank(ranked, Name(MEASURE.to_owned()), ranked.end));
        Some(())
    }

    /// What is put in order, with the piece that says so.
    fn ranked_subject(&mut self, listed: &[Rc<Chance>]) -> Option<(usize, Ground)> {
        match listed.first() {
            Some(part) => Some((part.at, part.ground.clone()?.ground)),
            None => {
                self.costs.add("unasked rows", 1.0);
                let (at, table) = self.rows_spoken_of()?;
                Some((at, Ground::Table(table)))
            }
        }
    }

    fn by_number(
        &mut self,
        ranked: &Ranked,
        listed: &[Rc<Chance>],
        subject: &(usize, Ground),
        part: &Chance,
    ) -> Option<()> {
        let of = part.ground.clone()?;
        let name = self.name(&of.ground)?;
        let is_own = matches!(subject.1, Ground::Table(own) if of.ground.table() == Some(own));
        let piece = self.message.pieces.get(part.at);
        let gathered = piece.is_some_and(|piece| matches!(piece.place, Place::Gathered(_)));
        if (is_own && !gathered) || of.kind == Kind::Date {
            // The oldest has the earliest date.
            let order = if self.is_age_by_date(part) { other(ranked.end) } else { ranked.end };
            self.list(listed, subject)?;
            self.question.list.push(Listed { as_said: self.words(part.at), of: name.clone() });
            self.question.rank.push(rank(ranked, name, order));
            return Some(());
        }
        // "The oldest concert" is that of no one's age but its own.
        if piece.is_some_and(|piece| piece.property.is_some()) {
            return None;
        }
        if !ranked.counts && of.ground.table() == subject.1.table() {
            self.costs.add("added up", 1.0);
        }
        let how = if let Use::Gather(how) = part.does { how } else { How::Sum };
        self.question.measures.push(Number { as_said: self.words(part.at), how, of: name, only: Vec::new() });
        Some(())
    }

    fn by_count(&mut self, subject: &(usize, Ground), counted: Option<&Chance>) -> Option<()> {
        let spoken = || {
            self.way.parts.iter().find_map(|part| match (&part.ground, part.does) {
                (Some(Grounded { ground: Ground::Table(table), .. }), Use::Beside) => Some((part.at, *table)),
                _ => None,
            })
        };
        let own = || match subject.1 {
            Ground::Column(column) => Some((subject.0, column.table)),
            Ground::Table(_) | Ground::Value(..) => None,
        };
        let (at, table) = match counted {
            Some(part) => (part.at, part.ground.as_ref()?.ground.table()?),
            None => spoken().or_else(own)?,
        };
        if subject.1 == Ground::Table(table) {
            return None;
        }
        let of = self.table_name(table);
        self.question.measures.push(Number { as_said: self.words(at), how: How::Count, of, only: Vec::new() });
        Some(())
    }

    fn is_age_by_date(&self, part: &Chance) -> bool {
        let is_age = self.message.pieces.get(part.at).is_some_and(|piece| piece.property == Some(Concept::Age));
        let is_date = part.ground.as_ref().is_some_and(|own| match own.ground {
            Ground::Column(column) => own.kind == Kind::Date || self.catalogue.is_year(column),
            Ground::Table(_) | Ground::Value(..) => false,
        });
        is_age && is_date
    }
}

fn rank(ranked: &Ranked, by: Name, order: End) -> Rank {
    let limit = ranked.limit.unwrap_or(1);
    Rank { as_said: Words(ranked.words.clone()), by, limit, order, per_group: false }
}

fn other(end: End) -> End {
    match end {
        End::Highest => End::Lowest,
        End::Lowest => End::Highest,
    }
}
