//! A model behind OpenAI's protocol that writes word by word, with a pause before each, and knows when each went out.
//! What it says is no query, so whoever asks it for one asks on.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Before each word.
const PAUSE: Duration = Duration::from_millis(150);

pub struct SlowModel {
    /// As `--model` takes it.
    pub name: String,
    /// What was written: each mark with the time it went out.
    pub written: Arc<Mutex<Vec<(String, Instant)>>>,
}

impl SlowModel {
    /// One that writes `words` words for each call, the first of which is a mark of the call.
    pub fn start(words: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("openai-compatible:http://{}/v1#tiny", listener.local_addr().unwrap());
        let written: Arc<Mutex<Vec<_>>> = Arc::default();
        let kept = Arc::clone(&written);
        std::thread::spawn(move || {
            for (call, line) in listener.incoming().enumerate() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || answer(line.unwrap(), call, words, &kept));
            }
        });
        Self { name, written }
    }
}

/// Answers one request, until whoever asked hangs up.
fn answer(mut line: TcpStream, call: usize, words: usize, written: &Mutex<Vec<(String, Instant)>>) {
    let mut reader = BufReader::new(line.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).unwrap_or_default() == 0 {
            return;
        }
        if let Some(text) = header.to_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
        if header.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    line.set_nodelay(true).unwrap();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    if line.write_all(head.as_bytes()).is_err() {
        return;
    }
    // Nobody says that the next word is ready; its time passes.
    let (_silent, never) = std::sync::mpsc::channel::<()>();
    for at in 0..words {
        let _ = never.recv_timeout(PAUSE);
        let word = if at == 0 { format!("mark{call:04}") } else { format!(" word{at}") };
        let event = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{word}\"}}}}]}}\n\n");
        let now = Instant::now();
        if line.write_all(event.as_bytes()).is_err() {
            return;
        }
        if at == 0 {
            written.lock().unwrap().push((word, now));
        }
    }
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let _ = line.write_all(end.as_bytes());
}
