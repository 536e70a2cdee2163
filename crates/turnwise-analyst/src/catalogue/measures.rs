//! Which columns hold which concept: "revenue" is `Invoice.Total` at the level of invoices and `UnitPrice × Quantity`
//! at the level of their lines. Having both is what keeps sums from being doubled. Next: `resolve`.

use std::collections::BTreeMap;

use super::keys::numbers_rows;
use super::{ColumnEntry, ColumnPart, Join, JoinId, TableEntry};
use crate::form::{ColumnId, TableId};
use crate::lexicon::{Concept, ConceptNames, lexicon};
use crate::source::ColumnKind;

/// Fit of the best name of a concept; later names lose two each.
const BEST: u32 = 90;
/// Fit of price × quantity in one table.
const PRODUCT: u32 = 64;
/// Fit of quantity × a price that another table has.
const DISTANT_PRODUCT: u32 = 56;
/// Fit of a bare price in a table of sales.
const PRICE_ONLY: u32 = 50;
/// What it costs to be in a table whose name says nothing of trade.
const NOT_TRADE: u32 = 12;

/// Names of parts of a time of day, or of a date.
const CLOCK: [&str; 4] = ["day", "hour", "minute", "second"];

/// A number that can be had for each row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A column.
    Column(ColumnId),
    /// Price times quantity, less a discount between 0 and 1 where there is one.
    Product {
        /// The price.
        price: ColumnId,
        /// The join to the price's table, where it is another.
        price_via: Option<JoinId>,
        /// The quantity.
        quantity: ColumnId,
        /// The discount.
        discount: Option<ColumnId>,
    },
    /// A column less others of its table; a missing one of those counts as nothing. Only people define these.
    Difference {
        /// What is left of.
        of: ColumnId,
        /// What is taken away.
        less: Vec<ColumnId>,
    },
}

/// A concept's place in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureSource {
    /// The table whose rows have it.
    pub table: TableId,
    /// How it is had.
    pub amount: Amount,
    /// How well it fits, to 100.
    pub score: u32,
    /// `Table.Column` or `Table: Price × Quantity`, as shown to people.
    pub label: String,
}

/// Everything that can be said by concept.
pub fn learn(tables: &[TableEntry], joins: &[Join], discounts: &[ColumnId]) -> BTreeMap<Concept, Vec<MeasureSource>> {
    let mut all = BTreeMap::new();
    for concept in lexicon().concepts() {
        let Some(names) = lexicon().concept_names(concept) else { continue };
        let mut sources: Vec<MeasureSource> =
            tables.iter().enumerate().flat_map(|(at, table)| columns(concept, names, TableId(at), table)).collect();
        if concept == Concept::Money {
            let products = (0..tables.len()).filter_map(|at| product(tables, joins, TableId(at), discounts, &sources));
            let products: Vec<MeasureSource> = products.collect();
            sources.extend(products);
            let trade = |id: TableId| tables[id.0].stems.iter().any(|stem| lexicon().is_trade(stem));
            for source in sources.iter_mut().filter(|source| !trade(source.table)) {
                source.score = source.score.saturating_sub(NOT_TRADE);
            }
        }
        sources.sort_by_key(|source| std::cmp::Reverse(source.score));
        all.insert(concept, sources);
    }
    all
}

fn columns(concept: Concept, names: &ConceptNames, id: TableId, table: &TableEntry) -> Vec<MeasureSource> {
    // Beside a year and a month, an hour is a time of day and no length.
    let dated = ["year", "month"].iter().all(|part| table.columns.iter().any(|column| column.stems == [*part]));
    let clock = |column: &ColumnEntry| {
        dated && concept == Concept::Length && column.stems.len() == 1 && CLOCK.contains(&column.stems[0].as_str())
    };
    let fits = table.columns.iter().enumerate().filter(|(_, column)| !clock(column)).filter_map(|(at, column)| {
        let score = fit(concept, names, column).filter(|_| concept != Concept::Quantity || is_traded(table, column))?;
        let place = ColumnId { table: id, column: at };
        let label = format!("{}.{}", table.name, column.name);
        Some(MeasureSource { table: id, amount: Amount::Column(place), score, label })
    });
    fits.collect()
}

/// Whether a quantity is one of what rows are about: the number of photos of a product is none of products.
fn is_traded(table: &TableEntry, column: &ColumnEntry) -> bool {
    let Some((last, before)) = column.stems.split_last() else { return true };
    let how_many = matches!(last.as_str(), "quantity" | "qty");
    let own = |stem: &String| table.stems.contains(stem) || lexicon().is_trade(stem);
    !how_many || table.stems.iter().any(|stem| lexicon().is_trade(stem)) || before.iter().all(own)
}

