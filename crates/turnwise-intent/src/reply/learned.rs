//! The learned reading of replies: how likely words are a yes, and whether that is enough.
//!
//! The grammar of replies speaks first and is exact; what it does not know is weighed here. Consent needs both a
//! probability over the threshold that was fitted on held-out frames and no [`Veto`]. Words that are likely a yes and
//! not sure to be one are asked back. Head and model are loaded when the first such words come. Next: `veto`,
//! `training`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::lessons::{FRAMES, Meaning};
use super::veto::{self, Veto};
use crate::embed::{Embedder, shared};
use crate::fitted::FORMAT;
use crate::head::Head;
use crate::words::Words;

/// What was learned of replies: a head over their meanings, and from where its probabilities count.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyHead {
    /// Over the meanings, in the order of [`Meaning::ALL`].
    pub head: Head,
    /// From this probability of a yes on, words without a veto are consent.
    pub consent: f32,
    /// From this one on, they are asked back.
    pub close: f32,
    /// The words that stand in some yes.
    pub known: BTreeSet<String>,
}

/// How words lean to a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaning {
    /// They are one.
    Consent,
    /// They are close to one.
    Close,
    /// They are none.
    None,
}

/// Words of a reply that are weighed; nobody says a plain yes in more.
const WORDS_MAX: usize = 24;

static ASSET: &[u8] = include_bytes!("../../assets/replies.fitted");
static HEAD: LazyLock<ReplyHead> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the asset is compiled in beside its frames, and a test reads it")]
    ReplyHead::from_bytes(ASSET).expect("BUG: the head of replies does not fit its frames")
});

/// Names what the head depends on: the frames, the model and this code's format. Vetoes are no part of it.
pub(crate) fn reply_key() -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(FORMAT.to_le_bytes());
    hasher.update(shared().model_name().as_bytes());
    hasher.update(FRAMES.as_bytes());
    hasher.finalize().into()
}

impl ReplyHead {
    /// The compiled-in head.
    pub(super) fn get() -> &'static Self {
        &HEAD
    }

    /// How `text` leans, by the embedding of `embedder`. Where the model fails, nothing leans to a yes: the grammar
    /// alone decides then, which is the more careful reading.
    pub(super) fn leaning(&self, text: &str, embedder: &dyn Embedder) -> Leaning {
        let words = Words::of(text);
        if words.all.is_empty() || words.all.len() > WORDS_MAX {
            return Leaning::None;
        }
        // Most messages are about something else, and told so by their words alone.
        if 2 * veto::unheard(&words, &self.known) > words.all.len() {
            return Leaning::None;
        }
        let veto = veto::found(text, &words, &self.known);
        if veto.is_some_and(Veto::is_plain) {
            return Leaning::None;
        }
        let Ok(embedding) = embedder.embed(text) else { return Leaning::None };
        let likely = probability_of_yes(&self.head.probabilities(text, &embedding));
        match veto {
            None if likely >= self.consent => Leaning::Consent,
            _ if likely >= self.close => Leaning::Close,
            _ => Leaning::None,
        }
    }
}

/// The share of a yes among the meanings.
pub(super) fn probability_of_yes(probabilities: &[f32]) -> f32 {
    let at = Meaning::ALL.iter().position(|meaning| *meaning == Meaning::Yes).unwrap_or_default();
    probabilities.get(at).copied().unwrap_or_default()
}
