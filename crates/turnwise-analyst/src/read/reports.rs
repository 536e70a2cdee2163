//! Who refers to whom within one table: "who reports to Ada", "how many does she manage", "managers with more than five
//! reports", "average salary of managers". Whoever is named there is not the row asked about but the one it refers to,
//! or the other way round. Next: `selves` for what is said of both rows, `slots`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, Filter, Found, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::selves::{SUPERIORS, roles};
use super::spot::Spotted;

/// Verbs of whoever others report to, and of those others.
const LEADS: [&str; 5] = ["manage", "supervise", "lead", "oversee", "boss"];
const FOLLOWS: [&str; 6] = ["report", "reports", "reported", "reporting", "answer", "answers"];
/// Those others by a noun.
const FOLLOWERS: [&str; 8] =
    ["reports", "report", "direct reports", "direct report", "subordinates", "subordinate", "reportees", "underlings"];
/// What is said of what is a part of another row, and what that row is called.
const BELONGS: [&str; 7] =
    ["belong to", "belongs to", "belonging to", "belonged to", "part of", "a part of", "owned by"];
const ABOVE: [&str; 8] = ["parent", "group", "head", "holding", "owner", "umbrella", "main", "chain"];
/// Words that say no more than that nobody stands between.
const DIRECTLY: [&str; 3] = ["directly", "direct", "immediate"];

/// Reads who refers to whom.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    if catalogue.of_themselves().next().is_none() {
        return;
    }
    let mut reader = Reader { catalogue, spans };
    reader.belongs();
    reader.follows();
    reader.leads();
    reader.most_followers();
    reader.followers();
    reader.grouped();
    reader.rows();
}

struct Reader<'a, 'b> {
    catalogue: &'a Catalogue,
    spans: &'b mut Vec<Spotted>,
}

impl Reader<'_, '_> {
    /// "who reports to Ada", "people who report to each manager", "who does Ada report to".
    fn follows(&mut self) {
        let Some(role) = self.superior() else { return };
        self.split_verbs();
        let mut at = 0;
        while at < self.spans.len() {
            let Some(end) = self.follow_verb(at) else {
                at += 1;
                continue;
            };
            let next = (end + 1..self.spans.len()).find(|next| !self.is_small(*next));
            let doer = (0..at).any(|before| self.is_person(before, role.table));
            let each = (end..next.unwrap_or(end)).any(|place| self.spans[place].role() == Some(Role::Each));
            match next {
                Some(next) if self.is_person(next, role.table) => {
                    self.refer(next, role);
                    self.spans.drain(at..=end);
                    self.name_rows(role.table);
                }
                Some(next) if each && !roles(self.catalogue, self.spans, next).is_empty() => {
                    self.spans.drain(at..=end);
                }
                None if doer => {
                    let text = self.spans[at..=end].iter().map(|span| span.text.as_str());
                    let text = text.collect::<Vec<_>>().join(" ");
                    self.spans.splice(at..=end, [named(text, role)]);
                }
                // To whom is not said by a name: to leave the verb out would ask for something else.
                _ if !self.opens(at) => self.spans[at].signal = None,
                _ => {}
            }
            at += 1;
        }
    }

    /// "Shops that belong to Nova Group", "part of Nova Group": where shops refer to the one above them.
    fn belongs(&mut self) {
        let above = |column: &ColumnId| {
            let own = self.catalogue.role_words(*column);
            own.iter().any(|word| ABOVE.contains(word))
        };
        let Some(role) = self.nearest(self.catalogue.of_themselves().filter(above).collect()) else { return };
        for at in 1..self.spans.len() {
            let verb = self.spans[at].text.to_lowercase();
            let whole = BELONGS.contains(&verb.as_str());
            let end = at + usize::from(!whole);
            let said = self.spans.get(end).map(|span| format!("{verb} {}", span.text.to_lowercase()));
            let belongs = whole || said.is_some_and(|said| BELONGS.contains(&said.as_str()));
            let next = (end + 1..self.spans.len()).find(|next| !self.is_small(*next));
            let named = self.spans[..at].iter().any(|span| table_of(span) == Some(role.table));
            if let (true, true, Some(next)) = (belongs, named, next)
                && self.is_person(next, role.table)
            {
                self.refer(next, role);
                self.spans.drain(at..=end);
                return;
            }
        }
    }

