//! What was told before: found by words, else by closeness of meaning, with the numbers of the notes; and where nothing
//! is found, that is said. Next: `answer`.

use turnwise_core::{PersonId, text};
use turnwise_intent::behaviour::companion::numbers_named;

use super::known::asks_what_waits;
use super::place::{Place, named};
use super::setup;
use super::told::{counted, lines, names};
use crate::store::{Counts, Note, NoteState, Passage, Project, ProjectId, SeedField, Store, StoreError, Wanted};
use crate::voice::VOICE;

/// What was found about something.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Notes: those that hold its words, else those close to what it means.
    pub(super) notes: Vec<Note>,
    /// Whether the notes are only close.
    pub(super) is_near: bool,
    /// Whether there are notes that could not be compared yet.
    pub(super) is_open: bool,
}

/// How a project holds a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Something says it in its words.
    Said,
    /// Notes come close to it.
    Near,
    Nothing,
}

/// What was found in all projects.
pub(super) struct Anywhere {
    pub(super) told: String,
    /// The one project that holds it, where it is one.
    pub(super) only: Option<ProjectId>,
}

/// The notes about `topic`: by its words, best first, else by what it means, closest first.
pub(super) fn recall(
    store: &Store,
    person: &PersonId,
    id: &ProjectId,
    topic: &str,
    now_ms: i64,
) -> Result<Found, StoreError> {
    let notes = store.search(person, id, &text::words(topic), now_ms)?;
    if !notes.is_empty() {
        return Ok(Found { notes, ..Found::default() });
    }
    let (close, is_open) = store.near(person, id, topic, now_ms)?;
    let near = close.into_iter().filter(|(closeness, _)| *closeness >= NEAR).take(NEAR_MAX);
    Ok(Found { notes: near.map(|(_, note)| note).collect(), is_near: true, is_open })
}

