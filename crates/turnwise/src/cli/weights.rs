//! Where the files of an embedding model are, and what is made of them. Only this file knows the folders: a path, the
//! folder for models, the cache that Hugging Face's tools fill. Nothing is ever fetched from here: what is missing is
//! told with the command that gets it. Next: `turnwise_intent::Bert`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use turnwise_intent::Embedder;

use super::embedder::Missing;
use turnwise_assistant::{Failure, FailureKind};

/// The model `asked` for: a folder, relative to `base`, or a name. It is an error when its files cannot be used, and
/// [`Missing`] when they are not there.
///
/// # Errors
/// When files are there and cannot be read or used.
pub fn model(asked: &str, base: &Path) -> Result<Result<Arc<dyn Embedder>, Missing>, Failure> {
    let folder = match found(asked, base) {
        Ok(folder) => folder,
        Err(missing) => return Ok(Err(missing)),
    };
    let files = match Files::of(&folder.path, &folder.download) {
        Ok(files) => files,
        Err(missing) => return Ok(Err(missing)),
    };
    loaded(&folder.name, &files).map(Ok)
}

/// A model's folder.
struct Found {
    /// What the model is called.
    name: String,
    path: PathBuf,
    /// The command that gets its files.
    download: String,
}

/// The files of a model.
#[cfg_attr(not(feature = "embedders"), expect(dead_code, reason = "without the feature they are only looked for"))]
struct Files {
    onnx: PathBuf,
    tokenizer: PathBuf,
    pooling: PathBuf,
}

/// Names that are long to type.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("minilm", "sentence-transformers/all-MiniLM-L6-v2"),
    ("bge-small", "BAAI/bge-small-en-v1.5"),
    ("bge-large", "BAAI/bge-large-en-v1.5"),
];
const NETWORKS: &[&str] = &["model.onnx", "onnx/model.onnx"];
const TOKENIZER: &str = "tokenizer.json";
const POOLING: &str = "1_Pooling/config.json";
const VARIABLE: &str = "TURNWISE_MODELS";

fn found(asked: &str, base: &Path) -> Result<Found, Missing> {
    let path = base.join(asked);
    if path.is_dir() || is_path(asked) {
        return in_folder(path);
    }
    let name = SHORT_NAMES.iter().find(|(short, _)| *short == asked).map_or(asked, |(_, name)| name);
    let folders = folders(name);
    let download = download(name, folders.first());
    match folders.iter().find(|folder| folder.is_dir()) {
        Some(path) => Ok(Found { name: name.to_owned(), path: path.clone(), download }),
        None => Err(Missing {
            problem: format!("no embedding model {name} in {}", listed(&folders)),
            hints: vec![format!("get it with: {download}"), "or name a folder that has it".to_owned()],
        }),
    }
}

/// Whether something can only be meant as a path: names on Hugging Face are `owner/name` or `name`.
fn is_path(asked: &str) -> bool {
    asked.starts_with(['.', '~']) || Path::new(asked).is_absolute() || asked.matches('/').count() > 1
}

fn in_folder(path: PathBuf) -> Result<Found, Missing> {
    if !path.is_dir() {
        let problem = format!("there is no folder {}", path.display());
        let hints = vec!["name a folder with model.onnx, tokenizer.json and 1_Pooling/config.json".to_owned()];
        return Err(Missing { problem, hints });
    }
    let name = path.file_name().map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned());
    let download = format!("hf download OWNER/NAME {FILES} --local-dir {}", path.display());
    Ok(Found { name, path, download })
}

const FILES: &str = "onnx/model.onnx tokenizer.json 1_Pooling/config.json";

fn download(name: &str, folder: Option<&PathBuf>) -> String {
    let into = folder.map_or_else(String::new, |folder| format!(" --local-dir {}", folder.display()));
    format!("hf download {name} {FILES}{into}   (hf comes with: pip install huggingface_hub)")
}

/// Where a model called `name` may be, first where we would put it.
fn folders(name: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    match variable(VARIABLE) {
        Some(models) => folders.push(models.join(name)),
        None => folders.extend(caches().map(|cache| cache.join("turnwise").join("models").join(name))),
    }
    folders.extend(hub().and_then(|hub| snapshot(&hub.join(format!("models--{}", name.replace('/', "--"))))));
    folders
}

