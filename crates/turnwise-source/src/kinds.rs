//! What a column of text holds, judged by all of its values: a type is given only where every value has it, so no value
//! is lost to a wrong guess. Next: `delimited`, which asks, and `dates`.

use std::borrow::Cow;

use super::dates::{self, DateOrder};
use super::numerals::{self, Comma, Doubt, Mark, Number, Writing};
use super::{ColumnKind, SourceColumn};

/// Words that stand for a missing value in files; compared without regard to case.
const MISSING: [&str; 5] = ["NA", "N/A", "#N/A", "NULL", "NaN"];

/// How the values of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Numbers as people write them, whole or not.
    Written {
        /// What stands before a fraction.
        mark: Mark,
        /// Whether there are none.
        is_whole: bool,
    },
    /// `true` and `false`, or `yes` and `no`.
    Boolean,
    /// Dates, all in one order.
    Date(DateOrder),
    /// Dates, some with the year first and some in this order; what is none is missing.
    Dates(DateOrder),
    /// Anything.
    Text,
}

/// One value, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored<'a> {
    /// Missing.
    Null,
    /// A whole number or a truth.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text or a date.
    Text(Cow<'a, str>),
}

/// Whether the field holds no value, and if so, whether a word says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Absence {
    Present,
    Blank,
    Word,
}

/// The columns with these names, judged by what was seen in them, with notes where that may surprise.
pub fn judge(
    names: Vec<String>,
    seen: &[Evidence],
    comma: Comma,
    notes: &mut Vec<String>,
) -> (Vec<SourceColumn>, Vec<Form>) {
    let missing: Vec<String> = names
        .iter()
        .zip(seen)
        .filter(|(_, evidence)| evidence.missing_words > 0)
        .map(|(name, evidence)| format!("{name} ({})", evidence.missing_words))
        .collect();
    if !missing.is_empty() {
        notes.push(format!("Words such as NA and null are read as missing values in {}.", missing.join(", ")));
    }
    let judged = names.into_iter().zip(seen).map(|(name, evidence)| {
        let (form, note) = evidence.judge(&name, comma);
        notes.extend(note);
        (SourceColumn { name, kind: form.kind(), primary_key: false }, form)
    });
    judged.unzip()
}

/// What was seen in a column.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    values: u64,
    missing_words: u64,
    integers: u64,
    reals: u64,
    /// Digits that are no number: with leading zeros, or more than a number holds.
    codes: u64,
    /// How numbers are written that programs do not write so.
    writing: Writing,
    true_false: u64,
    yes_no: u64,
    year_first: u64,
    day_first: u64,
    month_first: u64,
    /// Values that are no date in any order.
    undated: u64,
    zoned: bool,
    first_not_number: Option<Sighting>,
    first_not_date: Option<Sighting>,
}

#[derive(Clone, Debug)]
struct Sighting {
    line: u64,
    value: String,
}

impl Evidence {
    /// Takes in one field.
    pub fn add(&mut self, field: &str, line: u64) {
        match absence(field) {
            Absence::Blank => return,
            Absence::Word => {
                self.missing_words += 1;
                return;
            }
            Absence::Present => self.values += 1,
        }
        let text = field.trim();
        self.writing.add(text);
        match read_number(text) {
            Some(Number::Integer(_)) => self.integers += 1,
            Some(Number::Real(_)) => self.reals += 1,
            None => {
                self.add_other(text);
                see(&mut self.first_not_number, line, text);
            }
        }
        if self.add_date(text) == 0 {
            self.undated += 1;
            see(&mut self.first_not_date, line, text);
        }
    }

