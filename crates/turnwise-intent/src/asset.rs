//! A fitted profile as bytes: little-endian, in the order of the fields, lengths before contents.
//!
//! The format is private to this crate and versioned by `fitted::FORMAT`, which is part of the content key: whatever
//! was written by other code or for another profile is refused and fitted anew. Next: `builtin`.

use std::collections::{BTreeMap, BTreeSet};

use crate::fitted::{FORMAT, Fitted, Rounded};
use crate::head::Head;
use crate::lexical::{FeatureWeights, Lexicon};
use crate::reply::{Odds, ReplyHead, reply_key};
use crate::spelling::Spelling;

const MAGIC: &[u8; 8] = b"turnwise";
const REPLIES: &[u8; 8] = b"tw-reply";

/// Bytes that are no fitted profile, or not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssetError {
    /// Not written by this crate, or cut short.
    #[error("these bytes are not a fitted profile")]
    Malformed,
    /// Written by another version of this crate.
    #[error("the fitted profile has format {found}, this version reads format {FORMAT}; fit it again")]
    OtherFormat {
        /// The format it has.
        found: u32,
    },
    /// Made from other exemplars or another embedding model.
    #[error("the fitted profile was made from other exemplars or another embedding model; fit it again")]
    OtherContent,
}

impl Fitted {
    /// The bytes to keep.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        out.0.extend_from_slice(MAGIC);
        out.u32(FORMAT);
        out.0.extend_from_slice(&self.key);
        out.head(&self.primary);
        out.length(self.subs.len());
        for (intent, head) in &self.subs {
            out.text(intent);
            out.head(head);
        }
        out.length(self.exemplars.len());
        for exemplar in &self.exemplars {
            out.f32(exemplar.scale);
            out.length(exemplar.steps.len());
            out.0.extend(exemplar.steps.iter().map(|step| step.cast_unsigned()));
        }
        out.0
    }

    /// Reads bytes back that belong to `key` (see [`crate::content_key`]).
    ///
    /// # Errors
    /// [`AssetError`] when they are no fitted profile, or one of another format, profile or model.
    pub fn from_bytes(bytes: &[u8], key: &[u8; 32]) -> Result<Self, AssetError> {
        let mut input = Input(bytes);
        if input.take(MAGIC.len())? != MAGIC {
            return Err(AssetError::Malformed);
        }
        let found = input.u32()?;
        if found != FORMAT {
            return Err(AssetError::OtherFormat { found });
        }
        if input.take(key.len())? != key {
            return Err(AssetError::OtherContent);
        }
        let primary = input.head()?;
        let mut subs = BTreeMap::new();
        for _ in 0..input.length()? {
            subs.insert(input.text()?, input.head()?);
        }
        let exemplars = (0..input.length()?).map(|_| input.rounded()).collect::<Result<_, _>>()?;
        Ok(Self { key: *key, primary, subs, exemplars })
    }
}

