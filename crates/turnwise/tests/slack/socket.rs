//! Socket Mode through the real server, with a stand-in for the other end of the lines: how they are opened again, and
//! what becomes of what was delivered on one that ends. Next: `peer`.

use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use super::peer::Slack;
use super::{ORDER, titles};

/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Slack with its end of the lines, in the order in which they were opened.
struct Lines {
    slack: Slack,
    opened: Receiver<Line>,
}

/// Slack's end of one line.
struct Line {
    socket: WebSocket<TcpStream>,
    at: Instant,
}

impl Lines {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("ws://{}/link/?ticket=1", listener.local_addr().unwrap());
        let (open, opened) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                let line = Line { at: Instant::now(), socket: tungstenite::accept(stream).unwrap() };
                if open.send(line).is_err() {
                    return;
                }
            }
        });
        Self { slack: Slack::over_sockets(&address), opened }
    }

    /// The next line that is opened.
    #[track_caller]
    fn next(&self) -> Line {
        self.opened.recv_timeout(PATIENCE).expect("no line is opened")
    }

    /// The next line, greeted.
    #[track_caller]
    fn greeted(&self) -> Line {
        let mut line = self.next();
        line.send(&json!({"type": "hello", "num_connections": 1}));
        line
    }

    fn opens(&self) -> usize {
        self.slack.count("apps.connections.open", "")
    }
}

impl Line {
    fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    /// Somebody said what the event holds.
    fn delivers(&mut self, envelope: &str, text: &str) {
        let event = json!({"type": "app_mention", "user": "U1", "text": format!("<@U0BOT> {text}"), "ts": "100.1",
            "channel": "C1"});
        let payload = json!({"type": "event_callback", "team_id": "T1", "event_id": "Ev1", "event": event});
        self.send(&json!({"type": "events_api", "envelope_id": envelope, "payload": payload}));
    }

    /// Slack asks to leave the line, or ends it.
    fn ends(&mut self, reason: &str) {
        self.send(&json!({"type": "disconnect", "reason": reason}));
    }

    /// The next acknowledgement; none once the other end has closed.
    fn acknowledged(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let said: Value = serde_json::from_str(&text).unwrap();
                    return Some(said["envelope_id"].as_str().unwrap().to_owned());
                }
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                // An end that is let go of without a word.
                Err(tungstenite::Error::Protocol(_)) => return None,
                Err(error) => panic!("nothing came: {error}"),
            }
        }
    }
}

#[test]
fn a_server_that_closes_every_line_at_once_is_waited_for_ever_longer() {
    let lines = Lines::new();
    let opened: Vec<Instant> = (0..4).map(|_| lines.next().at).collect();
    assert!(opened[3] - opened[0] >= Duration::from_millis(250 + 500 + 1_000), "{opened:?}");
    assert!(lines.opens() <= 5, "{}", lines.opens());
    let said = lines.slack.end();
    assert!(said.contains("It is opened again in 250ms.") && said.contains("It is opened again in 1s."), "{said}");
}

#[test]
fn a_server_that_greets_and_closes_is_called_at_once_the_first_time_only() {
    let lines = Lines::new();
    let opened: Vec<Instant> = (0..4).map(|_| lines.greeted().at).collect();
    assert!(opened[3] - opened[1] >= Duration::from_millis(250 + 500), "{opened:?}");
    let said = lines.slack.end();
    assert!(said.contains("It is opened again at once.") && said.contains("It is opened again in 500ms."), "{said}");
}

#[test]
fn a_line_that_is_renewed_stays_until_the_next_one_stands_and_gives_out_what_it_owes() {
    for reason in ["warning", "refresh_requested"] {
        let lines = Lines::new();
        let mut first = lines.greeted();
        lines.slack.holds("chat.postMessage");
        let command = json!({"team_id": "T1", "channel_id": "C1", "user_id": "U1", "trigger_id": "t-1",
            "text": "review this design of the queue"});
        first.send(&json!({"type": "slash_commands", "envelope_id": "E1", "payload": command}));
        lines.slack.wait("chat.postMessage", "review this design of the queue");
        first.ends(reason);
        let mut second = lines.next();
        // Until the next one is greeted, Slack still delivers on the first.
        first.delivers("E2", ORDER);
        assert_eq!(first.acknowledged().as_deref(), Some("E2"), "{reason}");
        second.send(&json!({"type": "hello"}));
        lines.slack.lets_go();
        assert_eq!(first.acknowledged().as_deref(), Some("E1"), "{reason}");
        assert_eq!(first.acknowledged(), None, "the first line is closed");
        second.delivers("E3", ORDER);
        assert_eq!(second.acknowledged().as_deref(), Some("E3"), "{reason}");
        assert_eq!(lines.opens(), 2, "{reason}");
    }
}

#[test]
fn what_was_not_acknowledged_on_a_broken_line_comes_again_and_is_done_once() {
    let lines = Lines::new();
    let mut first = lines.greeted();
    first.delivers("E1", ORDER);
    let preview = lines.slack.wait("chat.postMessage", "Bug: Login bug");
    drop(first);
    let mut second = lines.greeted();
    second.delivers("E1", ORDER);
    assert_eq!(second.acknowledged().as_deref(), Some("E1"));
    let button = preview.button("Approve");
    let pressed = json!({"type": "block_actions", "user": {"id": "U1"}, "team": {"id": "T1"},
        "channel": {"id": "C1"}, "message": {"ts": preview.at, "thread_ts": "100.1"},
        "actions": [{"action_id": button["action_id"], "value": button["value"]}]});
    second.send(&json!({"type": "interactive", "envelope_id": "E2", "payload": pressed}));
    assert_eq!(second.acknowledged().as_deref(), Some("E2"));
    lines.slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(lines.slack.count("chat.postMessage", "Bug: Login bug"), 1);
    assert_eq!(titles(&lines.slack), ["TASK-1.json"]);
}

#[test]
fn a_person_is_told_what_to_do_where_socket_mode_is_off_and_slack_is_left_alone() {
    let lines = Lines::new();
    let mut line = lines.greeted();
    line.ends("link_disabled");
    assert_eq!(line.acknowledged(), None, "the line is let go of");
    assert_eq!(lines.opens(), 1);
    lines
        .slack
        .hears("turn it on at api.slack.com/apps, or take the app-level token away here. It is opened again in 300s.");
}

#[test]
fn a_server_that_is_asked_to_end_lets_go_of_all_its_lines() {
    let lines = Lines::new();
    let mut first = lines.greeted();
    first.ends("warning");
    let mut second = lines.next();
    let said = lines.slack.closes();
    assert_eq!((first.acknowledged(), second.acknowledged()), (None, None), "{said}");
}
