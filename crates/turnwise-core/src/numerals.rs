//! Numbers and ordinals as words, up to twenty. People count steps of plans and tickets with them, so the words stand
//! in one place: what counts a step must count a ticket too. Next: `patch`, which reads steps by them.

/// The number `word` stands for: "2", "two", "zero"; an ordinal is none.
#[must_use]
pub fn number_of(word: &str) -> Option<u32> {
    let spelt = NUMBERS.iter().position(|name| *name == word).and_then(|at| u32::try_from(at).ok());
    spelt.or_else(|| word.parse().ok().filter(|_| word.bytes().all(|letter| letter.is_ascii_digit())))
}

/// The place `word` stands for, from 1: "second", "2nd".
#[must_use]
pub fn ordinal_of(word: &str) -> Option<u32> {
    let spelt = ORDINALS.iter().position(|name| *name == word).and_then(|at| u32::try_from(at + 1).ok());
    spelt.or_else(|| {
        let number = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
        number.parse().ok()
    })
}

const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
