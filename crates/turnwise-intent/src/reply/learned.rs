//! The learned reading of replies: how likely words are a yes, and whether that is enough.
//!
//! The grammar of replies speaks first and is exact; what it does not know is weighed here. Consent needs both a
//! probability over the threshold that was fitted on held-out frames and no [`Veto`]. Words that are likely a yes and
//! not sure to be one are asked back. Head and model are loaded when the first such words come. Next: `veto`,
//! `training`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};
use turnwise_core::{Asked, Reply, Stakes};

use super::lessons::FRAMES;
use super::odds::Odds;
use super::veto::{self, Veto};
use super::{by_grammar, is_left_to_the_head, own_words, restated, wording};
use crate::embed::{Embedder, shared};
use crate::fitted::FORMAT;
use crate::head::Head;
use crate::spelling::Spelling;
use crate::words::Words;

/// What was learned of replies: a head over their meanings, and from where its probabilities count.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyHead {
    /// Over the meanings, in the order of [`super::Meaning::ALL`].
    pub head: Head,
    /// What its scores are worth.
    pub odds: Odds,
    /// From this probability of a yes on, words without a veto are consent to what writes, sends or creates.
    pub consent: f32,
    /// From this one on, they are consent to what only looks at things.
    pub consent_to_look: f32,
    /// From this one on, they are asked back.
    pub close: f32,
    /// The words that stand in some yes.
    pub known: BTreeSet<String>,
    /// The same words, for slips in them.
    pub(crate) spelling: Spelling,
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
    hasher.update(wording::ALIKE.as_bytes());
    hasher.finalize().into()
}

impl ReplyHead {
    /// The compiled-in head.
    pub(super) fn get() -> &'static Self {
        &HEAD
    }

    /// Reads `text` as an answer to a question that asks for `asked`, with this head beside the grammar.
    #[must_use]
    pub fn read(&self, text: &str, asked: &Asked) -> Reply {
        let Some(own) = own_words(text) else { return Reply::Other };
        let reply = by_grammar(&own);
        // What the grammar knows is exact. What it does not know, or takes for a change because of words it does not
        // know, is weighed; a change stays one unless nothing speaks against a yes.
        if !is_left_to_the_head(&reply) {
            return reply;
        }
        let said = restated::without_repeats(&own, &asked.words, &self.known);
        let said = self.unglued(said.as_deref().unwrap_or(&own));
        let said = self.spelling.levelled(&said, &[]);
        if consent_by_levelled_grammar(&said, &self.known).is_some() {
            return Reply::Approve;
        }
        match self.leaning(&said, asked.stakes, shared().as_ref()) {
            Leaning::Consent => Reply::Approve,
            Leaning::Close if reply == Reply::Other => Reply::Likely,
            Leaning::Close | Leaning::None => reply,
        }
    }

    /// `text` with a blank behind each full stop between two words of yeses: "that's great.please book it". Names of
    /// files and columns have a full stop within and stay.
    fn unglued(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for word in text.split_inclusive(' ') {
            let parts = || word.trim_end().split('.').filter(|part| !part.is_empty());
            let is_heard = |part: &str| Words::of(part).all.iter().all(|word| self.known.contains(&word.text));
            if parts().count() > 1 && parts().all(is_heard) {
                out.push_str(&word.replace('.', ". "));
            } else {
                out.push_str(word);
            }
        }
        out
    }

    /// How `text` leans, by the embedding of `embedder`. Where the model fails, nothing leans to a yes: the grammar
    /// alone decides then, which is the more careful reading.
    pub(super) fn leaning(&self, text: &str, stakes: Stakes, embedder: &dyn Embedder) -> Leaning {
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
        let weighed = wording::levelled(text);
        let Ok(embedding) = embedder.embed(&weighed) else { return Leaning::None };
        let likely = self.odds.of(&self.head.logits(&weighed, &embedding));
        match veto {
            None if likely >= self.consent_from(stakes) => Leaning::Consent,
            _ if likely >= self.close => Leaning::Close,
            _ => Leaning::None,
        }
    }

    /// From which probability on words are consent, by what hangs on it.
    pub(super) fn consent_from(&self, stakes: Stakes) -> f32 {
        match stakes {
            Stakes::Looks => self.consent_to_look,
            Stakes::Acts => self.consent,
        }
    }
}

/// The yes that the grammar sees where words that do not differ are read as one, and nothing speaks against it: it
/// knows "that sounds good", and so "that sounds lovely".
///
/// Slips are mended before: what is mended to another word than one of some yes has a veto all the same, so a slip
/// never makes consent of anything but a yes.
pub(super) fn consent_by_levelled_grammar(text: &str, known: &BTreeSet<String>) -> Option<Reply> {
    let words = Words::of(text);
    // One word of praise is no decision, and two hardly.
    if words.all.len() < LEVELLED_WORDS_MIN || words.all.len() > WORDS_MAX {
        return None;
    }
    let reply = by_grammar(&wording::levelled(text));
    let consents = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. });
    (consents && veto::found(text, &words, known).is_none()).then_some(Reply::Approve)
}

/// The fewest words that the grammar reads levelled.
const LEVELLED_WORDS_MIN: usize = 3;