fn fit(concept: Concept, names: &ConceptNames, column: &ColumnEntry) -> Option<u32> {
    let dated = matches!(concept, Concept::Date | Concept::Age) && column.kind == ColumnKind::Date;
    let fits = if concept == Concept::Date { dated } else { column.is_number() || dated };
    if !fits {
        return None;
    }
    let stems: Vec<&str> = column.stems.iter().map(|stem| lexicon().canonical(stem)).collect();
    if stems.iter().zip(&column.stems).any(|(stem, raw)| names.against.iter().any(|no| no == stem || no == raw)) {
        return None;
    }
    if concept == Concept::Date {
        let rank = u32::try_from(lexicon().date_rank(&column.stems)).unwrap_or(BEST);
        return Some(BEST.saturating_sub(rank.saturating_mul(2)).max(1));
    }
    let ranked = names.columns.iter().zip(0u32..).filter_map(|(name, rank)| {
        let name: Vec<&str> = name.split(' ').map(|stem| lexicon().canonical(stem)).collect();
        let cost = if stems == name {
            0
        } else if stems.ends_with(&name) {
            4
        } else if stems.windows(name.len()).any(|window| window == name) {
            14
        } else {
            return None;
        };
        Some(BEST.saturating_sub(2 * rank + cost))
    });
    ranked.max()
}

/// Price times quantity at the level of lines, unless the table has its own total.
fn product(
    tables: &[TableEntry],
    joins: &[Join],
    id: TableId,
    discounts: &[ColumnId],
    totals: &[MeasureSource],
) -> Option<MeasureSource> {
    if totals.iter().any(|source| source.table == id) {
        return None;
    }
    let table = &tables[id.0];
    let own_price = concept_column(Concept::Price, id, table, |stems| stems.contains(&"price"));
    let is_of_one = own_price.is_some_and(|price| is_of_one(&table.columns[price.column]));
    let quantity =
        concept_column(Concept::Quantity, id, table, |_| true).or_else(|| only_amount(id, table).filter(|_| is_of_one));
    let Some(quantity) = quantity else {
        // The price of one is not what a row came to.
        if is_of_one {
            return None;
        }
        let trade = table.stems.iter().any(|stem| lexicon().is_trade(stem));
        let price = own_price.filter(|_| trade)?;
        let label = format!("{}.{}", table.name, table.columns[price.column].name);
        return Some(MeasureSource { table: id, amount: Amount::Column(price), score: PRICE_ONLY, label });
    };
    let (price, price_via, score) = match own_price {
        Some(price) => (price, None, PRODUCT),
        None => {
            let (via, price) = distant_price(tables, joins, id)?;
            (price, Some(via), DISTANT_PRODUCT)
        }
    };
    let discount = discounts.iter().copied().find(|column| column.table == id);
    let name = |column: ColumnId| tables[column.table.0].columns[column.column].name.as_str();
    let mut label = format!("{}: {} × {}", table.name, name(price), name(quantity));
    if let Some(discount) = discount {
        label = format!("{label} × (1 − {})", name(discount));
    }
    Some(MeasureSource { table: id, amount: Amount::Product { price, price_via, quantity, discount }, score, label })
}

/// Whether a price is said to be that of one piece.
fn is_of_one(price: &ColumnEntry) -> bool {
    price.stems.iter().any(|stem| matches!(stem.as_str(), "unit" | "each" | "per"))
}

/// The only whole number that describes a row: beside the price of one, that is how many there are.
fn only_amount(id: TableId, table: &TableEntry) -> Option<ColumnId> {
    let amount = |column: &ColumnEntry| {
        column.kind == ColumnKind::Integer
            && column.part == ColumnPart::Attribute
            && !numbers_rows(&column.stems)
            && column.flag.is_none()
            && !column.stems.iter().any(|stem| stem == "year")
    };
    let mut amounts = table.columns.iter().enumerate().filter(|(_, column)| amount(column));
    let (only, _) = amounts.next()?;
    amounts.next().is_none().then_some(ColumnId { table: id, column: only })
}

fn distant_price(tables: &[TableEntry], joins: &[Join], id: TableId) -> Option<(JoinId, ColumnId)> {
    joins.iter().enumerate().filter(|(_, join)| join.from == id).find_map(|(at, join)| {
        let price = concept_column(Concept::Price, join.to, &tables[join.to.0], |stems| stems.contains(&"price"))?;
        Some((JoinId(at), price))
    })
}

fn concept_column(
    concept: Concept,
    id: TableId,
    table: &TableEntry,
    wanted: impl Fn(&[&str]) -> bool,
) -> Option<ColumnId> {
    let names = lexicon().concept_names(concept)?;
    let fits = table.columns.iter().enumerate().filter(|(_, column)| {
        let stems: Vec<&str> = column.stems.iter().map(String::as_str).collect();
        wanted(&stems)
    });
    let scored = fits.filter_map(|(at, column)| Some((fit(concept, names, column)?, at)));
    let (_, column) = scored.max_by_key(|(score, at)| (*score, std::cmp::Reverse(*at)))?;
    Some(ColumnId { table: id, column })
}
