//! Two hundred conversations of five people over forty weeks for each of some seeds, made up by a grammar and played
//! on a clock of their own: some projects are shared, some left, and everything that is kept has a word in it that was
//! said once. Whatever a reply tells is looked for in what its person can see. Next: `visits.txt`, `weeks`.

use std::collections::{BTreeMap, BTreeSet};

use turnwise_core::{ConversationId, PersonId, text};
use turnwise_intent::behaviour::companion::forbidden;

use super::weeks::World;
use crate::store::{NoteState, ProjectId, SeedField, Wanted};

const PEOPLE: [&str; 5] = ["ada", "ben", "cy", "dee", "eli"];
const THINGS: [&str; 8] = ["hull", "fence", "roof", "pump", "stove", "hedge", "crane", "kitchen"];
const DAYS: [&str; 5] = ["Monday", "May 2nd", "the 20th", "Friday", "June 1st"];
const SEEDS: [u64; 2] = [3, 17];
const CONVERSATIONS: usize = 200;
/// Milliseconds between two conversations of all: forty weeks hold them.
const APART_MS: i64 = 40 * 7 * 24 * 3_600_000 / 200;
/// How many of the first replies may be the one that asks what is wanted, in a hundred.
const ASKED_BACK_MAX: usize = 10;
/// What somebody says who comes about one of their projects.
const TURNS: &str = "switch to {mine}";
/// What a word begins with that is said once.
const MARK: &str = "zq";

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % many.max(1)
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.below(of.len());
        of.get(at)
    }
}

/// A note as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    text: String,
    state: NoteState,
}

/// What one person can see.
#[derive(Debug, Default)]
struct Seen {
    projects: BTreeMap<ProjectId, (String, i64)>,
    notes: BTreeMap<(ProjectId, i64), Kept>,
    /// Setups by how they are told, and specifications by their names.
    setups: Vec<String>,
    specifications: Vec<(String, String)>,
    /// All of it in one text, with what they told of themselves, groups and invitations.
    whole: String,
}

fn seen(world: &World, person: &PersonId) -> Seen {
    let (store, now) = (&world.store, world.now_ms);
    let mut seen = Seen::default();
    for project in store.projects(person).unwrap_or_default() {
        let id = &project.id;
        for state in [NoteState::Held, NoteState::Committed, NoteState::Retracted] {
            let wanted = Wanted { state: Some(state), ..Wanted::default() };
            for note in store.notes(person, id, &wanted, now, 10_000).unwrap_or_default() {
                seen.notes.insert((id.clone(), note.number), Kept { text: note.text, state });
            }
        }
        if let Ok(seed) = store.seed(person, id) {
            seen.setups.extend(SeedField::ALL.into_iter().filter_map(|field| seed.said(field).map(str::to_owned)));
        }
        for one in store.specifications(person, id).unwrap_or_default() {
            seen.specifications.push((one.name, one.content));
        }
        for group in store.groups(person, id, now).unwrap_or_default() {
            seen.whole.push_str(&format!("{}\n", group.label));
        }
        let count = store.counts(person, id, now).map_or(0, |counts| counts.notes);
        seen.whole.push_str(&format!("{}\n", project.name));
        seen.projects.insert(id.clone(), (project.name, count));
    }
    let invited = store.invitations(person).unwrap_or_default().into_iter().map(|one| one.name);
    let told = store.personal(person, now).unwrap_or_default().into_iter().map(|one| one.text);
    let notes = seen.notes.values().map(|note| note.text.clone());
    let written = seen.specifications.iter().map(|(name, content)| format!("{name} {content}"));
    let all: Vec<String> = invited.chain(told).chain(notes).chain(written).chain(seen.setups.clone()).collect();
    seen.whole.push_str(&all.join("\n"));
    seen
}

