//! Embeddings: a text as a direction in space, near texts near each other.
//!
//! The model compiled in is all-MiniLM-L6-v2 in int8 (Apache-2.0, notice beside the weights). It is loaded when the
//! first text needs it, off the start-up path. [`Embedder`] is the seam for larger models, of which `bert` reads some.
//! Next: `minilm`, `head`.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::limits::{EMBED_BYTES_MAX, EMBED_CACHE_MAX, EMBED_TOKENS_MAX};
use crate::minilm;
use crate::wordpiece::WordPiece;
use crate::words::prefix;

/// Makes embeddings. A pure function of the text: the same text gives the same vector for the life of the program.
pub trait Embedder: Send + Sync {
    /// The name and precision of the weights; assets fitted with another model are refused.
    fn model_name(&self) -> &str;

    /// The vector of `text`, of length one.
    ///
    /// # Errors
    /// [`EmbedError`] when the model cannot be loaded or run.
    fn embed(&self, text: &str) -> Result<Embedding, EmbedError>;
}

/// A text as vectors of length one, on a grid of 1/4096: coarse enough that the last bits, in which processors differ,
/// do not reach a decision. The first is the embedding proper; others view the same pass of the model differently and
/// serve only those who learn from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    views: Arc<[f32]>,
    dimensions: usize,
}

/// Why there is no embedding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the embedding model {model} failed: {problem}")]
pub struct EmbedError {
    /// Which model.
    pub model: String,
    /// What happened.
    pub problem: String,
}

const GRID: f32 = 4096.0;

impl Embedding {
    /// Scales `values` to length one and rounds them to the grid. All zeros stay zeros.
    #[must_use]
    pub fn normalised(values: &[f32]) -> Self {
        Self::of_views(values.len(), values)
    }

    /// The same for several vectors of `dimensions` each, one after the other.
    #[must_use]
    pub fn of_views(dimensions: usize, views: &[f32]) -> Self {
        Self { views: views.chunks(dimensions.max(1)).flat_map(on_grid).collect(), dimensions }
    }

    /// The components of the embedding proper.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.views[..self.dimensions]
    }

    /// The components of all views, one after the other, the embedding proper first.
    #[must_use]
    pub fn all_views(&self) -> &[f32] {
        &self.views
    }

    /// The cosine of the angle to `other`.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(self.values(), other.values())
    }
}

fn on_grid(values: &[f32]) -> Vec<f32> {
    let norm = values.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>().sqrt();
    let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
    values.iter().map(|value| ((f64::from(*value) * scale) as f32 * GRID).round() / GRID).collect()
}

/// The dot product, summed in a fixed order.
#[must_use]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f32 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        for lane in 0..8 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    lanes.iter().sum::<f32>() + tail
}

/// all-MiniLM-L6-v2, int8, compiled in: 384 dimensions.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniLm;

struct Loaded {
    network: minilm::MiniLm,
    tokenizer: WordPiece,
}

static MODEL: LazyLock<Result<Loaded, String>> = LazyLock::new(load);
static WEIGHTS: &[u8] = include_bytes!("../assets/minilm-l6/model-int8.onnx");
static VOCABULARY: &str = include_str!("../assets/minilm-l6/vocab.txt");
const MINILM_NAME: &str = "all-MiniLM-L6-v2 int8";

fn load() -> Result<Loaded, String> {
    Ok(Loaded { network: minilm::MiniLm::read(WEIGHTS)?, tokenizer: WordPiece::from_vocabulary(VOCABULARY)? })
}

impl MiniLm {
    /// Loads the weights now instead of at the first message, for a shell that has time to spare.
    ///
    /// # Errors
    /// [`EmbedError`] when they cannot be loaded.
    pub fn load_now(self) -> Result<(), EmbedError> {
        self.loaded().map(|_| ())
    }

    fn loaded(self) -> Result<&'static Loaded, EmbedError> {
        MODEL.as_ref().map_err(|problem| EmbedError { model: MINILM_NAME.to_owned(), problem: problem.clone() })
    }
}

impl Embedder for MiniLm {
    fn model_name(&self) -> &str {
        MINILM_NAME
    }

    fn embed(&self, text: &str) -> Result<Embedding, EmbedError> {
        let loaded = self.loaded()?;
        loaded
            .embed(prefix(text, EMBED_BYTES_MAX))
            .map_err(|problem| EmbedError { model: MINILM_NAME.to_owned(), problem })
    }
}

impl Loaded {
    fn embed(&self, text: &str) -> Result<Embedding, String> {
        let [before_last, last] = self.network.run(&self.tokenizer.encode(text, EMBED_TOKENS_MAX))?;
        let mut views = last.mean();
        views.extend(last.strongest());
        views.extend(before_last.mean());
        Ok(Embedding::of_views(last.dimensions, &views))
    }
}

/// The compiled-in model's vocabulary, by and large the more common words first.
pub(crate) fn model_words() -> impl Iterator<Item = &'static str> {
    VOCABULARY.lines()
}

/// The compiled-in model with its cache, shared by all readers of the program.
static SHARED: LazyLock<Arc<Cached<MiniLm>>> = LazyLock::new(|| Arc::new(Cached::new(MiniLm)));

/// See [`SHARED`].
pub(crate) fn shared() -> Arc<Cached<MiniLm>> {
    Arc::clone(&SHARED)
}

/// Embeddings of the texts asked for last, oldest first. Repeated messages ("yes", "stop") cost a look-up.
pub struct Cached<E> {
    embedder: E,
    recent: Mutex<VecDeque<(String, Embedding)>>,
}

impl<E: Embedder> Cached<E> {
    /// Puts a cache of [`EMBED_CACHE_MAX`] texts before `embedder`.
    #[must_use]
    pub fn new(embedder: E) -> Self {
        Self { embedder, recent: Mutex::new(VecDeque::new()) }
    }

    fn recall(&self, text: &str) -> Option<Embedding> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.iter().position(|(known, _)| known == text)?;
        let entry = recent.remove(at)?;
        let embedding = entry.1.clone();
        recent.push_back(entry);
        Some(embedding)
    }

    fn remember(&self, text: &str, embedding: &Embedding) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= EMBED_CACHE_MAX {
            recent.pop_front();
        }
        recent.push_back((text.to_owned(), embedding.clone()));
    }
}

impl<E: Embedder> Embedder for Cached<E> {
    fn model_name(&self) -> &str {
        self.embedder.model_name()
    }

    fn embed(&self, text: &str) -> Result<Embedding, EmbedError> {
        let text = prefix(text, EMBED_BYTES_MAX);
        if let Some(known) = self.recall(text) {
            return Ok(known);
        }
        let embedding = self.embedder.embed(text)?;
        self.remember(text, &embedding);
        Ok(embedding)
    }
}
