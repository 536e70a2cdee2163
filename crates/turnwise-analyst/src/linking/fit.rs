//! How the weights are fitted, and what holds them to it: data of other fields (`lessons`) with words people would say
//! there, each with what it stands for or that it stands for nothing. A multinomial model over all there is, none
//! included, is fitted on all of them; how often it is right is told on fields it was not fitted on. `UPDATE=1` writes
//! the weights anew. Next: `weights`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;

use rusqlite::Connection;

use super::super::asked;
use super::super::catalogue::Catalogue;
use super::super::likeliest::{Fit, Several};
use super::super::source::Workbench;
use super::vectors::Vectors;
use super::{element, features, looked_at};

/// Passes over all lessons.
const PASSES: i32 = 400;
/// How far a step goes.
const STEP: f64 = 0.09;
/// What large weights cost.
const DECAY: f64 = 0.001;
/// Parts the fields are put into, of which each is told by what was fitted on the others.
const FOLDS: usize = 5;

/// A word in a question, with what there is and what it stands for.
struct Lesson {
    field: usize,
    said: String,
    /// For each thing its features that are not zero; at last those of none.
    rows: Vec<Vec<(usize, f64)>>,
    labels: Vec<String>,
    right: Vec<bool>,
}

impl Lesson {
    fn several(&self) -> Several<'_> {
        Several { rows: &self.rows, right: &self.right }
    }
}

/// The fields.
fn fields() -> Vec<String> {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let here = file!().split_once("/src/").unwrap().1;
    let folder = source.join(here).parent().unwrap().join("lessons");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A name that nobody has: syllables by a number.
fn made_up(number: usize) -> String {
    const SYLLABLES: [&str; 12] = ["bar", "den", "fil", "gor", "hal", "jun", "kes", "lor", "mav", "nep", "rud", "sev"];
    let name = format!("{}{}{}", SYLLABLES[number % 12], SYLLABLES[number / 12 % 12], SYLLABLES[number / 144 % 12]);
    name[..1].to_uppercase() + &name[1..]
}

/// The value of a column in a row.
fn value(holds: &str, row: usize, at: usize) -> String {
    let mixed = (row * 2_654_435_761 + at * 40_503 + 7).wrapping_mul(2_246_822_519) >> 13;
    let mixed = mixed % 1_000_003;
    match holds.split_once(' ').unwrap_or((holds, "")) {
        ("key", _) => (row + 1).to_string(),
        ("->", _) => (mixed % 8 + 1).to_string(),
        ("name" | "words", _) => format!("'{}'", made_up(row * 5 + at)),
        ("number", _) => format!("{}.{}", 3 + mixed % 90, mixed % 10),
        ("date", _) => format!("'202{}-{:02}-{:02}'", mixed % 5, mixed % 12 + 1, mixed % 28 + 1),
        ("flag", _) => (mixed % 2).to_string(),
        ("in", values) => {
            let values: Vec<&str> = values.split(", ").collect();
            format!("'{}'", values[mixed % values.len()])
        }
        (other, _) => panic!("{other} is no kind of column"),
    }
}

/// The SQL of a field.
fn script(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut sql = String::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((table, rows)) = line.strip_prefix("table ").and_then(|rest| rest.split_once(' ')) else { continue };
        let columns: Vec<(&str, &str)> = lines[at + 1..]
            .iter()
            .map_while(|line| line.strip_prefix("  "))
            .map(|line| line.split_once(' ').unwrap())
            .collect();
        let declared =
            columns.iter().map(|(name, holds)| match holds.split_once(' ').map_or(*holds, |(kind, _)| kind) {
                "key" => format!("{name} INTEGER PRIMARY KEY"),
                "->" => format!("{name} INTEGER REFERENCES {}", &holds[3..]),
                "number" => format!("{name} REAL"),
                "flag" => format!("{name} INTEGER"),
                _ => format!("{name} TEXT"),
            });
        writeln!(sql, "CREATE TABLE {table} ({});", declared.collect::<Vec<_>>().join(", ")).unwrap();
        for row in 0..rows.parse().unwrap() {
            let values = columns.iter().enumerate().map(|(at, (_, holds))| value(holds, row, at));
            writeln!(sql, "INSERT INTO {table} VALUES ({});", values.collect::<Vec<_>>().join(", ")).unwrap();
        }
    }
    sql
}

/// The lessons of a field.
fn lessons(field: usize, text: &str, vectors: &Vectors) -> Vec<Lesson> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.sqlite");
    Connection::open(&path).unwrap().execute_batch(&format!("BEGIN; {} COMMIT;", script(text))).unwrap();
    let bench = Workbench::open(&[path]).unwrap();
    let catalogue = Catalogue::build(&bench, bench.tables()).unwrap();
    let asked = text.lines().filter_map(|line| line.strip_prefix("ask "));
    asked.filter_map(|line| lesson(field, line, &catalogue, vectors)).collect()
}