    fn add_other(&mut self, text: &str) {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            self.codes += 1;
        } else if is_one_of(text, ["true", "false"]) {
            self.true_false += 1;
        } else if is_one_of(text, ["yes", "no"]) {
            self.yes_no += 1;
        }
    }

    /// Counts the orders in which the text is a date.
    fn add_date(&mut self, text: &str) -> u64 {
        // All accepted dates have two separators, so most fields are passed over at the first look.
        if text.len() < 8 || !text.as_bytes()[0].is_ascii_digit() || !text.contains(['-', '/', '.']) {
            return 0;
        }
        let fits = |order| u64::from(dates::normalised(text, order).is_some());
        let (year, day, month) =
            (fits(DateOrder::YearMonthDay), fits(DateOrder::DayMonthYear), fits(DateOrder::MonthDayYear));
        self.year_first += year;
        self.day_first += day;
        self.month_first += month;
        let fitting = year + day + month;
        self.zoned |= fitting > 0 && text.get(16..).is_some_and(|rest| rest.contains(['+', '-']));
        fitting
    }

    /// How the column is written, with a note where that may surprise.
    pub fn judge(&self, column: &str, comma: Comma) -> (Form, Option<String>) {
        let numbers = self.integers + self.reals;
        let all = |count: u64| count == self.values;
        if self.values == 0 {
            return (Form::Text, Some(format!("The column {column} has no values.")));
        }
        if all(numbers) {
            return (if self.reals == 0 { Form::Integer } else { Form::Real }, None);
        }
        if all(self.true_false) || all(self.yes_no) {
            return (Form::Boolean, None);
        }
        if let Some(order) = self.date_order() {
            let note = self.zoned.then(|| format!("Times in {column} name their zone; they are shown in UTC."));
            return (Form::Date(order), note);
        }
        if let Some(order) = self.other_order() {
            return (Form::Dates(order), Some(self.why_dates(column)));
        }
        match self.writing.judge(comma) {
            Ok(mark) => {
                let is_whole = !self.writing.has_fractions(mark);
                (Form::Written { mark, is_whole }, self.how_written(column, mark))
            }
            Err(doubt) => (Form::Text, self.why_text(column, numbers, &doubt)),
        }
    }

    fn date_order(&self) -> Option<DateOrder> {
        let all = |count: u64| count == self.values;
        match (all(self.year_first), all(self.day_first), all(self.month_first)) {
            (true, _, _) => Some(DateOrder::YearMonthDay),
            (false, true, false) => Some(DateOrder::DayMonthYear),
            (false, false, true) => Some(DateOrder::MonthDayYear),
            // Each value could be read either way, and a guess would move sales between months.
            (false, true, true) | (false, false, false) => None,
        }
    }

    /// The order of the dates that do not begin with the year, where others do and hardly a value is no date at all.
    fn other_order(&self) -> Option<DateOrder> {
        let strange = self.undated > 0 && self.undated * STRANGE_SHARE > self.values;
        let rest = self.values - self.year_first - self.undated;
        if strange || self.year_first == 0 {
            return None;
        }
        match (rest > 0 && self.day_first == rest, rest > 0 && self.month_first == rest) {
            (true, false) => Some(DateOrder::DayMonthYear),
            (false, true) => Some(DateOrder::MonthDayYear),
            (false, false) if rest == 0 && self.undated > 0 => Some(DateOrder::YearMonthDay),
            (true, true) | (false, false) => None,
        }
    }

    fn why_dates(&self, column: &str) -> String {
        let rest = self.values - self.year_first - self.undated;
        let mut note = if rest > 0 {
            format!(
                "The dates in {column} are written in two ways ({} with the year first, {rest} with the year last); both \
                 are read.",
                self.year_first
            )
        } else {
            format!("The column {column} is read as dates.")
        };
        if let (Some(first), true) = (&self.first_not_date, self.undated > 0) {
            let others = counted(self.undated, "other value");
            note.push_str(&format!(
                " {others} could not be read as a date and count as missing (the first is {} on line {}).",
                first.value, first.line
            ));
        }
        note
    }

    /// Says how numbers are read that are written for people.
    fn how_written(&self, column: &str, mark: Mark) -> Option<String> {
        let first = self.first_not_number.as_ref()?;
        numerals::told(column, &self.writing, mark, &first.value, &format!("line {}", first.line))
    }

    /// Says why numbers that are written for people are not read.
    fn why_unread(&self, column: &str, doubt: &Doubt) -> Option<String> {
        let first = self.first_not_number.as_ref()?;
        match doubt {
            Doubt::Commas => Some(format!(
                "The commas in {column} could part thousands or fractions (the first is {} on line {}), so its numbers \
                 are kept as text; write them as 1234.56 to calculate with them.",
                first.value, first.line
            )),
            Doubt::Currencies(one, other) => Some(format!(
                "The amounts in {column} are in more than one currency ({one} and {other}), so they are kept as text."
            )),
            Doubt::Other => None,
        }
    }

    /// Says why a column that looks like more is kept as text.
    fn why_text(&self, column: &str, numbers: u64, doubt: &Doubt) -> Option<String> {
        let dates = self.year_first.max(self.day_first).max(self.month_first);
        let rest = self.values - self.year_first;
        if self.undated == 0 && rest > 0 && self.day_first == rest && self.month_first == rest {
            return Some(format!(
                "The dates in {column} could be day/month or month/day, so they are kept as text; write them as \
                 2024-03-01 to use them as dates."
            ));
        }
        if let Some(why) = self.why_unread(column, doubt) {
            return Some(why);
        }
        if self.codes > 0 && self.codes + numbers == self.values {
            return None;
        }
        let (count, what, first) = if dates > numbers {
            (dates, "date", self.first_not_date.as_ref()?)
        } else {
            (numbers, "number", self.first_not_number.as_ref()?)
        };
        (count * 2 >= self.values).then(|| {
            let others = self.values - count;
            format!(
                "The column {column} holds {} but also {} (the first is {} on line {}), so all of it is kept as text.",
                counted(count, what),
                counted(others, "other value"),
                first.value,
                first.line
            )
        })
    }
}

