//! Language models in the real binary: who names them, what is told of them, that nothing is sent unless somebody named
//! one, and that no key is ever printed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

const VARIABLES: [&str; 6] = [
    "OPENAI_API_KEY",
    "OPENAI_COMPATIBLE_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OLLAMA_HOST",
    "TURNWISE_MODEL",
];

/// A folder to work in, with turnwise.yaml and a table.
fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("turnwise.yaml"), settings).unwrap();
    std::fs::write(folder.path().join("people.csv"), "name,town\nAda,London\nLin,Paris\n").unwrap();
    folder
}

fn turnwise(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(arguments).current_dir(folder).env("TURNWISE_STATE", folder.join("state"));
    // What the person who runs this has set is none of the test's business.
    command.env("XDG_CONFIG_HOME", folder.join("config"));
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap()
}

/// All that was said.
fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

/// A server that answers “yes” to everything and keeps what it was sent.
struct Server {
    url: String,
    sent: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let sent: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&sent);
        std::thread::spawn(move || {
            listener.incoming().for_each(|stream| kept.lock().unwrap().push(answered(stream.unwrap())))
        });
        Self { url, sent }
    }

    fn name(&self) -> String {
        format!("openai-compatible:{}#tiny", self.url)
    }

    fn sent(&self) -> Vec<String> {
        self.sent.lock().unwrap().clone()
    }
}

/// Answers one request and gives it back.
fn answered(mut stream: TcpStream) -> String {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let events = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\n\
                  data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":1,\"total_tokens\":12}}\n\n\
                  data: [DONE]\n\n";
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}");
    stream.write_all(answer.as_bytes()).unwrap();
    head + &String::from_utf8(body).unwrap()
}

#[test]
fn nothing_is_sent_where_nobody_named_a_model() {
    let server = Server::start();
    let folder = folder("data: [people.csv]\n");
    let (key, host) = (("OPENAI_API_KEY", "sk-secret"), ("OLLAMA_HOST", server.url.as_str()));
    let listed = turnwise(folder.path(), &["models"], &[key, host]);
    assert_eq!(listed.status.code(), Some(0));
    assert_eq!(
        said(&listed),
        "No model is named, so nothing is sent anywhere. --model NAME or `model:` in turnwise.yaml names one.\n\
         Set: OLLAMA_HOST, OPENAI_API_KEY.\n"
    );
    let asked = turnwise(folder.path(), &["ask", "--ephemeral", "which people are blorptastic"], &[key, host]);
    assert!(!said(&asked).contains("sk-secret"));
    assert!(server.sent().is_empty(), "{:?}", server.sent());
}

