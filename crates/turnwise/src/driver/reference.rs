//! Decision references as they leave the program: what a button carries, a page posts back, and a person pastes into a
//! command line. One printable form for all, signed over everything core binds a decision to (DESIGN §7), so that a
//! reference can neither be made up nor moved to something else. Core then decides whether it is still current.
//!
//! A reference to a question that has ended is checked against the question as the log has it, so that a replay is told
//! what became of it and a forgery is not. Next: `turnwise_core::Envelope`, `session`.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use turnwise_core::{
    AssistantName, Conversation, ConversationId, DecisionRef, Envelope, Event, Pending, PendingId, Sequence,
};

use super::DriverError;
use crate::store::{SigningKey, Store, StoreError, limits as store_limits};

/// A signed reference to one version of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    conversation: [u8; TAG_BYTES],
    decision: DecisionRef,
    signature: [u8; SIGNATURE_BYTES],
}

/// Text that is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReference {
    /// It does not begin as one.
    #[error("a reference begins with `{PREFIX}`")]
    Prefix,
    /// A character that none has.
    #[error("`{0}` does not occur in a reference")]
    Character(char),
    /// Characters are missing or too many.
    #[error("it is incomplete, or has something appended to it")]
    Length,
}

/// A question that a genuine reference points at.
#[derive(Clone, Debug)]
pub struct Referred {
    /// The conversation as it is now.
    pub conversation: Conversation,
    /// The question while it is open as it was when the reference was issued.
    pub open: Option<Pending>,
}

impl Reference {
    /// The reference to `pending`, an open question of `conversation`, which is kept under `id`.
    #[must_use]
    pub fn sign(key: &SigningKey, id: &ConversationId, conversation: &Conversation, pending: &Pending) -> Self {
        let envelope = Envelope::of(id, conversation, pending);
        Self { conversation: conversation_tag(id), decision: pending.reference(), signature: signature(key, &envelope) }
    }

    /// What it refers to; checked by nobody yet.
    #[must_use]
    pub fn decision(&self) -> DecisionRef {
        self.decision
    }

    /// Whether it names the conversation `id`.
    #[must_use]
    pub fn is_of(&self, id: &ConversationId) -> bool {
        self.conversation == conversation_tag(id)
    }

    /// What it refers to, if it was issued for that.
    ///
    /// # Errors
    /// [`DriverError::Forged`] if it was not, and whatever the store says.
    pub async fn verify(
        &self,
        store: &dyn Store,
        id: &ConversationId,
        assistant: &AssistantName,
    ) -> Result<Referred, DriverError> {
        let key = store.signing_key().await?;
        let loaded = if self.is_of(id) { store.load(id).await? } else { None };
        let conversation = loaded.ok_or(DriverError::Forged)?.fold(id, assistant)?;
        let open = conversation.pending().iter().find(|open| open.reference() == self.decision).cloned();
        let genuine = match &open {
            Some(open) => Some(Envelope::of(id, &conversation, open)),
            None => self.envelope_then(store, id, assistant).await?,
        };
        match genuine {
            Some(envelope) if self.has_signed(&key, &envelope) => Ok(Referred { conversation, open }),
            Some(_) | None => Err(DriverError::Forged),
        }
    }

    /// The envelope of a question that has ended, from the log.
    async fn envelope_then(
        &self,
        store: &dyn Store,
        id: &ConversationId,
        assistant: &AssistantName,
    ) -> Result<Option<Envelope>, DriverError> {
        let mut then = Conversation::new(assistant.clone());
        loop {
            let page = store.events_after(id, then.sequence()).await?;
            let is_last = page.len() < store_limits::EVENTS_PAGE;
            for recorded in page {
                then.apply(&recorded.event).map_err(|error| damaged(id, recorded.sequence, &error))?;
                if let Event::PendingOpened { pending } = &recorded.event
                    && pending.reference() == self.decision
                {
                    return Ok(Some(Envelope::of(id, &then, pending)));
                }
            }
            if is_last {
                return Ok(None);
            }
        }
    }

    /// Compared in constant time: how far a guess was right must not show in how long its refusal takes.
    fn has_signed(&self, key: &SigningKey, envelope: &Envelope) -> bool {
        self.decision == envelope.reference && mac(key, envelope).verify_truncated_left(&self.signature).is_ok()
    }
}

fn damaged(id: &ConversationId, sequence: Sequence, error: &dyn fmt::Display) -> StoreError {
    StoreError::Damaged { conversation: id.clone(), sequence, reason: error.to_string() }
}

/// What is decided on, in short.
#[must_use]
pub fn digest(envelope: &Envelope) -> [u8; 32] {
    Sha256::digest(&envelope.subject).into()
}

/// A short mark of a conversation that fits into a reference and does not tell its id.
#[must_use]
pub fn conversation_tag(id: &ConversationId) -> [u8; TAG_BYTES] {
    let mut tag = [0; TAG_BYTES];
    tag.copy_from_slice(&Sha256::digest(id.as_str().as_bytes())[..TAG_BYTES]);
    tag
}