/// The visits that the grammar knows, each with the ways to say each message.
fn visits() -> Vec<Vec<Vec<&'static str>>> {
    let ways = |line: &'static str| line.split(" | ").map(str::trim).collect::<Vec<_>>();
    let text = include_str!("visits.txt").split("\n\n");
    let visits = text.map(|part| part.lines().filter(|line| !line.starts_with('#')).map(ways).collect::<Vec<_>>());
    visits.filter(|visit| !visit.is_empty()).collect()
}

/// A message of a visit with its places filled.
struct Filling<'a> {
    chance: &'a mut Chance,
    /// The mark of this visit: what it names once it can name again.
    mark: &'a str,
    person: &'a str,
    seen: &'a Seen,
    strangers: &'a [String],
}

impl Filling<'_> {
    fn filled(&mut self, pattern: &str) -> String {
        let notes: Vec<(i64, String)> =
            self.seen.notes.iter().map(|((_, number), note)| (*number, note.text.clone())).collect();
        let names: Vec<String> = self.seen.projects.values().map(|(name, _)| name.clone()).collect();
        let note = self.chance.one(&notes).cloned().unwrap_or((1, "nothing".to_owned()));
        let long = |word: &&str| word.chars().count() > 3 && word.chars().all(char::is_alphanumeric);
        let words: Vec<&str> = note.1.split_whitespace().filter(long).collect();
        let known = self.chance.one(&words).map_or("nothing", |word| *word).to_owned();
        let other: Vec<&str> = PEOPLE.into_iter().filter(|who| *who != self.person).collect();
        let of = |found: Option<&String>| found.cloned().unwrap_or_else(|| "the project".to_owned());
        let values = [
            ("{thing}", (*self.chance.one(&THINGS).unwrap_or(&"roof")).to_owned()),
            ("{day}", (*self.chance.one(&DAYS).unwrap_or(&"Friday")).to_owned()),
            ("{mark}", self.mark.to_owned()),
            ("{known}", known),
            ("{number}", note.0.to_string()),
            ("{mine}", of(self.chance.one(&names))),
            ("{theirs}", of(self.chance.one(self.strangers))),
            ("{other}", (*self.chance.one(&other).unwrap_or(&"ben")).to_owned()),
        ];
        values.into_iter().fold(pattern.to_owned(), |said, (place, value)| said.replace(place, &value))
    }
}

/// A word that is said in one visit and in no other.
fn mark(number: usize) -> String {
    let letter = |value: usize| char::from(b'a' + u8::try_from(value % 26).unwrap_or_default());
    format!("{MARK}{}{}{}", letter(number / 676), letter(number / 26), letter(number))
}

/// The words of a text that were said in one visit alone.
fn marks(said: &str) -> BTreeSet<String> {
    text::words(said).into_iter().filter(|word| word.starts_with(MARK)).collect()
}

struct Played {
    world: World,
    chance: Chance,
    seed: u64,
    /// All projects there ever were, by the name they began with.
    names: BTreeMap<ProjectId, BTreeSet<String>>,
    asked_back: Vec<String>,
    messages: usize,
    quoted: usize,
    shared: usize,
}

impl Played {
    fn new(seed: u64) -> Self {
        let (mut world, chance) = (World::new(), Chance(seed));
        world.chooses = true;
        let (names, asked_back) = (BTreeMap::new(), Vec::new());
        Self { world, chance, seed, names, asked_back, messages: 0, quoted: 0, shared: 0 }
    }

