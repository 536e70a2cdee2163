//! Any text is read as a reply, the same twice, and a consent is none any more with a no, a "wait", a question or a
//! change behind it. Next: `turnwise_intent::reply`.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use turnwise_core::{Phase, ReadContext, Reader, Reply};
use turnwise_intent::IntentReader;

static READER: LazyLock<IntentReader> = LazyLock::new(|| IntentReader::builtin("analyst").expect("it is built in"));

fn reply(text: &str) -> Reply {
    let context = ReadContext { phase: Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() };
    READER.reply(text, &context)
}

fn consents(reply: &Reply) -> bool {
    matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. })
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let found = reply(&text);
    assert_eq!(found, reply(&text));
    if consents(&found) {
        for behind in ["no", "not yet", "wait", "stop", "is it safe?", "only Q4"] {
            // On a line of its own: the last line may be somebody else's words (`> …`), which do not count.
            let longer = format!("{text}\n\n{behind}");
            assert!(!consents(&reply(&longer)), "{longer:?} is no consent");
        }
    }
});