impl Place<'_> {
    /// The notes of `project` that a message asks for, and where else it is spoken of.
    pub(super) fn past(&self, project: &Project, said: &str) -> Result<String, StoreError> {
        let name = ("project", project.name.as_str());
        if let Some(label) = self.group_asked(project, said)? {
            let wanted = Wanted { group: Some(label.clone()), ..Wanted::default() };
            let notes = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, LISTED_MAX)?;
            return Ok(match notes.is_empty() {
                true => VOICE.group_holds_nothing.with(&[name, ("label", &label)]),
                false => VOICE.notes_of_group.with(&[name, ("label", &label), ("list", &lines(&notes))]),
            });
        }
        let words = text::words(said);
        if words.windows(2).any(|pair| pair[0] == "many" && pair[1].starts_with("note")) {
            return self.notes_counted(project);
        }
        if asks_what_waits(said) {
            return self.waiting(project);
        }
        let numbers = numbers_named(said);
        let topic = topic_of(said, &project.name);
        let names_notes = words.iter().any(|word| word == "note" || word == "notes" || word == "number");
        // “notes about the 2 tents” are those about them, and no second note.
        let is_of_topic = !is_numbered(&words) && topic.as_deref().is_some_and(names_more_than_numbers);
        if !numbers.is_empty() && names_notes && !is_of_topic {
            return self.notes_numbered(project, &numbers);
        }
        let Some(topic) = topic else { return self.all_told(project, said) };
        let (holds, told) = self.on_topic(project, &topic)?;
        if holds == Holds::Nothing {
            return self.or_elsewhere(project, said, &topic, told);
        }
        Ok(told)
    }

    /// All that was told: the notes, and where there are none, what was said of the project when it began.
    fn all_told(&self, project: &Project, said: &str) -> Result<String, StoreError> {
        if let Some(told) = self.of_setup(project, said)? {
            return Ok(told);
        }
        let notes = self.all_notes(project)?;
        let has_notes = self.store.counts(&self.person, &project.id, self.now_ms)?.notes > 0;
        let seed = self.store.seed(&self.person, &project.id)?;
        let asks_for_notes = text::words(said).iter().any(|word| word.starts_with("note"));
        if has_notes || asks_for_notes || seed.values.is_empty() {
            return Ok(notes);
        }
        Ok(format!("{notes} {}", self.setup_told(project)?))
    }

    fn notes_counted(&self, project: &Project) -> Result<String, StoreError> {
        let counts = self.store.counts(&self.person, &project.id, self.now_ms)?;
        let waiting = match counts.waiting {
            0 => String::new(),
            waiting => format!("; {waiting} of them waiting to be saved"),
        };
        let notes = Counts { notes: counts.notes, ..Counts::default() };
        let values = [("project", project.name.as_str()), ("contents", &counted(&notes)), ("waiting", &waiting)];
        Ok(VOICE.notes_counted.with(&values))
    }

    /// The notes with these numbers, in their order.
    fn notes_numbered(&self, project: &Project, numbers: &[i64]) -> Result<String, StoreError> {
        let name = ("project", project.name.as_str());
        let mut found = Vec::new();
        for number in numbers.iter().take(LISTED_MAX) {
            let wanted = Wanted { before: Some(number.saturating_add(1)), ..Wanted::default() };
            let latest = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, 1)?;
            found.extend(latest.into_iter().filter(|note| note.number == *number));
        }
        Ok(match found.is_empty() {
            true => VOICE.notes_not_there.with(&[name]),
            false => VOICE.notes_by_number.with(&[name, ("list", &lines(&found))]),
        })
    }

    /// What was told when nothing was found, and what other projects say in these words, where the message named none.
    fn or_elsewhere(&self, project: &Project, said: &str, topic: &str, told: String) -> Result<String, StoreError> {
        let others = self.store.projects(&self.person)?;
        if !named(&others, said).is_empty() {
            return Ok(told);
        }
        let words = text::words(topic);
        for other in others.iter().filter(|other| other.id != project.id) {
            let found = self.store.search(&self.person, &other.id, &words, self.now_ms)?;
            if !found.is_empty() {
                let values = [("told", told.as_str()), ("names", &other.name), ("list", &lines(&found))];
                return Ok(VOICE.notes_elsewhere.with(&values));
            }
        }
        Ok(told)
    }

    /// What any of the `projects` holds on the topic of a message that names none of them; none where it has no topic.
    /// What is only close is told where none of them has it in its words.
    pub(super) fn past_anywhere(&self, projects: &[Project], said: &str) -> Result<Option<Anywhere>, StoreError> {
        let Some(topic) = topic_of(said, "") else { return Ok(None) };
        let mut found = Vec::new();
        for project in projects {
            found.push((project, self.on_topic(project, &topic)?));
        }
        let told_as = |how: Holds| {
            let fits = found.iter().filter(|(_, (holds, _))| *holds == how);
            fits.map(|(project, (_, told))| (*project, told.clone())).collect::<Vec<_>>()
        };
        let told = Some(told_as(Holds::Said)).filter(|told| !told.is_empty()).unwrap_or_else(|| told_as(Holds::Near));
        Ok(Some(match told.as_slice() {
            [] => {
                let values = [("topic", topic.as_str()), ("names", &names(projects))];
                Anywhere { told: VOICE.notes_nowhere.with(&values), only: None }
            }
            [(project, told)] => Anywhere { told: told.clone(), only: Some(project.id.clone()) },
            several => {
                let told: Vec<String> = several.iter().map(|(_, told)| told.clone()).collect();
                Anywhere { told: told.join("\n"), only: None }
            }
        }))
    }

    /// What a project holds on a topic, as it is told.
    pub(super) fn on_topic(&self, project: &Project, topic: &str) -> Result<(Holds, String), StoreError> {
        let elsewhere = self.elsewhere(project, &text::words(topic))?;
        self.told_on(project, topic, elsewhere)
    }

    /// The same, where it is known what is said `elsewhere` in the words of the topic.
    pub(super) fn told_on(
        &self,
        project: &Project,
        topic: &str,
        elsewhere: Vec<String>,
    ) -> Result<(Holds, String), StoreError> {
        let name = ("project", project.name.as_str());
        let found = recall(self.store, &self.person, &project.id, topic, self.now_ms)?;
        // What only comes close is told as that, wherever it stands.
        let near = match found.notes.is_empty() && elsewhere.is_empty() {
            true => self.elsewhere_near(project, topic)?,
            false => Vec::new(),
        };
        let topic = ("topic", topic);
        if !near.is_empty() {
            return Ok((Holds::Near, VOICE.notes_near.with(&[name, topic, ("list", &near.join("\n"))])));
        }
        let list = lines(&found.notes);
        let (holds, mut told) = match (found.notes.is_empty(), found.is_near) {
            (false, false) => (Holds::Said, VOICE.notes_found.with(&[name, topic, ("list", &list)])),
            // What the documents say in these words comes before notes that are only close.
            (_, _) if !elsewhere.is_empty() => (Holds::Said, VOICE.found_elsewhere.with(&[name, topic])),
            (false, true) => (Holds::Near, VOICE.notes_near.with(&[name, topic, ("list", &list)])),
            (true, _) if self.store.counts(&self.person, &project.id, self.now_ms)?.notes == 0 => {
                (Holds::Nothing, VOICE.notes_none.with(&[name]))
            }
            (true, _) => (Holds::Nothing, VOICE.notes_not_found.with(&[name, topic])),
        };
        if found.notes.is_empty() && found.is_open {
            told = format!("{told} {}", VOICE.notes_open.plain());
        }
        Ok((holds, std::iter::once(told).chain(elsewhere).collect::<Vec<_>>().join("\n")))
    }

    /// What the person told, without a topic: what they stand by comes first.
    fn all_notes(&self, project: &Project) -> Result<String, StoreError> {
        let name = ("project", project.name.as_str());
        let mut notes = Vec::new();
        for state in [NoteState::Committed, NoteState::Held] {
            let (wanted, most) = (Wanted { state: Some(state), ..Wanted::default() }, LISTED_MAX - notes.len());
            notes.extend(self.store.notes(&self.person, &project.id, &wanted, self.now_ms, most)?);
        }
        if notes.is_empty() {
            return Ok(VOICE.notes_none.with(&[name]));
        }
        let all = usize::try_from(self.store.counts(&self.person, &project.id, self.now_ms)?.notes).unwrap_or_default();
        let list = lines(&notes);
        Ok(match all > notes.len() {
            true => VOICE.notes_some.with(&[name, ("list", &list), ("count", &all.to_string())]),
            false => VOICE.notes_all.with(&[name, ("list", &list)]),
        })
    }

    /// The group whose notes a message asks for.
    pub(super) fn group_asked(&self, project: &Project, said: &str) -> Result<Option<String>, StoreError> {
        let words = text::words(said);
        if !words.iter().any(|word| word == "group" || word == "in" || word == "under") {
            return Ok(None);
        }
        let groups = self.store.groups(&self.person, &project.id, self.now_ms)?;
        let stands = |label: &str| {
            let label = text::words(label);
            // Behind the word for it, or where notes are asked for: “notes in Soil”.
            (1..words.len())
                .any(|at| words[at..].starts_with(&label) && ["group", "in", "under"].contains(&words[at - 1].as_str()))
        };
        Ok(groups.into_iter().map(|group| group.label).find(|label| stands(label)))
    }

    /// Where the setup, a specification or an artefact speaks of these words, one line each.
    pub(super) fn elsewhere(&self, project: &Project, words: &[String]) -> Result<Vec<String>, StoreError> {
        let seed = self.store.seed(&self.person, &project.id)?;
        let speaks = |said: &str| text::words(said).iter().any(|word| words.contains(word));
        let is_meant = |field: SeedField, said: &str| {
            speaks(said) || setup::is_named(field, words) || setup::is_answered(field, said, words)
        };
        let said = |field: SeedField| Some((field, seed.said(field).filter(|said| is_meant(field, said))?));
        let mut lines: Vec<String> = SeedField::ALL.into_iter().filter_map(said).map(line_of_setup).collect();
        lines.extend(self.store.passages(&self.person, &project.id, words)?.iter().map(line_of_document));
        Ok(lines)
    }

    /// What the setup and the documents say that comes close to what a topic means, closest first, one line each.
    fn elsewhere_near(&self, project: &Project, topic: &str) -> Result<Vec<String>, StoreError> {
        let seed = self.store.seed(&self.person, &project.id)?;
        let said = |field: SeedField| Some((seed.said(field)?, line_of_setup((field, seed.said(field)?))));
        let documents = self.store.beginnings(&self.person, &project.id)?;
        let told: Vec<(&str, String)> = SeedField::ALL
            .into_iter()
            .filter_map(said)
            .chain(documents.iter().map(|passage| (passage.text.as_str(), line_of_document(passage))))
            .collect();
        let texts: Vec<&str> = told.iter().map(|(text, _)| *text).collect();
        let close = self.store.closeness(topic, &texts);
        let mut near: Vec<(f32, String)> = close
            .into_iter()
            .zip(told)
            .filter(|(close, _)| *close >= NEAR)
            .map(|(close, (_, line))| (close, line))
            .collect();
        near.sort_by(|one, other| other.0.total_cmp(&one.0));
        Ok(near.into_iter().map(|(_, line)| line).take(NEAR_MAX).collect())
    }

    /// What the person told about themselves.
    pub(super) fn about_person(&self) -> Result<String, StoreError> {
        let told = self.store.personal(&self.person, self.now_ms)?;
        if told.is_empty() {
            return Ok(VOICE.personal_none.plain());
        }
        let list: Vec<String> = told.iter().take(LISTED_MAX).map(|told| told.text.clone()).collect();
        Ok(VOICE.personal_all.with(&[("list", &list.join("\n"))]))
    }
}

