//! How like two phrases are, by the embedding model compiled in. It is asked only where a word is not known, and each
//! name of the data is embedded once: the vectors are kept with the data. Next: `propose`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use turnwise_intent::{Embedder, Embedding, MiniLm};

/// Vectors kept: 1.5 kB each, so that a catalogue of thousands of names costs no more than 6 MB.
const KEPT_MAX: usize = 4_096;

/// The phrases that were compared, with their vectors.
#[derive(Debug, Default)]
pub struct Similar {
    kept: Mutex<BTreeMap<String, Vec<f32>>>,
}

impl Similar {
    /// The cosine between `word` and each of `phrases`.
    ///
    /// # Errors
    /// When the model cannot be loaded or run, in words for people.
    pub fn to(&self, word: &str, phrases: &[&str]) -> Result<Vec<f32>, String> {
        let own = embedded(word)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            let known = kept.get(*phrase).map(|known| cosine(&own, known));
            found.push(match known {
                Some(known) => known,
                None => {
                    let values = embedded(phrase)?;
                    let likeness = cosine(&own, &values);
                    if kept.len() < KEPT_MAX {
                        kept.insert((*phrase).to_owned(), values);
                    }
                    likeness
                }
            });
        }
        Ok(found)
    }
}

/// The embedding proper, without the other views of the same pass.
fn embedded(phrase: &str) -> Result<Vec<f32>, String> {
    let embedding: Embedding =
        MiniLm.embed(phrase).map_err(|error| format!("What is like “{phrase}” here cannot be told: {error}."))?;
    Ok(embedding.values().to_vec())
}

/// Of vectors of length one.
fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
