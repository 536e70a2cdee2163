//! What a model says of a result, held against the result. Every number in it, in digits or spelt, must be a cell, the
//! number of rows, or stand in the question or in the plain sentence; and a number that is a cell must stand beside a
//! name of its own row, where names of rows are said at all. It may be two sentences of plain text, without an address:
//! whatever a cell of the data makes a model say, it cannot lead a person anywhere. Next: `super`.

use turnwise_core::numerals::number_of;
use turnwise_core::{Cell, Table};

/// Letters of what is said.
const LETTERS_MAX: usize = 500;
/// Sentences of it.
const SENTENCES_MAX: usize = 2;

/// What was said, and what it is held against.
pub struct Told<'a> {
    pub text: &'a str,
    pub question: &'a str,
    pub plain: &'a str,
    pub table: &'a Table,
}

/// A number as it stands in a text.
#[derive(Clone, Debug, PartialEq)]
struct Number {
    /// Where it begins and ends.
    at: (usize, usize),
    /// As it is written, without what sets thousands apart.
    digits: String,
    value: f64,
}

impl Told<'_> {
    /// All that is wrong with it.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.form();
        let numbers = numbers(self.text);
        for number in &numbers {
            if !self.is_known(number) {
                problems.push(format!("{} is no number of the result", number.digits));
            } else if let Some(whose) = self.is_of_another(number) {
                problems.push(format!("{} is not of “{whose}”", number.digits));
            }
        }
        let says = !numbers.is_empty() || self.names().next().is_some();
        let has_numbers = self.table.rows.iter().flatten().any(Cell::is_number);
        if problems.is_empty() && !says && has_numbers {
            problems.push("it tells nothing of the result".to_owned());
        }
        problems
    }

    /// What is wrong with its form.
    fn form(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.text.is_empty() {
            problems.push("it is empty".to_owned());
        }
        if self.text.chars().count() > LETTERS_MAX || sentences(self.text) > SENTENCES_MAX {
            problems.push(format!("it is longer than {SENTENCES_MAX} sentences"));
        }
        if self.text.chars().any(|letter| letter.is_control() || matches!(letter, '`' | '<' | '>' | '{' | '}' | '|')) {
            problems.push("it is more than plain text".to_owned());
        }
        let is_address = |word: &str| word.contains("://") || word.starts_with("www.") || word.contains('@');
        let own = |word: &str| self.table.rows.iter().flatten().any(|cell| cell.to_string().contains(word));
        if self.text.split_whitespace().any(|word| is_address(word) && !own(word)) {
            problems.push("it names an address".to_owned());
        }
        problems
    }

    /// Whether a number stands in the result, in the question or in the plain sentence.
    fn is_known(&self, number: &Number) -> bool {
        self.rows_of(number).next().is_some()
            || number.value == self.table.total_rows as f64
            || [self.question, self.plain].iter().any(|text| numbers(text).iter().any(|one| same(number, one.value)))
    }

    /// The rows that hold a number, as a cell or within the text of one.
    fn rows_of<'a>(&'a self, number: &'a Number) -> impl Iterator<Item = usize> + 'a {
        let holds = |cell: &Cell| match cell {
            Cell::Text(text) => numbers(text).iter().any(|one| same(number, one.value)),
            Cell::Integer(_) | Cell::Real(_) => cell.as_number().is_some_and(|value| same(number, value)),
            Cell::Null => false,
        };
        self.table.rows.iter().enumerate().filter(move |(_, row)| row.iter().any(holds)).map(|(at, _)| at)
    }

    /// The names of rows that are said: where they stand, and in which row.
    fn names(&self) -> impl Iterator<Item = ((usize, usize), usize, &str)> {
        let cells =
            self.table.rows.iter().enumerate().flat_map(|(row, cells)| cells.iter().map(move |cell| (row, cell)));
        cells.filter_map(|(row, cell)| {
            let Cell::Text(name) = cell else { return None };
            let at = find(self.text, name)?;
            Some(((at, at + name.len()), row, name.as_str()))
        })
    }

    /// Whose name stands nearest to a number, where the number is of none of those rows.
    fn is_of_another(&self, number: &Number) -> Option<String> {
        let rows: Vec<usize> = self.rows_of(number).collect();
        if rows.is_empty() {
            return None;
        }
        let gap = |(from, to): (usize, usize)| match (from >= number.at.1, to <= number.at.0) {
            (true, _) => from - number.at.1,
            (false, true) => number.at.0 - to,
            (false, false) => 0,
        };
        // A name of the same sentence comes before one that only stands nearer.
        let sentence = |at: usize| ends(&self.text[..at]);
        let is_beside = |(at, _): (usize, usize)| sentence(at) == sentence(number.at.0);
        let any_beside = self.names().any(|(at, ..)| is_beside(at));
        let names = || self.names().filter(|(at, ..)| !any_beside || is_beside(*at));
        let nearest = names().map(|(at, ..)| gap(at)).min()?;
        let near: Vec<_> = names().filter(|(at, ..)| gap(*at) <= nearest + GAP_LETTERS).collect();
        let is_own = near.iter().any(|(_, row, _)| rows.contains(row));
        if is_own { None } else { near.first().map(|(.., name)| (*name).to_owned()) }
    }
}