fn line_of_document(passage: &Passage) -> String {
    let text = if passage.is_specification { &VOICE.found_in_specification } else { &VOICE.found_in_artefact };
    text.with(&[("name", &passage.name), ("text", &passage.text)])
}

pub(super) fn line_of_setup((field, said): (SeedField, &str)) -> String {
    VOICE.found_in_setup.with(&[("field", &VOICE.label(field)), ("text", said)])
}

/// What a message asks about: the words behind “about” and its like, else those that say more than that it asks.
pub(super) fn topic_of(said: &str, project: &str) -> Option<String> {
    let lower = said.to_lowercase();
    let behind = BEFORE_A_TOPIC.iter().filter_map(|sign| lower.find(sign).map(|at| at + sign.len())).min();
    let rest = behind.and_then(|at| said.get(at..)).unwrap_or(said);
    let named = text::words(project);
    let says = |word: &&str| {
        let plain: Vec<String> = text::words(word);
        plain.iter().any(|word| says_much(word) && !named.contains(word))
    };
    let words: Vec<&str> = rest.split_whitespace().filter(says).collect();
    let topic = words.join(" ");
    let topic = topic.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    (!topic.is_empty()).then_some(topic)
}

/// Whether a word says what is asked about, and is no word of asking.
pub(super) fn says_much(word: &str) -> bool {
    let plain = word.split(['\'', '’']).next().unwrap_or(word);
    !ASKING.contains(&plain) && !plain.is_empty()
}