impl Form {
    /// The kind of column that takes this form.
    pub fn kind(self) -> ColumnKind {
        match self {
            Self::Integer => ColumnKind::Integer,
            Self::Real => ColumnKind::Real,
            Self::Written { is_whole, .. } => {
                if is_whole {
                    ColumnKind::Integer
                } else {
                    ColumnKind::Real
                }
            }
            Self::Boolean => ColumnKind::Boolean,
            Self::Date(_) | Self::Dates(_) => ColumnKind::Date,
            Self::Text => ColumnKind::Text,
        }
    }

    /// The value of a field. A field that does not have the form stays text, which cannot happen after the column was
    /// judged by all of its fields.
    pub fn store(self, field: &str) -> Stored<'_> {
        if absence(field) != Absence::Present {
            return Stored::Null;
        }
        let text = field.trim();
        let dated = |order| dates::normalised(text, order).map(|date| Stored::Text(Cow::Owned(date)));
        let read = match self {
            Self::Integer | Self::Real => read_number(text).map(stored),
            Self::Written { mark, .. } => numerals::number(text, mark).map(stored),
            Self::Boolean => Some(Stored::Integer(i64::from(is_one_of(text, ["true", "yes"])))),
            Self::Date(order) => dated(order),
            Self::Dates(order) => dated(DateOrder::YearMonthDay).or_else(|| dated(order)).or(Some(Stored::Null)),
            Self::Text => None,
        };
        read.unwrap_or(Stored::Text(Cow::Borrowed(field)))
    }
}

/// A number, ready to be stored.
pub fn stored<'a>(number: Number) -> Stored<'a> {
    match number {
        Number::Integer(value) => Stored::Integer(value),
        Number::Real(value) => Stored::Real(value),
    }
}

/// A number as programs write it. Leading zeros (postal codes), a leading plus (telephone numbers) and more digits than
/// an integer holds (account numbers) mean that the digits are a name.
fn read_number(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let whole = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole > 1 && unsigned[0] == b'0' {
        return None;
    }
    if whole == unsigned.len() {
        return text.parse().ok().map(Number::Integer);
    }
    // What `parse` takes beyond digits, a point and an exponent are words such as "inf".
    let plain = unsigned.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    if !plain || !matches!(unsigned[0], b'0'..=b'9' | b'.') {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Number::Real)
}

/// Whether the header cell reads as a number.
pub fn is_number(text: &str) -> bool {
    read_number(text.trim()).is_some()
}

fn is_one_of(text: &str, words: [&str; 2]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn absence(field: &str) -> Absence {
    let text = field.trim();
    if text.is_empty() {
        Absence::Blank
    } else if text.len() <= 4 && MISSING.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        Absence::Word
    } else {
        Absence::Present
    }
}

fn see(first: &mut Option<Sighting>, line: u64, value: &str) {
    first.get_or_insert_with(|| Sighting { line, value: turnwise_core::text::clip(value, SHOWN_MAX) });
}

fn counted(count: u64, noun: &str) -> String {
    turnwise_core::text::count(usize::try_from(count).unwrap_or(usize::MAX), noun)
}