impl ReplyHead {
    /// The bytes to keep.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        out.0.extend_from_slice(REPLIES);
        out.0.extend_from_slice(&reply_key());
        out.head(&self.head);
        out.f32(self.odds.slope);
        out.f32(self.odds.shift);
        out.f32(self.consent);
        out.f32(self.consent_to_look);
        out.f32(self.close);
        out.length(self.known.len());
        self.known.iter().for_each(|word| out.text(word));
        out.0
    }

    /// Reads bytes back that were made from the frames and with the model of this crate.
    ///
    /// # Errors
    /// [`AssetError`] when they are no head of replies, or one of other frames or another model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetError> {
        let mut input = Input(bytes);
        if input.take(REPLIES.len())? != REPLIES {
            return Err(AssetError::Malformed);
        }
        let key = reply_key();
        if input.take(key.len())? != key {
            return Err(AssetError::OtherContent);
        }
        let head = input.head()?;
        let odds = Odds { slope: input.f32()?, shift: input.f32()? };
        let (consent, consent_to_look, close) = (input.f32()?, input.f32()?, input.f32()?);
        let known: BTreeSet<String> = (0..input.length()?).map(|_| input.text()).collect::<Result<_, _>>()?;
        let spelling = Spelling::of(known.iter().map(String::as_str));
        Ok(Self { head, odds, consent, consent_to_look, close, known, spelling })
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn length(&mut self, value: usize) {
        self.u32(u32::try_from(value).unwrap_or(u32::MAX));
    }

    fn f32(&mut self, value: f32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn f32s(&mut self, values: &[f32]) {
        self.length(values.len());
        values.iter().for_each(|value| self.f32(*value));
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn head(&mut self, head: &Head) {
        self.length(head.classes.len());
        head.classes.iter().for_each(|class| self.text(class));
        let FeatureWeights { views, chars, words, marks } = head.lexicon.weights;
        views.iter().for_each(|view| self.f32(*view));
        self.f32(chars);
        self.f32(words);
        self.u32(u32::from(marks));
        self.length(head.lexicon.hashes.len());
        head.lexicon.hashes.iter().for_each(|hash| self.0.extend_from_slice(&hash.to_le_bytes()));
        self.f32s(&head.lexicon.idf);
        self.f32s(&head.centre);
        self.f32s(&head.bias);
        self.f32s(&head.weights);
        self.f32(head.temperature);
        self.f32(head.familiarity_floor);
    }
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], AssetError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(AssetError::Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], AssetError> {
        self.take(N)?.try_into().map_err(|_| AssetError::Malformed)
    }

    fn u32(&mut self) -> Result<u32, AssetError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn length(&mut self) -> Result<usize, AssetError> {
        usize::try_from(self.u32()?).map_err(|_| AssetError::Malformed)
    }

    fn f32(&mut self) -> Result<f32, AssetError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    fn f32s(&mut self) -> Result<Vec<f32>, AssetError> {
        let bytes = self.length()?.checked_mul(4).ok_or(AssetError::Malformed)?;
        let (values, _) = self.take(bytes)?.as_chunks::<4>();
        Ok(values.iter().map(|value| f32::from_le_bytes(*value)).collect())
    }

    fn u64s(&mut self) -> Result<Vec<u64>, AssetError> {
        let bytes = self.length()?.checked_mul(8).ok_or(AssetError::Malformed)?;
        let (values, _) = self.take(bytes)?.as_chunks::<8>();
        Ok(values.iter().map(|value| u64::from_le_bytes(*value)).collect())
    }

    fn text(&mut self) -> Result<String, AssetError> {
        let length = self.length()?;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| AssetError::Malformed)
    }

    fn head(&mut self) -> Result<Head, AssetError> {
        let classes = (0..self.length()?).map(|_| self.text()).collect::<Result<Vec<_>, _>>()?;
        let views = [self.f32()?, self.f32()?, self.f32()?];
        let weights = FeatureWeights { views, chars: self.f32()?, words: self.f32()?, marks: self.u32()? != 0 };
        let lexicon = Lexicon { weights, hashes: self.u64s()?, idf: self.f32s()? };
        let head = Head {
            classes,
            lexicon,
            centre: self.f32s()?,
            bias: self.f32s()?,
            weights: self.f32s()?,
            temperature: self.f32()?,
            familiarity_floor: self.f32()?,
        };
        let features = head.centre.len() + head.lexicon.hashes.len();
        let consistent = head.bias.len() == head.classes.len()
            && head.lexicon.idf.len() == head.lexicon.hashes.len()
            && head.weights.len() == head.classes.len() * features;
        if consistent { Ok(head) } else { Err(AssetError::Malformed) }
    }

    fn rounded(&mut self) -> Result<Rounded, AssetError> {
        let scale = self.f32()?;
        let length = self.length()?;
        let steps = self.take(length)?.iter().map(|step| step.cast_signed()).collect();
        Ok(Rounded { scale, steps })
    }
}