/// `how many [people] live here => towns.population`; nothing where the word is known to the reader without linking.
fn lesson(field: usize, line: &str, catalogue: &Catalogue, vectors: &Vectors) -> Option<Lesson> {
    let (question, right) = line.split_once(" => ").unwrap();
    let word = question.split_once('[').unwrap().1.split_once(']').unwrap().0;
    let text = question.replace(['[', ']'], "");
    let term = asked::find(catalogue, &text, &[word.to_owned()]).into_iter().find(|term| term.words == word)?;
    let texts = [text];
    let around = element::around(catalogue, &texts);
    let context = features::Context { catalogue, around: &around, term: &term, text: &texts[0] };
    let (elements, mut rows) = looked_at(&context, vectors).unwrap();
    features::look_at_sentence(&context, vectors, &elements, &mut rows).unwrap();
    let labels: Vec<String> = elements.iter().map(|one| one.label(catalogue)).chain(["none".to_owned()]).collect();
    let right: Vec<&str> = right.split(" | ").collect();
    let mut is_right: Vec<bool> = labels.iter().map(|label| right.contains(&label.as_str())).collect();
    // What cannot be linked to from there: then to link to nothing is right.
    if !is_right.contains(&true) {
        if std::env::var_os("TOLD").is_some() {
            println!("unreachable: {line}");
        }
        *is_right.last_mut().unwrap() = true;
    }
    let whole = |row: &Vec<f32>| {
        row.iter().enumerate().filter(|(_, value)| **value != 0.0).map(|(at, value)| (at, f64::from(*value))).collect()
    };
    let rows = rows.iter().map(whole).collect();
    Some(Lesson { field, said: question.to_owned(), rows, labels, right: is_right })
}

fn shares(lesson: &Lesson, weights: &[f64]) -> Vec<f64> {
    lesson.several().shares(weights)
}

/// The weights that make what is right likeliest.
fn fitted(lessons: &[&Lesson], decay: f64) -> Vec<f64> {
    let all: Vec<Several<'_>> = lessons.iter().map(|lesson| lesson.several()).collect();
    Fit { passes: PASSES, step: STEP, decay }.weights(&all, &vec![0.0; features::names().len()])
}

/// All lessons: looking at them takes longer than fitting.
static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let vectors = Vectors::default();
    fields().iter().enumerate().flat_map(|(at, text)| lessons(at, text, &vectors)).collect()
});

/// The lessons with what is likeliest and how likely, by what was fitted on other fields.
fn told_by_others(lessons: &[Lesson], decay: f64) -> Vec<(&Lesson, Vec<f64>)> {
    let mut told = Vec::new();
    for fold in 0..FOLDS {
        let (own, others): (Vec<&Lesson>, Vec<&Lesson>) =
            lessons.iter().partition(|lesson| lesson.field % FOLDS == fold);
        let weights = fitted(&others, decay);
        told.extend(own.into_iter().map(|lesson| (lesson, shares(lesson, &weights))));
    }
    told
}

#[test]
fn the_weights_are_those_that_the_lessons_give() {
    let lessons = &*LESSONS;
    let weights = fitted(&lessons.iter().collect::<Vec<_>>(), DECAY);
    let told: String = features::names()
        .iter()
        .zip(&weights)
        .fold(String::new(), |told, (name, weight)| format!("{told}{name} {weight:.3}\n"));
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let path = source.join(file!().split_once("/src/").unwrap().1).with_file_name("weights.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &told).unwrap();
    }
    let held = std::fs::read_to_string(&path).unwrap();
    assert_eq!(held.lines().count(), told.lines().count(), "UPDATE=1 writes the weights anew");
    for (held, told) in held.lines().zip(told.lines()) {
        let (one, other) = (held.split_once(' ').unwrap(), told.split_once(' ').unwrap());
        assert_eq!(one.0, other.0, "UPDATE=1 writes the weights anew");
        let (one, other): (f64, f64) = (one.1.parse().unwrap(), other.1.parse().unwrap());
        assert!((one - other).abs() < 0.05, "{held} is {told} by the lessons: UPDATE=1 writes the weights anew");
    }
}

#[test]
fn on_fields_nothing_was_fitted_on_what_is_taken_is_right_and_what_is_offered_has_it() {
    let lessons = &*LESSONS;
    let told = told_by_others(lessons, DECAY);
    let (mut taken, mut wrong, mut linked, mut offered) = (0, Vec::new(), 0, 0);
    for (lesson, shares) in &told {
        let best = (0..shares.len() - 1).max_by(|one, other| shares[*one].total_cmp(&shares[*other])).unwrap();
        if shares[best] >= asked::TAKEN_MIN {
            taken += 1;
            if !lesson.right[best] {
                wrong.push(format!("{:.2} {} as {}", shares[best], lesson.said, lesson.labels[best]));
            }
        }
        if !lesson.right[lesson.right.len() - 1] {
            linked += 1;
            let is = |at: usize| lesson.right[at] && shares[at] >= asked::OFFERED_MIN;
            offered += usize::from((0..shares.len() - 1).any(is));
        }
    }
    if std::env::var_os("TOLD").is_some() {
        for (lesson, shares) in &told {
            let mut order: Vec<usize> = (0..shares.len()).collect();
            order.sort_by(|one, other| shares[*other].total_cmp(&shares[*one]));
            let best: Vec<String> =
                order.iter().take(3).map(|at| format!("{} {:.2}", lesson.labels[*at], shares[*at])).collect();
            let mark = if lesson.right[order[0]] { "+" } else { "-" };
            println!("{mark} {} => {}", lesson.said, best.join(", "));
        }
    }
    println!("{} lessons; taken {taken}, wrong {}; offered {offered} of {linked}\n{wrong:#?}", told.len(), wrong.len());
    assert!(taken >= 40, "taken: {taken}");
    assert!(wrong.len() * 12 <= taken, "wrong: {wrong:#?}");
    assert!(offered * 10 >= linked * 9, "offered: {offered} of {linked}");
}