/// Letters by which the name behind a number may be farther off than the one before it: "120 in Rome".
const GAP_LETTERS: usize = 6;

/// Where `name` stands in `text` by itself, whatever its case.
fn find(text: &str, name: &str) -> Option<usize> {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    if name.trim().is_empty() {
        return None;
    }
    let ends = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(&name)
        .find(|(at, found)| ends(text[..*at].chars().last()) && ends(text[at + found.len()..].chars().next()))
        .map(|(at, _)| at)
}

/// Whether a number as it is written is `value`, rounded to the places that are written.
fn same(number: &Number, value: f64) -> bool {
    let places = number.digits.split_once('.').map_or(0, |(_, places)| places.len());
    let unit = 10f64.powi(-i32::try_from(places).unwrap_or(i32::MAX));
    (number.value - value.abs()).abs() <= unit / 2.0 + f64::EPSILON * value.abs()
        && (places > 0 || value.fract() == 0.0 || value.abs() >= 100.0)
}

/// The numbers of a text, in digits with their thousands set apart or not, and spelt.
fn numbers(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let from = at;
        let mut digits = String::new();
        while digit(at) || (matches!(bytes.get(at), Some(b',' | b'.')) && digit(at + 1)) {
            match bytes[at] {
                b',' => {}
                other => digits.push(char::from(other)),
            }
            at += 1;
        }
        if let Ok(value) = digits.parse() {
            found.push(Number { at: (from, at), digits, value });
        } else {
            // "2024.03.01": each part by itself.
            for part in digits.split('.').filter(|part| !part.is_empty()) {
                let value = part.parse().unwrap_or(f64::NAN);
                found.push(Number { at: (from, at), digits: part.to_owned(), value });
            }
        }
    }
    let mut at = 0;
    for word in text.split_inclusive(|letter: char| !letter.is_alphabetic()) {
        let plain = word.trim_end_matches(|letter: char| !letter.is_alphabetic());
        if let Some(value) = number_of(&plain.to_lowercase()).filter(|value| *value > 1) {
            let digits = value.to_string();
            found.push(Number { at: (at, at + plain.len()), digits, value: f64::from(value) });
        }
        at += word.len();
    }
    found
}

/// How many sentences there are.
fn sentences(text: &str) -> usize {
    ends(text).max(1)
}

/// How many sentences end: each does in a mark before a space or the end.
fn ends(text: &str) -> usize {
    let ends = text.char_indices().filter(|(at, letter)| {
        let behind = text[at + letter.len_utf8()..].chars().next();
        matches!(letter, '.' | '!' | '?') && behind.is_none_or(char::is_whitespace)
    });
    ends.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |name: &str, count: i64, share: f64| {
            vec![Cell::Text(name.to_owned()), Cell::Integer(count), Cell::Real(share)]
        };
        let columns = ["genre", "tracks", "hours"].map(str::to_owned).to_vec();
        Table::whole(columns, vec![row("Rock", 1_297, 102.503), row("Latin", 579, 37.25), row("Jazz", 130, 10.5)])
    }

    fn problems(text: &str) -> Vec<String> {
        let question = "tracks and hours of the top 3 genres since 2009";
        Told { text, question, plain: "Rock is highest.", table: &table() }.problems()
    }

    #[test]
    fn numbers_of_the_result_pass_as_people_write_them() {
        for text in [
            "Rock leads with 1,297 tracks, followed by Latin with 579.",
            "Rock has 1297 tracks (102.5 hours). Latin has 579 and Jazz 130.",
            "Since 2009 the three genres are led by Rock: 1297 tracks.",
            "There are 130 tracks in Jazz.",
        ] {
            assert_eq!(problems(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_made_up_or_worked_out_does_not_pass() {
        assert_eq!(problems("Rock has 1,298 tracks."), ["1298 is no number of the result"]);
        assert_eq!(problems("Rock has 718 tracks more than Latin."), ["718 is no number of the result"]);
        assert_eq!(problems("Rock is 65% of all."), ["65 is no number of the result"]);
        assert_eq!(problems("Rock has twenty genres."), ["20 is no number of the result"]);
        assert_eq!(problems("Rock lasts 102.6 hours."), ["102.6 is no number of the result"]);
    }

    #[test]
    fn a_number_beside_the_name_of_another_row_does_not_pass() {
        assert_eq!(problems("Rock has 579 tracks."), ["579 is not of “Rock”"]);
    }

    #[test]
    fn what_is_no_two_plain_sentences_does_not_pass() {
        assert_eq!(problems("Rock. Latin. Jazz."), ["it is longer than 2 sentences"]);
        assert_eq!(problems("See https://example.org for Rock."), ["it names an address"]);
        assert_eq!(problems("**Rock** <b>1297</b>"), ["it is more than plain text"]);
        assert_eq!(problems("The plan was approved"), ["it tells nothing of the result"]);
        assert_eq!(problems(""), ["it is empty"]);
    }
}
