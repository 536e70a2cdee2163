//! Numbers as people write them: `$1,200.50`, `1.200,50 €`, `12 %`, `(350)`. A column is read so only where every value
//! can be read in the same way, and in no other. Next: `kinds`, which asks.

/// What stands before the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As in 1,200.50.
    Dot,
    /// As in 1.200,50.
    Comma,
}

/// What a comma is where the values do not tell: 1,200 may be a thousand or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comma {
    /// It parts thousands, as wherever commas do not part fractions.
    Thousands,
    /// Nobody knows: the file keeps its commas free for something.
    Unknown,
}

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole one.
    Integer(i64),
    /// Any.
    Real(f64),
}

/// What is not read as numbers, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Commas may be thousands or fractions.
    Commas,
    /// Amounts in these two currencies, which nobody can add up.
    Currencies(String, String),
    /// Something else.
    Other,
}

/// How the numbers of a column are written, by all of its values.
#[derive(Clone, Debug, Default)]
pub struct Writing {
    values: u64,
    by_dot: u64,
    by_comma: u64,
    /// Numbers that are another one by the other mark.
    apart: u64,
    percents: u64,
    in_brackets: u64,
    currency: Option<String>,
    other_currency: Option<String>,
    /// The groups of digits, where all values have the same and nothing else, as telephone numbers do.
    groups: Groups,
    fractions: bool,
    /// Numbers with more to them than digits.
    marked: u64,
}

/// Whether all values are the same groups of digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Groups {
    #[default]
    Unseen,
    Same(Vec<usize>),
    Various,
}

impl Writing {
    /// Takes in a value.
    pub fn add(&mut self, text: &str) {
        let could_be = self.by_dot == self.values || self.by_comma == self.values;
        self.values += 1;
        if !could_be {
            return;
        }
        let Some(bare) = Bare::of(text) else { return };
        let (dot, comma) = (bare.number(Mark::Dot), bare.number(Mark::Comma));
        self.by_dot += u64::from(dot.is_some());
        self.by_comma += u64::from(comma.is_some());
        self.apart += u64::from(dot.is_some() && comma.is_some() && dot != comma);
        self.fractions |= matches!(dot.or(comma), Some(Number::Real(_)));
        self.marked += u64::from(!all_digits(text.trim()));
        self.percents += u64::from(bare.is_percent);
        self.in_brackets += u64::from(bare.in_brackets);
        if !bare.currency.is_empty() {
            let known = self.currency.get_or_insert_with(|| bare.currency.to_owned());
            if known != bare.currency {
                self.other_currency.get_or_insert_with(|| bare.currency.to_owned());
            }
        }
        self.see_groups(&bare);
    }

    fn see_groups(&mut self, bare: &Bare<'_>) {
        let groups: Vec<usize> = bare.digits.split([' ', '\u{a0}', '\u{202f}', '.']).map(str::len).collect();
        let same = groups.len() > 1 && bare.currency.is_empty() && !bare.is_percent && !bare.digits.contains(',');
        self.groups = match std::mem::take(&mut self.groups) {
            Groups::Unseen if same => Groups::Same(groups),
            Groups::Same(known) if same && known == groups => Groups::Same(known),
            Groups::Unseen | Groups::Same(_) | Groups::Various => Groups::Various,
        };
    }

    /// By which mark all values are numbers.
    ///
    /// # Errors
    /// Why they are not read so.
    pub fn judge(&self, comma: Comma) -> Result<Mark, Doubt> {
        let all = |count: u64| count == self.values;
        let mark = match (all(self.by_dot), all(self.by_comma)) {
            (true, true) if self.apart > 0 && comma == Comma::Unknown => return Err(Doubt::Commas),
            (true, _) => Mark::Dot,
            (false, true) => Mark::Comma,
            (false, false) => return Err(Doubt::Other),
        };
        if let (Some(one), Some(other)) = (&self.currency, &self.other_currency) {
            return Err(Doubt::Currencies(one.clone(), other.clone()));
        }
        let mixed = self.percents > 0 && (!all(self.percents) || self.currency.is_some());
        if mixed || all(self.in_brackets) || matches!(self.groups, Groups::Same(_)) {
            return Err(Doubt::Other);
        }
        Ok(mark)
    }

    /// Whether there are fractions among them.
    pub fn has_fractions(&self, mark: Mark) -> bool {
        // By a comma, what looks like a fraction by a dot is a thousand.
        self.fractions || mark == Mark::Comma
    }

    /// Whether any is more than digits.
    pub fn is_marked(&self) -> bool {
        self.marked > 0
    }
}

/// Says how numbers of a column are read, by the first that is written for people and where it stands.
pub fn told(column: &str, writing: &Writing, mark: Mark, first: &str, place: &str) -> Option<String> {
    let read = match number(first, mark)? {
        Number::Integer(value) => value.to_string(),
        Number::Real(value) => value.to_string(),
    };
    let percent = if writing.percents > 0 { " (percent)" } else { "" };
    Some(format!("The numbers in {column} are written for people: {first} on {place} is read as {read}{percent}."))
}

/// The number in the text by this mark.
pub fn number(text: &str, mark: Mark) -> Option<Number> {
    Bare::of(text)?.number(mark)
}

/// A text without what stands around its digits.
struct Bare<'a> {
    digits: &'a str,
    is_negative: bool,
    in_brackets: bool,
    is_percent: bool,
    currency: &'a str,
}

