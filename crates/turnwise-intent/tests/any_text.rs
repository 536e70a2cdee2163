//! Whatever is typed is read, by every assistant in every phase, as the same thing each time and on any thread: drawn
//! from seeds, in every test run. `fuzz/` looks for what these miss, with coverage.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use turnwise_core::{MessageReading, Phase, ReadContext, Reader, Reply};
use turnwise_intent::classify::{Context, classify};
use turnwise_intent::{IntentReader, Profile, builtin};

static READERS: LazyLock<Vec<IntentReader>> =
    LazyLock::new(|| builtin::names().into_iter().map(|name| IntentReader::builtin(name).unwrap()).collect());

const PHASES: [Phase; 5] = [Phase::Idle, Phase::Planning, Phase::AwaitingApproval, Phase::Executing, Phase::Failed];
const THREADS: usize = 4;
const SEED: [u8; 32] = *b"whatever is typed is read 202611";

/// Pieces that have made trouble somewhere: other scripts and directions, what nobody sees, what steers terminals,
/// letters that change their length when lowered, marks without a letter, and the words the rules know.
const PIECES: &[&str] = &[
    "stop",
    "yes",
    "no",
    "don't",
    "only Q4",
    "approve",
    "wait",
    "create a ticket",
    "rename a.rs",
    "/help",
    "/",
    "/ask x",
    "\u{645}\u{631}\u{62d}\u{628}\u{627}",
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    "\u{4f60}\u{597d}",
    "\u{e2a}\u{e27}\u{e31}",
    "caf\u{e9}",
    "\u{130}\u{df}\u{fb01}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{e0041}",
    "\u{301}\u{301}\u{301}",
    "\u{1f469}\u{200d}\u{1f4bb}",
    "\u{1f44d}",
    "\0",
    "\u{7}",
    "\u{1b}[31m",
    "\u{1b}[",
    "\u{9b}",
    "\r",
    "\n",
    "\t",
    "\n> yes\n",
    "\n- a\n- b\n",
    "```",
    "`",
    "\"",
    "'",
    "~~",
    "(",
    ")",
    "[x]",
    ".",
    "...",
    ";",
    "?",
    "!",
    ",",
    ":",
    "-",
    "$",
    "%",
    "#",
    "@",
    "&",
    "1,000",
    "2.5",
    "10:30",
    "a/b",
    "x_y",
    "9999999999999999999999",
    "#12",
];

fn message() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-z]{1,12}",
    ];
    let joined = |join: &'static str| move |pieces: Vec<String>| pieces.join(join);
    let pieces = prop::collection::vec(piece, 0..14);
    (pieces, any::<bool>()).prop_map(move |(pieces, spaced)| joined(if spaced { " " } else { "" })(pieces))
}

fn check(cases: u32, property: impl Fn(String) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let seeded = TestRng::from_seed(RngAlgorithm::ChaCha, &SEED);
    TestRunner::new_with_rng(config, seeded).run(&message(), property).unwrap();
}

fn contexts() -> impl Iterator<Item = ReadContext> {
    PHASES.into_iter().map(|phase| ReadContext { phase, has_plan: phase != Phase::Idle, ..ReadContext::default() })
}

fn consents(reply: &Reply) -> bool {
    matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. })
}

#[test]
fn every_assistant_reads_any_text_in_any_phase_the_same_each_time() {
    check(120, |text| {
        for reader in READERS.iter() {
            for context in contexts() {
                let first = reader.read(&text, &context);
                prop_assert_eq!(&first, &reader.read(&text, &context));
                if let MessageReading::Understood { requests, segments } = first {
                    prop_assert!(!requests.is_empty() && !segments.is_empty());
                }
            }
            let found = classify(reader, &text, &Context::default());
            prop_assert_eq!(found, classify(reader, &text, &Context::default()));
        }
        Ok(())
    });
}

#[test]
fn a_consent_is_none_with_anything_but_consent_behind_it() {
    let (reader, waiting) = (&READERS[0], ReadContext { phase: Phase::AwaitingApproval, ..ReadContext::default() });
    check(4_000, |text| {
        let reply = reader.reply(&text, &waiting);
        prop_assert_eq!(&reply, &reader.reply(&text, &waiting));
        for behind in ["no", "not yet", "wait", "stop", "is it safe?", "only Q4"] {
            // On a line of its own: the last line may be somebody else's words (`> …`), which do not count.
            let longer = format!("{text}\n\n{behind}");
            prop_assert!(!consents(&reader.reply(&longer, &waiting)), "{:?} is no consent", longer);
        }
        Ok(())
    });
}

#[test]
fn any_two_texts_are_a_profile_or_an_error_that_can_be_shown() {
    let (assistant, exemplars) = builtin::texts("companion").unwrap();
    let lines: Vec<&str> = assistant.lines().collect();
    check(200, |text| {
        // The text by itself, and in the middle of a profile that was right before.
        let at = text.len() % lines.len();
        let spoilt = [&lines[..at], &[text.as_str()], &lines[at..]].concat().join("\n");
        for assistant in [text.as_str(), &spoilt] {
            if let Err(error) = Profile::parse(assistant, exemplars) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
        if let Err(error) = Profile::parse(lines.join("\n").as_str(), &text) {
            prop_assert!(!error.to_string().is_empty());
        }
        Ok(())
    });
}

#[test]
fn several_threads_read_what_one_does() {
    let runner = &mut TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &SEED));
    let texts: Vec<String> = (0..60).map(|_| message().new_tree(runner).unwrap().current()).collect();
    // Readers of their own, so that no thread finds what another one kept.
    let read = |text: &String| {
        let reader = IntentReader::builtin("analyst").unwrap();
        contexts().map(|context| (reader.read(text, &context), reader.reply(text, &context))).collect::<Vec<_>>()
    };
    let alone: Vec<_> = texts.iter().map(read).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let parts = texts.chunks(texts.len().div_ceil(THREADS));
        let running: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>())).collect();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

#[test]
fn a_megabyte_of_anything_is_read() {
    for piece in [
        "a",
        "a ",
        "yes ",
        "\u{202e}x",
        "\u{5e9} ",
        "\u{200b}",
        "\u{1b}[31m",
        "\"",
        "(",
        "no. ",
        "\u{1f469}\u{200d}\u{1f4bb}",
        "\u{4f60}",
    ] {
        let long = piece.repeat(1_048_576 / piece.len() + 1);
        for reader in READERS.iter() {
            for context in contexts() {
                reader.read(&long, &context);
            }
            assert_eq!(reader.reply(&long, &ReadContext::default()), Reply::Other, "{piece:?}");
            assert_eq!(classify(reader, &long, &Context::default()).assistant, reader.profile().name);
        }
    }
}
