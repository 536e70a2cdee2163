//! Embedding models of the BERT family that are not compiled in: MiniLM in full precision, BGE and whatever else comes
//! as an ONNX network with WordPiece tokens. They are larger, slower and a little better than the model compiled in.
//!
//! What a model's own files say decides how it is used: its tokenizer's normaliser, and whether the tokens are averaged
//! or the first one speaks for the sentence. Files come in as values; whoever has them reads them. The weights' digest
//! is part of the model's name, so that a fit made with other weights is refused, whatever their folder is called.
//! Next: `network`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use rten::NodeId;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::embed::{EmbedError, Embedder, Embedding};
use crate::limits::{EMBED_BYTES_MAX, EMBED_TOKENS_MAX};
use crate::network::Network;
use crate::tokens::Tokens;
use crate::wordpiece::{Case, WordPiece};
use crate::words::prefix;

/// What a model is made of.
#[derive(Debug)]
pub struct BertFiles {
    /// What people call it.
    pub name: String,
    /// `model.onnx`.
    pub onnx: Vec<u8>,
    /// `tokenizer.json`.
    pub tokenizer: TokenizerFile,
    /// `1_Pooling/config.json`.
    pub pooling: PoolingFile,
}

/// The part of a `tokenizer.json` that decides how a text becomes tokens.
#[derive(Debug, Deserialize)]
pub struct TokenizerFile {
    model: PiecesFile,
    normalizer: Option<NormalizerFile>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum PiecesFile {
    WordPiece {
        vocab: BTreeMap<String, i32>,
    },
    /// Other families cut words in other ways.
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum NormalizerFile {
    BertNormalizer {
        #[serde(default = "yes")]
        lowercase: bool,
        strip_accents: Option<bool>,
    },
    #[serde(other)]
    Other,
}

/// `1_Pooling/config.json`: which way of making one vector of many the model was trained with. Older files have a
/// switch for each way, newer ones its name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PoolingFile {
    pooling_mode: Option<String>,
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

/// How the vector of a text is made of those of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// That of the first, which the model gives to the text as a whole.
    First,
    /// The highest of each dimension.
    Strongest,
}

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BertError {
    /// Tokens of another family.
    #[error("its tokenizer.json is not of the BERT family (WordPiece with BertNormalizer)")]
    OtherTokens,
    /// The vocabulary lacks what every text needs.
    #[error("its tokenizer.json cannot be used: {0}")]
    Vocabulary(String),
    /// Pooling that is not known, or several at once.
    #[error("its 1_Pooling/config.json asks for {0}; known are mean, cls and max")]
    OtherPooling(String),
    /// The network cannot be loaded or run.
    #[error("its ONNX network cannot be used: {0}")]
    Network(String),
}

/// A model read from files.
pub struct Bert {
    name: String,
    network: Network,
    tokenizer: WordPiece,
    pooling: Pooling,
    output: NodeId,
}

/// What the networks of this family call what they say of each token; others give it first.
const OUTPUTS: &[&str] = &["last_hidden_state", "token_embeddings"];
/// Bytes of the digest that stand in the name: two models do not share them by chance.
const DIGEST_BYTES: usize = 8;

impl Bert {
    /// The model of `files`, tried on a word.
    ///
    /// # Errors
    /// [`BertError`] says which file cannot be used, and why.
    pub fn new(files: BertFiles) -> Result<Self, BertError> {
        let pooling = files.pooling.pooling()?;
        let name = format!("{} {}", files.name, digest(&files, pooling));
        let tokenizer = files.tokenizer.word_piece()?;
        let network = Network::loaded(files.onnx).map_err(BertError::Network)?;
        let outputs: Vec<(NodeId, String)> = network.outputs().collect();
        let named = outputs.iter().find(|(_, name)| OUTPUTS.contains(&name.as_str()));
        let output = named.or(outputs.first()).map(|(id, _)| *id);
        let output = output.ok_or_else(|| BertError::Network("it gives nothing out".to_owned()))?;
        let model = Self { name, network, tokenizer, pooling, output };
        model.embedded("try").map_err(BertError::Network)?;
        Ok(model)
    }