    /// Who comes by next and for what: somebody who is invited mostly comes about that.
    fn next(&mut self, at: usize, visits: &[Vec<Vec<&'static str>>]) -> (&'static str, usize) {
        let is_invited =
            |who: &&&str| !self.world.store.invitations(&PersonId::new(**who)).unwrap_or_default().is_empty();
        let invited = PEOPLE.iter().find(is_invited).copied();
        let joins = visits.iter().position(|visit| visit[0][0].starts_with("join"));
        if let (Some(who), Some(joins), true) = (invited, joins, self.chance.below(3) > 0) {
            return (who, joins);
        }
        // Everybody has something before chance decides.
        match PEOPLE.get(at) {
            Some(who) => (who, 0),
            None => (self.chance.one(&PEOPLE).unwrap_or(&"ada"), self.chance.below(visits.len())),
        }
    }

    fn visit(&mut self, at: usize, (who, visit): (&'static str, &[Vec<&'static str>])) {
        let (person, conversation) = (PersonId::new(who), ConversationId::new(format!("{who}-{at}")));
        let mark = mark(at);
        // Most people say first which of their projects they come about.
        let turns = self.chance.below(3) > 0 && !seen(&self.world, &person).projects.is_empty();
        let whole = turns.then(|| vec![TURNS]).into_iter().chain(visit.iter().cloned());
        for (line_at, ways) in whole.enumerate() {
            let before = seen(&self.world, &person);
            let theirs: Vec<String> = self
                .names
                .iter()
                .filter(|(id, _)| !before.projects.contains_key(*id))
                .flat_map(|(_, names)| names.clone())
                .filter(|name| !before.whole.contains(name.as_str()))
                .collect();
            let pattern = *self.chance.one(&ways).unwrap_or(&"hm");
            let (seen_now, strangers) = (&before, theirs.as_slice());
            let mut filling = Filling { chance: &mut self.chance, mark: &mark, person: who, seen: seen_now, strangers };
            let line = filling.filled(pattern.trim_end_matches('!'));
            self.world.agrees = pattern.ends_with('!');
            let others = self.revisions(&before);
            let told = self.world.say(&conversation, &person, &line);
            let after = seen(&self.world, &person);
            self.messages += 1;
            let turn = Turn { who, line: &line, told: &told, before: &before, after: &after };
            self.quoted += turn.checked(self.seed, at);
            let now = self.revisions(&before);
            let stay = others.iter().all(|(id, revision)| now.get(id) == Some(revision));
            assert!(stay, "what is not theirs changes, seed {}, {}", self.seed, turn.told_of(at));
            if line_at == 0 && told.starts_with("I am not sure") {
                self.asked_back.push(line);
            }
        }
        self.remember();
        self.world.now_ms += APART_MS;
    }

    /// How often each project changed that is not among what somebody can see, nor waits for them to join.
    fn revisions(&self, seen: &Seen) -> BTreeMap<ProjectId, i64> {
        let all = PEOPLE.into_iter().flat_map(|who| self.world.store.projects(&PersonId::new(who)).unwrap_or_default());
        let strange = all.filter(|project| !seen.projects.contains_key(&project.id));
        strange.filter(|one| !seen.whole.contains(&one.given)).map(|one| (one.id, one.revision)).collect()
    }

    fn remember(&mut self) {
        let mut members: BTreeMap<ProjectId, usize> = BTreeMap::new();
        for who in PEOPLE {
            for project in self.world.store.projects(&PersonId::new(who)).unwrap_or_default() {
                *members.entry(project.id.clone()).or_default() += 1;
                self.names.entry(project.id).or_default().insert(project.given);
            }
        }
        self.shared = self.shared.max(members.values().filter(|many| **many > 1).count());
    }
}

/// One message, its reply, and what its person could see before and after.
struct Turn<'a> {
    who: &'a str,
    line: &'a str,
    told: &'a str,
    before: &'a Seen,
    after: &'a Seen,
}

