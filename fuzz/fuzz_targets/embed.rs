//! Any text has an embedding by the compiled-in model: of length one or none, and the same twice. Next:
//! `turnwise_intent::Embedder`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwise_intent::{Embedder, MiniLm};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let embedding = MiniLm.embed(&text).expect("the model reads whatever is written");
    let length: f32 = embedding.values().iter().map(|value| value * value).sum();
    assert!((length - 1.0).abs() < 0.05, "its length is {length}");
    assert_eq!(embedding, MiniLm.embed(&text).expect("the model reads whatever is written"));
});
