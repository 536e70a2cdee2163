//! One thing to show: a column by name, the name or the key of a table's rows, with the table said before it ("student
//! ids", "student's name") or behind it ("ids of students"). Next: `shown`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Candidate, ColumnId, Mention, TableId, Thing};
use super::super::lexicon::{Role, Signal};
use super::qualify::{is_verbal, table_of, within};
use super::spot::Spotted;

/// All that is to be shown.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub items: Vec<Item>,
    /// The number that was asked for before, once more.
    pub counts: bool,
    /// Only different rows.
    pub distinct: bool,
    /// All columns.
    pub whole: bool,
    /// Whether a sentence of its own says it.
    pub second: bool,
    /// The table it is shown of, where that was said.
    pub head: Option<TableId>,
}

/// One thing to show.
#[derive(Clone, Debug)]
pub struct Item {
    pub words: String,
    pub names: Vec<Candidate>,
    /// Whether it is what rows are called by.
    pub is_name: bool,
    /// Whose it was said to be.
    pub table: Option<TableId>,
    /// The table as said before it.
    pub qualifier: Option<Spotted>,
}

impl Wish {
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && !self.whole && !self.counts
    }

    /// The same beside a number.
    pub fn counted(self) -> Self {
        Self { counts: true, ..self }
    }

    /// Adds what a further sentence says.
    pub fn add(&mut self, other: Self) {
        self.items.extend(other.items);
        self.counts |= other.counts;
        self.distinct |= other.distinct;
        self.second = true;
    }
}

impl Item {
    /// The same of the rows of a table.
    pub fn of(self, table: TableId) -> Self {
        Self { table: self.table.or(Some(table)), ..self }
    }

    /// What it is of the rows of `home`, unless it was said to be another table's.
    pub fn mention(&self, catalogue: &Catalogue, home: TableId) -> Option<Mention> {
        let table = self.table.unwrap_or(home);
        let mut candidates = within(catalogue, &self.spotted(), table);
        let called = catalogue.table(table).display != Display::Nothing;
        let exact = candidates.iter().any(|candidate| candidate.score >= 95);
        if self.is_name && called && !exact {
            return Some(Mention::of(self.words.to_lowercase(), Thing::Table(table)));
        }
        let best = candidates.iter().map(|candidate| candidate.score).max().unwrap_or_default();
        candidates.retain(|candidate| candidate.score == best);
        if candidates.is_empty() {
            // Not of these rows themselves: of what they belong to, or of what belongs to them.
            candidates = self.elsewhere(catalogue, table);
        }
        (!candidates.is_empty()).then(|| Mention { words: self.words.to_lowercase(), candidates })
    }

    /// The same, where a full name is written in two columns.
    pub fn mentions(&self, catalogue: &Catalogue, home: TableId) -> Option<Vec<Mention>> {
        let table = self.table.unwrap_or(home);
        let full = self.is_name && self.words.contains(' ') && self.names.is_empty();
        if let (true, Display::FullName { first, last }) = (full, &catalogue.table(table).display) {
            let column = |at: usize| {
                let id = ColumnId { table, column: at };
                Mention::of(catalogue.column(id).noun(), Thing::Column(id))
            };
            return Some(vec![column(*first), column(*last)]);
        }
        self.mention(catalogue, home).map(|mention| vec![mention])
    }

    /// The columns of other tables that it may be. "Revenue for albums" is no column of theirs, but a sum.
    fn elsewhere(&self, catalogue: &Catalogue, table: TableId) -> Vec<Candidate> {
        let column = |candidate: &Candidate| match candidate.thing {
            Thing::Column(column) => Some(column.table),
            Thing::Table(_) | Thing::Concept(_) => None,
        };
        let mut found: Vec<Candidate> =
            self.names.iter().copied().filter(|one| matches!(one.thing, Thing::Column(_))).collect();
        if self.is_name {
            // The name of gymnasts is that of the people they are, and nobody else's.
            let belongs = |other: &TableId| catalogue.paths(table, *other).iter().any(|path| path.0.len() == 1);
            found.retain(|one| one.score >= 95 && column(one).as_ref().is_some_and(belongs));
            if found.len() > 1 {
                found.clear();
            }
        }
        found
    }

