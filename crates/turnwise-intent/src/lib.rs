//! The intent reader of Turnwise: text and a profile in, an explained, calibrated reading out.
//!
//! Pure computation: no I/O, no clock, no randomness, and the same decision on every machine. A message goes through a
//! cascade: commands, rules on words, a head trained on exemplars over a compiled-in embedding model, and at last a
//! question back with the likely readings as options. Replies to an open question have a strict grammar of their own.
//!
//! ```
//! use turnwise_core::{MessageReading, ReadContext, Reader};
//!
//! let reader = turnwise_intent::IntentReader::builtin("analyst")?;
//! let reading = reader.read("switch to proof mode", &ReadContext::default());
//! assert!(matches!(reading, MessageReading::Understood { .. }));
//! # Ok::<(), turnwise_intent::UnknownAssistant>(())
//! ```
//!
//! Start reading at `reader`.

mod act;
mod asset;
pub mod behaviour;
#[cfg(feature = "embedders")]
mod bert;
pub mod builtin;
pub mod calibrate;
pub mod classify;
mod descent;
mod embed;
pub mod evaluate;
mod exact;
mod explain;
mod fitted;
mod fix;
mod head;
mod language;
mod lexical;
pub mod limits;
mod math;
mod minilm;
mod nearest;
#[cfg(feature = "embedders")]
mod network;
mod onnx;
mod pattern;
mod point;
mod profile;
mod reader;
pub mod reply;
mod resolve;
mod rules;
mod settling;
mod slash;
mod spelling;
mod split;
mod target;
mod tokens;
pub mod tuning;
mod wish;
mod wordpiece;
mod words;

pub use act::ActName;
pub use asset::AssetError;
#[cfg(feature = "embedders")]
pub use bert::{Bert, BertError, BertFiles, PoolingFile, TokenizerFile};
pub use builtin::UnknownAssistant;
pub use calibrate::HeldOut;
pub use embed::{Cached, EmbedError, Embedder, Embedding, MiniLm};
pub use exact::levelled;
pub use explain::{log_line, tier_name};
pub use fitted::{Fitted, NOTHING, calibrated, content_key};
pub use head::{Head, Origin, Sample};
pub use lexical::{FeatureWeights, Lexicon, VIEWS};
pub use nearest::nearest;
pub use pattern::{Pattern, PatternError};
pub use profile::{
    Apart, Approval, Calibration, Command, Exemplar, FitFigures, Flow, Form, Label, Meaning, ModeSigns, ModeWords,
    Preset, Profile, ProfileError, Routing, Rule, ThresholdOrigin, Thresholds, edit, rounded,
};
pub use reader::{IntentReader, Scores};
pub use resolve::principal;
pub use spelling::{Spelling, is_word};
pub use split::segments;