impl<'a> Bare<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let in_brackets = inside.is_some();
        let (mut rest, mut is_negative, mut currency) = (inside.unwrap_or(text).trim(), in_brackets, "");
        // A sign and a currency stand before the digits, in either order, each once.
        for _ in 0..2 {
            if let (false, Some(behind)) = (is_negative, rest.strip_prefix(['-', '\u{2212}'])) {
                (rest, is_negative) = (behind.trim_start(), true);
            }
            if let (true, Some(behind)) = (currency.is_empty(), rest.strip_prefix(CURRENCIES)) {
                (currency, rest) = (&rest[..rest.len() - behind.len()], behind.trim_start());
            }
        }
        let is_percent = rest.ends_with('%');
        if let Some(before) = rest.strip_suffix('%') {
            rest = before.trim_end();
        }
        if let (true, Some(before)) = (currency.is_empty(), rest.strip_suffix(CURRENCIES)) {
            (currency, rest) = (&rest[before.len()..], before.trim_end());
        }
        let is_digit = |letter: char| letter.is_ascii_digit();
        let fits = rest.starts_with(is_digit) && rest.ends_with(is_digit) && rest.len() <= DIGITS_MAX;
        fits.then_some(Self { digits: rest, is_negative, in_brackets, is_percent, currency })
    }

    fn number(&self, mark: Mark) -> Option<Number> {
        let (point, grouping) = match mark {
            Mark::Dot => ('.', ','),
            Mark::Comma => (',', '.'),
        };
        let (whole, fraction) = self.digits.split_once(point).map_or((self.digits, None), |(a, b)| (a, Some(b)));
        if fraction.is_some_and(|fraction| !all_digits(fraction)) {
            return None;
        }
        let whole = ungrouped(whole, grouping)?;
        if whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        let sign = if self.is_negative { "-" } else { "" };
        match fraction {
            None => format!("{sign}{whole}").parse().ok().map(Number::Integer),
            Some(fraction) => format!("{sign}{whole}.{fraction}").parse().ok().map(Number::Real),
        }
    }
}

/// The digits without what parts them into groups of three, as in 1,200,300, or as in 12,00,300.
fn ungrouped(whole: &str, grouping: char) -> Option<String> {
    let is_gap = |letter: char| letter == grouping || matches!(letter, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’');
    let Some(gap) = whole.chars().find(|letter| is_gap(*letter)) else {
        return all_digits(whole).then(|| whole.to_owned());
    };
    let groups: Vec<&str> = whole.split(gap).collect();
    let (first, last) = (groups.first()?, groups.last()?);
    let inner = &groups[1..groups.len() - 1];
    let by = |size: usize| first.len() <= size && inner.iter().all(|group| group.len() == size);
    let fits = last.len() == 3 && (by(3) || by(2) && gap == ',') && groups.iter().all(|group| all_digits(group));
    fits.then(|| groups.concat())
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Signs of currencies (Unicode's category Sc, those in use).
const CURRENCIES: [char; 16] = ['$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₪', '₫', '฿', '₴', '₦', '₱', '₡', '₵'];

/// Longer than any number with its gaps.
const DIGITS_MAX: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(values: &[&str], comma: Comma) -> Result<Mark, Doubt> {
        let mut writing = Writing::default();
        values.iter().for_each(|value| writing.add(value));
        writing.judge(comma)
    }

    #[test]
    fn one_number_is_read_by_its_mark() {
        let read = |text, mark| match number(text, mark) {
            Some(Number::Integer(value)) => value.to_string(),
            Some(Number::Real(value)) => format!("{value:?}"),
            None => "–".to_owned(),
        };
        for (text, dot, comma) in [
            ("$1,200.50", "1200.5", "–"),
            ("1.200,50 €", "–", "1200.5"),
            ("1 200,50", "–", "1200.5"),
            ("1'200.50", "1200.5", "–"),
            ("-$5", "-5", "-5"),
            ("$ -5", "-5", "-5"),
            ("(1,350)", "-1350", "-1.35"),
            ("12 %", "12", "12"),
            ("12,34,567", "1234567", "–"),
            ("1,2", "–", "1.2"),
            ("0,125", "–", "0.125"),
            ("1,200,30", "–", "–"),
            ("007", "–", "–"),
            ("1.2.3", "–", "–"),
            ("$", "–", "–"),
            ("$$5", "–", "–"),
            ("5-", "–", "–"),
        ] {
            assert_eq!((read(text, Mark::Dot).as_str(), read(text, Mark::Comma).as_str()), (dot, comma), "{text}");
        }
    }

    #[test]
    fn a_column_is_read_where_all_of_it_is_written_in_one_way() {
        for comma in [Comma::Thousands, Comma::Unknown] {
            assert_eq!(judged(&["$1,200.50", "7"], comma), Ok(Mark::Dot));
            assert_eq!(judged(&["1,5", "2,25", "7"], comma), Ok(Mark::Comma));
            assert_eq!(judged(&["1,200", "1,200,300"], comma), Ok(Mark::Dot));
            assert_eq!(judged(&["1,200.5", "1.200,5"], comma), Err(Doubt::Other));
            assert_eq!(judged(&["5%", "7 %"], comma), Ok(Mark::Dot));
            assert_eq!(judged(&["5%", "7"], comma), Err(Doubt::Other));
            assert_eq!(judged(&["$5", "€7"], comma), Err(Doubt::Currencies("$".to_owned(), "€".to_owned())));
            assert_eq!(judged(&["(1)", "(2)"], comma), Err(Doubt::Other));
        }
        assert_eq!(judged(&["1,200", "350"], Comma::Thousands), Ok(Mark::Dot));
        assert_eq!(judged(&["1,200", "350"], Comma::Unknown), Err(Doubt::Commas));
    }

    #[test]
    fn groups_of_digits_that_are_all_alike_name_something() {
        assert_eq!(judged(&["612 345 678", "655 443 221"], Comma::Thousands), Err(Doubt::Other));
        assert_eq!(judged(&["1 612 345", "443 221"], Comma::Thousands), Ok(Mark::Dot));
    }
}