    fn spotted(&self) -> Spotted {
        Spotted { text: self.words.clone(), names: self.names.clone(), ..Spotted::default() }
    }
}

/// "name", "names".
pub fn is_name_word(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "name" | "names")
}

fn is_whole_word(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "full" | "complete" | "entire")
}

/// What stands between two things to show.
pub fn is_separator(span: &Spotted) -> bool {
    span.role() == Some(Role::And)
}

/// Words before a thing to show that say nothing of it.
fn is_determiner(span: &Spotted) -> bool {
    let role = matches!(span.role(), Some(Role::Ignore | Role::Distinct | Role::Each | Role::Also));
    (role && !span.is_name()) || span.text.eq_ignore_ascii_case("both") || span.text.eq_ignore_ascii_case("each")
}

/// What says that a thing is of the one named before it.
fn is_possessive(span: &Spotted) -> bool {
    let text = span.text.to_lowercase();
    text.split(' ').any(|word| matches!(word, "their" | "its" | "his" | "her" | "corresponding" | "respective"))
}

/// The rows themselves with something of theirs behind them, by what they are called: "*members* and their parties".
pub fn rows_with_theirs(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(Item, usize)> {
    let at = at + spans.iter().skip(at).take_while(|span| is_determiner(span)).count();
    let span = spans.get(at).filter(|span| !span.verb)?;
    let table = table_of(span)?;
    let more = after_separator(catalogue, spans, at)?;
    let theirs = spans.get(more).is_some_and(is_possessive) || is_possessive(&spans[more - 1]);
    let item = Item { words: span.text.clone(), names: Vec::new(), is_name: true, table: Some(table), qualifier: None };
    theirs.then_some((item, at))
}

/// The thing to show at `at`, and where it ends.
pub fn item(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(Item, usize)> {
    let at = at + spans.iter().skip(at).take_while(|span| is_determiner(span)).count();
    let span = spans.get(at)?;
    if let Some(table) = table_of(span).filter(|_| !is_name_word(span) && !span.verb) {
        if span.pause {
            return None;
        }
        let Some((own, next)) = bare(spans, at + 1) else {
            // "Names of members and their parties": what the parties are called.
            let theirs = at > 0 && is_possessive(&spans[at - 1]);
            let name = Item {
                words: span.text.clone(),
                names: Vec::new(),
                is_name: true,
                table: Some(table),
                qualifier: None,
            };
            return theirs.then_some((name, at + 1));
        };
        // "visits admitted by Ada", "sites opened after 2016": a verb says which rows, and is nothing to show.
        if is_verbal(&own.words) || own.words.to_lowercase().ends_with("ed") {
            return None;
        }
        let words = format!("{} {}", span.text, own.words);
        let item = Item { words, table: Some(table), qualifier: Some(span.clone()), ..own };
        let fits = item.is_name || !within(catalogue, &item.spotted(), table).is_empty();
        return fits.then_some((item, next));
    }
    let (mut item, next) = bare(spans, at)?;
    item.qualifier = qualifier_in(catalogue, &item);
    Some((item, next))
}

/// The thing itself, without a table before it.
fn bare(spans: &[Spotted], at: usize) -> Option<(Item, usize)> {
    let span = spans.get(at)?;
    let item = |words: String, names: &[Candidate], is_name: bool| Item {
        words,
        names: names.to_vec(),
        is_name,
        table: None,
        qualifier: None,
    };
    if is_whole_word(span)
        && let Some(next) = spans.get(at + 1).filter(|next| is_name_word(next))
    {
        return Some((item(format!("{} {}", span.text, next.text), &[], true), at + 2));
    }
    // `fname` begins as a full name does, and is none.
    let said = span.text.to_lowercase();
    let full = said.split_once(' ').is_some_and(|(first, rest)| first == "full" && rest.starts_with("name"));
    if full && span.names.iter().all(|candidate| candidate.score < 95) {
        return Some((item(span.text.clone(), &[], true), at + 1));
    }
    if is_name_word(span) {
        return Some((item(span.text.clone(), &span.names, true), at + 1));
    }
    let usable = span.is_name()
        && !span.verb
        && span.number.is_none()
        && span.period.is_none()
        && !span.quoted
        && matches!(
            span.role(),
            None | Some(Role::Ignore | Role::Command | Role::Year | Role::Month | Role::Day | Role::Share)
        );
    let column = span.names.iter().any(|candidate| !matches!(candidate.thing, Thing::Table(_)));
    (usable && column && table_of(span).is_none()).then(|| (item(span.text.clone(), &span.names, false), at + 1))
}

/// "product names", where one column is called so and is the products' own: the table is said in it.
fn qualifier_in(catalogue: &Catalogue, item: &Item) -> Option<Spotted> {
    let own = |column: &ColumnId| {
        let table = catalogue.table(column.table);
        catalogue.column(*column).stems.starts_with(&table.stems) && item.words.contains(' ')
    };
    let column = match item.names.as_slice() {
        [Candidate { thing: Thing::Column(column), .. }] => Some(*column).filter(own),
        // "student ids", where other tables refer to students by a column of that name.
        several => {
            let key = |column: &ColumnId| catalogue.table(column.table).key == Some(column.column);
            let columns = several.iter().filter_map(|one| match one.thing {
                Thing::Column(column) => Some(column),
                Thing::Table(_) | Thing::Concept(_) => None,
            });
            let mut keys = columns.filter(|column| key(column) && own(column));
            keys.next().filter(|_| keys.next().is_none())
        }
    }?;
    Some(Spotted {
        text: catalogue.plural(column.table),
        names: vec![Candidate { thing: Thing::Table(column.table), score: 100 }],
        ..Spotted::default()
    })
}

/// Behind "of" or "for" at `at`: where what is shown begins, and its table: "of the 3 oldest *members*".
pub fn owner(spans: &[Spotted], at: usize) -> Option<(usize, usize)> {
    const LINKS: [&str; 5] = ["for", "of each", "for each", "of every", "for every"];
    let link = spans.get(at)?;
    if link.role() != Some(Role::Of) && !LINKS.contains(&link.text.to_lowercase().as_str()) {
        return None;
    }
    let fillers = spans.iter().skip(at + 1).take_while(|span| is_determiner(span)).count();
    let start = at + 1 + fillers;
    let ranks = |span: &&Spotted| {
        span.number.is_some()
            || matches!(span.signal, Some(Signal::Superlative(..)))
            || matches!(span.role(), Some(Role::Top | Role::Bottom | Role::Popular | Role::Common | Role::BestSelling))
    };
    let ranked = spans.iter().skip(start).take_while(ranks).count();
    let owner = start + ranked;
    spans.get(owner).filter(|span| table_of(span).is_some() && !span.verb).map(|_| (start, owner))
}

/// Where the next thing to show begins, behind the table at `owner`: "names of students *and their ages*".
pub fn after_separator(catalogue: &Catalogue, spans: &[Spotted], owner: usize) -> Option<usize> {
    let next = owner + 1;
    // "Members with their parties" joins as "and" does.
    let with = spans.get(next).is_some_and(|span| span.role() == Some(Role::With))
        && spans.get(next + 1).is_some_and(is_possessive);
    let joined = with || spans.get(next).is_some_and(is_separator);
    if !(joined || spans[owner].pause) || spans[owner].ends {
        return None;
    }
    let at = next + usize::from(joined);
    let (_, end) = item(catalogue, spans, at)?;
    // "names of students and age over 20" is no thing to show.
    let over = spans.get(end).is_none_or(|span| {
        is_separator(span)
            || owner_word(span)
            || spans[end - 1].pause
            || matches!(
                span.role(),
                Some(
                    Role::With
                        | Role::Who
                        | Role::Sorted
                        | Role::Alphabetical
                        | Role::Ignore
                        | Role::Ascending
                        | Role::Descending
                )
            )
    });
    over.then_some(at)
}

/// What begins with a number to gather: "and the number of visits".
pub fn measures(spans: &[Spotted], at: usize) -> Option<&[Spotted]> {
    let at = at + spans.iter().skip(at).take_while(|span| is_determiner(span)).count();
    let gathers = matches!(
        spans.get(at)?.role(),
        Some(Role::Count | Role::Sum | Role::Average | Role::Highest | Role::Lowest | Role::Median)
    );
    spans.get(at..).filter(|_| gathers)
}

fn owner_word(span: &Spotted) -> bool {
    span.role() == Some(Role::Of) || span.text.eq_ignore_ascii_case("for")
}

/// "all information about the singers".
pub fn everything(spans: &[Spotted], start: usize) -> Option<(Wish, Vec<Spotted>)> {
    const WORDS: [&str; 9] =
        ["information", "info", "details", "detail", "everything", "attributes", "columns", "fields", "informations"];
    let at = start + spans.iter().skip(start).take_while(|span| is_determiner(span) || is_whole_word(span)).count();
    let said = spans.get(at).filter(|span| WORDS.contains(&span.text.to_lowercase().as_str()))?;
    if said.is_name() {
        return None;
    }
    let fillers = spans.iter().skip(at + 1).take_while(|span| {
        is_determiner(span) || matches!(span.text.to_lowercase().as_str(), "about" | "of" | "on" | "for" | "regarding")
    });
    let head = at + 1 + fillers.count();
    table_of(spans.get(head).filter(|_| head > at + 1)?)?;
    Some((Wish { whole: true, ..Wish::default() }, spans[head..].to_vec()))
}

/// What a sentence of its own wants shown of the one before; none where it says anything else.
pub fn told(catalogue: &Catalogue, spans: &[Spotted], before: &[Spotted]) -> Option<Wish> {
    let mut wish = Wish { second: true, ..Wish::default() };
    let mut at = spans.iter().take_while(|span| matches!(span.role(), Some(Role::Command | Role::And))).count();
    while at < spans.len() {
        let span = &spans[at];
        let counted = span.role() == Some(Role::Count)
            || matches!(span.text.to_lowercase().as_str(), "number" | "numbers" | "frequency" | "count" | "counts");
        if counted {
            wish.counts = true;
            at += 1;
            at += spans.iter().skip(at).take_while(|span| !is_separator(span) && repeats(span, before)).count();
        } else if matches!(span.role(), Some(Role::Average | Role::Sum | Role::Highest | Role::Lowest))
            && spans.get(at + 1).is_some_and(|next| repeats(next, before))
        {
            wish.counts = true;
            at += 2;
        } else if let Some((item, next)) = item(catalogue, spans, at) {
            wish.items.push(item);
            at = next + spans.iter().skip(next).take_while(|span| !is_separator(span) && repeats(span, before)).count();
        } else if once(span) && !wish.items.is_empty() && at + 1 == spans.len() {
            wish.distinct = true;
            at += 1;
        } else if is_separator(span) || is_determiner(span) || span.role() == Some(Role::Only) {
            at += 1;
        } else {
            return None;
        }
    }
    (!wish.items.is_empty() || wish.counts).then_some(wish)
}

/// "List each country once."
fn once(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "once" | "only once" | "just once")
}

/// Whether a phrase says nothing that was not said before.
fn repeats(span: &Spotted, before: &[Spotted]) -> bool {
    let role = matches!(span.role(), Some(Role::Ignore | Role::Of | Role::In | Role::Each | Role::Link | Role::Also))
        && !span.is_name();
    let same = |other: &Spotted| {
        let table = table_of(span);
        (table.is_some() && table == table_of(other)) || other.text.eq_ignore_ascii_case(&span.text)
    };
    role || before.iter().any(same)
}
