//! The rows of a result, to be taken along: written by the same hand as the files that runs save, so that what a
//! spreadsheet would run is shown by it, wherever the rows come from. Next: `artefacts`.

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_core::{Cell, FactValue, Table};

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::parameters::Named;
use super::{Asked, Path, artefacts, conversation};
use turnwise_assistant::comma;

/// Which rows, in which order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(default)]
    said: Option<u64>,
    #[serde(default)]
    sort: Option<usize>,
    #[serde(default)]
    descending: bool,
}

/// A fact's rows as CSV in UTF-8, with the mark by which spreadsheets know it. Texts that a spreadsheet would run as a
/// formula (those that begin with `=`, `+`, `-`, `@`, a tab or the end of a line, and are no number) have an apostrophe
/// in front.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/facts/{name}/csv", tag = "knowledge", operation_id = "take_rows",
    params(
        Named,
        ("name" = String, Path, description = "The fact"),
        ("said" = Option<u64>, Query, description = "Take what the event of this number showed; the fact as it is now if left out"),
        ("sort" = Option<usize>, Query, minimum = 1, maximum = 2000, description = "Sort by the column of this number; as found if left out"),
        ("descending" = Option<bool>, Query, description = "The largest first; what is missing comes last either way")
    ),
    responses((status = 200, content_type = "text/csv", body = String), Refusal)
)]
pub(super) async fn rows(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let file = artefacts::quotable(&name);
    let (fact, _) = match wanted.said {
        Some(said) => artefacts::shown(&session, said, &name).await?,
        None => artefacts::held(&session.conversation(), name)?,
    };
    let FactValue::Table(table) = &fact.body.value else {
        return Err(Problem::unprocessable("no_rows", "this fact is a text", "ask for one that has rows"));
    };
    let table = match wanted.sort {
        None => table.clone(),
        Some(number) => sorted(table, number, wanted.descending)?,
    };
    let written = comma::whole(&table).map_err(|_| artefacts::broken("the rows"))?;
    let mut bytes = MARK.to_vec();
    bytes.extend(written);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}.csv\"")),
    ];
    Ok((headers, bytes).into_response())
}

fn sorted(table: &Table, number: usize, descending: bool) -> Result<Table, Problem> {
    let known = table.columns.len();
    let at = number.checked_sub(1).filter(|at| *at < known).ok_or_else(|| {
        Problem::unprocessable(
            "no_such_column",
            "there is no such column",
            format!("columns are numbered 1 to {known}"),
        )
    })?;
    let mut sorted = table.clone();
    sorted.rows.sort_by(|left, right| compare(left.get(at), right.get(at), descending));
    Ok(sorted)
}

/// Numbers by their size, texts by their letters, numbers before texts, and what is missing last.
fn compare(left: Option<&Cell>, right: Option<&Cell>, descending: bool) -> Ordering {
    let missing = |cell: Option<&Cell>| matches!(cell, None | Some(Cell::Null));
    match (missing(left), missing(right)) {
        (false, false) => {}
        (left, right) => return left.cmp(&right),
    }
    let ordered = match (left, right) {
        (Some(Cell::Integer(left)), Some(Cell::Integer(right))) => left.cmp(right),
        (Some(Cell::Text(left)), Some(Cell::Text(right))) => left.to_lowercase().cmp(&right.to_lowercase()),
        (left, right) => match (left.and_then(number), right.and_then(number)) {
            (Some(left), Some(right)) => left.total_cmp(&right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        },
    };
    if descending { ordered.reverse() } else { ordered }
}

#[expect(clippy::cast_precision_loss, reason = "compared with a number that has no more digits itself")]
fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(value) => Some(*value as f64),
        Cell::Real(value) => Some(*value),
        Cell::Null | Cell::Text(_) => None,
    }
}

/// The mark by which spreadsheets know that a file is in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();