/// Whether a topic names something, and not notes by their numbers alone: “the 2 tents”, and not “2 to 4”.
pub(super) fn names_more_than_numbers(topic: &str) -> bool {
    let is_name = |word: &String| word.contains(char::is_alphabetic) && !OF_NUMBERS.contains(&word.as_str());
    text::words(topic).iter().any(|word| says_much(word) && is_name(word))
}

/// Whether a number stands right behind what it is a number of: “note 2”.
fn is_numbered(words: &[String]) -> bool {
    let is_of = |word: &str| word == "note" || word == "notes" || word == "number";
    words.windows(2).any(|pair| is_of(&pair[0]) && pair[1].parse::<i64>().is_ok())
}

/// Whether two words are forms of one: “arrive” and “arrived”.
pub(super) fn alike(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let shorter = one.chars().count().min(other.chars().count());
    one == other || (shared >= FORM_LETTERS && shared + 1 >= shorter)
}

/// Letters that forms of one word share at least.
const FORM_LETTERS: usize = 3;
/// Words that stand with numbers and name nothing.
const OF_NUMBERS: [&str; 6] = ["number", "numbers", "no", "nr", "until", "thru"];

/// What stands before a topic.
const BEFORE_A_TOPIC: [&str; 5] = [" about ", " regarding ", " concerning ", " on the topic of ", " related to "];

/// Words of asking, which are in no topic.
const ASKING: [&str; 93] = [
    "a",
    "all",
    "am",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "back",
    "can",
    "could",
    "did",
    "display",
    "do",
    "does",
    "everything",
    "find",
    "far",
    "for",
    "from",
    "gave",
    "get",
    "give",
    "given",
    "go",
    "had",
    "has",
    "have",
    "how",
    "i",
    "in",
    "input",
    "is",
    "it",
    "keep",
    "kept",
    "know",
    "list",
    "look",
    "many",
    "me",
    "mention",
    "mentioned",
    "much",
    "my",
    "note",
    "noted",
    "notes",
    "of",
    "on",
    "open",
    "our",
    "over",
    "please",
    "project",
    "pull",
    "read",
    "recap",
    "remember",
    "remind",
    "said",
    "save",
    "saved",
    "say",
    "search",
    "see",
    "should",
    "show",
    "so",
    "still",
    "tell",
    "that",
    "the",
    "them",
    "there",
    "these",
    "this",
    "through",
    "to",
    "told",
    "up",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "write",
    "wrote",
    "you",
];

/// Notes that a list shows.
pub(super) const LISTED_MAX: usize = 30;
/// Notes shown as close.
pub(super) const NEAR_MAX: usize = 3;
/// From here on two texts are taken to be about the same thing. Set by hand, not fitted: what is shown by it is named
/// as close and with its number, so that a wrong one is seen at once.
const NEAR: f32 = 0.45;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topic_is_what_is_asked_about() {
        for (said, topic) in [
            ("What have I told you about the pricing model?", Some("pricing model")),
            ("Can you show me my notes?", None),
            ("what did I say about FarmGuard?", None),
            ("remind me when the deadline is", Some("deadline")),
            ("/notes", None),
        ] {
            assert_eq!(topic_of(said, "FarmGuard").as_deref(), topic, "{said}");
        }
    }
}
