//! The word lists of `brake`, compiled in from `words.txt`, where each says what it is for: people who add a word read
//! and change text, not code. Next: `brake`.

use std::sync::LazyLock;

/// The lists, each the section of its name; phrases in lower case.
pub(super) struct Lists {
    pub(super) joining: Vec<&'static str>,
    pub(super) explaining: Vec<&'static str>,
    pub(super) conditions: Vec<&'static str>,
    pub(super) stops: Vec<&'static str>,
    pub(super) stops_with_object: Vec<&'static str>,
    pub(super) stops_whole: Vec<&'static str>,
    pub(super) pronouns: Vec<&'static str>,
    pub(super) running_things: Vec<&'static str>,
    pub(super) working: Vec<&'static str>,
    pub(super) waiting_things: Vec<&'static str>,
    pub(super) underlining: Vec<&'static str>,
    pub(super) fillers: Vec<&'static str>,
    pub(super) waits: Vec<&'static str>,
    pub(super) noes: Vec<&'static str>,
    pub(super) before_nouns: Vec<&'static str>,
    pub(super) writing: Vec<&'static str>,
    pub(super) changing: Vec<&'static str>,
    pub(super) time: Vec<&'static str>,
    pub(super) telling: Vec<&'static str>,
    pub(super) patience: Vec<&'static str>,
    pub(super) next: Vec<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    joining: section("joining"),
    explaining: section("explaining"),
    conditions: section("conditions"),
    stops: section("stops"),
    stops_with_object: section("stops_with_object"),
    stops_whole: section("stops_whole"),
    pronouns: section("pronouns"),
    running_things: section("running_things"),
    working: section("working"),
    waiting_things: section("waiting_things"),
    underlining: section("underlining"),
    fillers: section("fillers"),
    waits: section("waits"),
    noes: section("noes"),
    before_nouns: section("before_nouns"),
    writing: section("writing"),
    changing: section("changing"),
    time: section("time"),
    telling: section("telling"),
    patience: section("patience"),
    next: section("next"),
});

pub(super) fn lists() -> &'static Lists {
    &LISTS
}

/// The phrases below `[name]`, up to the next section.
fn section(name: &str) -> Vec<&'static str> {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    let own = lines.skip_while(|line| line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) != Some(name));
    let own = own.skip(1).take_while(|line| !line.starts_with('['));
    own.flat_map(|line| line.split(',')).map(str::trim).filter(|phrase| !phrase.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::lists;

    #[test]
    fn every_list_has_words() {
        let lists = lists();
        for list in [
            &lists.joining,
            &lists.explaining,
            &lists.conditions,
            &lists.stops,
            &lists.stops_with_object,
            &lists.stops_whole,
            &lists.pronouns,
            &lists.running_things,
            &lists.working,
            &lists.waiting_things,
            &lists.underlining,
            &lists.fillers,
            &lists.waits,
            &lists.noes,
            &lists.before_nouns,
            &lists.writing,
            &lists.changing,
            &lists.time,
            &lists.telling,
            &lists.patience,
            &lists.next,
        ] {
            assert!(!list.is_empty());
        }
    }
}
