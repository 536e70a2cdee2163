//! Every limit of the reader, with what it buys. A loop or collection without a limit here is a defect. Next:
//! `reader`.

/// Bytes of a message that are read; the rest is not looked at. People put the request first, and the time of a
/// reading must not grow with what they paste behind it.
pub const READ_BYTES_MAX: usize = 8 * 1024;

/// Segments a message is split into; the rest stays joined to the last one.
pub const SEGMENTS_MAX: usize = 16;

/// Words of a segment that rules look at. Patterns backtrack, so their input has to be short.
pub const RULE_WORDS_MAX: usize = 64;

/// Words of a segment whose spelling is levelled; each may be compared with hundreds. The model reads no more either.
pub const LEVELLED_WORDS_MAX: usize = 64;

/// Bytes of a segment that the embedding sees: about 128 tokens, the length the model was trained on.
pub const EMBED_BYTES_MAX: usize = 512;

/// Tokens the embedding model is given, markers included.
pub const EMBED_TOKENS_MAX: usize = 128;

/// Embeddings of recent texts that are kept, so that repeated messages cost nothing: 256 × 4.5 kB.
pub const EMBED_CACHE_MAX: usize = 256;

/// Nearest exemplars reported with a reading.
pub const NEAREST_MAX: usize = 3;

/// Readings offered when the reader is unsure; more cannot be taken in at a glance.
pub const OPTIONS_MAX: usize = 4;

/// Edits between an unknown command or key and the one suggested for it.
pub const SUGGESTION_EDITS_MAX: usize = 3;

/// Exemplars of one profile; training time is linear in them.
pub const EXEMPLARS_MAX: usize = 20_000;

/// Iterations of gradient descent for the head: fifty classify held-out messages as well as two hundred.
pub const TRAIN_STEPS: usize = 60;

/// Samples a step looks at; of more, each step takes every n-th, so that training time stays bounded.
pub const BATCH_MAX: usize = 2048;

/// Iterations where a step sees only a part of the samples.
pub const TRAIN_STEPS_MANY: usize = 200;

/// N-grams a head learns from; beyond, those of the fewest texts are left out: 150 classes then weigh 40 MB.
pub const NGRAMS_MAX: usize = 65_536;

/// From this many intents on a profile is about topics more than about acts: wording counts for less, names of intents
/// are learned from, and what is like none of them is told apart by how familiar it is.
pub const TOPICS_MIN: usize = 50;

/// Labelled messages a head has to decide alone before its temperature is fitted: with fewer, the least surprising
/// temperature is mostly chance.
pub const FIT_TEMPERATURE_MIN: usize = 50;

/// The same for the finer labels within one intent.
pub const FIT_SUBS_MIN: usize = 30;

/// Labelled messages read as one label before its threshold is fitted.
pub const FIT_THRESHOLD_MIN: usize = 20;
