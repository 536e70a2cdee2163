//! Forms as browsers send them: names and values, percent-encoded. Presses and slash commands come as such. Next:
//! `receive`.

/// The value of `name` in a form.
pub(super) fn value(form: &str, name: &str) -> Option<String> {
    let mut pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(known, _)| decoded(known) == name).map(|(_, value)| decoded(value))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let pair = behind.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let encoded = pair.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok());
        rest = match encoded {
            Some(byte) => {
                bytes.push(byte);
                &behind[2..]
            }
            None => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                behind
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_decoded_and_names_are_whole() {
        let form = "text=a+b%20c%C3%A4&other_text=x&empty=&broken=%zz%4";
        assert_eq!(value(form, "text").as_deref(), Some("a b cä"));
        assert_eq!(value(form, "empty").as_deref(), Some(""));
        assert_eq!(value(form, "broken").as_deref(), Some("%zz%4"));
        assert_eq!(value(form, "ext"), None);
    }
}
