//! Figures: numbers that say how much have their thousands apart, numbers that name something have not. A column says
//! by its name which it holds; the page has the same rule in `format.js`. Next: `table`.

use turnwise_core::Cell;

use super::bars;

/// A cell as it stands in the column of this name.
pub(super) fn told(cell: &Cell, column: &str) -> String {
    if names(column) { cell.to_string() } else { cell.figure() }
}

/// Whether the numbers of a column only tell things apart: keys, codes, years.
fn names(column: &str) -> bool {
    let spaced = column.chars().fold(String::new(), |mut spaced, letter| {
        // “orderId” is “order id”.
        if letter.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push(' ');
        }
        spaced.extend(if letter.is_alphanumeric() { letter.to_lowercase().next() } else { Some(' ') });
        spaced
    });
    let last = spaced.split_whitespace().next_back().unwrap_or_default();
    bars::says_when(last) || NAMING.contains(&last)
}

/// What the name of such a column ends with.
const NAMING: [&str; 10] = ["id", "key", "no", "nr", "number", "code", "zip", "postcode", "phone", "isbn"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_years_stay_as_they_are() {
        for column in ["order_id", "orderId", "ID", "birth year", "year", "Zip Code", "Invoice No"] {
            assert_eq!(told(&Cell::Integer(1_234_567), column), "1234567", "{column}");
        }
        for column in ["orders", "paid", "number of orders", "amount"] {
            assert_eq!(told(&Cell::Integer(1_234_567), column), "1,234,567", "{column}");
        }
    }
}
