//! Several requests in one message: “save it and show me my notes”. They are done in their order, each as if it had
//! been said alone after the one before, and one reply tells what came of each. What takes a yes of its own is not done
//! among others, which is said. Next: `run`.

use serde_json::{from_str, to_string};
use turnwise_assistant::Room;
use turnwise_core::{ReadContext, StepId, StepTask, Tier};
use turnwise_intent::behaviour::companion::{
    GENERAL, Mood, acknowledges, all_but, begins_an_order, intent, is_small_talk, joins, knowledge_text, mood,
    sentences, takes_it_back, thanks,
};
use turnwise_intent::classify::{Classification, Context};

use super::draft::{Drafted, change};
use super::place::Place;
use super::reader::{ANSWER_SETUP, CREATE_PROJECT, CompanionReader, FINALIZE, LEAVE_SETUP};
use super::run::Outcome;
use super::steps::{self, Arguments};
use super::told::names;
use crate::store::{Around, Operation, StoreError};
use crate::voice::VOICE;

/// The label of a message that asks for several things.
pub(super) const SEVERAL: &str = "several_requests";

/// A piece of a message, by where it stands.
#[derive(Clone, Copy)]
struct Piece {
    from: usize,
    to: usize,
    /// Whether it can stand as a request.
    is_request: bool,
    /// Whether it tells something.
    tells: bool,
}

impl CompanionReader {
    /// The requests of a message that asks for several things, each as words that could have been said alone; none
    /// where it asks for one.
    pub(super) fn parts(&self, text: &str, around: &Around, context: &Context) -> Option<Vec<String>> {
        // An answer to what is asked may say anything.
        let is_one = takes_it_back(text) || all_but(text).is_some();
        if around.is_asking || text.len() > TEXT_BYTES_MAX || is_one {
            return None;
        }
        let read = |piece: &str| self.read_alone(piece, around, context);
        let mut pieces: Vec<Piece> = Vec::new();
        for sentence in sentences(text) {
            let from = sentence.as_ptr() as usize - text.as_ptr() as usize;
            // A condition holds for all that is said with it.
            let is_put_off = matches!(mood(sentence), Mood::PutOff(_));
            let cut = if is_put_off { vec![(0, sentence.len())] } else { requests(sentence, &read) };
            pieces.extend(cut.into_iter().map(|(begin, end)| {
                let piece = &sentence[begin..end];
                let found = read(piece);
                let (is_request, tells) = (is_own_request(piece, &found, true), found.intent == "add_knowledge");
                Piece { from: from + begin, to: from + end, is_request, tells }
            }));
        }
        let says_something = |piece: &Piece| {
            let said = &text[piece.from..piece.to];
            !(acknowledges(said) || thanks(said) || is_small_talk(said) || knowledge_text(said).is_empty())
        };
        pieces.retain(says_something);
        let parts = told_together(&pieces);
        let is_several = parts.len() > 1 && parts.iter().any(|part| part.is_request);
        let is_whole = |part: &Piece| WHOLE.contains(&read(&text[part.from..part.to]).intent.as_str());
        if !is_several || parts.iter().any(is_whole) {
            return None;
        }
        Some(parts.iter().map(|part| text[part.from..part.to].trim().to_owned()).collect())
    }
}

/// What is told in several sentences is one thing; a request stands alone.
fn told_together(pieces: &[Piece]) -> Vec<Piece> {
    let mut parts: Vec<Piece> = Vec::new();
    for piece in pieces {
        match parts.last_mut() {
            // What follows “remember that …” is told with it, up to what is a request of its own.
            Some(last) if (!last.is_request || last.tells) && !piece.is_request => last.to = piece.to,
            _ => parts.push(*piece),
        }
    }
    parts
}

/// Where the requests of a sentence begin and end.
fn requests(sentence: &str, read: &dyn Fn(&str) -> Classification) -> Vec<(usize, usize)> {
    let (mut found, mut begin) = (Vec::new(), 0);
    for (end, next) in joins(sentence) {
        if end <= begin {
            continue;
        }
        let (head, tail) = (&sentence[begin..end], &sentence[next..]);
        // Up to the next place at which a request may begin, and all of the rest.
        let nearest = joins(tail).first().map_or(tail, |(end, _)| &tail[..*end]);
        let follows = |told: bool| [tail, nearest].iter().any(|piece| is_own_request(piece, &read(piece), told));
        let head_read = read(head);
        let is_told = head_read.intent == "add_knowledge" || is_statement(head, &head_read);
        if is_told && follows(false) || !is_told && is_own_request(head, &head_read, true) && follows(true) {
            found.push((begin, end));
            begin = next;
        }
    }
    found.push((begin, sentence.len()));
    found
}