impl Turn<'_> {
    fn told_of(&self, at: usize) -> String {
        format!("conversation {at}, {}: {}\n  -> {}", self.who, self.line, self.told)
    }

    /// Looks the reply over; gives how many notes it quoted.
    fn checked(&self, seed: u64, at: usize) -> usize {
        let of = format!("seed {seed}, {}", self.told_of(at));
        assert!(!self.told.trim().is_empty(), "no reply: {of}");
        assert_eq!(forbidden(self.told), Vec::<&str>::new(), "{of}");
        let known = marks(&format!("{}\n{}\n{}", self.line, self.before.whole, self.after.whole));
        let strange: Vec<String> = marks(self.told).difference(&known).cloned().collect();
        assert!(strange.is_empty(), "{strange:?} is nothing that {} can see: {of}", self.who);
        self.numbers_stay(&of);
        self.rests_on_something(&of);
        self.counts_are_right(&of);
        self.told.lines().filter_map(|line| line.strip_prefix('#')).map(|quoted| self.exists(quoted, &of)).count()
    }

    /// A note that is quoted is there under its number, says that, and stands where it is said to.
    fn exists(&self, quoted: &str, of: &str) {
        let Some((number, text)) = quoted.split_once(": ") else { panic!("#{quoted} has no text: {of}") };
        let text = text.rsplit_once(" (told by ").map_or(text, |(text, _)| text);
        let (text, state) = match text.strip_suffix(" (waiting)") {
            Some(text) => (text, NoteState::Held),
            None => (text, NoteState::Committed),
        };
        let number: i64 = number.parse().unwrap_or_default();
        let is_it =
            |((_, n), note): (&(ProjectId, i64), &Kept)| *n == number && note.text == text && note.state == state;
        assert!(self.after.notes.iter().any(is_it), "#{quoted} is not there: {of}");
    }

    /// A number stays that of its note, and its text is changed by nothing but an order to.
    fn numbers_stay(&self, of: &str) {
        let is_changing =
            ["change", "replace", "undo", "no wait", "actually"].iter().any(|word| self.line.contains(word));
        for (key, note) in &self.before.notes {
            let Some(now) = self.after.notes.get(key) else { continue };
            assert!(now.text == note.text || is_changing, "{key:?} was {note:?} and is {now:?}: {of}");
        }
        let last = |seen: &Seen, id: &ProjectId| seen.notes.keys().filter(|(of, _)| of == id).map(|(_, n)| *n).max();
        for id in self.after.projects.keys().filter(|id| self.before.projects.contains_key(id)) {
            let (before, now) = (last(self.before, id).unwrap_or_default(), last(self.after, id).unwrap_or_default());
            assert!(now <= before + 1, "a number was left out: {of}");
        }
    }

    /// What a reply says it has from a setup or a specification is there.
    fn rests_on_something(&self, of: &str) {
        for line in self.told.lines() {
            if let Some((_, text)) = line.strip_prefix("In the setup, ").and_then(|rest| rest.split_once(": ")) {
                assert!(self.after.setups.iter().any(|said| said == text), "{text} is in no setup: {of}");
            }
            if let Some(rest) = line.strip_prefix("In the specification “") {
                let (name, text) = rest.split_once("”: ").unwrap_or_default();
                let is_it = |(of, content): &(String, String)| of == name && content.contains(text);
                assert!(self.after.specifications.iter().any(is_it), "{line} is nowhere: {of}");
            }
            assert!(!line.starts_with("In the artefact"), "there are none: {of}");
        }
    }

    /// “Harbor: 3 notes” is how many it has.
    fn counts_are_right(&self, of: &str) {
        for (name, count) in self.after.projects.values() {
            let told = self.told.split(&format!("{name}: ")).nth(1).and_then(|rest| rest.split_once(" note"));
            let Some(told) = told.and_then(|(told, _)| told.parse::<i64>().ok()) else { continue };
            assert_eq!(told, *count, "{name} has {count} notes: {of}");
        }
    }
}

#[test]
fn whatever_people_say_over_weeks_a_reply_tells_what_its_person_can_see_and_nothing_else() {
    let visits = visits();
    assert!(visits.len() >= 25, "{}", visits.len());
    for seed in SEEDS {
        let mut played = Played::new(seed);
        for at in 0..CONVERSATIONS {
            let (who, which) = played.next(at, &visits);
            played.visit(at, (who, &visits[which]));
        }
        let Played { messages, quoted, shared, asked_back, .. } = &played;
        println!("seed {seed}: {messages} messages, {quoted} notes quoted, {shared} projects shared, {asked_back:?}");
        assert!(*quoted > CONVERSATIONS / 3 && *shared > 1, "too little happened to tell: {quoted} and {shared}");
        assert!(asked_back.len() * 100 <= CONVERSATIONS * ASKED_BACK_MAX, "{asked_back:?}");
    }
}