/// One value in so many may be no date in a column of dates.
const STRANGE_SHARE: u64 = 20;
/// Characters of a value shown in a note.
const SHOWN_MAX: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges the values as lines 2, 3, … and shows each as it is stored.
    #[track_caller]
    fn check(values: &[&str], form: Form, stored: &[&str], note: &str) {
        let mut evidence = Evidence::default();
        for (value, line) in values.iter().zip(2..) {
            evidence.add(value, line);
        }
        let (found, said) = evidence.judge("c", Comma::Thousands);
        assert_eq!(found, form, "{values:?}: {said:?}");
        assert_eq!(said.unwrap_or_default(), note, "{values:?}");
        let shown: Vec<String> = values
            .iter()
            .map(|value| match found.store(value) {
                Stored::Null => "–".to_owned(),
                Stored::Integer(number) => number.to_string(),
                Stored::Real(number) => number.to_string(),
                Stored::Text(text) => format!("'{text}'"),
            })
            .collect();
        assert_eq!(shown, stored);
    }

    #[test]
    fn numbers() {
        check(&["1", " -2 ", ""], Form::Integer, &["1", "-2", "–"], "");
        check(&["1", "2.5", "1e3", ".5"], Form::Real, &["1", "2.5", "1000", "0.5"], "");
    }

    #[test]
    fn missing_words_are_no_values() {
        check(&["1", "NA", "n/a", "null", "NaN"], Form::Integer, &["1", "–", "–", "–", "–"], "");
        check(&["", "NA"], Form::Text, &["–", "–"], "The column c has no values.");
    }

    #[test]
    fn digits_that_name_something_stay_text() {
        check(&["01234", "99999"], Form::Text, &["'01234'", "'99999'"], "");
        let account = "12345678901234567890";
        check(&[account, "1"], Form::Text, &["'12345678901234567890'", "'1'"], "");
        check(&["+4930123"], Form::Text, &["'+4930123'"], "");
    }

    #[test]
    fn truths() {
        check(&["true", "FALSE", ""], Form::Boolean, &["1", "0", "–"], "");
        check(&["Yes", "no"], Form::Boolean, &["1", "0"], "");
        check(&["yes", "true"], Form::Text, &["'yes'", "'true'"], "");
    }

    #[test]
    fn dates_are_brought_to_one_form() {
        check(
            &["2024/03/01", "2024-03-02"],
            Form::Date(DateOrder::YearMonthDay),
            &["'2024-03-01'", "'2024-03-02'"],
            "",
        );
        check(&["2013-01-01T05:00:00Z"], Form::Date(DateOrder::YearMonthDay), &["'2013-01-01 05:00:00'"], "");
        check(
            &["2013-01-01T05:00:00+02:00"],
            Form::Date(DateOrder::YearMonthDay),
            &["'2013-01-01 03:00:00'"],
            "Times in c name their zone; they are shown in UTC.",
        );
    }

    #[test]
    fn one_day_beyond_twelve_decides_the_whole_column() {
        check(
            &["03/04/2024", "13/04/2024"],
            Form::Date(DateOrder::DayMonthYear),
            &["'2024-04-03'", "'2024-04-13'"],
            "",
        );
        check(
            &["03/04/2024", "04/13/2024"],
            Form::Date(DateOrder::MonthDayYear),
            &["'2024-03-04'", "'2024-04-13'"],
            "",
        );
        check(
            &["03/04/2024"],
            Form::Text,
            &["'03/04/2024'"],
            "The dates in c could be day/month or month/day, so they are kept as text; write them as 2024-03-01 to use \
             them as dates.",
        );
    }

    #[test]
    fn dates_in_two_ways_are_dates_where_each_can_be_one_only() {
        check(
            &["2024-03-01", "13.04.2024", "02.05.2024"],
            Form::Dates(DateOrder::DayMonthYear),
            &["'2024-03-01'", "'2024-04-13'", "'2024-05-02'"],
            "The dates in c are written in two ways (1 with the year first, 2 with the year last); both are read.",
        );
        let note = "The dates in c could be day/month or month/day, so they are kept as text; write them as 2024-03-01 to \
                    use them as dates.";
        check(&["2024-03-01", "03/04/2024"], Form::Text, &["'2024-03-01'", "'03/04/2024'"], note);
    }

    #[test]
    fn mixtures_stay_text_and_say_where_they_begin() {
        check(
            &["1", "2", "many"],
            Form::Text,
            &["'1'", "'2'", "'many'"],
            "The column c holds 2 numbers but also 1 other value (the first is many on line 4), so all of it is kept as text.",
        );
        check(
            &["2024-03-01", "soon"],
            Form::Text,
            &["'2024-03-01'", "'soon'"],
            "The column c holds 1 date but also 1 other value (the first is soon on line 3), so all of it is kept as text.",
        );
        check(&["a", "b", "3"], Form::Text, &["'a'", "'b'", "'3'"], "");
    }

    #[test]
    fn numbers_written_for_people_are_numbers_and_say_how_they_were_read() {
        let note = |first: &str, read: &str| {
            format!("The numbers in c are written for people: {first} on line 2 is read as {read}.")
        };
        let dot = |is_whole| Form::Written { mark: Mark::Dot, is_whole };
        check(&["$1,200.50", "7"], dot(false), &["1200.5", "7"], &note("$1,200.50", "1200.5"));
        check(&["1,200", "", "350"], dot(true), &["1200", "–", "350"], &note("1,200", "1200"));
        check(&["12 %", "7%"], dot(true), &["12", "7"], &note("12 %", "12 (percent)"));
        let comma = Form::Written { mark: Mark::Comma, is_whole: false };
        check(&["1.200,50", "1.200"], comma, &["1200.5", "1200"], &note("1.200,50", "1200.5"));
        let currencies = "The amounts in c are in more than one currency ($ and €), so they are kept as text.";
        check(&["$5", "€7"], Form::Text, &["'$5'", "'€7'"], currencies);
    }

    #[test]
    fn words_for_infinity_are_text() {
        check(
            &["inf", "1"],
            Form::Text,
            &["'inf'", "'1'"],
            "The column c holds 1 number but also 1 other value (the first is inf on line 2), so all of it is kept as text.",
        );
    }
}
