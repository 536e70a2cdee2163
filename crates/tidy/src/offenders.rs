//! What a rule found: one line each, printed together with what to do, so that one run shows all there is to mend.
//! Next: `tests/shape.rs`.

/// The offenders of one rule.
#[derive(Debug, Default)]
pub struct Offenders {
    lines: Vec<String>,
}

impl Offenders {
    /// None so far.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// One more, at `line` (from 1) of `path`.
    pub fn add(&mut self, path: &str, line: usize, what: &str) {
        self.lines.push(format!("{path}:{line}: {what}"));
    }

    /// What was found, one line each.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Fails the test with every offender and `advice` when there is one.
    ///
    /// # Panics
    /// When there is an offender; that is how a test fails.
    #[track_caller]
    pub fn expect_none(&self, advice: &str) {
        assert!(self.lines.is_empty(), "{} found:\n{}\n→ {advice}", self.lines.len(), self.lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::Offenders;

    #[test]
    fn an_offender_is_named_with_its_place() {
        let mut offenders = Offenders::none();
        offenders.expect_none("nothing to do");
        offenders.add("a.rs", 3, "too long");
        assert_eq!(offenders.lines(), ["a.rs:3: too long"]);
        let failure = std::panic::catch_unwind(|| offenders.expect_none("cut it")).err();
        let message = failure.and_then(|failure| failure.downcast::<String>().ok());
        assert_eq!(message.as_deref().map(String::as_str), Some("1 found:\na.rs:3: too long\n→ cut it"));
    }
}
