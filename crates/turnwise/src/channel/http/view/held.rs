//! Facts as they are held now: beside what a fact says, whether it is pinned, what rests on it, what it was before, and
//! whether there is a picture of it. Next: `card`.

use serde::Serialize;
use turnwise_core::{Fact, FactStore, FactValue, Presentation, Table, limits};
use utoipa::ToSchema;

use super::card::FactView;

/// A fact that a conversation holds.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeldView {
    /// The fact.
    #[serde(flatten)]
    pub fact: FactView,
    /// Whether it stays whatever else comes.
    pub pinned: bool,
    /// The facts that rest on it; they would be forgotten with it.
    pub used_by: Vec<String>,
    /// What was held under its name before, and is not used any more.
    pub before: Vec<PastView>,
    /// Its picture, where its rows make one: `GET …/facts/{name}/chart`.
    pub chart: Option<ChartView>,
}

/// A fact that was superseded.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PastView {
    /// Its value in short.
    pub value: String,
    /// The fact that took its place.
    pub superseded_by: String,
}

/// A picture of rows, before it is fetched.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ChartView {
    /// `line chart`, `bar chart`, `stacked bar` or `scatter plot`.
    pub kind: &'static str,
    /// What it shows, in words, for whoever cannot see it.
    pub described: String,
    /// Its width in pixels.
    pub width: f64,
    /// Its height in pixels.
    pub height: f64,
}

impl HeldView {
    pub(in crate::channel::http) fn new(store: &FactStore, fact: &Fact) -> Self {
        let past = store.superseded().filter(|past| past.fact.name() == fact.name());
        let chart = match &fact.body.value {
            FactValue::Table(table) => ChartView::of(table, turnwise_chart::natural(table, Presentation::Table)),
            FactValue::Text(_) => None,
        };
        Self {
            fact: FactView::new(fact),
            pinned: store.is_pinned(fact.name()),
            used_by: store.dependants(fact.name()).iter().map(ToString::to_string).collect(),
            before: past
                .map(|past| PastView {
                    value: past.fact.in_short(limits::QUOTE_WIDTH),
                    superseded_by: past.superseded_by.to_string(),
                })
                .collect(),
            chart,
        }
    }
}

impl ChartView {
    /// The picture of an answer, as it wants to be looked at; of rows that want none, the one that fits them best.
    pub(super) fn answering(fact: Option<&Fact>, presentation: Presentation) -> Option<Self> {
        let FactValue::Table(table) = &fact?.body.value else { return None };
        Self::of(table, turnwise_chart::answering(table, presentation))
    }

    fn of(table: &Table, kind: turnwise_chart::Kind) -> Option<Self> {
        if table.rows.len() < DRAWN_ROWS_MIN {
            return None;
        }
        let outline = turnwise_chart::chart(table, kind, "").ok()?.outline();
        Some(Self { kind: kind.word(), described: outline.told, width: outline.width, height: outline.height })
    }
}

/// Fewer rows than this say themselves what a picture of them would.
const DRAWN_ROWS_MIN: usize = 2;