/// The cache of Hugging Face's own tools.
fn hub() -> Option<PathBuf> {
    variable("HF_HUB_CACHE")
        .or_else(|| variable("HF_HOME").map(|home| home.join("hub")))
        .or_else(|| caches().map(|cache| cache.join("huggingface").join("hub")))
}

/// The version of a model that its cache calls main, whether it is there or not.
fn snapshot(model: &Path) -> Option<PathBuf> {
    let version = std::fs::read_to_string(model.join("refs").join("main")).ok()?;
    Some(model.join("snapshots").join(version.trim()))
}

fn caches() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|strategy| strategy.cache_dir())
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn listed(folders: &[PathBuf]) -> String {
    let shown: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    if shown.is_empty() { "any folder: there is no home folder".to_owned() } else { shown.join(" or ") }
}

impl Files {
    fn of(folder: &Path, download: &str) -> Result<Self, Missing> {
        let onnx = NETWORKS.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        let [tokenizer, pooling] = [TOKENIZER, POOLING].map(|name| folder.join(name));
        match onnx {
            Some(onnx) if tokenizer.is_file() && pooling.is_file() => Ok(Self { onnx, tokenizer, pooling }),
            onnx => Err(incomplete(folder, onnx.is_none(), &[tokenizer, pooling], download)),
        }
    }
}

fn incomplete(folder: &Path, lacks_network: bool, others: &[PathBuf], download: &str) -> Missing {
    let mut lacking: Vec<String> =
        others.iter().filter(|path| !path.is_file()).map(|p| p.display().to_string()).collect();
    if lacks_network {
        lacking.insert(0, folder.join(NETWORKS[0]).display().to_string());
    }
    let mut hints = vec![format!("get it with: {download}")];
    if lacks_network && (folder.join("model.safetensors").is_file() || folder.join("pytorch_model.bin").is_file()) {
        let command = "optimum-cli export onnx --task feature-extraction --model";
        let folder = folder.display();
        let export = format!("{command} {folder} {folder}   (pip install optimum-onnx)");
        hints.insert(0, format!("its weights are there in another format; write them as ONNX with: {export}"));
    }
    Missing { problem: format!("the embedding model in {} lacks {}", folder.display(), lacking.join(" and ")), hints }
}

#[cfg(feature = "embedders")]
fn loaded(name: &str, files: &Files) -> Result<Arc<dyn Embedder>, Failure> {
    use turnwise_intent::{Bert, BertFiles, Cached};

    let onnx = std::fs::read(&files.onnx).map_err(|error| unreadable(&files.onnx, error))?;
    let read = BertFiles {
        name: name.to_owned(),
        onnx,
        tokenizer: parsed(&files.tokenizer)?,
        pooling: parsed(&files.pooling)?,
    };
    let model = Bert::new(read).map_err(|error| {
        let folder = files.tokenizer.parent().unwrap_or(Path::new("."));
        Failure::new(FailureKind::Usage, format!("the embedding model in {} cannot be used: {error}", folder.display()))
            .hint("get its files again, or leave --embedder out to read with the compiled-in model")
            .caused_by(error)
    })?;
    Ok(Arc::new(Cached::new(model)))
}

#[cfg(feature = "embedders")]
fn parsed<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("{} is not what it should be ({error})", path.display()))
            .hint("get it again from where the model came from")
            .caused_by(error)
    })
}

#[cfg(feature = "embedders")]
fn unreadable(path: &Path, error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Operator, format!("{} cannot be read ({error})", path.display()))
        .hint("give yourself the right to read it")
        .caused_by(error)
}

#[cfg(not(feature = "embedders"))]
fn loaded(name: &str, _files: &Files) -> Result<Arc<dyn Embedder>, Failure> {
    Err(Failure::new(FailureKind::Usage, format!("this build cannot read embedding models, so not {name} either"))
        .hint("build it with: cargo install turnwise --features embedders")
        .hint("or leave --embedder out to read with the compiled-in model"))
}
