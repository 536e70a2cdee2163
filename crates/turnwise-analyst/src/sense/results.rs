//! Whether two plans give the same: their rows are looked at, as far as each is one query that is answered at once.
//! Columns may stand in any order and one may show more than the other; a share may be told as a part or in percent.
//! Next: `super`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use turnwise_core::{Cell as Value, PlanDraft, Table};

use crate::clauses;
use crate::draft::Surroundings;

/// How far numbers may be apart that are the same.
const NEAR: f64 = 0.001;

/// What all looks at the data may take for one message: a person waits.
const LOOKING_MAX: Duration = Duration::from_millis(600);

/// What plans give, each looked at once.
pub struct Looks<'a> {
    around: &'a Surroundings<'a>,
    seen: RefCell<BTreeMap<Vec<String>, Option<Rc<Table>>>>,
    took: Cell<Duration>,
}

impl<'a> Looks<'a> {
    pub fn new(around: &'a Surroundings<'a>) -> Self {
        Self { around, seen: RefCell::default(), took: Cell::default() }
    }

    /// Whether both give the same; nothing where that cannot be seen.
    pub fn are_alike(&self, one: &PlanDraft, other: &PlanDraft) -> Option<bool> {
        Some(give_alike(&*self.given(one)?, &*self.given(other)?))
    }

    fn given(&self, plan: &PlanDraft) -> Option<Rc<Table>> {
        let does = clauses::done_by(plan);
        if let Some(known) = self.seen.borrow().get(&does) {
            return known.clone();
        }
        if self.took.get() >= LOOKING_MAX {
            return None;
        }
        let begun = Instant::now();
        let given = (self.around.result)(plan).map(Rc::new);
        self.took.set(self.took.get() + begun.elapsed());
        self.seen.borrow_mut().insert(does, given.clone());
        given
    }
}

/// Whether one holds the rows of the other.
pub fn give_alike(one: &Table, other: &Table) -> bool {
    hold(one, other) || hold(other, one)
}

/// Whether each row of `narrow` stands in a row of `wide` of its own.
fn hold(wide: &Table, narrow: &Table) -> bool {
    let mut given = vec![false; wide.rows.len()];
    wide.total_rows == narrow.total_rows
        && wide.rows.len() == narrow.rows.len()
        && narrow.rows.iter().all(|row| {
            let own = wide.rows.iter().enumerate().position(|(at, other)| !given[at] && row_holds(other, row));
            own.is_some_and(|at| !std::mem::replace(&mut given[at], true))
        })
}

fn row_holds(wide: &[Value], narrow: &[Value]) -> bool {
    let mut used = vec![false; wide.len()];
    narrow.iter().all(|cell| {
        let own = wide.iter().enumerate().position(|(at, other)| !used[at] && same(other, cell));
        own.is_some_and(|at| !std::mem::replace(&mut used[at], true))
    })
}

fn same(one: &Value, other: &Value) -> bool {
    match (one.as_number(), other.as_number()) {
        (Some(one), Some(other)) => near(one, other) || near(one * 100.0, other) || near(one, other * 100.0),
        _ => one == other,
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * one.abs().max(other.abs()).max(f64::MIN_POSITIVE)
}