fn mac(key: &SigningKey, envelope: &Envelope) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key.bytes()).expect("BUG: HMAC refuses a key");
    mac.update(&envelope.canonical(&digest(envelope)));
    mac
}

fn signature(key: &SigningKey, envelope: &Envelope) -> [u8; SIGNATURE_BYTES] {
    let mut short = [0; SIGNATURE_BYTES];
    short.copy_from_slice(&mac(key, envelope).finalize().into_bytes()[..SIGNATURE_BYTES]);
    short
}

/// `tw1.` and letters and digits, so that a double click selects it and no shell finds anything in it to expand.
impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.conversation.to_vec();
        put_number(&mut bytes, self.decision.pending.number());
        put_number(&mut bytes, self.decision.ui_version.into());
        bytes.extend(self.signature);
        write!(out, "{PREFIX}{}", base32(&bytes))
    }
}

impl FromStr for Reference {
    type Err = NoReference;

    /// Case does not matter, and neither does white space around it.
    fn from_str(text: &str) -> Result<Self, NoReference> {
        let text = text.trim().to_ascii_lowercase();
        let bytes = from_base32(text.strip_prefix(PREFIX).ok_or(NoReference::Prefix)?)?;
        let (conversation, rest) = bytes.split_first_chunk().ok_or(NoReference::Length)?;
        let (pending, rest) = take_number(rest).ok_or(NoReference::Length)?;
        let (ui_version, rest) = take_number(rest).ok_or(NoReference::Length)?;
        let decision = DecisionRef {
            pending: PendingId::new(pending),
            ui_version: u32::try_from(ui_version).map_err(|_| NoReference::Length)?,
        };
        let reference = Self {
            conversation: *conversation,
            decision,
            signature: rest.try_into().map_err(|_| NoReference::Length)?,
        };
        // One reference has one form, so that two texts are the same reference only if they look it.
        if reference.to_string() == text { Ok(reference) } else { Err(NoReference::Length) }
    }
}

/// Seven bits a byte, the lowest first; the last byte has its highest bit clear.
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(NUMBER_BYTES_MAX) {
        number |= u64::from(byte & 0x7f).checked_shl(u32::try_from(at).ok()? * 7)?;
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

/// RFC 4648, in lower case and without padding.
fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut held, mut bits) = (0_u32, 0);
    for byte in bytes {
        held = (held << 8) | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(ALPHABET[(held >> bits) as usize & 31]));
        }
        held &= (1 << bits) - 1;
    }
    if bits > 0 {
        text.push(char::from(ALPHABET[(held << (5 - bits)) as usize & 31]));
    }
    text
}

fn from_base32(text: &str) -> Result<Vec<u8>, NoReference> {
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.chars() {
        let value = ALPHABET.iter().zip(0_u32..).find(|(known, _)| char::from(**known) == letter);
        let (_, value) = value.ok_or(NoReference::Character(letter))?;
        held = (held << 5) | value;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits).to_le_bytes()[0]);
            held &= (1 << bits) - 1;
        }
    }
    Ok(bytes)
}

/// Names the form, so that another one can follow.
const PREFIX: &str = "tw1.";
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// Enough that two conversations of one store do not meet by chance; the signature covers the whole id anyway.
const TAG_BYTES: usize = 6;
/// 128 bits cannot be guessed, and half of the digest is half as much to paste.
const SIGNATURE_BYTES: usize = 16;
/// 63 bits, more than any counter reaches.
const NUMBER_BYTES_MAX: usize = 9;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use proptest::prelude::*;
    use turnwise_core::{DecisionRef, PendingId};

    use super::{NoReference, Reference, base32, from_base32};

    #[test]
    fn the_encoding_is_that_of_the_standard() {
        for (plain, coded) in [("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foobar", "mzxw6ytboi")] {
            assert_eq!(base32(plain.as_bytes()), coded);
            assert_eq!(from_base32(coded).unwrap(), plain.as_bytes());
        }
    }

    #[test]
    fn other_texts_are_told_what_is_wrong_with_them() {
        let parse = |text: &str| text.parse::<Reference>().unwrap_err();
        assert_eq!(parse("q1"), NoReference::Prefix);
        assert_eq!(parse("tw1.ab-c"), NoReference::Character('-'));
        assert_eq!(parse("tw1.abcdefg"), NoReference::Length);
    }

    proptest! {
        #[test]
        fn a_reference_is_read_back_and_nothing_else_reads_as_it(
            conversation: [u8; 6], pending in 0_u64..1 << 60, ui_version: u32, signature: [u8; 16]
        ) {
            let decision = DecisionRef { pending: PendingId::new(pending), ui_version };
            let reference = Reference { conversation, decision, signature };
            let text = reference.to_string();
            prop_assert_eq!(text.to_uppercase().replace("TW1", "tw1").parse::<Reference>().unwrap(), reference);
            let longer = format!("{text}a");
            prop_assert!(longer.parse::<Reference>().is_err());
            prop_assert!(text[..text.len() - 1].parse::<Reference>().is_err());
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,60}") {
            let _ = text.parse::<Reference>();
            let _ = format!("tw1.{text}").parse::<Reference>();
        }
    }
}
