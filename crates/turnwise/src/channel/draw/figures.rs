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
    let mut begins = 0;
    for ((_, before), (at, letter)) in column.char_indices().zip(column.char_indices().skip(1)) {
        // “orderId” is “order id”.
        if !before.is_alphanumeric() || (before.is_lowercase() && letter.is_uppercase()) {
            begins = at;
        }
    }
    let last = column[begins..].to_lowercase();
    bars::says_when(&last) || NAMING.contains(&last.as_str())
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
