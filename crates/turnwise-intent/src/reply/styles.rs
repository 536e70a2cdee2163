//! How different people type the same sentence.
//!
//! A head that only ever saw well-typed sentences takes a missing apostrophe for something else. So every sentence is
//! typed in one of a few styles, and whoever judges a fold has not learned from one of them. Next: `lessons`.

use std::collections::BTreeMap;

/// How a sentence is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// In small letters, without a mark at its end.
    Plain,
    /// With a capital and a mark.
    Careful,
    /// With a capital and no mark.
    Hasty,
    /// With the short forms of telephones.
    Short,
    /// With a slip in one of its longer words.
    Slip,
    /// As it is heard: neither capitals nor marks within.
    Spoken,
}

impl Style {
    /// All of them, the commoner ones more than once.
    pub(super) const DRAWN: [Self; 9] = [
        Self::Plain,
        Self::Plain,
        Self::Careful,
        Self::Careful,
        Self::Hasty,
        Self::Short,
        Self::Slip,
        Self::Spoken,
        Self::Spoken,
    ];

    /// All of them, each once.
    pub const ALL: [Self; 6] = [Self::Plain, Self::Careful, Self::Hasty, Self::Short, Self::Slip, Self::Spoken];
}

/// Shorter words are never given a slip: "not", "now", "on" and "no" are one apart.
const SLIP_LETTERS_MIN: usize = 5;

/// `sentence` as it is typed in `style`; `shorts` are the short forms of words.
pub(super) fn typed(sentence: &str, style: Style, shorts: &BTreeMap<&str, Vec<&str>>, draws: &mut Draws) -> String {
    let plain = sentence.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" .", ".");
    let plain = plain.trim_matches([',', ' ']);
    let small = plain.to_lowercase();
    match style {
        Style::Plain => small.trim_end_matches('.').to_owned(),
        Style::Hasty => capital(plain),
        Style::Careful if plain.ends_with(['?', '.', '!']) => capital(plain),
        Style::Careful => capital(plain) + draws.of(&[".", ".", "!"]),
        Style::Short => small.split(' ').map(|word| shortened(word, shorts, draws)).collect::<Vec<_>>().join(" "),
        Style::Slip => slipped(&small, draws),
        Style::Spoken => small.replace([',', ';', '!'], "").replace(". ", " ").trim_end_matches('.').to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `word` in its short form, where it has one, with the marks behind it.
fn shortened(word: &str, shorts: &BTreeMap<&str, Vec<&str>>, draws: &mut Draws) -> String {
    let bare = word.trim_end_matches([',', '.', '!', '?']);
    match shorts.get(bare) {
        Some(forms) => format!("{}{}", draws.of(forms), &word[bare.len()..]),
        None => word.to_owned(),
    }
}

/// `sentence` with a slip in one of its longer words: a letter left out, twice, or in the place of its neighbour.
fn slipped(sentence: &str, draws: &mut Draws) -> String {
    let is_long = |word: &&str| word.len() >= SLIP_LETTERS_MIN && word.bytes().all(|ch| ch.is_ascii_lowercase());
    let long: Vec<&str> = sentence.split(' ').filter(is_long).collect();
    let word = draws.of(&long);
    if word.is_empty() {
        return sentence.to_owned();
    }
    let at = 1 + draws.number(word.len() - 2);
    let (before, after) = word.split_at(at);
    let slip = match draws.number(3) {
        0 => format!("{before}{}", &after[1..]),
        1 => format!("{before}{}{after}", &after[..1]),
        _ => format!("{before}{}{}{}", &after[1..2], &after[..1], &after[2..]),
    };
    sentence.replacen(word, &slip, 1)
}

/// Numbers in a fixed order (splitmix64).
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn from(seed: &[u64]) -> Self {
        let mix = |state: u64, part: &u64| (state ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        Self(seed.iter().fold(0x51_7c_c1_b7, mix))
    }

    /// A number below `end`.
    pub(super) fn number(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % end.max(1) as u64).unwrap_or_default()
    }

    pub(super) fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices.get(self.number(choices.len())).copied().unwrap_or_default()
    }
}
