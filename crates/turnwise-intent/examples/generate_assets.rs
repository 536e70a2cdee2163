//! Fits every built-in profile and writes the result to `assets/<name>.fitted`, with the figures measured on held-out
//! folds on stdout.
//!
//! Run after any change to exemplars, features or training, with names of assistants behind it for only those:
//! `cargo run --release -p turnwise-intent --example generate_assets`
#![expect(clippy::disallowed_methods, reason = "a tool for developers writes files; the library does not")]

use std::error::Error;
use std::path::Path;

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
    Ok(())
}
