//! Fits every built-in profile and writes the result to `assets/<name>.fitted`, with the figures measured on held-out
//! folds on stdout.
//!
//! Run after any change to exemplars, features or training, with names of assistants behind it for only those:
//! `cargo run --release -p turnwise-intent --example generate_assets`
#![expect(clippy::disallowed_methods, reason = "a tool for developers writes files; the library does not")]

use std::error::Error;
use std::path::Path;

use turnwise_core::Reply;
use turnwise_intent::reply::{Meaning, ReplyHead};
use turnwise_intent::{Fitted, MiniLm, Profile, builtin};

fn main() -> Result<(), Box<dyn Error>> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for name in builtin::names().into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|one| one == name)) {
        let (assistant, exemplars) = builtin::texts(name)?;
        let profile = Profile::parse(assistant, exemplars)?;
        let (fitted, report) = Fitted::fit(&profile, &MiniLm)?;
        for (head, figures) in report {
            println!(
                "{name}{}{head}: accuracy {:.3}, coverage {:.3}, accuracy when covered {:.3}, calibration error {:.3}",
                if head.is_empty() { "" } else { "." },
                figures.accuracy,
                figures.coverage,
                figures.accuracy_covered,
                figures.calibration_error,
            );
        }
        let bytes = fitted.to_bytes();
        println!("{name}: {} exemplars, {} bytes", profile.exemplars.len(), bytes.len());
        std::fs::write(assets.join(format!("{name}.fitted")), bytes)?;
    }
    if wanted.is_empty() || wanted.iter().any(|one| one == "replies") {
        replies(assets.as_path())?;
    }
    Ok(())
}

/// The head of replies, with what the folds say of it and the sentences that should be looked at.
fn replies(assets: &Path) -> Result<(), Box<dyn Error>> {
    let (head, figures) = ReplyHead::fit(&MiniLm)?;
    for one in &figures.judged {
        let is_yes = one.lesson.meaning == Meaning::Yes;
        let is_consent = one.veto.is_none() && one.likely >= head.consent;
        let is_by_grammar = matches!(one.by_grammar, Reply::Approve | Reply::ApproveWithNote { .. });
        let is_near = is_by_grammar || (one.veto.is_none() && one.likely >= head.close);
        if (is_yes && !is_consent && !is_by_grammar) || (!is_yes && is_near) {
            let name = one.lesson.meaning.name();
            let how = if is_by_grammar { "grammar" } else { "head" };
            println!("{:.3} {how} {:?} {name} #{}: {}", one.likely, one.veto, one.lesson.frame, one.lesson.text);
        }
    }
    println!(
        "replies: {} sentences, calibration error {:.3}, consent from {:.4} ({:.4} to look), asked back \
         from {:.4}: of those that mean yes {:.3} are consent ({:.3} by the grammar alone), {:.3} are that or \
         asked back; of the {} others {} are consent \
         ({} by the grammar), {:.4} are asked back",
        figures.judged.len(),
        figures.calibration_error,
        head.consent,
        head.consent_to_look,
        head.close,
        figures.recall,
        figures.recall_by_grammar,
        figures.recall_asked,
        figures.others,
        figures.false_consents,
        figures.false_by_grammar,
        figures.false_asked,
    );
    let bytes = head.to_bytes();
    println!("replies: {} bytes", bytes.len());
    std::fs::write(assets.join("replies.fitted"), bytes)?;
    Ok(())
}
