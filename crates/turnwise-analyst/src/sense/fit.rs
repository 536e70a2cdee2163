//! How the costs are fitted: databases with questions people would ask of them and the SQL that answers each
//! (`lessons`). The readings of a question, and that none of them is meant, share a probability by what they cost; the
//! costs are those that make what gives the right rows likeliest. `UPDATE=1` fits them anew on all lessons and tells
//! how well that carries over to databases it was not fitted on; a run of all tests looks at a part of them. Next:
//! `costs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::Deserialize;
use turnwise_assistant::Room;
use turnwise_core::{PlanDraft, Table, Task};

use super::likely::none;
use super::{TAKEN_MIN, costs, results, uses};
use crate::Analyst;
use crate::likeliest::{Fit, Several};
use crate::linking::Vectors;
use compare::holds;

#[path = "../../../turnwise/tests/blind/compare.rs"]
mod compare;
#[path = "../../tests/question/run.rs"]
mod run;

const FIT: Fit = Fit { passes: 150, step: 0.05, decay: 0.002 };
/// What a reason costs at least that nobody gave a price, to be written down.
const TOLD_MIN: f64 = 0.05;
/// Parts the databases are put into, of which each is told by what was fitted on the others.
const FOLDS: usize = 5;
/// Every so many databases are looked at when all tests run.
const EVERY: usize = 5;

#[derive(Deserialize)]
struct Case {
    question: String,
    sql: Option<String>,
    #[serde(default)]
    alt: Vec<String>,
    #[serde(default)]
    ordered: bool,
}

/// A question with its readings.
struct Lesson {
    database: usize,
    /// For each reading how much of each reason speaks for it, which is less than none: it costs. At last those of
    /// none.
    rows: Vec<Vec<(usize, f64)>>,
    right: Vec<bool>,
    /// For each the first that gives the same.
    alike: Vec<usize>,
}

impl Lesson {
    fn several(&self) -> Several<'_> {
        Several { rows: &self.rows, right: &self.right }
    }

    /// What is likeliest, with all that give the same, and how likely that is; nothing where none of them is.
    fn best(&self, costs: &[f64]) -> Option<(usize, f64)> {
        let mut pooled = vec![0.0; self.rows.len()];
        self.alike.iter().zip(self.several().shares(costs)).for_each(|(at, share)| pooled[*at] += share);
        let best = (0..pooled.len()).max_by(|one, other| pooled[*one].total_cmp(&pooled[*other]))?;
        (best + 1 < pooled.len()).then(|| (best, pooled[best]))
    }
}

/// The reasons by number, with what each cost before.
#[derive(Default)]
struct Reasons {
    at: BTreeMap<String, usize>,
    before: Vec<f64>,
    /// Those that are written down whatever they cost.
    set: BTreeSet<usize>,
}

impl Reasons {
    fn number(&mut self, reason: &str) -> usize {
        if let Some(at) = self.at.get(reason) {
            return *at;
        }
        self.before.push(0.0);
        self.at.insert(reason.to_owned(), self.before.len() - 1);
        self.before.len() - 1
    }

    /// The table of costs.
    fn table(&self, costs: &[f64]) -> String {
        let kept = self.at.iter().filter(|(_, at)| self.set.contains(at) || costs[**at].abs() >= TOLD_MIN);
        kept.map(|(reason, at)| format!("{reason} {} {:.3}\n", self.before[*at], costs[*at])).collect()
    }
}

fn here() -> PathBuf {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    source.join(file!().split_once("/src/").unwrap().1).parent().unwrap().to_owned()
}

/// The scripts of all databases.
fn scripts() -> Vec<PathBuf> {
    let files = std::fs::read_dir(here().join("lessons")).unwrap();
    let mut scripts: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    scripts.retain(|file| file.extension().is_some_and(|end| end == "sql"));
    scripts.sort();
    scripts
}

/// The lessons of a database.
fn lessons(database: usize, script: &Path, vectors: &Vectors, reasons: &mut Reasons) -> Vec<Lesson> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    let oracle = Connection::open(&path).unwrap();
    oracle.execute_batch("PRAGMA synchronous = OFF").unwrap();
    oracle.execute_batch(&std::fs::read_to_string(script).unwrap()).unwrap();
    let analyst = Analyst::open(&[path]).unwrap();
    let cases = std::fs::read_to_string(script.with_extension("jsonl")).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<Case>(line).unwrap());
    let lessons = cases.map(|case| {
        let expected: Vec<Vec<Vec<_>>> = case.sql.iter().chain(&case.alt).map(|sql| run::rows(&oracle, sql)).collect();
        let (mut right, mut alike) = (Vec::new(), Vec::new());
        let mut tables: Vec<Option<Table>> = Vec::new();
        let looked_at = looked_at(&analyst, vectors, &run::task(&case.question), reasons);
        for plan in looked_at.plans {
            let table = run::run(&analyst, plan).ok();
            let is_alike = |other: &Option<Table>| {
                table.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| results::give_alike(one, other))
            };
            alike.push(tables.iter().position(is_alike).unwrap_or(tables.len()));
            let is = |table: &Table| expected.iter().any(|expected| holds(table, expected, case.ordered));
            right.push(table.as_ref().is_some_and(is));
            tables.push(table);
        }
        let mut rows = looked_at.rows;
        rows.push(looked_at.nothing);
        right.push(!right.contains(&true));
        alike.push(tables.len());
        Lesson { database, rows, right, alike }
    });
    lessons.collect()
}