    fn embedded(&self, text: &str) -> Result<Embedding, String> {
        let said = self.network.run(self.tokenizer.encode(text, EMBED_TOKENS_MAX), &[self.output])?;
        let tokens = said.first().ok_or("it gives nothing out")?;
        let mut views = self.pooling.of(tokens);
        views.extend(self.others().iter().flat_map(|pooling| pooling.of(tokens)));
        Ok(Embedding::of_views(tokens.dimensions, &views))
    }

    /// The further views: a word that says something loudly, and the sentence as the model was not trained to give it.
    fn others(&self) -> [Pooling; 2] {
        match self.pooling {
            Pooling::Mean => [Pooling::Strongest, Pooling::First],
            Pooling::First => [Pooling::Strongest, Pooling::Mean],
            Pooling::Strongest => [Pooling::Mean, Pooling::First],
        }
    }
}

impl Embedder for Bert {
    fn model_name(&self) -> &str {
        &self.name
    }

    fn embed(&self, text: &str) -> Result<Embedding, EmbedError> {
        self.embedded(prefix(text, EMBED_BYTES_MAX)).map_err(|problem| EmbedError { model: self.name.clone(), problem })
    }
}

impl Pooling {
    fn of(self, tokens: &Tokens) -> Vec<f32> {
        match self {
            Self::Mean => tokens.mean(),
            Self::First => tokens.first(),
            Self::Strongest => tokens.strongest(),
        }
    }

    fn named(name: &str) -> Option<Self> {
        match name {
            "mean" => Some(Self::Mean),
            "cls" => Some(Self::First),
            "max" => Some(Self::Strongest),
            _ => None,
        }
    }
}

impl PoolingFile {
    fn pooling(&self) -> Result<Pooling, BertError> {
        let switches = [
            ("mean", self.pooling_mode_mean_tokens),
            ("cls", self.pooling_mode_cls_token),
            ("max", self.pooling_mode_max_tokens),
            ("mean_sqrt_len", self.pooling_mode_mean_sqrt_len_tokens),
            ("weightedmean", self.pooling_mode_weightedmean_tokens),
            ("lasttoken", self.pooling_mode_lasttoken),
        ];
        let on: Vec<&str> = switches.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
        let asked = self.pooling_mode.clone().unwrap_or_else(|| on.join(" and "));
        Pooling::named(&asked).ok_or_else(|| {
            BertError::OtherPooling(if asked.is_empty() { "nothing".to_owned() } else { format!("`{asked}`") })
        })
    }
}

impl TokenizerFile {
    fn case(&self) -> Option<Case> {
        match &self.normalizer {
            Some(NormalizerFile::BertNormalizer { lowercase, strip_accents }) => {
                // Left open, accents go where capitals do.
                Some(Case { is_lowered: *lowercase, loses_accents: strip_accents.unwrap_or(*lowercase) })
            }
            Some(NormalizerFile::Other) | None => None,
        }
    }

    fn word_piece(self) -> Result<WordPiece, BertError> {
        let case = self.case().ok_or(BertError::OtherTokens)?;
        let PiecesFile::WordPiece { vocab } = self.model else { return Err(BertError::OtherTokens) };
        let pieces = vocab.into_iter().map(|(piece, id)| (Cow::Owned(piece), id)).collect();
        WordPiece::of(pieces, case).map_err(BertError::Vocabulary)
    }
}

fn yes() -> bool {
    true
}

/// Of everything that decides what a text's vector is.
fn digest(files: &BertFiles, pooling: Pooling) -> String {
    let mut hasher = Sha256::new();
    hasher.update((files.onnx.len() as u64).to_le_bytes());
    hasher.update(&files.onnx);
    hasher.update(format!("{pooling:?} {:?}", files.tokenizer.case()));
    if let PiecesFile::WordPiece { vocab } = &files.tokenizer.model {
        vocab.iter().for_each(|(piece, id)| hasher.update(format!("{piece}\0{id}\0")));
    }
    let digest = hasher.finalize();
    digest.iter().take(DIGEST_BYTES).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
