//! Masking: Rust source with the insides of comments and literals blanked out, so that a brace or a word found in the
//! rest is code. Line and column stay where they are. Next: `source`, which keeps the masked text beside the original.

/// `text` with every byte of a comment and every byte inside a string or character literal replaced by a space.
///
/// Quotes stay, line breaks stay, and so the result has the same lines and the same length in bytes. Understands
/// nested block comments, escapes, raw strings with any number of `#`, byte and C strings, and tells lifetimes from
/// character literals.
#[must_use]
pub fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => blank(&mut out, at, end_of_line(bytes, at)),
            b'/' if bytes.get(at + 1) == Some(&b'*') => blank(&mut out, at, end_of_block(bytes, at)),
            b'r' if starts_raw_string(bytes, at) => raw_string(&mut out, bytes, at),
            b'"' => quoted(&mut out, bytes, at, b'"'),
            b'\'' if is_character(bytes, at) => quoted(&mut out, bytes, at, b'\''),
            _ => at + 1,
        };
    }
    // Only whole characters inside literals and comments were replaced, each byte by a space, so this is valid UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

fn blank(out: &mut [u8], from: usize, to: usize) -> usize {
    for byte in &mut out[from..to] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    to
}

fn end_of_line(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| from + length)
}

fn end_of_block(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// Blanks from after the opening quote at `from` to the closing one; gives the place after it.
fn quoted(out: &mut [u8], bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let end = at.min(bytes.len());
    blank(out, from + 1, end);
    (end + 1).min(bytes.len())
}

/// Whether the `r` at `at` begins `r"`, `r#"`, `br"`… and is not the end of a name such as `for` or of `r#raw`.
fn starts_raw_string(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|place| bytes[place]);
    let before_prefix = at.checked_sub(2).map(|place| bytes[place]);
    let is_name = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let starts_here = !is_name(before) || (matches!(before, Some(b'b' | b'c')) && !is_name(before_prefix));
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    starts_here && bytes.get(at + 1 + hashes) == Some(&b'"')
}

fn raw_string(out: &mut [u8], bytes: &[u8], at: usize) -> usize {
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    let inside = at + hashes + 2;
    let closing: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let length = bytes[inside..].windows(closing.len()).position(|window| window == closing);
    let end = length.map_or(bytes.len(), |length| inside + length);
    blank(out, inside, end);
    (end + closing.len()).min(bytes.len())
}

/// Whether the quote at `at` opens a character literal rather than a lifetime: an escape, or one character and a quote.
fn is_character(bytes: &[u8], at: usize) -> bool {
    let Some(first) = bytes.get(at + 1) else { return false };
    let length = match first {
        b'\\' => return true,
        0x00..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    bytes.get(at + 1 + length) == Some(&b'\'')
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        assert_eq!(mask(source), expected);
        assert_eq!(mask(source).len(), source.len(), "the length must not change");
    }

    #[test]
    fn code_stays() {
        check("fn a() { b }\n", "fn a() { b }\n");
    }

    #[test]
    fn comments_are_blanked_to_the_end_of_the_line() {
        check("a // {\nb", "a     \nb");
        check("/// it's {\nb", "          \nb");
    }

    #[test]
    fn block_comments_nest() {
        check("a /* { /* } */ { */ b", "a                   b");
    }

    #[test]
    fn strings_lose_their_insides_and_keep_their_quotes() {
        check(r#"a("{ \" }", b)"#, r#"a("      ", b)"#);
        check("a(\"{\n}\")", "a(\" \n \")");
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        check(r###"r#"{ " }"# {"###, r###"r#"     "# {"###);
        check(r###"br"\" {"###, r###"br" " {"###);
    }

    #[test]
    fn names_that_end_in_r_start_no_raw_string() {
        check(r#"for"{" x"#, r#"for" " x"#);
        check("r#type {", "r#type {");
    }

    #[test]
    fn lifetimes_are_code_and_characters_are_not() {
        check("fn a<'a>(b: &'a str) { '{' '\\'' 'é' }", "fn a<'a>(b: &'a str) { ' ' '  ' '  ' }");
    }
}
