//! Any text, read and classified by each of the five assistants in each phase, gives the same twice and never panics.
//!
//! The first byte chooses the assistant, the second the phase and what is known of the conversation; the rest is the
//! message. The embedding is a hash in place of a pass of the model, which would take all the time; the heads and
//! everything around them are the real ones. `embed` has the model. Next: `turnwise_intent::IntentReader`.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use turnwise_core::{MessageReading, Phase, ReadContext, Reader};
use turnwise_intent::classify::{Context, classify};
use turnwise_intent::{EmbedError, Embedder, Embedding, IntentReader, MiniLm, VIEWS, builtin};

/// As many numbers as the model gives.
const DIMENSIONS: usize = 384;
const PHASES: [Phase; 5] = [Phase::Idle, Phase::Planning, Phase::AwaitingApproval, Phase::Executing, Phase::Failed];

/// Different texts in different directions, in no time. It goes by the model's name, so that the heads fit.
struct Hashed;

impl Embedder for Hashed {
    fn model_name(&self) -> &str {
        MiniLm.model_name()
    }

    fn embed(&self, text: &str) -> Result<Embedding, EmbedError> {
        let mut state = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let views: Vec<f32> = (0..VIEWS * DIMENSIONS).map(|_| next()).collect();
        Ok(Embedding::of_views(DIMENSIONS, &views))
    }
}

static READERS: LazyLock<Vec<IntentReader>> = LazyLock::new(|| {
    let reader = |name: &str| {
        let reader = IntentReader::builtin(name).expect("it is built in").with_embedder(Arc::new(Hashed));
        reader.with_fitted(builtin::fit(name).expect("it is built in")).expect("the fit is its own")
    };
    builtin::names().into_iter().map(reader).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let [assistant, state, message @ ..] = bytes else { return };
    let reader = &READERS[usize::from(*assistant) % READERS.len()];
    let text = String::from_utf8_lossy(message);
    let context = ReadContext {
        phase: PHASES[usize::from(*state) % PHASES.len()],
        has_plan: state & 64 != 0,
        has_result: state & 128 != 0,
        ..ReadContext::default()
    };
    let reading = reader.read(&text, &context);
    assert_eq!(reading, reader.read(&text, &context));
    if let MessageReading::Understood { requests, segments } = &reading {
        assert!(!requests.is_empty() && !segments.is_empty());
        let sure = |confidence: f32| (0.0..=1.0).contains(&confidence);
        assert!(segments.iter().all(|one| sure(one.confidence.value())));
    }
    let found = classify(reader, &text, &Context::default());
    assert_eq!(found, classify(reader, &text, &Context::default()));
});