/// Whether something is told that could be kept.
fn is_statement(said: &str, read: &Classification) -> bool {
    read.intent == GENERAL.label && said.split_whitespace().count() >= STATEMENT_WORDS && !begins_an_order(said)
}

/// Whether a piece of a message is a request by itself. Behind something that is told only what plainly speaks of notes
/// is one: “Ben will call the yard and finalize the contract” tells one thing.
fn is_own_request(said: &str, read: &Classification, takes_any: bool) -> bool {
    let by_rule = read.tier != Tier::Exemplar;
    if let Mood::Forbidden(order) = mood(said) {
        return takes_any && begins_an_order(&order);
    }
    match read.intent.as_str() {
        "add_knowledge" => {
            takes_any && knowledge_text(said).len() + FRAME_LETTERS <= said.trim_end_matches(['.', '!']).len()
        }
        "save_notes" | "take_back" | "undo" | "ask_about_past_input" | "show_groups" | "show_members" => {
            by_rule || takes_any && said.trim_end().ends_with('?')
        }
        label if label == GENERAL.label => false,
        _ => takes_any && (by_rule || said.trim_end().ends_with('?')),
    }
}

impl Place<'_> {
    /// What is made of a message that asks for several things.
    pub(super) fn several(&self, said: &str) -> Drafted {
        let parts = self.reader.and_then(|reader| reader.parts_here(said)).unwrap_or_default();
        let listed = to_string(&parts).unwrap_or_default();
        change(steps::SEVERAL, "Do several things", vec![(steps::PARTS, listed)])
    }

    /// Does the requests of a message one after the other.
    pub(super) fn each(&self, operation: &Operation, task: &StepTask, room: &Room) -> Result<Outcome, StoreError> {
        let listed = Arguments(&task.work.arguments).text(steps::PARTS).to_owned();
        let parts: Vec<String> = from_str(&listed).unwrap_or_default();
        let (mut said, mut effects, mut project) = (Vec::new(), Vec::new(), None);
        for (number, part) in (FIRST_PART..).zip(&parts) {
            let outcome = self.part(part, StepId::new(number), task, room)?;
            said.push(outcome.said);
            effects.extend(outcome.effects);
            project = outcome.project.or(project);
        }
        let whole = Outcome { said: said.join("\n"), project, effects };
        self.store.once(&self.person, operation, self.now_ms, |_| Ok(whole))
    }

    /// What comes of one of several requests.
    fn part(&self, said: &str, step: StepId, task: &StepTask, room: &Room) -> Result<Outcome, StoreError> {
        let alone = |said: String| Outcome { said, project: None, effects: Vec::new() };
        let mut of_part = StepTask { step, ..task.clone() };
        if let Some(outcome) = self.store.outcome(&self.person, &self.operation(&of_part))? {
            return Ok(outcome);
        }
        let label = self.reader.map(|reader| reader.classified(said, &ReadContext::default()).intent);
        let label = label.filter(|label| label != SEVERAL && intent(label).is_some());
        let label = label.unwrap_or_else(|| GENERAL.label.to_owned());
        // What is told beside a request is kept: it stands in no other place.
        let label = if label == GENERAL.label && is_told(said) { "add_knowledge".to_owned() } else { label };
        Ok(match self.draft(said, &label, &[])? {
            Drafted::Said(told, project) => Outcome { project, ..alone(told) },
            Drafted::Which(projects) => {
                alone(VOICE.several_unclear.with(&[("said", said), ("names", &names(&projects))]))
            }
            Drafted::Change(change) if change.is_asked_about() => alone(VOICE.several_asks.with(&[("said", said)])),
            Drafted::Change(change) => {
                let plan = change.plan(said, &label);
                let Some(work) = plan.steps.into_iter().next() else { return Ok(alone(String::new())) };
                of_part.work = work;
                match self.done(&of_part, room) {
                    Err(StoreError::NotFound) => alone(VOICE.not_found.plain()),
                    Err(StoreError::Refused(told)) => alone(told),
                    Err(error @ (StoreError::Unnamed | StoreError::NoSuch(_) | StoreError::Folder(_))) => {
                        alone(VOICE.failed.with(&[("reason", &error.to_string())]))
                    }
                    outcome => outcome?,
                }
            }
        })
    }
}

