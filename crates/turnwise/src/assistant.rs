//! The assistants: each a profile (data) plus the Rust that answers, plans and runs steps for it, in a crate of its
//! own. The engine drives, an assistant never does: it is asked through [`turnwise_assistant::Assistant`] and what it
//! says is input like any other. Which there are says [`ALL`]; nothing else in the program names one. Next:
//! `turnwise_assistant`, `turnwise_analyst`, `turnwise_coder`, `turnwise_tickets`, and `driver::perform` for how it is
//! asked.

use turnwise_assistant::{Failure, FailureKind, Kind};

/// The assistants that work, the one that is meant where none is named first. One more is one more line here.
pub const ALL: [Kind; 5] = [
    turnwise_analyst::KIND,
    turnwise_coder::KIND,
    turnwise_copilot::KIND,
    turnwise_tickets::KIND,
    turnwise_companion::KIND,
];

/// The assistant that is meant where none is named.
pub const DEFAULT: &str = ALL[0].name;

/// The assistant that is meant in an editor where none is named.
#[must_use]
pub fn in_editors() -> Kind {
    let [first, ..] = ALL;
    ALL.into_iter().find(|kind| kind.is_for_editors).unwrap_or(first)
}

/// The assistant `name`, which works.
///
/// # Errors
/// When there is none of that name.
pub fn named(name: &str) -> Result<Kind, Failure> {
    if let Some(kind) = ALL.into_iter().find(|kind| kind.name == name) {
        return Ok(kind);
    }
    let working = ALL.map(|kind| kind.name);
    let near = turnwise_assistant::nearest_of(name, working).map(|near| format!("; did you mean `{near}`?"));
    let told = format!("there is no assistant `{name}`{}", near.unwrap_or_default());
    Err(Failure::new(FailureKind::Usage, told).hint(format!("assistants that work: {}", working.join(", "))))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::ALL;

    #[test]
    fn the_same_data_has_the_same_mark_in_any_order() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        for kind in &ALL {
            let mark = |names: &[&str]| kind.mark(&paths(names));
            assert_eq!(mark(&["src", "Cargo.toml"]), mark(&["Cargo.toml", "./src", "src"]));
            assert_ne!(mark(&["src"]), mark(&["Cargo.toml"]));
        }
    }
}
