//! What the public benchmark is asked to measure. Next: `main`.
#![cfg_attr(
    feature = "embedders",
    expect(clippy::disallowed_methods, reason = "a tool for developers reads files; the library does not")
)]

use std::path::PathBuf;

use turnwise_intent::{Embedder, MiniLm};

/// The words behind the command.
pub struct Options {
    /// The folder of the intent data.
    pub folder: PathBuf,
    /// Which sets.
    pub sets: Vec<String>,
    /// With how many examples of each intent.
    pub shots: Vec<String>,
    /// Whether messages are read with slips of the fingers, too.
    pub typos: bool,
    /// What embeds.
    pub embedder: Box<dyn Embedder>,
    /// What it weighs.
    pub weight_megabytes: String,
    on_validation: bool,
}

const SETS: &[&str] = &["banking77", "clinc150", "hwu64"];
const SHOTS: &[&str] = &["5", "10", "full"];
const COMPILED_IN_MEGABYTES: &str = "23.4";

impl Options {
    /// Reads the words.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let folder = words.next().ok_or("give the folder of the intent data as the first argument")?;
        let (mut sets, mut shots) = (Vec::new(), Vec::new());
        let (mut typos, mut on_validation) = (false, false);
        let mut embedder: Box<dyn Embedder> = Box::new(MiniLm);
        let mut weight_megabytes = COMPILED_IN_MEGABYTES.to_owned();
        for word in words {
            match word.as_str() {
                "typos" => typos = true,
                "valid" => on_validation = true,
                set if SETS.contains(&set) => sets.push(word),
                number if SHOTS.contains(&number) => shots.push(word),
                other => match other.strip_prefix("embedder=") {
                    Some(folder) => (embedder, weight_megabytes) = model(folder)?,
                    None => {
                        return Err(format!("`{other}` is none of {SETS:?}, {SHOTS:?}, typos, valid, embedder=FOLDER"));
                    }
                },
            }
        }
        MiniLm.load_now().map_err(|error| error.to_string())?;
        let or_all = |named: Vec<String>, all: &[&str]| match named.is_empty() {
            true => all.iter().map(|one| (*one).to_owned()).collect(),
            false => named,
        };
        let (sets, shots) = (or_all(sets, SETS), or_all(shots, SHOTS));
        Ok(Self { folder: PathBuf::from(folder), sets, shots, typos, embedder, weight_megabytes, on_validation })
    }

    /// The files with the messages that are read, in scope and out of it.
    pub fn splits(&self) -> (&'static str, &'static str) {
        if self.on_validation { ("valid.jsonl", "oos_valid.jsonl") } else { ("test.jsonl", "oos.jsonl") }
    }
}

#[cfg(feature = "embedders")]
fn model(folder: &str) -> Result<(Box<dyn Embedder>, String), String> {
    use std::path::Path;

    let folder = Path::new(folder);
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let onnx = read("model.onnx")?;
    let megabytes = format!("{:.1}", onnx.len() as f64 / 1e6);
    let files = turnwise_intent::BertFiles {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        onnx,
        tokenizer: serde_json::from_slice(&read("tokenizer.json")?).map_err(|error| error.to_string())?,
        pooling: serde_json::from_slice(&read("1_Pooling/config.json")?).map_err(|error| error.to_string())?,
    };
    let model = turnwise_intent::Bert::new(files).map_err(|error| error.to_string())?;
    Ok((Box::new(model), megabytes))
}

#[cfg(not(feature = "embedders"))]
fn model(_folder: &str) -> Result<(Box<dyn Embedder>, String), String> {
    Err("embedder=FOLDER needs `--features embedders` before the dashes".to_owned())
}
