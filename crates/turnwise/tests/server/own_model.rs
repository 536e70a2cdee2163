//! Whose model is asked with whose key: a person's own where they have one, the server's for everybody else, and no
//! other where the own one fails. The provider is a server of this test's, which notes what reaches it. Next:
//! `projects`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::client::{Client, Server, tokens};

/// A request that reached the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reached {
    key: String,
    model: String,
}

/// A provider that knows all keys but `WRONG` and says the same to everybody.
#[derive(Clone)]
struct Provider {
    address: String,
    reached: Arc<Mutex<Vec<Reached>>>,
}

const OF_HOUSE: &str = "sk-house-0123456789";
const OF_ADA: &str = "sk-ada-0123456789";
const WRONG: &str = "sk-wrong-0123456789";
const TROUBLE: &str = "I'm having trouble thinking right now \u{2014} can you try again in a moment?";

impl Provider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1/", listener.local_addr().unwrap());
        let reached = Arc::<Mutex<Vec<Reached>>>::default();
        let noted = Arc::clone(&reached);
        std::thread::spawn(move || listener.incoming().for_each(|line| answer(line.unwrap(), &noted)));
        Self { address, reached }
    }

    /// Who asked since this was asked last.
    fn taken(&self) -> Vec<Reached> {
        std::mem::take(&mut self.reached.lock().unwrap())
    }
}

/// Answers one request, as a stream of the provider's.
fn answer(mut line: TcpStream, noted: &Mutex<Vec<Reached>>) {
    let mut reader = BufReader::new(line.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap() == 0 {
            return;
        }
    }
    let header = |name: &str| {
        let found = head.lines().find(|line| line.to_lowercase().starts_with(name));
        found.map(|line| line[name.len()..].trim().to_owned()).unwrap()
    };
    let mut body = vec![0; header("content-length:").parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let key = header("authorization:").replace("Bearer ", "");
    noted.lock().unwrap().push(Reached { key: key.clone(), model: body["model"].as_str().unwrap().to_owned() });
    let (status, media, content) = if key == WRONG {
        let told = format!("Incorrect API key provided: {WRONG}");
        ("401 Unauthorized", "application/json", json!({ "error": { "message": told } }).to_string())
    } else {
        let said = match body["response_format"].to_string().contains("confidence") {
            true => json!({ "intent": "general_conversation", "confidence": 0.9 }),
            false => json!({ "reply": "Barns it is." }),
        };
        let said = said.to_string();
        let part = json!({ "choices": [{ "index": 0, "delta": { "content": said }, "finish_reason": null }] });
        let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
        ("200 OK", "text/event-stream", format!("data: {part}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
    };
    let length = content.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n");
    write!(line, "{head}Connection: close\r\n\r\n{content}").unwrap();
}

fn said(client: &Client) -> String {
    let reply = client.send("POST", "/operator/converse", &[], Some(&json!({ "message": "barns, probably" })));
    reply.expect(200)["companion_message"].as_str().unwrap().to_owned()
}

#[test]
fn a_persons_own_model_is_asked_with_their_key_and_no_other_takes_its_place() {
    let (state, provider) = (tempfile::tempdir().unwrap(), Provider::start());
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let more = ["--assistant", "companion", "--model", "openai:gpt-house", "--tokens", file.to_str().unwrap()];
    let variables = [("OPENAI_API_KEY", OF_HOUSE), ("OPENAI_BASE_URL", provider.address.as_str())];
    let mut server = Server::start_with(state.path(), &more, &variables);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let set = |key: &str| {
        let own = json!({ "model": "openai:gpt-ada", "key": key });
        ada.send("PUT", "/v1/own-model", &[], Some(&own)).expect(200);
    };
    let only = |key: &str, model: &str| {
        let asked = provider.taken();
        let wanted = Reached { key: key.to_owned(), model: model.to_owned() };
        assert!(!asked.is_empty() && asked.iter().all(|one| *one == wanted), "{asked:?}");
    };
    assert_eq!(said(&ada), "Barns it is.");
    only(OF_HOUSE, "gpt-house");
    set(OF_ADA);
    assert_eq!(provider.taken(), [], "nothing is sent before something is said");
    assert_eq!(said(&ada), "Barns it is.");
    only(OF_ADA, "gpt-ada");
    said(&ben);
    only(OF_HOUSE, "gpt-house");
    set(WRONG);
    assert_eq!(said(&ada), TROUBLE);
    only(WRONG, "gpt-ada");
    ada.send("DELETE", "/v1/own-model", &[], None).expect(200);
    assert_eq!(said(&ada), "Barns it is.");
    only(OF_HOUSE, "gpt-house");
    server.end();
    let told = server.all_said();
    for key in [OF_HOUSE, OF_ADA, WRONG] {
        assert!(!told.contains(key), "{told}");
    }
}
