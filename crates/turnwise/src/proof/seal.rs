//! The seal: the last bytes of a file are the digest of all bytes before them. Together with a check that the rest
//! of the ending is as it must be, no byte of the file can change unseen. Next: `check`.

use super::document::{Proof, compact};
use turnwise_assistant::digest;

/// Where the seal of a JSON file begins and ends.
const JSON: (&str, &str) = (",\n  \"seal\": \"", "\"\n}\n");
/// Where the seal of a page begins and ends.
const COMMENT: (&str, &str) = ("<!-- seal ", " -->\n");
/// Length of `sha256:` and its digits.
const SEAL_LENGTH: usize = 71;

/// A proof as JSON, sealed.
#[must_use]
pub fn json(proof: &Proof) -> String {
    #[expect(clippy::expect_used, reason = "what `compact` can write, this can too")]
    let text = serde_json::to_string_pretty(proof).expect("BUG: a proof is made of values JSON has");
    let open = text.trim_end().trim_end_matches('}').trim_end().to_owned();
    sealed(open, JSON)
}

/// A page, sealed by a comment at its end.
#[must_use]
pub fn comment(page: String) -> String {
    sealed(page, COMMENT)
}

fn sealed(mut text: String, (before, after): (&str, &str)) -> String {
    text.push_str(before);
    let seal = digest::of_bytes(text.as_bytes());
    text.push_str(&seal);
    text.push_str(after);
    text
}

/// The content of a sealed file without its seal; none when the seal does not fit.
#[must_use]
pub fn open(text: &str) -> Option<&str> {
    [JSON, COMMENT].iter().find_map(|(before, after)| {
        let rest = text.strip_suffix(after)?;
        let at = rest.len().checked_sub(SEAL_LENGTH)?;
        let (sealed, seal) = (rest.get(..at)?, rest.get(at..)?);
        let content = sealed.strip_suffix(before)?;
        (digest::of_bytes(sealed.as_bytes()) == seal).then_some(content)
    })
}

/// The proof as one line that can stand inside a page: no character of it opens or closes anything there.
pub(super) fn inside(proof: &Proof) -> String {
    compact(proof)
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('`', "\\u0060")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