    /// "builders reporting" is no name where "to" follows.
    fn split_verbs(&mut self) {
        let mut at = 0;
        while at + 1 < self.spans.len() {
            let own = &self.spans[at];
            let said = own.text.rsplit_once(' ').filter(|(_, last)| FOLLOWS.contains(&last.to_lowercase().as_str()));
            if let Some((first, verb)) = said.filter(|_| !own.quoted && is(&self.spans[at + 1], &["to"])) {
                let mut parts = super::spot::spot(self.catalogue, first).spans;
                parts.push(Spotted { text: verb.to_owned(), ..Spotted::default() });
                self.spans.splice(at..=at, parts);
            }
            at += 1;
        }
    }

    /// The last phrase of "report directly to" at `at`.
    fn follow_verb(&self, at: usize) -> Option<usize> {
        let verb = &self.spans[at];
        // "reports to" is the name of `reports_to` itself.
        let both = verb.text.to_lowercase();
        let is_both = both.strip_suffix(" to").is_some_and(|first| FOLLOWS.contains(&first));
        if is_both && !verb.quoted && !roles(self.catalogue, self.spans, at).is_empty() {
            let next = (at + 1..self.spans.len()).find(|next| !self.is_small(*next))?;
            let role = self.superior()?;
            return self.is_person(next, role.table).then_some(at);
        }
        if verb.is_name() || !is(verb, &FOLLOWS) {
            return None;
        }
        let to = (at + 1..self.spans.len()).find(|next| !is(&self.spans[*next], &DIRECTLY))?;
        is(&self.spans[to], &["to"]).then_some(to)
    }

    /// "managed by Ada", "how many does Ada manage", "who manages Ada", "who manages the most people".
    fn leads(&mut self) {
        let mut at = 0;
        while at < self.spans.len() {
            if let Some(role) = self.lead_verb(at) {
                self.lead(at, role);
            }
            at += 1;
        }
    }

    fn lead(&mut self, at: usize, role: ColumnId) {
        let by = self.spans.get(at + 1).is_some_and(|span| is(span, &["by"]));
        let from = at + usize::from(by);
        let next = (from + 1..self.spans.len()).find(|next| !self.is_small(*next));
        let who = before(self.spans, at).filter(|who| self.spans[*who].role() == Some(Role::Who));
        if by {
            let Some(next) = next else { return };
            if self.is_person(next, role.table) {
                self.refer(next, role);
                self.spans.drain(at..=from);
                self.name_rows(role.table);
            }
        } else if let Some(next) = next.filter(|next| self.is_person(*next, role.table)) {
            // "Who manages Ada" asks for the row that hers refers to.
            let asked = (0..at).any(|who| self.spans[who].role() == Some(Role::Who));
            if asked && next > at && moments::tables(&self.spans[..at]).is_empty() {
                // Behind the name, as in "Ada's manager": before it, the name would be that of the manager.
                let text = self.spans[at].text.clone();
                self.spans.insert(next + 1, named(text, role));
                self.spans.remove(at);
            }
        } else if let (Some(who), Some(next)) = (who, next)
            && matches!(
                self.spans[next].role(),
                Some(Role::Most | Role::Fewest | Role::Over | Role::AtLeast | Role::Under)
            )
        {
            let text = self.spans[at].text.clone();
            let of = Mention::of(text.clone(), Thing::Column(role));
            let mut span = named(text, role);
            span.tests = vec![Filter::Missing { of, negated: true, unwritten: false }];
            self.spans.splice(who..=at, [span]);
            if moments::tables(self.spans).is_empty() {
                self.spans.push(rows("people".to_owned(), role.table));
            }
        } else if let Some(person) = (0..at).rev().find(|before| self.is_person(*before, role.table)) {
            self.refer(person, role);
            self.spans.remove(at);
            self.name_rows(role.table);
        }
    }

    /// The column by which rows refer to whoever does what the verb at `at` says.
    fn lead_verb(&self, at: usize) -> Option<ColumnId> {
        let span = &self.spans[at];
        if span.is_name() || span.text.contains(' ') || span.quoted {
            return None;
        }
        let text = span.text.to_lowercase();
        let leads = LEADS.iter().any(|verb| moments::is_form(&text, verb)) || text == "led";
        let fits = |column: &ColumnId| {
            let own = self.catalogue.role_words(*column);
            (leads && own.iter().any(|word| SUPERIORS.contains(word)))
                || (own.contains(&"by") && own.iter().any(|word| moments::is_form(&text, word)))
        };
        let found: Vec<ColumnId> = self.catalogue.of_themselves().filter(fits).collect();
        self.nearest(found)
    }

