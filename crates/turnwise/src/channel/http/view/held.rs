//! Facts as they are held now: beside what a fact says, whether it is pinned, what rests on it, what it was before, and
//! whether there is a picture of it. Next: `card`.

use serde::Serialize;
use turnwise_chart::{Axis, Marks, Point, Series, Unit};
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
    /// What the labels, or the figures to the right, are.
    pub along: AxisView,
    /// What the figures are.
    pub figures: AxisView,
    /// The labels, in order; none for points.
    pub labels: Vec<String>,
    /// The figures, a series or several; none for points.
    pub series: Vec<SeriesView>,
    /// The points of a scatter plot.
    pub points: Vec<PointView>,
    /// What was left out or put together, one sentence each.
    pub notes: Vec<String>,
}

/// What stands along one side of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AxisView {
    /// Its title.
    pub title: String,
    /// `plain`, or `percent` where a figure is a share of one.
    pub unit: &'static str,
}

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SeriesView {
    /// Its name; empty where there is only one.
    pub name: String,
    /// A figure for every label, or null where there is none.
    pub values: Vec<Option<f64>>,
}

/// A point on a plane.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PointView {
    /// What it stands for.
    pub label: String,
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
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
        let chart = turnwise_chart::chart(table, kind, "").ok()?;
        let outline = chart.outline();
        let (labels, series, points) = match &chart.marks {
            Marks::Rows { labels, series } => {
                (labels.clone(), series.iter().map(SeriesView::new).collect(), Vec::new())
            }
            Marks::Points(points) => (Vec::new(), Vec::new(), points.iter().map(PointView::new).collect()),
        };
        Some(Self {
            kind: kind.word(),
            described: outline.told,
            width: outline.width,
            height: outline.height,
            along: AxisView::new(&chart.along),
            figures: AxisView::new(&chart.figures),
            labels,
            series,
            points,
            notes: chart.notes.clone(),
        })
    }
}

impl AxisView {
    fn new(axis: &Axis) -> Self {
        let unit = match axis.unit {
            Unit::Plain => "plain",
            Unit::Percent => "percent",
        };
        Self { title: axis.title.clone(), unit }
    }
}

impl SeriesView {
    fn new(series: &Series) -> Self {
        // JSON has no number for what is none.
        let figure = |value: &Option<f64>| value.filter(|value| value.is_finite());
        Self { name: series.name.clone(), values: series.values.iter().map(figure).collect() }
    }
}

impl PointView {
    fn new(point: &Point) -> Self {
        Self { label: point.label.clone(), x: point.x, y: point.y }
    }
}

/// Fewer rows than this say themselves what a picture of them would.
const DRAWN_ROWS_MIN: usize = 2;