/// The readings of a question: the reasons of each and its plan, and the reasons of none.
struct Looked {
    rows: Vec<Vec<(usize, f64)>>,
    plans: Vec<PlanDraft>,
    nothing: Vec<(usize, f64)>,
}

fn looked_at(analyst: &Analyst, vectors: &Vectors, task: &Task, reasons: &mut Reasons) -> Looked {
    let catalogue = analyst.data.own();
    let message = super::message(catalogue, task);
    let planned =
        analyst.around(&Room::Anywhere, |around| super::planned(catalogue, vectors, &message, task, around).unwrap());
    let mut numbered = |own: &[(String, f64)]| -> Vec<(usize, f64)> {
        let mut row: BTreeMap<usize, f64> = BTreeMap::new();
        own.iter().for_each(|(reason, amount)| *row.entry(reasons.number(reason)).or_default() -= amount);
        row.into_iter().collect()
    };
    let nothing = numbered(none(&message).reasons());
    let rows = planned.iter().map(|one| numbered(one.reading.costs.reasons())).collect();
    Looked { rows, plans: planned.into_iter().map(|one| one.plan).collect(), nothing }
}

/// The costs that make what is right likeliest.
fn fitted(lessons: &[&Lesson], before: &[f64]) -> Vec<f64> {
    let all: Vec<Several<'_>> = lessons.iter().map(|lesson| lesson.several()).collect();
    FIT.weights(&all, before)
}

/// How many have a right reading, how many have a likeliest one from `least` on, and in how many of them it is wrong.
fn scored(told: &[(&Lesson, &[f64])], least: f64) -> (usize, usize, usize) {
    let reached = told.iter().filter(|(lesson, _)| !lesson.right.last().unwrap()).count();
    let likely = told.iter().filter_map(|(lesson, costs)| Some((lesson, lesson.best(costs)?)));
    let taken: Vec<bool> =
        likely.filter(|(_, (_, share))| *share >= least).map(|(lesson, (best, _))| lesson.right[best]).collect();
    (reached, taken.len(), taken.iter().filter(|right| !**right).count())
}

#[test]
fn readings_are_about_as_likely_as_they_are_right() {
    let update = std::env::var_os("UPDATE").is_some();
    let (vectors, path) = (Vectors::default(), here().join("costs.txt"));
    let (mut reasons, mut held) = (Reasons::default(), BTreeMap::new());
    for (reason, before, now) in costs::lines(&std::fs::read_to_string(&path).unwrap()) {
        let at = reasons.number(reason);
        reasons.before[at] = before;
        held.insert(at, now);
        if before != 0.0 || uses::is_of_place(reason) {
            reasons.set.insert(at);
        }
    }
    let scripts = scripts();
    let looked_at = scripts.iter().enumerate().filter(|(at, _)| update || at % EVERY == 0);
    let all: Vec<Lesson> = looked_at.flat_map(|(at, script)| lessons(at, script, &vectors, &mut reasons)).collect();
    if update {
        for fold in 0..FOLDS {
            let (own, others): (Vec<&Lesson>, Vec<&Lesson>) = all.iter().partition(|one| one.database % FOLDS == fold);
            let costs = fitted(&others, &reasons.before);
            let told: Vec<(&Lesson, &[f64])> = own.iter().map(|lesson| (*lesson, costs.as_slice())).collect();
            for least in [0.5, TAKEN_MIN, 0.9] {
                let (reached, taken, wrong) = scored(&told, least);
                println!("part {fold}: {reached} of {} reached; from {least}: {taken}, wrong {wrong}", own.len());
            }
        }
        std::fs::write(&path, reasons.table(&fitted(&all.iter().collect::<Vec<_>>(), &reasons.before))).unwrap();
        return;
    }
    let now: Vec<f64> = (0..reasons.before.len()).map(|at| held.get(&at).copied().unwrap_or(0.0)).collect();
    let told: Vec<(&Lesson, &[f64])> = all.iter().map(|lesson| (lesson, now.as_slice())).collect();
    let (reached, taken, wrong) = scored(&told, TAKEN_MIN);
    println!("{reached} of {} reached; from {TAKEN_MIN}: {taken}, wrong {wrong}", all.len());
    assert!(reached * 100 >= all.len() * 45, "{reached} of {} have a right reading", all.len());
    assert!(taken * 100 >= all.len() * 12, "{taken} of {} are taken", all.len());
    assert!(wrong * 100 <= taken * 20, "{wrong} of {taken} that are taken are wrong");
}
