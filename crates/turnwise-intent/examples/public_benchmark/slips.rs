//! Slips of the fingers, drawn from a fixed seed: the same in every run, and blind to what may mend them. Next: `main`.

use turnwise_intent::Spelling;

use crate::Message;

/// What the slips are drawn from.
const SLIPS_SEED: u64 = 20_261_122;
/// One in so many words gets a slip.
const WORDS_A_SLIP: u64 = 3;
/// Shorter words are spared: "a" with another letter is no slip of "a".
const LETTERS_MIN: usize = 3;
const KEYBOARD: &[&str] = &["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// The texts of `test` in other spellings, by name.
pub fn variants(test: &[Message], spelling: &Spelling) -> Vec<(&'static str, Vec<String>)> {
    let clean: Vec<String> = test.iter().map(|message| message.text.clone()).collect();
    let mut random = Random(SLIPS_SEED);
    let slipped: Vec<String> = clean.iter().map(|text| with_slips(text, &mut random)).collect();
    let levelled = |texts: &[String]| texts.iter().map(|text| spelling.levelled(text, &[]).into_owned()).collect();
    vec![
        ("clean, spelling levelled", levelled(&clean)),
        ("with slips, spelling levelled", levelled(&slipped)),
        ("with slips", slipped),
    ]
}

/// `text` with one slip in one of three words: a letter left out, doubled, hit beside its key, or before its neighbour.
fn with_slips(text: &str, random: &mut Random) -> String {
    let words: Vec<String> = text.split(' ').map(|word| slip(word, random)).collect();
    words.join(" ")
}

fn slip(word: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let is_word = letters.len() >= LETTERS_MIN && letters.iter().all(|ch| ch.is_ascii_alphabetic());
    if random.below(WORDS_A_SLIP) != 0 || !is_word {
        return word.to_owned();
    }
    let at = random.below(letters.len() as u64) as usize;
    match random.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = beside(letters[at], random),
        _ if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters.swap(at - 1, at),
    }
    letters.into_iter().collect()
}

/// The letter of a key beside that of `letter`.
fn beside(letter: char, random: &mut Random) -> char {
    let lower = letter.to_ascii_lowercase();
    let place = |row: &&str| row.find(lower).map(|at| (row.as_bytes().to_vec(), at));
    let Some((row, at)) = KEYBOARD.iter().find_map(place) else { return letter };
    let is_left = at + 1 == row.len() || (at > 0 && random.below(2) == 0);
    char::from(if is_left { row[at - 1] } else { row[at + 1] })
}

/// xorshift64*: enough to draw slips.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }
}