    /// "who has the most reports", "employees with the fewest reports": those who are reported to are counted by.
    fn most_followers(&mut self) {
        let Some(role) = self.superior() else { return };
        let says = |span: &Spotted| is(span, &FOLLOWERS) && span.values.is_empty() && span.tests.is_empty();
        let Some(at) = (1..self.spans.len()).rev().find(|at| says(&self.spans[*at])) else { return };
        let direct = is(&self.spans[at - 1], &DIRECTLY);
        let Some(most) = (at - usize::from(direct)).checked_sub(1) else { return };
        if !matches!(self.spans[most].role(), Some(Role::Most | Role::Fewest)) {
            return;
        }
        let is_doer = |span: &Spotted| span.role() == Some(Role::Who) || table_of(span) == Some(role.table);
        let Some(who) = (0..most).find(|who| is_doer(&self.spans[*who])) else { return };
        let text = self.spans[at].text.clone();
        let (pause, ends) = (self.spans[at].pause, self.spans[at].ends);
        let counted = Spotted { pause, ends, ..rows(text, role.table) };
        self.spans.splice(most + 1..=at, [counted]);
        let text = self.catalogue.column_label(role);
        let of = Mention::of(text.clone(), Thing::Column(role));
        let mut span = named(text, role);
        span.tests = vec![Filter::Missing { of, negated: true, unwritten: false }];
        self.spans[who] = span;
    }

    /// "reports", "direct reports": rows counted by whom they refer to.
    fn followers(&mut self) {
        let Some(role) = self.superior() else { return };
        let led = (0..self.spans.len())
            .any(|at| !roles(self.catalogue, self.spans, at).is_empty() || self.is_person(at, role.table));
        let mut at = 0;
        while at < self.spans.len() && led {
            let own = &self.spans[at];
            if !own.is_name() && own.values.is_empty() && is(own, &FOLLOWERS) && !self.opens(at) {
                let text = own.text.clone();
                self.spans[at] = Spotted { pause: own.pause, ends: own.ends, ..rows(text, role.table) };
                if at > 0 && is(&self.spans[at - 1], &DIRECTLY) {
                    self.spans.remove(at - 1);
                    at -= 1;
                }
                if let Some(person) = (0..self.spans.len()).find(|person| self.is_person(*person, role.table)) {
                    self.refer(person, role);
                }
            }
            at += 1;
        }
    }

    /// Whether a phrase begins an order: "report the number of …".
    fn opens(&self, at: usize) -> bool {
        self.spans.iter().take(at).all(is_filler) && self.spans[at].role() == Some(Role::Command)
    }

    /// Rows grouped by whom they refer to: those without anybody are no group.
    fn grouped(&mut self) {
        for at in 0..self.spans.len() {
            let own = roles(self.catalogue, self.spans, at);
            let [role] = own.as_slice() else { continue };
            let counted = self.spans.iter().any(|span| table_of(span) == Some(role.table));
            if counted && self.is_group(at) {
                let of = Mention::of(self.spans[at].text.clone(), Thing::Column(*role));
                self.spans[at].names = vec![Candidate { thing: Thing::Column(*role), score: 100 }];
                // "Employees per manager" are all of them, also those without one.
                let plain = before(self.spans, at).is_some_and(|before| {
                    self.spans[before].role() == Some(Role::Group) || is(&self.spans[before], &["per"])
                });
                if !plain {
                    self.spans[at].tests.push(Filter::Missing { of, negated: true, unwritten: false });
                }
            }
        }
    }

    /// "per manager", "which manager has the most …", "managers with more than five …".
    fn is_group(&self, at: usize) -> bool {
        let before = before(self.spans, at).map(|before| &self.spans[before]);
        let each = before.is_some_and(|span| matches!(span.role(), Some(Role::Each | Role::Group)));
        let counts = |span: &Spotted| {
            matches!(
                span.role(),
                Some(
                    Role::Most | Role::Fewest | Role::Over | Role::AtLeast | Role::Under | Role::AtMost | Role::Exactly
                )
            )
        };
        let asked = before.is_none_or(|span| matches!(span.role(), Some(Role::Wh | Role::Command)));
        each || (asked && self.spans.iter().skip(at + 1).any(counts))
    }

