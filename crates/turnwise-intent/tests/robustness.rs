//! Whatever arrives as a message, the reader answers, and in bounded time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use proptest::prelude::*;
use turnwise_core::{MessageReading, Phase, ReadContext, Reader, Reply};
use turnwise_intent::{IntentReader, segments};

static READER: LazyLock<IntentReader> = LazyLock::new(|| IntentReader::builtin("analyst").unwrap());

fn waiting() -> ReadContext {
    ReadContext { phase: Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() }
}

#[test]
fn nothing_visible_is_empty() {
    for text in ["", " ", "\n\t  \r\n", "\u{200b}\u{feff}", "...", "!!!", "\u{0}\u{7}\u{1b}", "\u{202e}", "?", "--"] {
        assert_eq!(READER.read(text, &ReadContext::default()), MessageReading::Empty, "{text:?}");
        let reply = READER.reply(text, &waiting());
        assert!(!matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. }), "{text:?}: {reply:?}");
    }
}

#[test]
fn a_megabyte_is_read_as_what_it_begins_with() {
    let long = format!("switch to proof mode. {}", "and more words ".repeat(70_000));
    assert!(long.len() > 1_000_000);
    assert!(!matches!(READER.read(&long, &ReadContext::default()), MessageReading::Empty));
    let one_word = "a".repeat(1_000_000);
    assert!(matches!(READER.read(&one_word, &ReadContext::default()), MessageReading::Unsure { .. }));
    assert_eq!(READER.reply(&format!("yes {}", "please ".repeat(200_000)), &waiting()), Reply::Other);
}

#[test]
fn invisible_characters_change_no_reading() {
    let plain = READER.read("switch to proof mode", &ReadContext::default());
    let MessageReading::Understood { requests, .. } =
        READER.read("sw\u{200b}itch\u{a0}to \u{2066}proof\u{2069} mode\u{feff}", &ReadContext::default())
    else {
        panic!("not understood");
    };
    let MessageReading::Understood { requests: expected, .. } = plain else { panic!("not understood") };
    assert_eq!(requests[0].act, expected[0].act);
    assert_eq!(READER.reply("y\u{200d}es", &waiting()), Reply::Approve);
}

#[test]
fn other_scripts_are_read_without_fault() {
    for text in [
        "\u{645}\u{631}\u{62d}\u{628}\u{627} \u{643}\u{64a}\u{641}",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{4f60}\u{597d}\u{ff0c}\u{9500}\u{552e}\u{989d}",
        "\u{1f469}\u{200d}\u{1f4bb}\u{1f389}",
        "Zu\u{308}rich \u{130}stanbul \u{df}",
    ] {
        let reading = READER.read(text, &ReadContext::default());
        assert!(matches!(
            reading,
            MessageReading::Unsure { .. } | MessageReading::Empty | MessageReading::Understood { .. }
        ));
        assert!(!matches!(READER.reply(text, &waiting()), Reply::Approve | Reply::ApproveWithNote { .. }), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_reply_of_arbitrary_characters_is_a_fault(text in "\\PC{0,200}") {
        READER.reply(&text, &waiting());
    }

    #[test]
    fn segments_hold_the_words_of_the_message_in_order(text in "[a-zA-Z0-9 .;!?\"'`()\\[\\]\u{e9}\u{4e2d}]{0,120}") {
        let found = segments(&text);
        let kept: String = found.concat().chars().filter(|ch| ch.is_alphanumeric()).collect();
        let all: String = text.chars().filter(|ch| ch.is_alphanumeric()).collect();
        prop_assert_eq!(kept, all);
        prop_assert!(found.iter().all(|segment| !segment.trim().is_empty()));
    }
}

proptest! {
    // Each case may run the embedding model several times.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_message_of_arbitrary_bytes_is_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let first = READER.read(&text, &ReadContext::default());
        prop_assert_eq!(first, READER.read(&text, &ReadContext::default()));
    }

    #[test]
    fn shuffled_words_of_commands_are_read_without_fault(words in prop::collection::vec(
        prop::sample::select(vec!["stop", "don't", "not", "yes", "only", "Q4", ".", "proof", "mode", "again", "\"", "instead", "the", "plan", "?", "/redo"]), 0..12
    )) {
        let text = words.join(" ");
        for phase in [Phase::Idle, Phase::Planning, Phase::AwaitingApproval, Phase::Executing, Phase::Failed] {
            let context = ReadContext { phase, has_plan: phase != Phase::Idle, ..ReadContext::default() };
            if let MessageReading::Understood { requests, segments } = READER.read(&text, &context) {
                prop_assert!(!requests.is_empty() && !segments.is_empty());
            }
            READER.reply(&text, &context);
        }
    }
}