/// Whether a piece that asks for nothing tells something.
fn is_told(said: &str) -> bool {
    let asks = said.trim_end().ends_with('?');
    !asks && matches!(mood(said), Mood::Plain) && said.split_whitespace().count() >= STATEMENT_WORDS
}

/// What is one message however many sentences it has: beginning a project and what belongs to its setup, and what is
/// said of drafts and of notes that stand in the wrong place.
const WHOLE: [&str; 8] = [
    CREATE_PROJECT,
    ANSWER_SETUP,
    LEAVE_SETUP,
    FINALIZE,
    "approve_draft",
    "request_draft",
    "request_revision",
    "request_redirect",
];
/// The number of the first of several requests among the steps of its plan, which has one.
const FIRST_PART: u32 = 2;
/// Words of something that can stand as a note.
const STATEMENT_WORDS: usize = 3;
/// A frame around something to keep (“note ”) has at least this many letters.
const FRAME_LETTERS: usize = 4;
/// Bytes of a message that is looked through for several requests; a longer one is a text.
const TEXT_BYTES_MAX: usize = 2_000;

#[cfg(test)]
mod tests {
    use turnwise_core::{ConversationId, PersonId};

    use super::super::weeks::World;

    /// What is told to the last of `said`, in a project Boat that is set up.
    fn told(said: &[&str]) -> String {
        let (mut world, talk, ada) = (World::new(), ConversationId::new("ada-1"), PersonId::new("ada"));
        world.agrees = true;
        let begun =
            ["start a new project called Boat", "a boat", "skip", "skip", "skip", "skip", "skip", "finalize it"];
        begun.iter().chain(said).map(|said| world.say(&talk, &ada, said)).last().unwrap_or_default()
    }

    #[test]
    fn several_requests_are_done_in_their_order_and_none_is_lost() {
        let first = "The keel is oak";
        for (said, all) in [
            (
                "save it and show me my notes",
                &["Saved in Boat: note 1.", "Your notes on Boat:\n#1: The keel is oak"][..],
            ),
            ("remember that the mast is spruce and then show me my notes", &["“the mast is spruce”", "#2: the mast"]),
            ("Remember that the mast is spruce and save it", &["“the mast is spruce”", "Saved in Boat: note 2."]),
            ("The mast is spruce, save it", &["“The mast is spruce”", "Saved in Boat: note 2."]),
            ("remember the mast is spruce. How many notes do I have?", &["“the mast is spruce”", "Boat has 2 notes"]),
            ("Delete note 1 and remember that the sail is tan", &["Taken back in Boat: note 1.", "“the sail is tan”"]),
            (
                "Remember that the rope is new. Remember that the sail is tan.",
                &["“the rope is new”", "“the sail is tan”"],
            ),
            (
                "invite ben to the project and save my notes",
                &["I did not do “invite ben to the project”", "Saved in Boat"],
            ),
            ("save it and don't delete note 1", &["Saved in Boat: note 1.", "left as it is"]),
            (
                "change note 1 to the keel is elm and save it",
                &["now says: “the keel is elm”", "Saved in Boat: note 1."],
            ),
        ] {
            let reply = told(&[first, said]);
            for part in all {
                assert!(reply.contains(part), "{said}: “{part}” is missing: {reply}");
            }
        }
    }

    #[test]
    fn what_tells_one_thing_stays_one() {
        for said in [
            "The keel is oak. It is 9 m long",
            "salt and pepper are in the galley",
            "to buy rope and paint and save the receipts",
            "the motto is “save it and go”",
            "Ben comes on Monday, Anna on Friday, and both bring rope",
        ] {
            let reply = told(&[&format!("remember that {said}")]);
            assert!(reply.starts_with(&format!("I kept that as note 1 of Boat: “{said}”.")), "{said}: {reply}");
        }
        let reply = told(&["The keel is oak", "delete note 1 and save my notes if Ben agrees"]);
        assert!(reply.starts_with("I do nothing later by myself"), "{reply}");
    }
}