#[test]
fn a_model_that_is_configured_is_listed_and_asked_whether_it_answers() {
    let server = Server::start();
    let folder = folder(&format!(
        "model:\n  name: {0}\n  sees: samples\n  tasks:\n    question: scripted:turns.json\n",
        server.name()
    ));
    std::fs::write(folder.path().join("turns.json"), r#"[{"say": "yes"}]"#).unwrap();
    let key = ("OPENAI_COMPATIBLE_API_KEY", "sk-secret");
    let listed = turnwise(folder.path(), &["models"], &[key]);
    let told = said(&listed);
    assert_eq!(listed.status.code(), Some(0), "{told}");
    assert!(told.contains(&format!("analyst, all tasks: {} (from ", server.name())), "{told}");
    assert!(told.contains("analyst, the task question: scripted:turns.json (from "), "{told}");
    assert!(told.contains("is shown names and sample values"), "{told}");
    assert!(told.contains(&format!("✓ {}: answers, ", server.name())) && told.contains(" 12 tokens"), "{told}");
    assert!(told.contains("✓ scripted:turns.json: answers, "), "{told}");
    assert!(!told.contains("sk-secret"), "{told}");
    let sent = server.sent();
    assert!(sent.len() == 1 && sent[0].contains("Bearer sk-secret"), "{sent:?}");

    let listed = turnwise(folder.path(), &["models", "--list"], &[key]);
    assert!(said(&listed).contains("could be asked") && server.sent().len() == 1, "{}", said(&listed));
}

#[test]
fn a_model_that_does_not_answer_says_what_to_do() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("openai-compatible:http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let folder = folder("data: [people.csv]\n");
    let away = turnwise(folder.path(), &["models", "--model", &name], &[]);
    let told = said(&away);
    assert_eq!(away.status.code(), Some(1), "{told}");
    assert!(told.contains(&format!("✗ {name}: {name} cannot be reached: ")), "{told}");
    assert!(told.contains("→ check that the server runs and that the address is right"), "{told}");
    let keyless = turnwise(folder.path(), &["models", "--model", "openai:gpt-4o-mini"], &[]);
    assert!(said(&keyless).contains("needs a key, and OPENAI_API_KEY is not set"), "{}", said(&keyless));
}

#[test]
fn what_is_typed_wins_over_the_environment_and_that_over_a_file() {
    let folder = folder("model:\n  name: recorded:one\n  tasks: {question: recorded:two}\n");
    let told = |arguments: &[&str], variables: &[(&str, &str)]| {
        let all: Vec<&str> = ["models", "--list"].into_iter().chain(arguments.iter().copied()).collect();
        said(&turnwise(folder.path(), &all, variables))
    };
    let of_file = told(&[], &[]);
    assert!(
        of_file.contains("recorded:one (from ") && of_file.contains("the task question: recorded:two"),
        "{of_file}"
    );
    let of_variable = told(&[], &[("TURNWISE_MODEL", "recorded:three")]);
    assert!(of_variable.contains("all tasks: recorded:three (from TURNWISE_MODEL)"), "{of_variable}");
    assert!(!of_variable.contains("recorded:two"), "{of_variable}");
    let typed = told(&["--model", "recorded:four", "--model-sees", "rows"], &[("TURNWISE_MODEL", "recorded:three")]);
    assert!(typed.contains("recorded:four (from --model), is shown names, values and rows"), "{typed}");
    assert!(!typed.contains("recorded:t"), "{typed}");
}

#[test]
fn a_setting_that_is_wrong_names_its_line_and_what_there_is() {
    let wrong = |settings: &str| {
        let output = turnwise(folder(settings).path(), &["models", "--list"], &[]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        said(&output)
    };
    let told = wrong("model:\n  name: ollama:x\n  taks: {}\n");
    assert!(told.contains("line 3: there is no setting `taks`") && told.contains("did you mean `tasks`?"), "{told}");
    let told = wrong("model: {name: ollama:x, sees: everything}\n");
    assert!(told.contains("everything") && told.contains("samples"), "{told}");
    let told = said(&turnwise(folder("").path(), &["models"], &[("TURNWISE_MODEL_SEES", "all")]));
    assert!(told.contains("TURNWISE_MODEL_SEES is none of names, samples and rows"), "{told}");
}

#[test]
fn a_chat_says_which_model_may_be_asked_and_refuses_one_that_is_none() {
    let folder = folder("data: [people.csv]\n");
    std::fs::write(folder.path().join("turns.json"), "[]").unwrap();
    let greeted = turnwise(folder.path(), &["chat", "--ephemeral", "--model", "scripted:turns.json"], &[]);
    let told = said(&greeted);
    assert!(
        told.contains(
            "Where words are not understood, scripted:turns.json is asked. It may be shown names of tables and columns."
        ),
        "{told}"
    );
    let refused = turnwise(folder.path(), &["ask", "--model", "gpt-4o", "how many people"], &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).starts_with("error: “gpt-4o” names no model: it does not say who serves it"));
    assert!(said(&refused).contains("hint: write openai:NAME"), "{}", said(&refused));
}

#[test]
fn doctor_tells_keys_by_the_names_of_their_variables() {
    let folder = folder("model: openai:gpt-4o-mini\n");
    let doctor = |variables: &[(&str, &str)]| said(&turnwise(folder.path(), &["doctor", "--port", "0"], variables));
    let well = doctor(&[("OPENAI_API_KEY", "sk-secret")]);
    assert!(
        well.contains(
            "✓ models: openai:gpt-4o-mini, shown names of tables and columns; \
             `turnwise models` asks whether they answer. Set: OPENAI_API_KEY."
        ),
        "{well}"
    );
    assert!(!well.contains("sk-secret"), "{well}");
    assert!(doctor(&[]).contains("✗ models: openai:gpt-4o-mini needs a key, and OPENAI_API_KEY is not set"));
}

#[test]
fn a_local_model_answers() {
    let Ok(name) = std::env::var("TURNWISE_TEST_MODEL") else {
        eprintln!("SKIPPED: no real model was asked. Run `.ci/local-model cargo test -p turnwise --test models`.");
        return;
    };
    let told = said(&turnwise(folder("").path(), &["models", "--model", &name], &[]));
    assert!(told.contains(&format!("✓ {name}: answers, ")), "{told}");
}