    /// Those whom others refer to, as rows: "average salary of managers", "employees who are not managers".
    fn rows(&mut self) {
        for at in 0..self.spans.len() {
            let own = roles(self.catalogue, self.spans, at);
            let ([role], true) = (own.as_slice(), self.spans[at].values.is_empty()) else { continue };
            let Some(made) = self.catalogue.made_of_referred(*role) else { continue };
            let text = self.spans[at].text.clone();
            if self.is_said_of(at, role.table) {
                self.spans[at].names = vec![Candidate { thing: Thing::Column(made), score: 100 }];
            } else if !self.spans[at].singular && self.stands_alone(at, role.table) {
                let of = Mention::of(text.clone(), Thing::Column(made));
                let own = &self.spans[at];
                let (pause, ends, bracket) = (own.pause, own.ends, own.bracket);
                let tests = vec![Filter::Flag { of, value: true }];
                self.spans[at] = Spotted { tests, pause, ends, bracket, ..rows(text, role.table) };
            }
        }
    }

    /// "employees who are managers": said of the rows themselves.
    fn is_said_of(&self, at: usize, table: TableId) -> bool {
        let back = self.spans.iter().take(at).rev();
        let mut said = back.skip_while(|span| is(span, &["a", "an", "also", "not"]) || span.role() == Some(Role::Not));
        let is_verb = |span: &Spotted| is(span, &["are", "is", "who are", "that are", "were", "was"]);
        said.next().is_some_and(is_verb) && self.spans.iter().take(at).any(|span| table_of(span) == Some(table))
    }

    /// Whether nothing else stands for the rows, and it is not said whose they are.
    fn stands_alone(&self, at: usize, table: TableId) -> bool {
        let named = self.spans.iter().any(|span| table_of(span) == Some(table));
        let whose = at.checked_sub(1).is_some_and(|before| {
            is(&self.spans[before], &["their", "his", "her", "its", "whose"]) || !self.spans[before].values.is_empty()
        });
        let grouped = before(self.spans, at).is_some_and(|before| {
            matches!(self.spans[before].role(), Some(Role::Each | Role::Group | Role::Without | Role::Not))
        });
        let of = self.spans.get(at + 1).is_some_and(|next| matches!(next.role(), Some(Role::Of)));
        !(named || whose || grouped || of)
    }

    /// The column by which rows refer to whoever leads them.
    fn superior(&self) -> Option<ColumnId> {
        let leads = |column: &ColumnId| self.catalogue.role_words(*column).iter().any(|word| SUPERIORS.contains(word));
        self.nearest(self.catalogue.of_themselves().filter(leads).collect())
    }

    /// The only one, or the only one of the tables named.
    fn nearest(&self, mut found: Vec<ColumnId>) -> Option<ColumnId> {
        let tables = moments::tables(self.spans);
        if found.iter().any(|column| tables.contains(&column.table)) {
            found.retain(|column| tables.contains(&column.table));
        }
        match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn is_small(&self, at: usize) -> bool {
        is_filler(&self.spans[at]) || self.spans[at].role() == Some(Role::Each)
    }

    /// Whether a phrase is the name of a row of the table.
    fn is_person(&self, at: usize, table: TableId) -> bool {
        let span = &self.spans[at];
        span.signal.is_none() && span.tests.is_empty() && span.values.iter().any(|found| self.names(found, table))
    }

    fn names(&self, found: &Found, table: TableId) -> bool {
        match found.place {
            Thing::Table(own) => own == table,
            Thing::Column(column) => column.table == table && self.catalogue.table(table).is_name_part(column.column),
            Thing::Concept(_) => false,
        }
    }

    /// Takes a name for that of the row referred to.
    fn refer(&mut self, at: usize, role: ColumnId) {
        let kept: Vec<Found> =
            self.spans[at].values.iter().filter(|found| self.names(found, role.table)).cloned().collect();
        self.spans[at].values = kept.into_iter().map(|found| Found { via: Some(role), ..found }).collect();
    }

    /// Whoever is asked for are rows of the table, where nothing else says so.
    fn name_rows(&mut self, table: TableId) {
        if !moments::tables(self.spans).is_empty() {
            return;
        }
        if let Some(who) = self.spans.iter().position(|span| matches!(span.role(), Some(Role::Who))) {
            self.spans[who] = rows(self.spans[who].text.clone(), table);
        }
    }
}

/// The last phrase before `at` that says something.
fn before(spans: &[Spotted], at: usize) -> Option<usize> {
    spans.iter().take(at).rposition(|span| !is_filler(span))
}

fn rows(text: String, table: TableId) -> Spotted {
    Spotted { text, names: vec![Candidate { thing: Thing::Table(table), score: 100 }], ..Spotted::default() }
}

fn named(text: String, column: ColumnId) -> Spotted {
    Spotted {
        text,
        names: vec![Candidate { thing: Thing::Column(column), score: 100 }],
        singular: true,
        ..Spotted::default()
    }
}
