//! Reads a proof back from a file of any form and checks that nothing of it was changed: the seal over all bytes, the
//! chain of hashes, and that a page shows what the proof inside says. Works without data and without network. Next:
//! `rerun`.

use std::collections::BTreeMap;

use turnwise_core::FactName;

use super::document::{FORMAT, Proof, head_hash, link_hash};
use super::{Form, seal, write};

/// A file that is no unchanged proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Edited {
    /// No proof at all, or one whose frame was damaged.
    #[error("the file is no proof, or its frame was edited: {0}")]
    NoProof(String),
    /// The seal is that of another content.
    #[error("the file was edited: its content does not fit its seal")]
    Seal,
    /// A hash of the chain is that of another content.
    #[error("the proof was edited: {0}")]
    Chain(String),
    /// The page around the proof shows something else.
    #[error("the page was edited: it does not show what the proof inside it says")]
    Page,
    /// A version of the format that is not known here.
    #[error("the proof has the format {0}; this program reads {FORMAT}")]
    Format(String),
}

/// Where a page holds its proof.
pub(super) const INSIDE_HTML: (&str, &str) = ("<script type=\"application/json\" id=\"proof\">", "</script>");
/// The same in Markdown.
pub(super) const INSIDE_MARKDOWN: (&str, &str) = ("```json turnwise-proof\n", "\n```");

/// The proof in the content of a file, checked.
///
/// # Errors
/// [`Edited`], saying what does not fit.
pub fn read(content: &[u8]) -> Result<(Proof, Form), Edited> {
    let text = std::str::from_utf8(content)
        .map_err(|error| Edited::NoProof(format!("it is not text from byte {} on", error.valid_up_to())))?;
    let opened = seal::open(text);
    let form = form_of(text);
    // What breaks the seal may have broken anything else too; that it was edited is what matters.
    let Some(sealed) = opened else {
        return Err(match form {
            Some(_) => Edited::Seal,
            None => Edited::NoProof("it neither begins nor ends like one".to_owned()),
        });
    };
    let form = form.ok_or_else(|| Edited::NoProof("it does not begin like one".to_owned()))?;
    let written = match form {
        Form::Json => Some(format!("{sealed}\n}}")),
        Form::Html => between(sealed, INSIDE_HTML),
        Form::Markdown => between(sealed, INSIDE_MARKDOWN),
    };
    let written = written.ok_or_else(|| Edited::NoProof("the page holds no proof".to_owned()))?;
    let proof: Proof = serde_json::from_str(&written).map_err(|error| Edited::NoProof(error.to_string()))?;
    if proof.format != FORMAT {
        return Err(Edited::Format(proof.format));
    }
    check_chain(&proof)?;
    // Another version may draw the same proof differently; its seal was checked all the same.
    if proof.head.program.version == env!("CARGO_PKG_VERSION") && write(&proof, form) != text {
        return Err(Edited::Page);
    }
    Ok((proof, form))
}

fn form_of(text: &str) -> Option<Form> {
    [("{", Form::Json), ("<!doctype html>", Form::Html), ("# Proof", Form::Markdown)]
        .into_iter()
        .find(|(start, _)| text.starts_with(start))
        .map(|(_, form)| form)
}

fn between(text: &str, (before, after): (&str, &str)) -> Option<String> {
    // It is the last thing of a page; what stands before it may quote such a beginning.
    let (_, rest) = text.rsplit_once(before)?;
    Some(rest.split_once(after)?.0.to_owned())
}

/// Every hash is that of what it stands for.
///
/// # Errors
/// [`Edited::Chain`], naming the first fact that does not fit.
pub fn check_chain(proof: &Proof) -> Result<(), Edited> {
    let broken = |what: String| Err(Edited::Chain(what));
    if head_hash(&proof.format, &proof.head) != proof.head_hash {
        return broken("its head does not fit its hash".to_owned());
    }
    let mut previous = &proof.head_hash;
    let mut hashes: BTreeMap<&FactName, &String> = BTreeMap::new();
    for link in &proof.chain {
        let name = &link.fact.name;
        if link.previous != *previous {
            return broken(format!("{name} does not follow what stands before it"));
        }
        if link_hash(previous, &link.fact) != link.hash {
            return broken(format!("{name} does not fit its hash"));
        }
        for input in &link.fact.inputs {
            if hashes.get(&input.name).copied() != input.hash.as_ref() {
                return broken(format!("{name} is not derived from the {} in this proof", input.name));
            }
        }
        if hashes.insert(name, &link.hash).is_some() {
            return broken(format!("{name} stands in it twice"));
        }
        previous = &link.hash;
    }
    match proof.head.conclusions.iter().find(|name| !hashes.contains_key(name)) {
        Some(missing) => broken(format!("the conclusion {missing} is missing")),
        None => Ok(()),
    }
}
