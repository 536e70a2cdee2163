//! Follow-ups that speak of what was found last: "which of them are from France?", "also show their age", "how many are
//! there?", "and the average?". What stands for the last result is given its rows with every test, ranking and end
//! they had; where that cannot be had it is said, and nothing is dropped. Next: `said` for words, `make` for forms.

mod about;
mod columns;
mod ends;
mod gather;
mod kept;
mod make;
mod others;
mod place;
mod places;
mod said;
mod sought;

use turnwise_core::{Cell, Task};

use super::catalogue::Catalogue;
use super::followup::FollowUp;
use super::form::QueryForm;
use super::read;
use super::words;
pub use about::About;
use make::Making;
use place::Placed;
pub use places::show_places;
use said::Said;
pub use sought::before_it;

/// The form of `change` beside the last result, where it speaks of that.
///
/// # Errors
/// Why it does not fit the last result.
pub fn referred(
    catalogue: &Catalogue,
    form: &QueryForm,
    change: &str,
    task: &Task,
) -> Result<Option<FollowUp>, String> {
    let (change, compared) = than_that(change, task);
    let change = read::quoted_values(catalogue, &change);
    let Some(about) = About::of(catalogue, form) else { return Ok(None) };
    if let Some(placed) = place::placed(&change, &about) {
        return of_one(catalogue, form, &about, &placed, task).map(Some);
    }
    let said = said::read(&change, &about);
    let making = Making { catalogue, form, about: &about, said: &said, task };
    if let Some(wanted) = sought::looked_for(&change) {
        return making.sought(&wanted).map(|made| Some(FollowUp::Form(Box::new(made))));
    }
    if making.is_one_of_several() {
        let Some((table, mut row)) = others::named_one(form) else { return Err(making.several()) };
        let about = About::rows(catalogue, table);
        row.subject = Some(about.mention());
        let said = said::read(&change, &about);
        return asked_of(Making { catalogue, form: &row, about: &about, said: &said, task }).map(Some);
    }
    if let Some(rest) = making.unsaid_count() {
        return match rest {
            Some(rest) => Ok(Some(FollowUp::Rest(Box::new(form.clone()), rest))),
            None => making.asked().map(|made| Some(FollowUp::Form(Box::new(made)))),
        };
    }
    if said::is_others(&said) && !making.whole_list() {
        return making.others().map(|made| Some(FollowUp::Form(Box::new(made))));
    }
    let Some(mut made) = making.made()? else {
        return match compared {
            Some(_) => making.asked().map(|made| Some(FollowUp::Form(Box::new(made)))),
            None => Ok(None),
        };
    };
    made.notes.extend(compared);
    Ok(Some(FollowUp::Form(Box::new(made))))
}

/// What is asked of one row of the last result, said by its place.
fn of_one(
    catalogue: &Catalogue,
    form: &QueryForm,
    about: &About,
    placed: &Placed,
    task: &Task,
) -> Result<FollowUp, String> {
    let nothing = Said::default();
    let row = Making { catalogue, form, about, said: &nothing, task }.one_row(&placed.said, placed.place)?;
    let mut said = said::read(&placed.rest, about);
    said.of = Some(placed.said.clone());
    asked_of(Making { catalogue, form: &row, about, said: &said, task })
}

/// What is asked of a row of its own.
fn asked_of(making: Making<'_>) -> Result<FollowUp, String> {
    let made = match making.made()? {
        Some(made) => made,
        None => making.asked()?,
    };
    Ok(FollowUp::Form(Box::new(made)))
}

/// "More than that", where the last result is a number: the number itself.
fn than_that(change: &str, task: &Task) -> (String, Option<String>) {
    let unchanged = || (change.to_owned(), None);
    let words = words::split(change);
    let at = words.windows(2).position(|pair| {
        pair[0].folded == "than" && matches!(pair[1].folded.as_str(), "that" | "this" | "it") && !pair[0].pause
    });
    let Some(at) = at.filter(|at| words.get(at + 2).is_none() || words[at + 1].pause) else { return unchanged() };
    let Some(number) = about::shown(task).and_then(|table| match table.rows.as_slice() {
        [row] => row.last().and_then(Cell::as_number),
        _ => None,
    }) else {
        return unchanged();
    };
    let (said, than) = (words[at + 1].raw.clone(), words[at].raw.clone());
    let replaced = change.replacen(&format!("{than} {said}"), &format!("{than} {number}"), 1);
    (replaced, Some(format!("“{said}” is {number}, the number found before.")))
}
