//! The conversation corpus: whole transcripts under `conversations/`, read by the real reader and decided by the real
//! core. `UPDATE=1 cargo test -p turnwise --test transcripts` writes what the engine answers beneath each line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod braked;
mod hedged;
mod said;
mod script;
mod show;

use std::path::{Path, PathBuf};

use turnwise_core::{
    AssistantName, Conversation, Decision, Event, Input, InputBody, InputKey, Origin, Policy, Reader, Report,
    Timestamp, decide,
};

use said::Said;

/// A played transcript: its text with the answers, and each turn's events and time.
struct Played {
    text: String,
    turns: Vec<(Timestamp, Said, Vec<Event>)>,
    policy: Policy,
    end: Conversation,
}

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conversations")
}

fn transcripts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            found.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    found.sort();
    assert!(!found.is_empty(), "there are transcripts");
    found
}

fn reader() -> impl Reader {
    turnwise_intent::IntentReader::builtin("analyst").unwrap()
}

fn turn(
    conversation: &Conversation,
    said: Said,
    number: usize,
    now: Timestamp,
    reader: &dyn Reader,
    policy: &Policy,
) -> Decision {
    let Said { body, origin } = said;
    let input = Input { key: InputKey::new(number.to_string()), content_key: None, origin, body };
    decide(conversation, &input, policy, reader, now)
}

fn fresh() -> Conversation {
    Conversation::new(AssistantName::new("analyst"))
}

fn play(text: &str, reader: &dyn Reader) -> Played {
    let (mut written, lines) = script::parse(text);
    let policy = said::policy(&written);
    let mut conversation = fresh();
    let mut turns = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        println!("  {}", line.text);
        let said = said::said(&conversation, &line.text);
        let decision = turn(&conversation, said.clone(), number, line.at, reader, &policy);
        for event in &decision.events {
            conversation.apply(event).unwrap();
        }
        let seconds = line.at.as_millis() / 1000;
        written.push_str(&format!("{}:{:02} {}\n", seconds / 60, seconds % 60, line.text));
        written.push_str(&show::turn(&decision, &conversation));
        turns.push((line.at, said, decision.events));
    }
    Played { text: written, turns, policy, end: conversation }
}

#[test]
fn every_transcript_reads_as_written() {
    let reader = reader();
    let mut wrong = Vec::new();
    for path in transcripts() {
        let expected = std::fs::read_to_string(&path).unwrap();
        println!("playing {}", path.display());
        let played = play(&expected, &reader).text;
        if played == expected {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, played).unwrap();
        } else {
            wrong.push(format!("{}\n{}", path.display(), difference(&expected, &played)));
        }
    }
    assert!(wrong.is_empty(), "run with UPDATE=1 and review the difference:\n{}", wrong.join("\n"));
}

/// The lines around the first difference.
fn difference(expected: &str, played: &str) -> String {
    let same = expected.lines().zip(played.lines()).take_while(|(left, right)| left == right).count();
    let line = |text: &str| text.lines().skip(same).take(3).collect::<Vec<_>>().join("\n  ");
    format!("  line {}, expected:\n  {}\n  but it is:\n  {}", same + 1, line(expected), line(played))
}

/// Cut after any turn, folded again from what was stored and taken up again, a conversation comes to the same end.
#[test]
fn every_log_prefix_recovers_to_the_same_end() {
    let reader = reader();
    for path in transcripts() {
        let played = play(&std::fs::read_to_string(&path).unwrap(), &reader);
        for cut in 0..played.turns.len() {
            let recovered = recover(&played, cut, &reader, &path);
            assert_eq!(recovered, played.end, "{} cut after turn {cut}", path.display());
        }
    }
}

fn recover(played: &Played, cut: usize, reader: &dyn Reader, path: &Path) -> Conversation {
    let mut conversation = fresh();
    for event in played.turns[..cut].iter().flat_map(|(_, _, events)| events) {
        let stored = serde_json::to_string(event).unwrap();
        conversation.apply(&serde_json::from_str(&stored).unwrap()).unwrap();
    }
    let recovered = Said { body: InputBody::Report(Report::Recovered), origin: Origin::default() };
    let again = turn(&conversation, recovered, usize::MAX, Timestamp::default(), reader, &played.policy);
    assert!(again.events.is_empty(), "{} cut after turn {cut}: a whole turn leaves nothing to settle", path.display());
    for (number, (at, said, _)) in played.turns.iter().enumerate().skip(cut) {
        let decision = turn(&conversation, said.clone(), number, *at, reader, &played.policy);
        for event in &decision.events {
            conversation.apply(event).unwrap();
        }
    }
    conversation
}
