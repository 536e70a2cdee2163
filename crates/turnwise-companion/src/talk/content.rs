//! Questions about what a project holds that are worded like questions about how it is going: “what's the budget
//! again?”. What was told in their words answers them better than a count of notes. Next: `past`.

use turnwise_core::text;

use super::past::{alike, says_much, topic_of};
use super::place::Place;
use crate::store::{Project, StoreError};

impl Place<'_> {
    /// What `project` holds in the words of `said`, where it holds all of them in one place; none where they only ask
    /// how things stand.
    pub(super) fn content(&self, project: &Project, said: &str) -> Result<Option<String>, StoreError> {
        if self.group_asked(project, said)?.is_some() {
            return self.past(project, said).map(Some);
        }
        let Some(topic) = topic_of(said, &project.name) else { return Ok(None) };
        let asks_how_it_stands = text::words(said).iter().any(|word| OF_PROGRESS.contains(&word.as_str()));
        let says = |word: &String| says_much(word) && !OF_PROGRESS.contains(&word.as_str());
        let words: Vec<String> = text::words(&topic).into_iter().filter(says).collect();
        // What asks nothing in its own words asks how things stand, whatever it names: somebody said that it does.
        let asks = text::words(said).first().is_some_and(|first| ASKS.iter().any(|word| first.starts_with(word)));
        if words.is_empty() || !asks && !asks_how_it_stands && !said.trim_end().ends_with('?') {
            return Ok(None);
        }
        let holds = |kept: &str| {
            let kept = text::words(kept);
            let held = words.iter().filter(|word| kept.iter().any(|other| alike(other, word))).count();
            // What has no word of how things stand asks for what is known, and half of it tells which.
            if asks_how_it_stands { held == words.len() } else { held > 0 && held * 2 >= words.len() }
        };
        let notes = self.store.search(&self.person, &project.id, &words, self.now_ms)?;
        let elsewhere = self.elsewhere(project, &words)?;
        let is_held = notes.iter().any(|note| holds(&note.text)) || elsewhere.iter().any(|line| holds(line));
        if !is_held {
            return Ok(None);
        }
        Ok(Some(self.told_on(project, &words.join(" "), elsewhere)?.1))
    }
}

/// What a question begins with.
const ASKS: [&str; 14] =
    ["what", "when", "where", "which", "who", "whose", "why", "how", "is", "are", "did", "has", "tell", "show"];

/// Words of a question about how things stand, in alphabetical order.
const OF_PROGRESS: [&str; 36] = [
    "again",
    "already",
    "coming",
    "current",
    "currently",
    "doing",
    "done",
    "going",
    "happened",
    "happening",
    "how",
    "last",
    "latest",
    "left",
    "missing",
    "new",
    "news",
    "next",
    "now",
    "open",
    "progress",
    "project",
    "projects",
    "recently",
    "remaining",
    "since",
    "so",
    "stand",
    "state",
    "status",
    "still",
    "summary",
    "things",
    "today",
    "update",
    "week",
];
