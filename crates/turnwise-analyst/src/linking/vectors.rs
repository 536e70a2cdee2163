//! How near two phrases are in meaning, by the embedding model compiled in. It is asked only where a word is not known,
//! and each name of the data is embedded once: the vectors are kept with the data. Next: `features`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use turnwise_intent::{Embedder, Embedding, MiniLm};

/// Vectors kept: 4.6 kB each, so that a catalogue of thousands of names costs no more than 19 MB.
const KEPT_MAX: usize = 4_096;

/// Views of a pass of the model, by each of which phrases are near or not: the embedding proper, what a word says
/// loudest, and what the layer before the last says.
pub const VIEWS: usize = 3;

/// The phrases that were compared, with their vectors.
#[derive(Debug, Default)]
pub struct Vectors {
    kept: Mutex<BTreeMap<String, Embedding>>,
}

impl Vectors {
    /// How near `word` is to each of `phrases`.
    ///
    /// # Errors
    /// When the model cannot be loaded or run, in words for people.
    pub fn to(&self, word: &str, phrases: &[&str]) -> Result<Vec<[f32; VIEWS]>, String> {
        let own = embedded(word)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            let known = kept.get(*phrase).map(|known| nearness(&own, known));
            found.push(match known {
                Some(known) => known,
                None => {
                    let other = embedded(phrase)?;
                    let near = nearness(&own, &other);
                    if kept.len() < KEPT_MAX {
                        kept.insert((*phrase).to_owned(), other);
                    }
                    near
                }
            });
        }
        Ok(found)
    }
}

impl Vectors {
    /// Embeds a phrase that words will be compared with, so that nobody waits for it then. Where that fails, it is told
    /// when the phrase is needed.
    pub fn prepare(&self, phrase: &str) {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |kept: &BTreeMap<String, Embedding>| kept.len() < KEPT_MAX && !kept.contains_key(phrase);
        let wanted = is_new(&kept());
        if wanted && let Ok(embedding) = embedded(phrase) {
            kept().insert(phrase.to_owned(), embedding);
        }
    }

    /// How near a text is to others that will not be seen again, so that nothing of them is kept.
    ///
    /// # Errors
    /// When the model cannot be loaded or run, in words for people.
    pub fn once(&self, text: &str, others: &[String]) -> Result<Vec<f32>, String> {
        let own = embedded(text)?;
        others.iter().map(|other| Ok(nearness(&own, &embedded(other)?)[0])).collect()
    }
}

fn embedded(phrase: &str) -> Result<Embedding, String> {
    MiniLm.embed(phrase).map_err(|error| format!("What is like “{phrase}” here cannot be told: {error}."))
}

/// The cosine of each view; all are of length one.
fn nearness(one: &Embedding, other: &Embedding) -> [f32; VIEWS] {
    let size = one.values().len().max(1);
    let views = one.all_views().chunks_exact(size).zip(other.all_views().chunks_exact(size));
    let mut near = [0.0; VIEWS];
    for (held, (one, other)) in near.iter_mut().zip(views) {
        *held = one.iter().zip(other).map(|(one, other)| one * other).sum();
    }
    near
}
